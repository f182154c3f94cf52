"""How often a player finds the best move: random positions, each solved exactly, each one question to a new player.

For games of two players where nothing is hidden and no chance acts. A move is *right* if it keeps the exact value of
the position. Positions in which all moves are worth the same ask nothing, and those that take too long to solve are
skipped; both are counted. The seed and the number of a position decide everything about it, in as many threads as you
like. No return is thought of that is larger than those met by the solver and in some random games.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from forethought.errors import ForethoughtError
from forethought.evaluate.intervals import wilson_interval
from forethought.evaluate.rounds import Entrant
from forethought.game import Game, State
from forethought.playouts import largest_return, make_play_memory, roll_out
from forethought.randomness import below, choose, generator
from forethought.solve.alphabeta import Solver, check_solvable
from forethought.status import CUT

TRIES = 10_000  # random games, of which one should last as long as wanted
POSITION, PLAYER, MOVE = range(3)  # streams of chance


@dataclass(frozen=True)
class Exam:
    """Who is asked about what: positions after `from_plies` to `to_plies` random plies, each as likely."""

    game: Game
    player: Entrant
    from_plies: int
    to_plies: int
    max_nodes: int
    seed: int

    def __post_init__(self) -> None:
        check_solvable(self.game)
        if not 0 <= self.from_plies <= self.to_plies < self.game.plies:
            wanted = f"{self.from_plies} to {self.to_plies}"
            last = self.game.plies - 1
            raise self.game.mistake(
                f"positions after {wanted} plies were asked for, but they must be within 0 to {last}"
            )


class Answer(NamedTuple):
    """What came of one position."""

    solved: bool
    loss: float | None  # what the move gave away; None where that is unknown, or no move gives anything away


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """How often a player was right, with a 95 % interval, and what its moves gave away on average.

    Both are over the positions in which moves differ; None if there were none.
    """

    game: str
    player: str
    seed: int
    from_plies: int
    to_plies: int
    max_nodes: int
    positions: int
    solved: int
    differing: int  # positions in which moves differ in value
    right: int
    share_right: float | None
    share_right_low: float | None
    share_right_high: float | None
    mean_loss: float | None


def ask_all(exam: Exam, positions: int, workers: int) -> Iterator[Answer]:
    """Yield the answers to positions 0, 1, ... in order, found in threads."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(partial(ask, exam, largest_return(exam.game)), range(positions))
    finally:  # also when Ctrl-C was pressed
        pool.shutdown(cancel_futures=True)


def ask(exam: Exam, largest: float, number: int) -> Answer:
    """Solve a position, and if its moves differ let a new player move there."""
    state = random_position(exam, number)
    # A new solver each time: with one that remembers, the order of positions would decide which can be solved.
    found = Solver(exam.game, largest=largest).values(state, exam.max_nodes)
    values = [value for value in found if value is not None]
    if len(values) < len(found):
        return Answer(solved=False, loss=None)
    if min(values) == max(values):
        return Answer(solved=True, loss=None)
    group = exam.player.new_group(exam.game)([generator(exam.seed, number, PLAYER)])
    [(actions, weights)] = group.think([0], [state.observation(state.player)])
    action = actions[choose(np.array(weights), len(actions), generator(exam.seed, number, MOVE))]
    return Answer(solved=True, loss=max(values) - values[state.legal_actions().index(action)])


def random_position(exam: Exam, number: int) -> State:
    """Draw a number of plies and play so many at random; a game that ends before is played again."""
    rng, memory, table = generator(exam.seed, number, POSITION), make_play_memory(exam.game), exam.game.table
    plies = exam.from_plies + int(below(exam.to_plies - exam.from_plies + 1, rng))
    for _ in range(TRIES):
        memory.state[:] = 0
        table.start(memory.state)
        if roll_out(table, memory.state, memory.choices, memory.weights, plies, rng) == CUT:
            return State(exam.game, memory.state)
    raise ForethoughtError(
        f"No random game of {exam.game.name} went on after {plies} plies; ask for earlier positions."
    )


def accuracy(exam: Exam, answers: Sequence[Answer]) -> Accuracy:
    """Sum up the answers."""
    losses = np.array([answer.loss for answer in answers if answer.loss is not None])
    right = losses == 0.0
    low, high = wilson_interval(right.astype(np.float64)) if len(losses) else (None, None)
    return Accuracy(
        game=exam.game.spec or exam.game.name,
        player=exam.player.name,
        seed=exam.seed,
        from_plies=exam.from_plies,
        to_plies=exam.to_plies,
        max_nodes=exam.max_nodes,
        positions=len(answers),
        solved=sum(answer.solved for answer in answers),
        differing=len(losses),
        right=int(right.sum()),
        share_right=float(right.mean()) if len(losses) else None,
        share_right_low=low,
        share_right_high=high,
        mean_loss=float(losses.mean()) if len(losses) else None,
    )
