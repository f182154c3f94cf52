"""A restart loses nothing: not the position, not what is hidden, not what the bots would have done."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from forethought.games import load
from forethought.player import find_player
from forethought.randomness import choose, generator
from forethought.serve.live_game import CHOOSING, SEARCHING
from tests.serve.running_server import (
    UNHURRIED,
    Stream,
    asking,
    first_legal,
    moved,
    opened,
    played_out,
    without_addresses,
)


@pytest.mark.parametrize(
    ("game", "bot"), [("leduc", "oos:100"), ("goofspiel(cards=4)", "random"), ("connect_four", "uct:50")]
)
def test_a_game_goes_on_after_a_restart_as_it_would_have(game: str, bot: str) -> None:
    with asking() as client:
        whole = played_out(client, opened(client, game, "human", bot, seed=7))
        begun = opened(client, game, "human", bot, seed=7)
        begun = moved(client, begun, first_legal(begun))
    with asking() as client:
        found = client.get(f"/api/sessions/{begun['id']}").json()
        assert found == begun
        over = played_out(client, found)
    assert without_addresses(over) == without_addresses(whole)
    with asking() as client:
        assert client.get(f"/api/sessions/{begun['id']}").json() == over


def test_a_game_with_a_decision_taken_back_goes_on_after_a_restart_as_it_would_have() -> None:
    def taken_back(client: httpx.Client) -> dict[str, Any]:
        view = opened(client, "connect_four", "human", "uct:50", seed=7)
        view = moved(client, moved(client, view, 3), 3)
        client.post(f"/api/sessions/{view['id']}/undo")
        return moved(client, client.get(f"/api/sessions/{view['id']}").json(), 2)

    with asking() as client:
        whole, begun = played_out(client, taken_back(client)), taken_back(client)
    with asking() as client:
        assert without_addresses(
            played_out(client, client.get(f"/api/sessions/{begun['id']}").json())
        ) == without_addresses(whole)


@pytest.mark.parametrize("infosets", [2_000_000, 1], ids=["kept", "made again"])
@pytest.mark.parametrize(("name", "bot"), [("connect_four", "uct:50"), ("leduc", "oos:100")])
def test_a_bot_remembers_what_it_found_as_one_player_does_in_a_whole_game(name: str, bot: str, infosets: int) -> None:
    with asking(replace(UNHURRIED, limits=replace(UNHURRIED.limits, infosets=infosets))) as client:
        over = played_out(client, opened(client, name, "human", bot, seed=3))
        opened(client, name, "human", bot)
    game = load(name)
    player, state = find_player(bot).new_player(game)(generator(3, SEARCHING, 0, 1)), game.start()
    for ply, played in enumerate(over["history"]):
        if state.player == 1:
            policy = player.think(state.observation(1))
            chosen = choose(np.array(policy.probabilities), len(policy.actions), generator(3, CHOOSING, 0, ply))
            assert played["action"] == policy.actions[chosen]
        state.apply(played["action"])


@pytest.mark.parametrize(("player", "seconds", "cut"), [("uct:10", None, False), ("uct:200000", 0.01, True)])
def test_a_search_that_the_clock_stops_says_so(player: str, seconds: float | None, cut: bool) -> None:
    limits = UNHURRIED.limits if seconds is None else replace(UNHURRIED.limits, search_seconds=seconds)
    with asking(replace(UNHURRIED, limits=limits)) as client:
        view = opened(client, "connect_four", player, "human", seed=1)
        assert view["cut"] == cut
        place = f"/api/sessions/{view['id']}"
        assert client.get(place).json()["cut"] == cut
        with Stream(str(client.base_url), f"{place}/events") as stream:
            client.post(f"{place}/thoughts", json={"player": player, "ply": view["ply"]})
            stream.wait("thought", lambda thought: thought["done"] and thought["cut"] == cut)


def test_a_bot_that_was_interrupted_goes_on_when_somebody_asks() -> None:
    with asking() as client:
        view = opened(client, "kuhn", "human", "oos(seconds=5)", seed=1)
        asked = {"action": first_legal(view), "ply": view["ply"]}
        assert client.post(f"/api/sessions/{view['id']}/moves", json=asked).json()["busy"]
    with asking() as client:
        assert client.get(f"/api/sessions/{view['id']}").json()["busy"]


def test_a_resigned_game_stays_resigned_and_an_ended_one_gone(home: Path) -> None:
    with asking() as client:
        given_up, ended = (opened(client, "kuhn", "human", "random") for _ in range(2))
        over = client.post(f"/api/sessions/{given_up['id']}/resign").json()
        client.delete(f"/api/sessions/{ended['id']}")
    assert len(list((home / ".sessions").iterdir())) == 1
    with asking() as client:
        assert client.get(f"/api/sessions/{given_up['id']}").json() == over
        assert client.get(f"/api/sessions/{ended['id']}").status_code == 404


def test_a_move_that_could_not_be_written_is_written_when_it_is_sent_again(home: Path) -> None:
    sessions, away = home / ".sessions", home / ".away"
    with asking() as client:
        view = opened(client, "tic_tac_toe", "human", "human")
        place, asked = f"/api/sessions/{view['id']}/moves", {"action": 4, "ply": 0}
        sessions.rename(away)
        sessions.touch()  # no directory, so nothing can be written there
        assert client.post(place, json=asked).status_code == 400
        sessions.unlink()
        away.rename(sessions)
        assert client.post(place, json=asked).json()["ply"] == 1
        assert json.loads((sessions / f"{view['id']}.json").read_text())["actions"] == [4]


def test_sessions_are_for_their_owner_only(home: Path) -> None:
    with asking() as client:
        opened(client, "kuhn", "human", "random")
    assert (home / ".sessions").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", ["", "{", "[]", '{"forethought": 1}', '{"forethought": 2}', "null", "[" * 100_000])
@pytest.mark.quick_cases(4)
def test_a_damaged_file_is_skipped_and_the_log_says_so(
    home: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    with asking() as client:
        good = opened(client, "kuhn", "human", "random")
        bad = opened(client, "kuhn", "human", "random")
    file = home / ".sessions" / f"{bad['id']}.json"
    file.write_text(content)
    with asking() as client:
        assert client.get(f"/api/sessions/{good['id']}").json() == good
        assert client.get(f"/api/sessions/{bad['id']}").status_code == 404
    assert [record.getMessage() for record in caplog.records] == [f"{file} is damaged: that saved game is skipped."]


@pytest.mark.parametrize("change", [{"actions": [99]}, {"game": "nothing"}, {"seats": ["human"]}])
def test_a_file_that_cannot_be_played_is_told_as_such(home: Path, change: dict[str, Any]) -> None:
    with asking() as client:
        view = opened(client, "kuhn", "human", "random")
    file = home / ".sessions" / f"{view['id']}.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with asking() as client:
        assert client.get(f"/api/sessions/{view['id']}").status_code == 400
