"""Rules with an example, lines that a planner expects, what a bot thought, and games as SGF."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import forethought as ft
from forethought.games import GAMES
from forethought.records.formats import RECORD_FORMATS, RecordSource
from forethought.serve.settings import ServerSettings
from tests.serve.running_server import Stream, asking, moved, opened, played_out


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with asking() as made:
        yield made


def test_every_game_is_explained_with_an_example(client: httpx.Client) -> None:
    for name in GAMES.names():
        rules = client.get("/api/rules", params={"game": name}).json()
        assert len(" ".join(rules["paragraphs"])) > 40, name
        assert len(rules["positions"]) == len(rules["moves"]) + 1 > 2, name
    assert client.get("/api/rules", params={"game": "nothing"}).status_code == 400


def test_a_game_of_ones_own_is_explained_by_its_docstring(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(Path("tests/userfiles/take_away.py").read_text())
    with asking(ServerSettings(file=str(file))) as client:
        rules = client.get("/api/rules", params={"game": "yours"}).json()
    assert rules["paragraphs"]
    assert str(tmp_path) not in str(rules)


def test_a_planner_shows_the_line_that_it_expects(client: httpx.Client) -> None:
    """Player 0 has three in a column and is to move: the line is the move that wins."""
    view = opened(client, "connect_four", "human", "human")
    for column in (3, 2, 3, 2, 3, 6):
        view = moved(client, view, column)
    with Stream(str(client.base_url), f"/api/sessions/{view['id']}/events") as stream:
        client.post(f"/api/sessions/{view['id']}/thoughts", json={"player": "uct:500", "ply": 6})
        thought = stream.wait("thought", lambda told: told["done"])
    assert thought["line"] == [{"player": 0, "action": 3, "name": "d"}]


def test_what_a_bot_thought_is_told_after_its_move_and_after_a_restart() -> None:
    with asking() as client:
        view = moved(client, opened(client, "tic_tac_toe", "human", "uct:200", seed=1), 4)
        place = f"/api/sessions/{view['id']}/thoughts"
        thought = client.get(f"{place}/1").json()
        assert (thought["ply"], thought["simulations"], thought["done"]) == (1, 200, True)
        best = max(thought["actions"], key=lambda one: one["probability"])
        assert best["action"] == view["history"][1]["action"] == thought["line"][0]["action"]
        assert client.get(f"{place}/0").status_code == 404  # the person's own decision
    with asking() as client:
        assert client.get(f"{place}/1").json() == thought
        client.post(f"/api/sessions/{view['id']}/undo")
        assert client.get(f"{place}/1").status_code == 404


def test_what_a_bot_thought_of_its_hand_is_told_when_the_game_is_over(client: httpx.Client) -> None:
    view = opened(client, "kuhn", "oos:50", "human", seed=1)
    place = f"/api/sessions/{view['id']}/thoughts/2"
    assert client.get(place).status_code == 409
    played_out(client, view)
    assert client.get(place).json()["simulations"] == 50


def test_a_game_can_be_saved_as_sgf_and_read_again(client: httpx.Client, tmp_path: Path) -> None:
    over = played_out(client, opened(client, "hex(size=3)", "human", "random", seed=3))
    text = client.get(f"/api/sessions/{over['id']}/sgf").json()["text"]
    file = tmp_path / "game.sgf"
    file.write_text(text)
    with RecordSource(file) as source:
        [read] = list(RECORD_FORMATS.find("sgf").read(source, ft.load("hex(size=3)", compiled=False)))
    assert read.actions == [entry["action"] for entry in over["history"]]
    other = opened(client, "kuhn", "human", "random")
    assert client.get(f"/api/sessions/{other['id']}/sgf").status_code == 409
