"""How strong the searching players are: against random play, and against whoever knows them."""

import numpy as np
import pytest

import forethought as ft
from forethought.arrays import Float64s
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Entrant, RoundsJob, contest, entrant, play_rounds_of
from forethought.evaluate.tabulation import tabulate
from forethought.players.tabular import TablePlayer
from forethought.runtime.executor import in_order
from forethought.runtime.threads import Threads
from forethought.solve.best_response import best_response
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll
from tests.evaluate.given_players import given

THREADS = Threads()


def play(game: ft.Game, a: Entrant, b: Entrant, seed: int, games: int) -> Outcomes:
    both = contest(game, a, b, seed)
    jobs = (RoundsJob(both, (number,)) for number in range(games // game.players))
    return Outcomes([played for [played] in in_order(THREADS, play_rounds_of, jobs)])


def best_responses(tree: GameTree, strategy: Float64s) -> Float64s:
    """In each row of the tree, the action with which its owner wins most from the strategy."""
    responses = np.zeros_like(strategy)
    for player in range(tree.game.players):
        _, choices = best_response(tree, strategy, player)
        own = tree.rows.first[tree.rows.player == player]
        responses[own + choices[own]] = 1.0
    return responses


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "player", "games", "least"),
    [
        pytest.param("goofspiel(cards=6)", "oos:20000", 400, 0.80, marks=pytest.mark.slow),  # at equilibrium 0.886
        pytest.param("liars_dice", "oos:20000", 400, 0.78, marks=pytest.mark.slow),  # at equilibrium 0.828
        ("goofspiel(cards=6)", "oos:2000", 200, 0.75),
        pytest.param("liars_dice", "oos:2000", 200, 0.70, marks=pytest.mark.slow),
        pytest.param("goofspiel(cards=6)", "ismcts:2000", 200, 0.80, marks=pytest.mark.slow),
        ("liars_dice", "ismcts:2000", 200, 0.65),
        ("tic_tac_toe", "ismcts:500", 100, 0.85),
    ],
)
@pytest.mark.quick_cases(1)
def test_score_against_random(name: str, player: str, games: int, least: float) -> None:
    game = ft.load(name)
    outcomes = play(game, entrant(player), entrant("random"), 7, games)
    assert outcomes.scores.mean() >= least


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), [("leduc", 1000), ("kuhn", 4000)])
@pytest.mark.quick_cases(1)
def test_ismcts_takes_chips_from_random(name: str, games: int) -> None:
    game = ft.load(name)
    outcomes = play(game, entrant("ismcts:500"), entrant("random"), 7, games)
    rounds = outcomes.returns.mean(axis=1)
    assert rounds.mean() > 2 * rounds.std() / np.sqrt(len(rounds))


@pytest.mark.slow
def test_whoever_knows_them_wins_less_from_oos_than_from_ismcts() -> None:
    """Each meets the exact best response to what it would do in each information set of Leduc, in 5,000 games."""
    game = ft.load("leduc")
    tree, losses = unroll(game), {}
    for spec in ("oos:2000", "ismcts:2000"):
        searcher = entrant(spec)
        strategy = tabulate(tree, searcher, 1, THREADS, lambda _part: None)
        exploiter = TablePlayer(tree.policy(best_responses(tree, strategy)))
        response = given("best response", lambda _rng, to=exploiter: to)
        losses[spec] = -play(game, searcher, response, 3, 5000).returns.mean()
    assert 0.0 < losses["oos:2000"] < losses["ismcts:2000"]
