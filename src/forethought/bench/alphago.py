"""AlphaGo's search beside its two evaluators, each of which does nothing else: the networks, and the roll-out policy.

A simulation asks two towers and plays a roll-out by patterns, so it cannot be faster than the slower of them; what it
costs beyond that is the claim. The networks answer batches of as many rows as simulations wait together, and roll-outs
are whole games. On one thread, in seconds of the processor.
"""

from functools import partial
from time import process_time

from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.patterns import CUT, pattern_games, some_policies
from forethought.bench.questions import some_questions
from forethought.bench.result import Benchmark, Claim, Result
from forethought.bench.trees import asking, new_tower, repeating
from forethought.game import Game
from forethought.games import load
from forethought.nets.evaluator import Evaluator
from forethought.nets.paired import paired
from forethought.nets.values import value_columns
from forethought.patterns.rollouts import pattern_rollouts
from forethought.randomness import generator
from forethought.search.mcts.alphago import AlphaGoSettings
from forethought.search.mcts.forest import Forest

GAMES = ("connect_four", "hex(size=7)", "othello")
SETTINGS = AlphaGoSettings(run="", simulations=800, rollout_limit=CUT)
BUDGET = Budget(seconds=0.25, rounds=12, clock=process_time)


def simulations_beside_evaluators(name: str, spec: str, budget: Budget = BUDGET) -> Result:
    """Search the start of a game, each time with an empty tree."""
    game, size, rows = load(spec), SETTINGS.simulations, SETTINGS.parallel_simulations
    networks = paired(new_tower(game), new_tower(game))
    works = [searches(game, networks), answers(game, networks, rows), pattern_games(spec)]
    ours, asked, played = best_rates(works, budget)
    note = f"networks {rows * asked:,.0f}/s, roll-outs {played:,.0f}/s"
    return Claim(name, "simulations/s", "the slower evaluator alone", 0.8).by_rate(
        size * ours, min(rows * asked, played), note
    )


def searches(game: Game, networks: Evaluator) -> Work:
    """Return what searches so often."""
    policies = some_policies(game)
    forest = Forest(game, SETTINGS, [generator(1)], networks, pattern_rollouts(game, policies))

    def search() -> None:
        forest.forget(0)
        forest.aim(0, game.start())
        forest.search(SETTINGS.simulations)

    return repeating(search)


def answers(game: Game, networks: Evaluator, rows: int) -> Work:
    """Return what answers so many batches."""
    return repeating(asking(networks, some_questions(game, rows, value_columns(game))))


BENCHMARKS: dict[str, Benchmark] = {
    f"alphago:{spec}": partial(simulations_beside_evaluators, f"alphago:{spec}", spec) for spec in GAMES
}
