"""Games that begin from a position somebody has set up: played, taken back, saved, loaded, restarted, reviewed."""

from typing import Any

import httpx
import pytest

from tests.serve.running_server import asking, first_legal, moved, opened, played_out, settled, without_addresses

START = {"pieces": [0, 0, 2, 0, 1, 0, 0, 0, 0], "to_move": 1}  # X in the middle, O on c1


def begun(client: httpx.Client, start: dict[str, Any] = START, game: str = "tic_tac_toe") -> httpx.Response:
    return client.post("/api/sessions", json={"game": game, "seats": ["human", "uct:50"], "seed": 4, "start": start})


def test_a_game_that_was_set_up_is_played_taken_back_saved_loaded_and_restarted() -> None:
    with asking() as client:
        view = settled(client, begun(client).json())
        assert [entry["player"] for entry in view["history"]] == [1]  # the bot was to move
        positions = client.get(f"/api/sessions/{view['id']}/positions").json()
        assert positions[0]["pieces"] == START["pieces"]
        place = f"/api/sessions/{view['id']}"
        moved(client, view, first_legal(view))
        assert client.post(f"{place}/undo").json()["position"] == view["position"]
        saved = client.get(f"{place}/record").json()
        assert saved["start"] == START
        loaded = client.post("/api/sessions/load", json=saved).json()
        assert loaded["position"] == view["position"]
        now = client.get(place).json()
    with asking() as client:
        assert client.get(place).json() == now
        over = played_out(client, now)
        review = client.get(f"{place}/review").json()
        assert [one["ply"] for one in review["moves"]] == list(range(over["ply"]))
        following = settled(client, client.post(f"{place}/next").json())
        shown = client.get(f"/api/sessions/{following['id']}/positions").json()
        assert shown[0]["pieces"] == START["pieces"]  # also the next game of the series


def test_the_same_seed_gives_the_same_game() -> None:
    with asking() as client:
        first, second = (played_out(client, settled(client, begun(client).json())) for _ in range(2))
        assert without_addresses(first) == without_addresses(second)


def test_a_planner_thinks_about_it() -> None:
    with asking() as client:
        view = begun(client, {**START, "to_move": 0}).json()
        asked = {"player": "uct:50", "ply": 0}
        assert client.post(f"/api/sessions/{view['id']}/thoughts", json=asked).status_code == 202


def test_sgf_does_not_hold_it() -> None:
    with asking() as client:
        start = {"pieces": [1, 0, 0, 0, 2, 0, 0, 0, 0], "to_move": 0}
        view = begun(client, start, "hex(size=3)").json()
        assert not view["game"]["sgf"]
        answer = client.get(f"/api/sessions/{view['id']}/sgf")
        assert (answer.status_code, "set up" in answer.json()["detail"]) == (409, True)


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("leduc", {"pieces": [], "to_move": 0}),
        ("liars_dice", {"pieces": [1], "to_move": 0}),
        ("go(size=5)", {"pieces": [0] * 25, "to_move": 0}),
        ("fanorona", {"pieces": [0] * 45, "to_move": 0}),
        ("tic_tac_toe", {"pieces": [1, 1, 1, 0, 0, 0, 0, 0, 0], "to_move": 1}),
        ("tic_tac_toe", {"pieces": [1] * 10, "to_move": 1}),
        ("tic_tac_toe", {"pieces": [3] + [0] * 8, "to_move": 1}),
        ("tic_tac_toe", {"pieces": [0] * 9, "to_move": 2}),
    ],
)
def test_what_cannot_be_set_up_is_refused_in_a_sentence(game: str, start: dict[str, Any]) -> None:
    with asking() as client:
        for path, extra in (("sessions", {}), ("sessions/load", {"forethought": 1, "actions": []})):
            body = {"game": game, "seats": ["human", "human"], "start": start, **extra}
            if game in ("leduc", "liars_dice"):
                body["seats"] = ["human", "random"]
            answer = client.post(f"/api/{path}", json=body)
            assert answer.status_code == 400, answer.text
            assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    "start", [[], {"pieces": [0] * 9}, {"pieces": [-1] * 9, "to_move": 0}, {"pieces": [True] * 9, "to_move": 0},
              {"pieces": [0] * 2_000, "to_move": 0}, {"pieces": "X" * 9, "to_move": 0}, {**START, "more": 1}]
)  # fmt: skip
@pytest.mark.quick_cases(3)
def test_what_is_no_position_is_refused(start: Any) -> None:
    with asking() as client:
        assert begun(client, start).status_code == 422


def test_games_say_whether_they_can_be_set_up() -> None:
    with asking() as client:
        listed = {one["name"]: one["can_set_up"] for one in client.get("/api/games").json()}
        assert listed["hex"]
        assert not any(listed[name] for name in ("go", "fanorona", "leduc", "backgammon"))
        assert opened(client, "tic_tac_toe", "human", "human")["game"]["can_set_up"]
