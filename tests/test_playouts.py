"""The playout kernel equals a slow reference draw for draw, also without machine code, for any number of players."""

import json
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import forethought as ft
from forethought.games import GAMES
from forethought.playouts import largest_return, playouts
from forethought.randomness import generator
from forethought.solve.unroll import unroll
from tests.naive.playouts import playouts as naive_playouts

KUHN3 = "tests/userfiles/kuhn3.py"
PLAYED = ["kuhn", "leduc", "goofspiel(cards=5)", "liars_dice(dice=2)", "tic_tac_toe", KUHN3]


@pytest.mark.parametrize("spec", PLAYED)
def test_the_kernel_plays_the_games_the_reference_plays(spec: str) -> None:
    game, rng = ft.load(spec), generator(11)
    plies, sums = naive_playouts(game, 200, [int(word) for word in rng])
    played = playouts(game, 200, rng)
    assert played.plies == plies
    assert played.mean_returns == pytest.approx([total / 200 for total in sums], abs=1e-12)


def test_three_players_share_what_there_is_to_win() -> None:
    """By hand: with uniform play and equal chances, seats differ only by who may bet first."""
    game = ft.load(KUHN3)
    played = playouts(game, 100_000, generator(1))
    assert sum(played.mean_returns) == pytest.approx(0.0, abs=1e-9)
    errors = np.array(played.deviations) / np.sqrt(played.games)
    exact = uniform_values(game.start())
    assert np.all(np.abs(np.array(played.mean_returns) - exact) < 4 * errors)


def uniform_values(s: ft.State) -> np.ndarray:
    """Expected returns of uniform play, by walking every history."""
    if s.is_terminal:
        return np.array(s.returns())
    legal = s.legal_actions()
    weights = s.chance() or [1 / len(legal)] * len(legal)
    total = np.zeros(s.game.players)
    for action, weight in zip(legal, weights, strict=True):
        child = s.clone()
        child.apply(action)
        total += weight * uniform_values(child)
    return total


def test_without_machine_code_everything_runs_the_same() -> None:
    """NUMBA_DISABLE_JIT=1 leaves rules and kernels as Python, for breakpoints: same seed, same games."""
    program = (
        "import json, forethought as ft\n"
        "from forethought.randomness import generator\n"
        "from forethought.playouts import playouts\n"
        "print(json.dumps([list(playouts(ft.load(spec), 20, generator(4))) for spec in ('leduc', 'tic_tac_toe')]))\n"
    )
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    compiled = [list(playouts(ft.load(spec), 20, generator(4))) for spec in ("leduc", "tic_tac_toe")]
    assert json.loads(run.stdout) == json.loads(json.dumps(compiled))


def test_a_game_that_breaks_its_promise_is_reported_not_looped_over() -> None:
    game = ft.load("goofspiel(cards=4)")
    short = ft.Game(**{**vars_of(game), "plies": 3, "machine": game.machine._replace(plies=3)})
    with pytest.raises(ft.ForethoughtError, match="did not end within the declared 3 plies"):
        playouts(short, 1, generator(0))


def vars_of(game: ft.Game) -> dict:
    return {name: getattr(game, name) for name in game.__dataclass_fields__}


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4,payoff=points)", "liars_dice", "tic_tac_toe"])
def test_the_largest_return_is_declared_as_the_whole_game_has_it(spec: str) -> None:
    game = ft.load(spec)
    assert largest_return(game) == np.abs(unroll(game).flat.returns).max()


@pytest.mark.parametrize("spec", [name for name in GAMES.names() if ft.load(name, compiled=False).board])
def test_a_board_game_measured_pays_what_it_declares(spec: str) -> None:
    game = ft.load(spec)
    assert largest_return(replace(game, largest_return=None)) == largest_return(game) == 1.0


def test_an_undeclared_largest_return_is_that_of_random_games_and_at_least_1() -> None:
    leduc, ultimatum = ft.load("leduc"), ft.load("tests/userfiles/ultimatum.py")
    assert 1.0 < largest_return(replace(leduc, largest_return=None)) <= 13.0
    assert ultimatum.largest_return is None
    assert largest_return(ultimatum) == np.abs(unroll(ultimatum).flat.returns).max()
