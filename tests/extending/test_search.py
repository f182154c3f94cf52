"""`my_search.py`: a search outside the package is a player like any other, in every verb and on the page."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.extending.plugged import HERE, forethought, page, plugins
from tests.learn.killing import Server
from tests.serve.running_server import opened, played_out

GAME = "tic_tac_toe"
MINE = plugins("my_search.py")


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server("forethought.cli", "think", GAME, "--player", "flat:10", **MINE) as started:
        yield started


def shown(server: Server, *arguments: object) -> Any:
    """What a verb prints as JSON."""
    ended = server.run(*arguments, "--json")
    assert ended.code == 0
    return json.loads(ended.out)


def test_it_thinks(server: Server) -> None:
    """About the same of its first move as random games that nobody searches: the centre is best."""
    thought = shown(server, "think", GAME, "--player", "flat:9000", "--seed", 1)
    assert (thought["simulations"], len(thought["actions"])) == (9000, 9)
    assert all(action["visits"] == 1000 for action in thought["actions"])
    centre = thought["actions"][4]
    assert centre["probability"] == 1.0
    assert centre["value"] == max(action["value"] for action in thought["actions"]) == pytest.approx(0.46, abs=0.1)
    softly = shown(server, "think", GAME, "--player", "flat(simulations=900,temperature=0.5)", "--seed", 1)
    assert all(0.0 < action["probability"] < 1.0 for action in softly["actions"])


def test_it_plays_and_its_seed_decides_how(server: Server) -> None:
    first, second, other = (
        shown(server, "play", GAME, "--watch", "--against", "flat:20", "--seed", seed) for seed in (1, 1, 2)
    )
    assert first == second != other


def test_it_wins_matches(server: Server, tmp_path: Path) -> None:
    command = ("match", GAME, "flat:100", "random", "--games", 60, "--store", tmp_path / "matches.jsonl")
    result = shown(server, *command)
    assert result["win_rate_low"] > 0.6
    assert shown(server, *command, "--fresh", "--workers", 2) == result


@pytest.mark.slow
def test_what_an_earlier_version_played_is_played_again(tmp_path: Path) -> None:
    """Rounds are kept under the content of the file."""
    file, store = Path(shutil.copy(HERE / "my_search.py", tmp_path)), tmp_path / "matches.jsonl"

    def kept_rounds() -> int:
        command = ("match", GAME, "flat:10", "random", "--games", 4, "--store", store)
        assert forethought(*command, **plugins(file)).returncode == 0
        return len(store.read_text().splitlines())

    assert [kept_rounds(), kept_rounds()] == [2, 2]
    file.write_text(file.read_text().replace("visits[i] < visits[choice]", "visits[i] <= visits[choice]"))
    assert kept_rounds() == 4


@pytest.mark.slow
def test_it_examines_a_training(server: Server, tmp_path: Path) -> None:
    settings = ("--set", "evaluation.against=flat:50", "--set", "evaluation.games=20", "--simulations", 5, "--games", 2)
    trained = shown(server, "train", GAME, "--iterations", 1, *settings, "--run", tmp_path / "run")
    assert trained["win_rate"] < 0.4


@pytest.mark.parametrize(
    ("player", "game", "said"),
    [
        ("flat(temperature=-1)", GAME, "temperature must be a number at least 0, not -1.0."),
        ("flat(heat=1)", GAME, "flat has no parameter 'heat'; it takes simulations=10000, seconds=0.0, temperature=0"),
        ("flat", "leduc", "leduc: it hides something from its players; flat Monte Carlo must see the whole state."),
        ("flta", GAME, "There is no player 'flta'; did you mean flat? Players are "),
    ],
)
@pytest.mark.quick_cases(2)
def test_mistakes_are_sentences(player: str, game: str, said: str) -> None:
    done = forethought("think", game, "--player", player, **MINE)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_the_page_offers_it_and_lets_it_play() -> None:
    with page(**MINE) as client:
        for game, suits in ((GAME, True), ("leduc", False)):
            offered = {one["kind"]: one for one in client.get("/api/players", params={"game": game}).json()}
            assert ("flat" in offered) == suits
        [listed] = [one for one in client.get("/api/players", params={"game": GAME}).json() if one["kind"] == "flat"]
        assert (listed["label"], listed["spec"]) == ("Flat Monte Carlo", "flat")
        assert listed["budgets"][0]["default"] == 10_000
        player = listed["template"].replace("{budget}", "50")
        view = opened(client, GAME, "human", player, seed=1)
        assert played_out(client, view)["over"]
        refused = client.post("/api/sessions", json={"game": GAME, "seats": ["human", "flat:1000000"]})
        assert refused.status_code == 400
