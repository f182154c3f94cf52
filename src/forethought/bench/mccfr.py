"""Walks of outcome sampling a second on one thread, beside OpenSpiel's solver of the same kind, which is C++.

Every round begins with empty tables on both sides, so that what is measured includes meeting new information sets; in a
game as large as goofspiel(cards=13) it is mostly that.
"""

from functools import partial
from importlib import import_module

from forethought.bench.measure import Budget, Work
from forethought.bench.openspiel import beside_openspiel
from forethought.bench.playouts import PeerGame
from forethought.bench.result import Benchmark, Claim, Result
from forethought.games import load
from forethought.solve.mccfr import OutcomeSampling

MIDDLING = Budget(seconds=0.2, rounds=10)  # long enough for tables to grow, short enough to be undisturbed

CONTESTS = {
    "mccfr:leduc": PeerGame("leduc", "leduc_poker", goal=6.0),
    "mccfr:goofspiel(cards=13)": PeerGame(
        "goofspiel(cards=13)", "goofspiel(imp_info=True,num_cards=13,points_order=ascending)", goal=20.0
    ),
}


def walks_beside_openspiel(name: str, contest: PeerGame, budget: Budget = MIDDLING) -> Result:
    claim = Claim(name, "walks/s", contest.peer_name, contest.goal)
    return beside_openspiel(claim, our_walks(contest.ours), peer_walks(contest.peer), budget)


def our_walks(spec: str, seed: int = 1) -> Work:
    game = load(spec)
    OutcomeSampling(game, seed).simulate(
        1000
    )  # so that what makes tables larger is compiled too, before the clock starts
    return lambda walks: OutcomeSampling(game, seed).simulate(walks)


def peer_walks(spec: str, seed: int = 1) -> Work | None:
    """Return the same of OpenSpiel; None if it is not installed. One of its iterations is a walk for each player."""
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game = pyspiel.load_game_as_turn_based(spec)
    players = game.num_players()

    def work(walks: int) -> None:
        iterate = pyspiel.OutcomeSamplingMCCFRSolver(game, epsilon=0.6, seed=seed).run_iteration
        for _ in range(0, walks, players):
            iterate()

    return work


BENCHMARKS: dict[str, Benchmark] = {
    name: partial(walks_beside_openspiel, name, contest) for name, contest in CONTESTS.items()
}
