"""Random games a second on one thread, beside the same game in OpenSpiel, and beside figures of Ludii.

Board games meet OpenSpiel's own loop, which is C++ throughout; the others a loop in Python over its C++ states.
"""

from functools import partial
from time import process_time
from typing import NamedTuple

from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.openspiel import beside_openspiel, random_games, random_rollouts
from forethought.bench.result import Benchmark, Claim, Result
from forethought.games import load
from forethought.playouts import playouts
from forethought.randomness import generator


class PeerGame(NamedTuple):
    """One game, as we and as OpenSpiel write it."""

    ours: str
    peer: str
    peer_name: str = "OpenSpiel"
    goal: float = 15.0


SHORT = Budget(seconds=0.1, rounds=15)  # the shorter a round, the likelier one of them is undisturbed
ALONE = Budget(seconds=0.1, rounds=15, clock=process_time)  # other work on the machine would slow down ours only

CONTESTS = {
    "playouts:leduc": PeerGame("leduc", "leduc_poker"),
    "playouts:liars_dice(dice=1)": PeerGame("liars_dice(dice=1)", "liars_dice(numdice=1)"),
    "playouts:liars_dice(dice=2)": PeerGame("liars_dice(dice=2)", "liars_dice(numdice=2)"),
    # OpenSpiel plays the forced last round by itself, so its 12 joint moves stand beside our 26 single ones.
    "playouts:goofspiel(cards=13)": PeerGame(
        "goofspiel(cards=13)", "goofspiel(imp_info=True,num_cards=13,points_order=ascending)"
    ),
    "playouts:tic_tac_toe": PeerGame("tic_tac_toe", "tic_tac_toe"),
    "playouts:python_tic_tac_toe": PeerGame("tic_tac_toe", "python_tic_tac_toe", "OpenSpiel's Python game", 300.0),
}

ROLLOUTS = {
    f"playouts:{ours}": PeerGame(ours, peer, "OpenSpiel in C++", 5.0)
    for ours, peer in {
        "connect_four": "connect_four",
        "othello": "othello",
        "breakthrough": "breakthrough",
        "hex(size=7)": "hex(board_size=7)",
        "hex(size=11)": "hex(board_size=11)",
    }.items()
}


class PlayoutFigure(NamedTuple):
    """Random games a second that another program played on another machine, and how many times that is claimed."""

    ours: str
    rate: float
    goal: float


# Ludii 1.3.14, one thread, a second of the processor's time, on an Intel Xeon; Connect Four is the faster of its two.
# The goal is lower where stones are placed anywhere: it then plays without asking each time what is legal.
LUDII = {
    f"playouts:ludii-{figure.ours}": figure
    for figure in (
        PlayoutFigure("breakthrough", 2_598, 10.0),
        PlayoutFigure("fanorona", 1_239, 10.0),
        PlayoutFigure("knightthrough", 1_606, 10.0),
        PlayoutFigure("othello", 1_160, 10.0),
        PlayoutFigure("teeko", 794, 10.0),
        PlayoutFigure("connect_four", 32_983, 3.0),
        PlayoutFigure("gomoku", 9_865, 3.0),
        PlayoutFigure("hex(size=7)", 27_616, 3.0),
        PlayoutFigure("hex(size=11)", 7_469, 3.0),
        PlayoutFigure("yavalath", 48_882, 3.0),
    )
}
ELSEWHERE = "Ludii's figure is from another machine, and was not measured here"


def playouts_beside_openspiel(name: str, contest: PeerGame, budget: Budget = SHORT) -> Result:
    claim = Claim(name, "playouts/s", contest.peer_name, contest.goal)
    return beside_openspiel(claim, our_playouts(contest.ours), random_games(contest.peer), budget)


def rollouts_beside_openspiel(name: str, contest: PeerGame, budget: Budget = SHORT) -> Result:
    claim = Claim(name, "playouts/s", contest.peer_name, contest.goal)
    return beside_openspiel(claim, our_playouts(contest.ours), random_rollouts(contest.peer), budget)


def playouts_beside_a_figure(name: str, figure: PlayoutFigure, budget: Budget = ALONE) -> Result:
    claim = Claim(name, "playouts/s", "Ludii (a figure, not measured here)", figure.goal)
    return claim.by_rate(best_rates([our_playouts(figure.ours)], budget)[0], figure.rate, ELSEWHERE)


def our_playouts(spec: str, seed: int = 1) -> Work:
    """Return what plays so many random games, with a generator of its own."""
    game, rng = load(spec), generator(seed)
    return lambda games: playouts(game, games, rng)


BENCHMARKS: dict[str, Benchmark] = {
    **{name: partial(playouts_beside_openspiel, name, contest) for name, contest in CONTESTS.items()},
    **{name: partial(rollouts_beside_openspiel, name, contest) for name, contest in ROLLOUTS.items()},
    **{name: partial(playouts_beside_a_figure, name, figure) for name, figure in LUDII.items()},
}
