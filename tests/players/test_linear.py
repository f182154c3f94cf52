"""Players of pattern policies, by the names users give them, and the files they are read from."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.nets.mlp import make_mlp, save_mlp
from forethought.patterns.instances import activity, cells_of, compile_patterns
from forethought.patterns.model import CE, DOUBLE, FORMAT, OBJECTIVES, TSPG, PatternModel, load_model, save_model
from forethought.patterns.pattern import Pattern
from forethought.patterns.text import from_text
from forethought.player import find_player
from forethought.players.linear import PatternPlayer
from forethought.randomness import generator
from forethought.runs import CONFIGURATION, WEIGHTS, numbered
from forethought.search.player import SearchPlayer
from forethought.tensors import read_tensors, write_tensors

GAME = "tic_tac_toe"
FIRST = ("to", "to #@1,0", "to f@1,0", "to f@1,0 e@-1,0")
SECOND = ("to e@1,0", "to -@1,1", "to f@1,0 f@2,0")
PATTERNS: tuple[tuple[Pattern, ...], ...] = tuple(tuple(map(from_text, own)) for own in (FIRST, SECOND))
ITERATIONS = (1, 2, 10)


def model_after(iteration: int) -> PatternModel:
    rng = np.random.default_rng(iteration)
    return PatternModel(
        PATTERNS, {name: tuple(rng.normal(0.0, 1.0, len(own)) for own in PATTERNS) for name in OBJECTIVES}
    )


@pytest.fixture(autouse=True)
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run with the policies of iterations 1, 2 and 10, as far as players look at it; and one of another algorithm."""
    game = ft.load(GAME)
    for name in ("trained", "other"):
        directory = tmp_path / name
        (directory / WEIGHTS).mkdir(parents=True)
        (directory / CONFIGURATION).touch()
    for iteration in ITERATIONS:
        save_model(numbered(tmp_path / "trained" / WEIGHTS, iteration), model_after(iteration), game)
    net = make_mlp(game.facts, game.actions, (8,), np.random.default_rng(1), 1)
    save_mlp(numbered(tmp_path / "other" / WEIGHTS, 1), net, game)
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return tmp_path / "trained"


def decisions(game: ft.Game) -> list[ft.State]:
    rng, found = np.random.default_rng(1), []
    for _ in range(3):
        s = game.start()
        while not s.is_terminal:
            found.append(s.clone())
            s.apply(int(rng.choice(s.legal_actions())))
    return found


def expected(s: ft.State, weights: tuple[Any, ...]) -> list[float]:
    """What a softmax of the active weights plays."""
    board = s.game.board
    active = activity(
        compile_patterns(PATTERNS[s.player], board), board, cells_of(board, s.facts(s.player)), s.legal_actions()
    )
    risen = np.exp(active @ weights[s.player])
    return (risen / risen.sum()).tolist()


# The policies alone.


@pytest.mark.parametrize(
    ("spec", "iteration", "objective"),
    [
        ("linear:trained", 10, TSPG),
        ("linear(run=trained)", 10, TSPG),
        ("linear:trained@2", 2, TSPG),
        ("linear(run=trained,policy=ce)", 10, CE),
        ("linear(run=trained@1, policy=double)", 1, DOUBLE),
        ("linear(run=trained@1, policy=tspg)", 1, TSPG),
    ],
)
def test_a_linear_player_plays_its_softmax(spec: str, iteration: int, objective: str) -> None:
    """The weights of double and tspg are offsets over those of ce."""
    game, weights = ft.load(GAME), model_after(iteration).weights
    total = weights[CE]
    if objective != CE:
        total = tuple(base + offset for base, offset in zip(total, weights[objective], strict=True))
    player = find_player(spec).new_player(game)(generator(1))
    assert isinstance(player, PatternPlayer)
    for s in decisions(game):
        found = player.think(s.observation(s.player))
        assert found.actions == tuple(s.legal_actions())
        assert found.probabilities == pytest.approx(expected(s, total), abs=1e-12)


# With search.


def thought(spec: str, s: ft.State) -> tuple[float, ...]:
    return find_player(spec).new_player(s.game)(generator(1)).think(s.observation(s.player)).probabilities


def test_ce_gives_the_priors_of_a_search() -> None:
    game = ft.load(GAME)
    for playouts in OBJECTIVES:
        player = find_player(f"biased(run=trained@2,simulations=50,playouts={playouts})").new_player(game)(generator(1))
        assert isinstance(player, SearchPlayer)
        s = game.start()
        s.apply(0)
        player.think(s.observation(1))
        about = player.search.about_actions(s.observation(1))
        assert about["visits"].sum() == 49  # the first walk only opens the root
        assert about["prior"] == pytest.approx(expected(s, model_after(2).weights[CE]), abs=1e-6)


def test_every_parameter_of_a_search_counts() -> None:
    s = ft.load(GAME).start()
    plain = thought("biased(run=trained,simulations=60,temperature=1)", s)
    assert plain == thought("biased(run=trained@10, simulations=60, playouts=tspg, temperature=1)", s)
    others = ("playouts=ce", "playouts=double", "exploration=0.5", "rollout_limit=2", "max_nodes=3")
    spread = {thought(f"biased(run=trained,simulations=60,temperature=1,{other})", s) for other in others}
    assert len(spread | {plain}) == 6
    assert sorted(thought("biased(run=trained,simulations=60)", s))[:8] == [0.0] * 8  # the most visited alone


