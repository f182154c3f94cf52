"""How often a player finds the best move: random positions, each solved exactly, each one question to a new player.

For games of two players where nothing is hidden and no chance acts. A move is *right* if it keeps the exact value of
the position. Positions in which all moves are worth the same ask nothing, and those that take too long to solve are
skipped; both are counted. The seed and the number of a position decide everything about it, wherever it is asked. No
return is thought of that is larger than those met by the solver and in some random games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.drawing.markup import block, interval, table
from forethought.errors import ForethoughtError
from forethought.evaluate.intervals import wilson_interval
from forethought.evaluate.rounds import Entrant
from forethought.game import Game, State
from forethought.games.reference import GameReference
from forethought.playouts import largest_return, make_play_memory
from forethought.randomness import below, choose, generator
from forethought.results import ResultBase
from forethought.rollouts import UniformRollouts, roll_out
from forethought.runtime.executor import Executor, Stopped, Stopping, batched, in_order
from forethought.solve.alphabeta import AlphaBeta, check_solvable
from forethought.status import CUT

TRIES = 10_000  # random games, of which one should last as long as wanted
POSITION, PLAYER, MOVE = range(3)  # streams of chance


@dataclass(frozen=True)
class Exam:
    """Who is asked about what: positions after `from_plies` to `to_plies` random plies, each as likely. Plain data."""

    reference: GameReference
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

    @property
    def game(self) -> Game:
        return self.reference.game


class PositionsJob(NamedTuple):
    """Positions of an exam to ask about."""

    exam: Exam
    numbers: tuple[int, ...]

    @property
    def described(self) -> str:
        return f"{self.exam.player.name} in positions {self.numbers}, seed {self.exam.seed}"


class Answer(NamedTuple):
    """What came of one position."""

    solved: bool
    loss: float | None  # what the move gave away; None where that is unknown, or no move gives anything away


@dataclass(frozen=True, kw_only=True)
class Accuracy(ResultBase):
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
    mean_loss: float | None  # in the game's returns

    def _repr_html_(self) -> str:
        title = f"{self.game}: {self.player} after {self.from_plies} to {self.to_plies} random plies; seed {self.seed}"
        counts = [f"{count:,}" for count in (self.positions, self.solved, self.differing, self.right)]
        columns = ["positions", "solved", "moves differ", "right", "share right (95 %)", "", "mean loss"]
        if self.share_right is None or self.share_right_low is None or self.share_right_high is None:
            return block(title, table(columns, [[*counts, "", "", ""]]))
        low, high = self.share_right_low, self.share_right_high
        shares = f"{self.share_right:.1%} ({low:.1%} to {high:.1%})"
        picture = interval(low, high, self.share_right, ends=(0.0, 1.0))
        return block(title, table(columns, [[*counts, shares, picture, f"{self.mean_loss:.3f}"]]))


def plies_of(game: Game, first: int | None, last: int | None) -> tuple[int, int]:
    """Return the range of plies: what is not given follows the length of the game, and what is given."""
    if first is None:
        first = 2 * game.plies // 5
        first = first if last is None else min(first, last)
    return first, max(first, 6 * game.plies // 7) if last is None else last


def ask_all(exam: Exam, positions: int, executor: Executor) -> Iterator[Answer]:
    """Yield the answers to positions 0, 1, ... in order."""
    jobs = (PositionsJob(exam, tuple(part)) for part in batched(range(positions), exam.player.at_once))
    for answers in in_order(executor, ask, jobs):
        yield from answers


def ask(job: PositionsJob, stopping: Stopping) -> list[Answer]:
    """Solve positions, and let new players move where moves differ. A task for an executor."""
    positions = []
    for number in job.numbers:
        if stopping():
            raise Stopped
        positions.append(_solve(job.exam, number))
    asked = [one for one in positions if one.differs]
    moves = _moves(job.exam, asked) if asked else {}
    return [one.answer(moves.get(one.number)) for one in positions]


class _Position(NamedTuple):
    """A position and what each of its moves is worth; None where it took too long to solve."""

    number: int
    state: State
    values: list[float] | None

    @property
    def differs(self) -> bool:
        return self.values is not None and min(self.values) < max(self.values)

    def answer(self, action: int | None) -> Answer:
        if self.values is None or action is None:
            return Answer(solved=self.values is not None, loss=None)
        return Answer(solved=True, loss=max(self.values) - self.values[self.state.legal_actions().index(action)])


def _solve(exam: Exam, number: int) -> _Position:
    state = random_position(exam, number)
    # A new solver each time: with one that remembers, the order of positions would decide which can be solved.
    found = AlphaBeta(exam.game, largest=largest_return(exam.game)).values(state, exam.max_nodes)
    values = [value for value in found if value is not None]
    return _Position(number, state, values if len(values) == len(found) else None)


def _moves(exam: Exam, positions: Sequence[_Position]) -> dict[int, int]:
    """Let a new player move in each position; return the moves by the numbers of the positions."""
    group = exam.player.new_group(exam.game)([generator(exam.seed, one.number, PLAYER) for one in positions])
    seen = [one.state.observation(one.state.player) for one in positions]
    moves = {}
    for one, (actions, weights) in zip(positions, group.think(range(len(positions)), seen), strict=True):
        rng = generator(exam.seed, one.number, MOVE)
        moves[one.number] = actions[choose(np.array(weights), len(actions), rng)]
    return moves


def random_position(exam: Exam, number: int) -> State:
    """Draw a number of plies and play so many at random; a game that ends before is played again."""
    rng, memory, table = generator(exam.seed, number, POSITION), make_play_memory(exam.game), exam.game.table
    plies = exam.from_plies + int(below(exam.to_plies - exam.from_plies + 1, rng))
    for _ in range(TRIES):
        memory.state[:] = 0
        table.start(memory.state)
        if roll_out(UniformRollouts(memory.weights), table, memory.state, memory.choices, plies, rng) == CUT:
            return State(exam.game, memory.state)
    raise ForethoughtError(
        f"No random game of {exam.game.name} went on after {plies} plies; ask for earlier positions."
    )


def summed_up(exam: Exam, answers: Sequence[Answer]) -> Accuracy:
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
