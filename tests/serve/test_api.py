"""The API as its clients use it: games from the first move to the last, and all that can go wrong on the way."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import forethought as ft
from forethought.game import EVERYONE
from forethought.games import GAMES, load
from forethought.serve.schemas.play import ReviewSchema, SessionSchema
from forethought.serve.settings import ServerLimits, ServerSettings
from tests.serve.running_server import (
    Stream,
    asking,
    first_legal,
    moved,
    opened,
    played_out,
    settled,
    without_addresses,
)


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with asking() as made:
        yield made


def test_all_games_are_listed_with_their_parameters(client: httpx.Client) -> None:
    listed = {one["name"]: one for one in client.get("/api/games").json()}
    assert list(listed) == GAMES.names()
    goofspiel = listed["goofspiel"]
    assert goofspiel["parameters"] == [
        {"name": "cards", "default": 13, "kind": "int"},
        {"name": "payoff", "default": "win", "kind": "str"},
    ]
    assert (goofspiel["hidden"], goofspiel["players"], goofspiel["board"]) == (True, 2, False)
    assert (listed["hex"]["hidden"], listed["hex"]["board"]) == (False, True)
    assert all(one["summary"] and one["title"] for one in listed.values())


@pytest.mark.parametrize("name", GAMES.names())
@pytest.mark.quick_cases(6)
def test_every_game_can_be_played_and_every_view_is_as_described(client: httpx.Client, name: str) -> None:
    view = opened(client, name, "human", "random", seed=1)
    for _ in range(6):
        SessionSchema.model_validate(view)
        if view["over"]:
            break
        view = moved(client, view, first_legal(view))
    over = view if view["over"] else client.post(f"/api/sessions/{view['id']}/resign").json()
    assert over["over"]
    assert over["resigned"] == (None if view["over"] else 0)
    shown = client.get(f"/api/sessions/{view['id']}/positions").json()
    assert [one["ply"] for one in shown] == list(range(view["ply"] + 1))
    assert shown[-1] == over["position"]


def test_a_view_says_what_the_rules_say(client: httpx.Client) -> None:
    view = opened(client, "connect_four", "human", "random", seed=5)
    for _ in range(3):
        view = moved(client, view, first_legal(view))
    state = load("connect_four").start()
    for entry in view["history"]:
        assert entry["name"] == state.action_name(entry["action"])
        assert entry["player"] == state.player
        state.apply(entry["action"])
    assert [one["action"] for one in view["legal"]] == state.legal_actions()
    assert view["position"]["text"] == state.show(EVERYONE)
    assert view["position"]["last"] == view["history"][-1]["action"]
    marks = "".join(".XO"[owner] for owner in view["position"]["pieces"])
    grid = state.game.board and state.game.board.grid
    assert grid
    assert grid.draw(marks) in view["position"]["text"] or marks.count("X") == 3
    assert (marks.count("X"), marks.count("O")) == (3, 3)


def test_boards_are_described(client: httpx.Client) -> None:
    hexes = opened(client, "hex(size=3)", "human", "random")["board"]
    assert hexes["tiling"] == "hex"
    assert [hexes["cells"][4][key] for key in ("x", "y", "name")] == [1.5, 0.866, "b2"]
    points = opened(client, "fanorona", "human", "random")["board"]
    assert points["tiling"] == "point"
    assert [0, 1] in points["lines"]
    assert all(a < b for a, b in points["lines"])
    squares = opened(client, "breakthrough", "human", "random")["board"]
    assert squares["checkered"]
    assert not opened(client, "othello", "human", "random")["board"]["checkered"]
    assert opened(client, "connect_four", "human", "random")["board"]["stacks"]


def test_a_move_sent_twice_is_played_once_and_a_stale_one_is_refused(client: httpx.Client) -> None:
    view = opened(client, "tic_tac_toe", "human", "random", seed=3)
    place = f"/api/sessions/{view['id']}/moves"
    once = settled(client, client.post(place, json={"action": 4, "ply": 0}).json())
    again = client.post(place, json={"action": 4, "ply": 0})
    assert again.status_code == 200
    assert again.json() == once
    assert client.post(place, json={"action": 3, "ply": 0}).status_code == 409
    assert client.post(place, json={"action": 3, "ply": 7}).status_code == 409
    assert client.post(place, json={"action": 4, "ply": once["ply"]}).status_code == 400
    assert client.get(f"/api/sessions/{view['id']}").json() == once


def test_nobody_moves_for_a_bot_or_after_the_end(client: httpx.Client) -> None:
    view = opened(client, "tic_tac_toe", "human", "human")
    for action in (0, 3, 1, 4, 2):
        view = moved(client, view, action)
    assert (view["over"], view["returns"], view["legal"], view["to_move"]) == (True, [1.0, -1.0], [], None)
    place = f"/api/sessions/{view['id']}"
    assert client.post(f"{place}/moves", json={"action": 5, "ply": 5}).status_code == 409
    assert client.post(f"{place}/resign").status_code == 409
    assert client.post(f"{place}/thoughts", json={"ply": 5}).status_code == 409


def test_undo_goes_back_to_the_persons_last_decision(client: httpx.Client) -> None:
    view = opened(client, "tic_tac_toe", "random", "human", seed=2)
    place = f"/api/sessions/{view['id']}"
    assert client.post(f"{place}/undo").status_code == 409
    after = moved(client, view, first_legal(view))
    assert after["ply"] == 3
    assert client.post(f"{place}/undo").json() == view
    over = played_out(client, moved(client, view, first_legal(view)))
    assert not client.post(f"{place}/undo").json()["over"], over


def test_undoing_tells_nothing_about_what_is_hidden(client: httpx.Client) -> None:
    """The same game, begun with the same seed and taken back more and more often, until all is shown."""
    ranks, others, boards = set(), set(), set()
    for undos in range(8):
        view = opened(client, "leduc", "human", "random", seed=6)
        place = f"/api/sessions/{view['id']}"
        for _ in range(undos):
            assert not moved(client, view, first_legal(view))["over"]
            assert client.post(f"{place}/undo").json() == view
        over = played_out(client, view)
        own, other, *board = [entry["action"] for entry in over["history"] if entry["player"] == -1]
        ranks.add(own // 2)
        others.add(other)
        boards.add(tuple(board))
    assert len(ranks) == 1  # this the person knows
    assert len(others) > 1
    assert len(boards) > 1
    answer = client.post(f"{place}/undo")
    assert answer.status_code == 409
    assert "everything was shown" in answer.json()["detail"]


def test_who_resigns_has_lost(client: httpx.Client) -> None:
    board = opened(client, "tic_tac_toe", "random", "human")
    over = client.post(f"/api/sessions/{board['id']}/resign").json()
    assert (over["over"], over["resigned"], over["returns"], over["legal"]) == (True, 1, [1.0, -1.0], [])
    cards = opened(client, "leduc", "human", "random")
    over = client.post(f"/api/sessions/{cards['id']}/resign").json()
    assert (over["resigned"], over["returns"]) == (0, None)
    watched = opened(client, "tic_tac_toe", "human", "human")
    assert client.post(f"/api/sessions/{watched['id']}/resign").json()["resigned"] == 0


def test_a_game_is_saved_and_loaded(client: httpx.Client) -> None:
    view = opened(client, "hex(size=3)", "human", "random", seed=4)
    view = moved(client, view, first_legal(view))
    saved = client.get(f"/api/sessions/{view['id']}/record").json()
    assert saved["game"] == "hex(size=3)"
    loaded = client.post("/api/sessions/load", json=saved).json()
    assert without_addresses(loaded) == without_addresses(view)
    over = played_out(client, loaded)
    saved = client.get(f"/api/sessions/{over['id']}/record").json()
    replayed = client.post("/api/sessions/load", json=saved).json()
    assert without_addresses(replayed) == without_addresses(over)


def test_a_hidden_game_is_saved_when_it_is_over(client: httpx.Client) -> None:
    view = opened(client, "leduc", "human", "random", seed=1)
    answer = client.get(f"/api/sessions/{view['id']}/record")
    assert (answer.status_code, "when it is over" in answer.json()["detail"]) == (409, True)
    over = client.post(f"/api/sessions/{view['id']}/resign").json()
    saved = client.get(f"/api/sessions/{view['id']}/record").json()
    assert saved["resigned"] == 0
    assert without_addresses(client.post("/api/sessions/load", json=saved).json()) == without_addresses(over)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"actions": [0, 0]}, 400),
        ({"actions": [99]}, 400),
        ({"actions": [*range(9), 1]}, 400),
        ({"resigned": 1}, 400),
        ({"seats": ["human"]}, 400),
        ({"game": "tests/userfiles/take_away.py"}, 400),
        ({"forethought": 2}, 422),
        ({"actions": [-1]}, 422),
        ({"actions": "0"}, 422),
        ({"more": 1}, 422),
    ],
)
def test_a_damaged_save_is_refused(client: httpx.Client, change: dict[str, object], status: int) -> None:
    saved = {"forethought": 1, "game": "tic_tac_toe", "seats": ["human", "random"], "actions": [], "resigned": None}
    assert client.post("/api/sessions/load", json=saved).status_code == 201
    answer = client.post("/api/sessions/load", json=saved | change)
    assert answer.status_code == status, answer.text
    assert answer.json()["detail"].endswith(".")


@pytest.mark.parametrize(
    "player",
    [
        "policy:/etc/passwd",
        "policy(file=leduc.npz)",
        "mccfr:10",
        "net:../../etc",
        "net:/etc/passwd",
        "net:nobody",
        "net:nobody@1",
        "az(run=/tmp/x,simulations=5)",
        "oos(net=/tmp/x)",
        "biased(run=/tmp/x,simulations=5)",
        "linear:../../etc",
        "oos:1000000000",
        "oos(seconds=1000)",
        "oos(seconds=nan)",
        "oos(max_infosets=100000000)",
        "oos:0",
        "oos(targeting=sideways)",
        "uct:100",
        "nobody",
        "(",
    ],
)
def test_players_that_name_files_ask_for_too_much_or_do_not_suit_are_refused(client: httpx.Client, player: str) -> None:
    answer = client.post("/api/sessions", json={"game": "kuhn", "seats": ["human", player]})
    assert answer.status_code == 400, answer.text
    assert answer.json()["detail"].endswith((".", "?"))


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("tests/userfiles/take_away.py", ["human", "random"]),
        ("take_away.py:take_away", ["human", "random"]),
        ("yours", ["human", "random"]),
        ("leduc(cards=3)", ["human", "random"]),
        ("goofspiel(cards=99999999)", ["human", "random"]),
        ("hex(size=999999)", ["human", "random"]),
        ("leduc", ["human", "human"]),
        ("leduc", ["human"]),
        ("leduc", ["human", "random", "random"]),
    ],
)
def test_games_and_seats_that_cannot_be_are_refused(client: httpx.Client, game: str, seats: list[str]) -> None:
    answer = client.post("/api/sessions", json={"game": game, "seats": seats})
    assert answer.status_code == 400, answer.text


def test_ones_own_file_is_playable_and_only_by_its_name(tmp_path: Path) -> None:
    file = "tests/userfiles/take_away.py"
    with asking(ServerSettings(file=file)) as client:
        mine = client.get("/api/games").json()[0]
        assert (mine["name"], mine["title"]) == ("yours", "Take away")
        view = opened(client, "yours", "human", *["random"] * (mine["players"] - 1))
        assert (view["game"]["spec"], view["game"]["title"]) == ("yours", "Take away")
        assert played_out(client, view)["returns"]
        assert "userfiles" not in json.dumps(view)
        assert client.post("/api/sessions", json={"game": file, "seats": ["human", "random"]}).status_code == 400


def test_ones_own_file_is_read_again_when_it_was_edited(tmp_path: Path) -> None:
    file, rules = tmp_path / "edited.py", Path("tests/userfiles/take_away.py").read_text()
    file.write_text(rules)
    with asking(ServerSettings(file=f"{file}(players=2)")) as client:
        before = opened(client, "yours", "human", "random")
        file.write_text(rules.replace("s.left = stones", "s.left = stones - 1"))
        after = opened(client, "yours", "human", "random")
        assert [one["position"]["text"][:2] for one in (before, after)] == ["10", "9 "]
        file.write_text("def broken(:")
        mine, *others = client.get("/api/games").json()
        assert (mine["name"], mine["title"]) == ("yours", "Edited")
        assert mine["summary"].startswith("edited.py, line 1: ")
        assert [one["name"] for one in others] == GAMES.names()
        assert moved(client, before, 0)["ply"] == 2


def test_what_thinks_for_a_person_knows_all_hands(client: httpx.Client) -> None:
    offered = {one["kind"]: one for one in client.get("/api/players", params={"game": "leduc"}).json()}
    assert offered["oos"]["template"] == "oos({budget})"
    assert offered["oos"]["spec"] == "oos"
    assert offered["oos"]["thinking_template"] == "oos({budget},targeting=public)"
    assert offered["ismcts"]["thinking_template"] == offered["ismcts"]["template"]


def test_strength_is_a_level_simulations_or_seconds(client: httpx.Client) -> None:
    offered = {one["kind"]: one for one in client.get("/api/players", params={"game": "kuhn"}).json()}
    oos = offered["oos"]
    assert oos["budgets"] == [
        {"key": "simulations", "counts": "simulations", "default": 10_000, "maximum": 200_000},
        {"key": "seconds", "counts": "seconds per decision", "default": 1, "maximum": 10},
    ]
    assert [level["budget"].partition("=")[2] for level in oos["levels"]] == ["100", "1000", "10000", "100000"]
    chosen = ["seconds=0.1", *(level["budget"] for level in oos["levels"])]
    for budget in chosen:
        seats = ["human", oos["template"].replace("{budget}", budget)]
        assert client.post("/api/sessions", json={"game": "kuhn", "seats": seats}).status_code == 201
    assert (offered["random"]["budgets"], offered["random"]["levels"]) == ([], [])


def test_solved_policies_beside_the_runs_can_be_played_and_asked(client: httpx.Client, home: Path) -> None:
    home.mkdir(exist_ok=True)
    ft.solve("kuhn", iterations=50).save(home / "kuhn.policy")
    (home / "damaged.policy").write_text("nothing")
    ft.solve("leduc", iterations=1).save(home / "of-another-game.policy")
    offered = [one for one in client.get("/api/players", params={"game": "kuhn"}).json() if one["kind"] == "policy"]
    assert [(one["spec"], one["label"]) for one in offered] == [("policy(file=kuhn.policy)", "kuhn.policy (solved)")]
    view = opened(client, "kuhn", "human", offered[0]["spec"])
    with Stream(str(client.base_url), f"/api/sessions/{view['id']}/events") as stream:
        asked = {"player": offered[0]["thinking_template"], "ply": view["ply"]}
        assert client.post(f"/api/sessions/{view['id']}/thoughts", json=asked).status_code == 202
        thought = stream.wait("thought", lambda told: told["done"])
    mean = sum(one["probability"] * one["measures"]["expected return"] for one in thought["actions"])
    assert thought["value"] == pytest.approx(mean)
    assert played_out(client, view)["over"]
    for player in ("policy:damaged.policy", "policy:of-another-game.policy", f"policy:{home}/kuhn.policy"):
        answer = client.post("/api/sessions", json={"game": "kuhn", "seats": ["human", player]})
        assert answer.status_code == 400, player


def test_players_suit_the_game(client: httpx.Client) -> None:
    def kinds(game: str) -> list[str]:
        return [one["kind"] for one in client.get("/api/players", params={"game": game}).json()]

    assert kinds("leduc") == ["oos", "ismcts", "random"]
    assert kinds("hex(size=5)") == ["uct", "alphabeta", "random"]
    assert client.get("/api/players", params={"game": "nothing"}).status_code == 400


def test_sessions_end_and_are_gone(client: httpx.Client) -> None:
    view = opened(client, "kuhn", "human", "random")
    place = f"/api/sessions/{view['id']}"
    assert client.delete(place).status_code == 204
    assert client.get(place).status_code == 404
    assert client.post(f"{place}/moves", json={"action": 0, "ply": 0}).status_code == 404
    assert client.delete(place).status_code == 404


def test_a_review_comes_when_the_game_is_over() -> None:
    with asking(ServerSettings(limits=ServerLimits(review_seconds=float("inf")))) as client:
        view = opened(client, "tic_tac_toe", "human", "random", seed=1)
        place = f"/api/sessions/{view['id']}/review"
        assert client.get(place).status_code == 409
        over = played_out(client, view)
        reviewed = client.get(place)
        assert reviewed.status_code == 200, reviewed.text
        moves = ReviewSchema.model_validate_json(reviewed.content).moves
        assert [(one.ply, one.action) for one in moves] == [(one["ply"], one["action"]) for one in over["history"]]
        assert client.get(place).json() == reviewed.json()


def test_a_review_ends_when_its_time_is_over_and_always_has_the_first_move() -> None:
    with asking(ServerSettings(limits=ServerLimits(review_seconds=-1.0))) as client:
        over = played_out(client, opened(client, "tic_tac_toe", "human", "random", seed=1))
        moves = client.get(f"/api/sessions/{over['id']}/review").json()["moves"]
        assert [one["ply"] for one in moves] == [0]


def test_a_drawing_that_cannot_be_drawn_is_refused_with_a_sentence(tmp_path: Path) -> None:
    rules = Path("tests/userfiles/take_away.py").read_text()
    drawing = "    def draw(s, observer):\n        return [{'kind': 'dice', 'label': 'left', 'dice': 'secret'}]\n\n"
    file = tmp_path / "drawn.py"
    file.write_text(
        rules.replace("    def show(", drawing + "    def show(").replace(
            "show, action_name]", "show, draw, action_name]"
        )
    )
    with asking(ServerSettings(file=str(file))) as client:
        answer = client.post("/api/sessions", json={"game": "yours", "seats": ["human"] * 3})
        assert answer.status_code == 400
        assert "docs/drawing.md" in answer.json()["detail"]
        assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/api/sessions", {"x": 1}, "The request needs 'game'; /api/openapi.json describes what is expected."),
        (
            "/api/sessions/load",
            {"x": 1},
            "The request needs 'forethought'; /api/openapi.json describes what is expected.",
        ),
        (
            "/api/sessions",
            {"game": 1, "seats": ["human", "random"]},
            "'game' does not fit: input should be a valid string;",
        ),
        (
            "/api/sessions",
            {"game": "leduc", "seats": ["human", "oos:-5"]},
            "The player 'oos:-5' cannot play: simulations",
        ),
        (
            "/api/sessions",
            {"game": "leduc", "seats": ["human", "cfr:100"]},
            "There is no player 'cfr:100' here; in a seat",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_a_sentence(client: httpx.Client, path: str, body: object, told: str) -> None:
    answer = client.post(path, json=body)
    assert answer.status_code in (400, 422)
    assert answer.json()["detail"].startswith(told)
    assert "did you mean mccfr" not in answer.text  # which is no player of the page
