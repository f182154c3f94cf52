"""Streams of a real server: views as bots move, thoughts while a planner searches, and their end."""

from collections.abc import Iterator

import httpx
import pytest

from forethought.serve.schemas.thought import ThoughtSchema
from tests.serve.running_server import PATIENCE, Stream, first_legal, opened, running


@pytest.fixture
def base() -> Iterator[str]:
    with running() as address:
        yield address


@pytest.fixture
def client(base: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=base, timeout=PATIENCE) as made:
        yield made


def test_a_view_comes_at_once_and_after_every_move(base: str, client: httpx.Client) -> None:
    view = opened(client, "tic_tac_toe", "human", "random", seed=1)
    place = f"/api/sessions/{view['id']}"
    with Stream(base, f"{place}/events") as stream:
        assert stream.wait("view") == view
        client.post(f"{place}/moves", json={"action": first_legal(view), "ply": 0})
        later = stream.wait("view", lambda seen: seen["ply"] == 2)
        assert later == client.get(place).json()


def test_bots_play_by_themselves_and_hide_nothing_from_who_watches(base: str, client: httpx.Client) -> None:
    asked = client.post("/api/sessions", json={"game": "kuhn", "seats": ["random", "oos:50"]}).json()
    with Stream(base, f"/api/sessions/{asked['id']}/events") as stream:
        over = stream.wait("view", lambda view: view["over"])
    assert over["returns"] is not None
    assert all(entry["name"] for entry in over["history"])


@pytest.mark.parametrize(
    ("game", "player", "measure"),
    [
        ("leduc", "oos(seconds=0.6)", "relative regret"),
        ("liars_dice", "ismcts(seconds=0.6)", "value"),
        ("connect_four", "uct(seconds=0.6)", "value"),
        ("kuhn", None, "relative regret"),
    ],
)
def test_thoughts_come_while_it_thinks_and_the_last_says_so(
    base: str, client: httpx.Client, game: str, player: str | None, measure: str
) -> None:
    view = opened(client, game, "human", "random", seed=2)
    place = f"/api/sessions/{view['id']}"
    with Stream(base, f"{place}/events") as stream:
        asked = client.post(f"{place}/thoughts", json={"player": player, "ply": view["ply"]})
        assert asked.status_code == 202
        done = stream.wait("thought", lambda thought: thought["done"])
        if player:
            early = stream.wait("thought", lambda thought: not thought["done"])
            assert 0 < early["simulations"] <= done["simulations"]
    ThoughtSchema.model_validate(done)
    assert [one["action"] for one in done["actions"]] == [one["action"] for one in view["legal"]]
    assert sum(one["probability"] for one in done["actions"]) == pytest.approx(1)
    assert all(measure in one["measures"] for one in done["actions"])
    strategic = measure == "relative regret"
    assert done["value"] is not None
    assert all(("expected return" in one["measures"]) == view["game"]["hidden"] for one in done["actions"])
    assert done["shares"] == ("share of visits" if game == "connect_four" else "strategy")
    assert all(("visits" in one["measures"]) != strategic for one in done["actions"])  # visits explore: no advice there
    assert sum(one["share"] for one in done["actions"]) == pytest.approx(1.0)
    if strategic:
        assert all(abs(one["measures"][measure]) <= 1.0 for one in done["actions"])
        assert all(one["share"] == one["probability"] for one in done["actions"])
    assert (done["strategy"] is not None) == view["game"]["hidden"]
    if done["strategy"]:
        own = [row["probabilities"] for row in done["strategy"]["rows"] if row["own"]]
        assert own == [pytest.approx([one["probability"] for one in done["actions"]])]
        assert all(sum(row["probabilities"]) == pytest.approx(1) for row in done["strategy"]["rows"])
        hands = done["ranges"][0]["hands"]
        assert done["ranges"][0]["seat"] == 1
        assert sum(one["probability"] for one in hands) == pytest.approx(1)


def test_a_move_ends_the_thought_about_the_old_position(base: str, client: httpx.Client) -> None:
    view = opened(client, "connect_four", "human", "random", seed=2)
    place = f"/api/sessions/{view['id']}"
    with Stream(base, f"{place}/events") as stream:
        client.post(f"{place}/thoughts", json={"player": "uct(seconds=10)", "ply": 0})
        stream.wait("thought", lambda thought: thought["simulations"] > 0)
        assert client.post(f"{place}/thoughts", json={"ply": 5}).status_code == 409
        client.post(f"{place}/moves", json={"action": first_legal(view), "ply": 0})
        stream.wait("view", lambda seen: seen["ply"] == 2)
        client.post(f"{place}/thoughts", json={"player": "uct:50", "ply": 2})
        assert stream.wait("thought", lambda thought: thought["done"])["ply"] == 2


def test_the_stream_of_a_session_that_ends_ends(base: str, client: httpx.Client) -> None:
    view = opened(client, "kuhn", "human", "random")
    with Stream(base, f"/api/sessions/{view['id']}/events") as stream:
        stream.wait("view")
        client.delete(f"/api/sessions/{view['id']}")
        stream.wait_for_end()


def test_streams_end_with_the_server() -> None:
    with running() as base, httpx.Client(base_url=base, timeout=PATIENCE) as client:
        view = opened(client, "kuhn", "human", "random")
        stream = Stream(base, f"/api/sessions/{view['id']}/events")
        stream.wait("view")
    stream.wait_for_end()
    stream.close()
