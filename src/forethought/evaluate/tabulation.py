"""A player's strategy in a whole game: the player, a new one each time, asked once in every information set."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from forethought.arrays import Bytes, Float64s
from forethought.evaluate.rounds import Entrant
from forethought.game import State
from forethought.games.reference import GameReference, reference_to
from forethought.randomness import generator
from forethought.runtime.executor import Executor, Stopped, Stopping, batched, in_order
from forethought.solve.tree import GameTree

PARTS = 32  # jobs per worker, so that all are busy until the end
LARGEST_PART = 1_024  # rows
TOGETHER = 64  # rows at once, where players think together

Progress = Callable[[float], None]


@dataclass(frozen=True)
class RowsJob:
    """Information sets to ask about: their numbers, and a state that belongs to each."""

    reference: GameReference
    player: Entrant
    seed: int
    rows: range
    records: Bytes  # [rows, bytes]

    @property
    def described(self) -> str:
        return f"{self.player.name} in information sets {self.rows} of {self.reference.spec}, seed {self.seed}"


def tabulate(
    tree: GameTree, player: Entrant, seed: int, executor: Executor, progress: Progress = lambda _part: None
) -> Float64s:
    """Return the strategy, flat over the tree's rows; the seed and the row decide each answer."""
    answers = []
    for part in in_order(executor, ask_rows, _jobs(tree, player, seed, executor.workers)):
        answers += part
        progress(len(answers) / tree.infosets)
    return np.concatenate(answers) if answers else tree.uniform()


def ask_rows(job: RowsJob, stopping: Stopping) -> list[Float64s]:
    """Return the probabilities of the legal actions of each row. A task for an executor."""
    game, found = job.reference.game, []
    for part in batched(zip(job.rows, job.records, strict=True), _rows_at_once(job.player)):
        if stopping():
            raise Stopped
        states = [State(game, record) for _, record in part]
        group = job.player.new_group(game)([generator(job.seed, row) for row, _ in part])
        policies = group.think(range(len(part)), [state.observation(state.player) for state in states])
        found += [np.array(policy.probabilities) for policy in policies]
    return found


def _jobs(tree: GameTree, player: Entrant, seed: int, workers: int) -> Iterator[RowsJob]:
    size = max(_rows_at_once(player), min(LARGEST_PART, tree.infosets // (PARTS * workers)))
    for begin in range(0, tree.infosets, size):
        rows = range(begin, min(begin + size, tree.infosets))
        yield RowsJob(reference_to(tree.game), player, seed, rows, tree.records(rows))


def _rows_at_once(player: Entrant) -> int:
    return TOGETHER if player.settings.thinks_together else 1
