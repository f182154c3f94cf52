"""Random games a second on one thread, beside the same game in OpenSpiel."""

from functools import partial
from typing import NamedTuple

from forethought.bench.measure import Budget, Work
from forethought.bench.openspiel import beside_openspiel, random_games
from forethought.bench.result import Benchmark, Claim, Result
from forethought.games import load
from forethought.randomness import generator
from forethought.search.playouts import playouts


class Contest(NamedTuple):
    """One game, as we and as OpenSpiel write it."""

    ours: str
    peer: str
    peer_name: str = "OpenSpiel"
    goal: float = 15.0


SHORT = Budget(seconds=0.1, rounds=15)  # the shorter a round, the likelier one of them is undisturbed

CONTESTS = {
    "playouts:leduc": Contest("leduc", "leduc_poker"),
    "playouts:liars_dice(dice=1)": Contest("liars_dice(dice=1)", "liars_dice(numdice=1)"),
    "playouts:liars_dice(dice=2)": Contest("liars_dice(dice=2)", "liars_dice(numdice=2)"),
    # OpenSpiel plays the forced last round by itself, so its 12 joint moves stand beside our 26 single ones.
    "playouts:goofspiel(cards=13)": Contest(
        "goofspiel(cards=13)", "goofspiel(imp_info=True,num_cards=13,points_order=ascending)"
    ),
    "playouts:tic_tac_toe": Contest("tic_tac_toe", "tic_tac_toe"),
    "playouts:python_tic_tac_toe": Contest("tic_tac_toe", "python_tic_tac_toe", "OpenSpiel's Python game", 300.0),
}


def playouts_beside_openspiel(name: str, contest: Contest, budget: Budget = SHORT) -> Result:
    claim = Claim(name, "playouts/s", contest.peer_name, contest.goal)
    return beside_openspiel(claim, our_playouts(contest.ours), random_games(contest.peer), budget)


def our_playouts(spec: str, seed: int = 1) -> Work:
    """Return what plays so many random games, with a generator of its own."""
    game, rng = load(spec), generator(seed)
    return lambda games: playouts(game, games, rng)


BENCHMARKS: dict[str, Benchmark] = {
    name: partial(playouts_beside_openspiel, name, contest) for name, contest in CONTESTS.items()
}
