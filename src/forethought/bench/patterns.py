"""Games played by patterns, and tree search biased by them, beside figures of Ludii and beside play at random.

Both players have all atomic patterns, with random weights of standard deviation 0.3, so that none is too faint to
count; games are cut after 200 plies. On one thread.
"""

from functools import partial
from time import process_time
from typing import NamedTuple

import numpy as np

from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.playouts import ELSEWHERE, our_playouts
from forethought.bench.result import Benchmark, Claim, Result
from forethought.game import Game
from forethought.games import load
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.model import board_of
from forethought.patterns.policies import Policies, join, make_policies, write_weights
from forethought.patterns.rollouts import pattern_rollouts, play_games
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.players import PatternSearchSettings

DEVIATION, CUT, EXPLORATION, MAX_NODES = 0.3, 200, 2.5, 1_000_000
SIMULATIONS = 1_600  # of one search; then the tree is begun anew
ALONE = Budget(seconds=0.1, rounds=15, clock=process_time)  # Ludii's are a second of the processor's time, too
IN_TURNS = Budget(seconds=0.1, rounds=15)
TENTH = 0.1  # of random play's speed


class PatternFigure(NamedTuple):
    """What Ludii does a second, on another machine: games played by features, and walks of biased search."""

    game: str
    playouts: float
    walks: float


FIGURES = (
    PatternFigure("connect_four", 3_807, 4_267),
    PatternFigure("breakthrough", 223, 261),
    PatternFigure("hex(size=7)", 466, 544),
    PatternFigure("yavalath", 561, 627),
    PatternFigure("gomoku", 65, 74),
    PatternFigure("othello", 402, 463),
)


def some_policies(game: Game) -> Policies:
    """Return policies with all atomic patterns and random weights."""
    board, rng = board_of(game), np.random.default_rng(1)
    patterns = atomic_patterns(board)
    policies, weights = make_policies(join([patterns] * 2, board)), rng.normal(0.0, DEVIATION, (2, len(patterns)))
    write_weights(policies, weights, weights)  # type: ignore[arg-type]
    return policies


def pattern_games(spec: str) -> Work:
    """Return what plays so many games by patterns."""
    game = load(spec)
    policies = some_policies(game)
    state, actions = np.zeros(game.table.state_bytes, np.uint8), np.zeros(game.table.choices, np.int64)
    rollouts, rng = pattern_rollouts(game, policies), generator(1)
    return lambda games: play_games(game.table, rollouts, games, CUT, state, actions, rng)


def biased_walks(spec: str) -> Work:
    """Return what walks so often from the start of a game, in trees of so many simulations."""
    game = load(spec)
    forest = Forest(
        game,
        PatternSearchSettings(exploration=EXPLORATION, rollout_limit=CUT, max_nodes=MAX_NODES),
        [generator(1)],
        rollouts=pattern_rollouts(game, some_policies(game)),
    )

    def walk(count: int) -> None:
        while count > 0:
            forest.forget(0)
            forest.aim(0, game.start())
            forest.search(min(count, SIMULATIONS))
            count -= SIMULATIONS

    return walk


def playouts_beside_ludii(name: str, figure: PatternFigure, budget: Budget = ALONE) -> Result:
    claim = Claim(name, "games by patterns/s", "Ludii (a figure, not measured here)", 10.0)
    return claim.by_rate(best_rates([pattern_games(figure.game)], budget)[0], figure.playouts, ELSEWHERE)


def playouts_beside_random(name: str, figure: PatternFigure, budget: Budget = IN_TURNS) -> Result:
    claim = Claim(name, "games by patterns/s", "our own random games", TENTH)
    ours, random = best_rates([pattern_games(figure.game), our_playouts(figure.game)], budget)
    return claim.by_rate(ours, random)


def walks_beside_ludii(name: str, figure: PatternFigure, budget: Budget = ALONE) -> Result:
    claim = Claim(name, "simulations/s", "Ludii (a figure, not measured here)", 10.0)
    return claim.by_rate(best_rates([biased_walks(figure.game)], budget)[0], figure.walks, ELSEWHERE)


BENCHMARKS: dict[str, Benchmark] = {
    f"{topic}-{figure.game}": partial(measure, f"{topic}-{figure.game}", figure)
    for topic, measure in {
        "patterns:ludii": playouts_beside_ludii,
        "patterns:random": playouts_beside_random,
        "biased:ludii": walks_beside_ludii,
    }.items()
    for figure in FIGURES
}