def test_the_short_form_names_the_run() -> None:
    player = find_player("biased:trained@1").new_player(ft.load(GAME))(generator(1))
    assert isinstance(player, SearchPlayer)


# What is refused.


@pytest.mark.parametrize(
    ("spec", "game", "message"),
    [
        ("linear(run=trained,policy=best)", GAME, "policy must be one of ce, double, tspg, not 'best'"),
        ("biased(run=trained,playouts=random)", GAME, "playouts must be one of ce, double, tspg, not 'random'"),
        ("linear:trained@3", GAME, "has no weights of iteration 3, only of 1, 2, 10"),
        ("biased:trianed", GAME, "There is no run 'trianed'; did you mean trained?"),
        ("linear", GAME, "linear needs a value for 'run'"),
        ("biased", GAME, "biased needs a value for 'run'"),
        ("biased(run=trained,simulations=0)", GAME, "simulations must be a whole number at least 1, not 0"),
        ("biased(run=trained,rollout_limit=0)", GAME, "rollout_limit must be a whole number at least 1, not 0"),
        ("linear:trained", "connect_four", "is a model of patterns of tic_tac_toe, not of connect_four"),
        ("biased:trained", "hex(size=3)", r"is a model of patterns of tic_tac_toe, not of hex\(size=3\)"),
        ("linear:trained", "leduc", "patterns need a game of two players on a board"),
        ("biased:trained", "tests/userfiles/take_away.py", "patterns need a game of two players on a board"),
        ("linear:other", GAME, "patterns are played by linear and biased"),
        ("biased:other", GAME, "patterns are played by linear and biased"),
        ("net:trained", GAME, "networks are played by net, az and oos"),
        ("az:trained", GAME, "networks are played by net, az and oos"),
    ],
)
@pytest.mark.quick_cases(8)
def test_what_is_not_there_is_refused_in_one_sentence(spec: str, game: str, message: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=message) as refusal:
        find_player(spec).new_player(ft.load(game))
    assert "\n" not in str(refusal.value)


# The files.


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    game, model = ft.load(GAME), model_after(5)
    save_model(tmp_path / "model", model, game)
    loaded = load_model(tmp_path / "model", game)
    assert loaded.patterns == model.patterns
    assert list(loaded.weights) == list(OBJECTIVES)
    for name in OBJECTIVES:
        assert all(np.array_equal(a, b) for a, b in zip(loaded.weights[name], model.weights[name], strict=True))


Arrays = dict[str, Any]
About = dict[str, Any]


def renamed(arrays: Arrays, _about: About) -> None:
    arrays["tspgX"] = arrays.pop("tspg1")


def shortened(arrays: Arrays, _about: About) -> None:
    arrays["double0"] = arrays["double0"][:-1].copy()


def infinite(arrays: Arrays, _about: About) -> None:
    arrays["ce1"][0] = np.inf


def halved(arrays: Arrays, _about: About) -> None:
    arrays["ce0"] = arrays["ce0"].astype(np.float32)


def stacked(arrays: Arrays, _about: About) -> None:
    arrays["ce0"] = arrays["ce0"][:, None].copy()


def without_patterns(_arrays: Arrays, about: About) -> None:
    del about["patterns"]


def of_one_player(_arrays: Arrays, about: About) -> None:
    about["patterns"] = about["patterns"][:1]


def of_three_players(_arrays: Arrays, about: About) -> None:
    about["patterns"].append(["to"])


def misspelt(_arrays: Arrays, about: About) -> None:
    about["patterns"][0][1] = "to x@1,0"


def contradictory(_arrays: Arrays, about: About) -> None:
    about["patterns"][0][1] = "to f@1,0 e@1,0"


def numbers(_arrays: Arrays, about: About) -> None:
    about["patterns"][0][1] = 7


def no_lists(_arrays: Arrays, about: About) -> None:
    about["patterns"] = 7


@pytest.mark.parametrize(
    "spoil",
    [
        renamed, shortened, infinite, halved, stacked, without_patterns, of_one_player, of_three_players, misspelt,
        contradictory, numbers, no_lists,
    ],
)  # fmt: skip
@pytest.mark.quick_cases(6)
def test_damaged_files_are_refused(trained: Path, spoil: Callable[[Arrays, About], None]) -> None:
    path = numbered(trained / WEIGHTS, 10)
    file = read_tensors(path, FORMAT)
    spoil(file.arrays, file.about)
    write_tensors(path, FORMAT, file.arrays, file.about)
    with pytest.raises(
        ft.ForethoughtError, match="is damaged, or no model of patterns: its arrays are not those its header tells of"
    ):
        find_player("linear:trained").new_player(ft.load(GAME))
    assert find_player("linear:trained@2").new_player(ft.load(GAME))


def test_files_that_are_cut_or_something_else_are_refused(trained: Path) -> None:
    path = numbered(trained / WEIGHTS, 10)
    content = path.read_bytes()
    for spoilt in (content[:-9], content[:40], b"", b"weights"):
        path.write_bytes(spoilt)
        with pytest.raises(ft.ForethoughtError, match="is damaged, or no model of patterns"):
            find_player("biased:trained").new_player(ft.load(GAME))
