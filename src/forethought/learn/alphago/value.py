"""A value network that predicts who wins: regression on positions of games that are played for it (`value_games.py`).

Positions gather from iteration to iteration, in the checkpoints. Some are held out: equal positions are on one side.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from forethought.arrays import Array, Bools
from forethought.compiler.announce import Stopwatch
from forethought.errors import ForethoughtError
from forethought.games.reference import reference_to
from forethought.learn.alphago.answers import squared_error
from forethought.learn.alphago.imitation import JUDGED
from forethought.learn.alphago.stage import Pipeline, TrainingStage, named, part_of
from forethought.learn.alphago.value_games import ValueGamesJob, ValuePositions, longest_game, play_value_games
from forethought.learn.learner import EXAMS, GAMES, LEARNING
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.samples import Samples
from forethought.nets.formats import IMITATION, VALUE
from forethought.records.data_set import digest, drawn_numbers
from forethought.runtime.executor import in_order

if TYPE_CHECKING:
    from forethought.learn.apprentice import Apprentice

TOGETHER = 128  # games of one worker that are played in lock-step
MANY_GAMES, FEW_POSITIONS = 12_800, 0.01  # after so many games, one of a hundred should have given a position

TRAIN_ERROR = Metric("value_train_error", "Squared error of the value network on training games")
TEST_ERROR = Metric("value_test_error", "Squared error of the value network on held-out games", better="lower")
POSITIONS = Metric("positions", "Positions of the value network", "positions")
DROPPED = Metric("dropped", "Games that ended before their random move", "share")


class PositionMemory:
    """All positions so far, in as few bytes as they take."""

    def __init__(self, facts: int) -> None:
        narrow = np.min_scalar_type(facts)
        self._facts, self._known = np.zeros((0, 0), narrow), np.zeros(0, narrow)
        self._results, self.held_out = np.zeros(0, np.float32), np.zeros(0, np.bool_)

    def __len__(self) -> int:
        return len(self._known)

    def add(self, positions: ValuePositions, held_out: Bools) -> None:
        """Add positions, each of which is held out or not."""
        width = max(self._facts.shape[1], int(positions.known.max(initial=0)))
        facts = np.zeros((len(self) + positions.rows, width), self._facts.dtype)
        facts[: len(self), : self._facts.shape[1]] = self._facts
        narrow = positions.facts[:, :width]
        facts[len(self) :, : narrow.shape[1]] = narrow
        self._facts = facts
        self._known = np.concatenate([self._known, positions.known.astype(self._known.dtype)])
        self._results = np.concatenate([self._results, positions.results])
        self.held_out = np.concatenate([self.held_out, held_out])

    def samples(self, places: Array) -> Samples:
        """Return some positions to learn from: they teach values, and no policy."""
        rows = len(places)
        facts, known = self._facts[places].astype(np.int32), self._known[places].astype(np.int32)
        action, one, nothing = np.zeros((rows, 1), np.int32), np.ones(rows, np.int32), np.zeros((rows, 0), np.float32)
        targets = np.zeros((rows, 1), np.float32)
        return Samples(facts, known, action, one, targets, self._results[places, None], nothing)

    def state(self) -> dict[str, Array]:
        return {"facts": self._facts, "known": self._known, "results": self._results, "held_out": self.held_out}

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self._facts, self._known = arrays["facts"], arrays["known"]
        self._results, self.held_out = arrays["results"], arrays["held_out"]


class ValueBatches:
    """Positions drawn uniformly, each under a random symmetry."""

    def __init__(self, pipeline: Pipeline, memory: PositionMemory, places: Array) -> None:
        self._pipeline, self._memory, self._places = pipeline, memory, places

    def batch(self, size: int, rng: np.random.Generator) -> Samples:
        drawn = self._places[rng.integers(len(self._places), size=size)]
        return self._pipeline.turned(self._memory.samples(drawn), rng)


class ValueStage(TrainingStage):
    """The network learns who wins."""

    def __init__(self, pipeline: Pipeline) -> None:
        super().__init__(pipeline)
        self.memory = PositionMemory(self.game.facts)
        self._apprentice: Apprentice | None = None

    def iterate(self, number: int, place: int, play: Play) -> Mapping[str, float]:  # noqa: ARG002
        chosen, rng = self.chosen.value, self.pipeline.rng(LEARNING, number)
        played, games = self._gather(number, play)
        dropped = games - len(np.unique(played.games))
        self.memory.add(played, self._held_out(played))
        train, test = np.flatnonzero(~self.memory.held_out), np.flatnonzero(self.memory.held_out)
        if len(train):
            self._teacher().fit(ValueBatches(self.pipeline, self.memory, train), chosen.steps, chosen.batch, rng)
        self.pipeline.networks[VALUE] = self._teacher().parameters()
        found = {POSITIONS.name: float(len(self.memory)), DROPPED.name: dropped / games}
        return found | self._judge(train, TRAIN_ERROR) | self._judge(test, TEST_ERROR)

    def _gather(self, number: int, play: Play) -> tuple[ValuePositions, int]:
        """Play games until there are enough positions; return them, with games numbered, and how many games it took."""
        wanted, found, games = self.chosen.value.positions, list[ValuePositions](), 0
        watch, jobs = Stopwatch(), self._jobs(number)
        for part in in_order(play.executor, play_value_games, jobs):
            found.append(part._replace(games=part.games + games))
            games += TOGETHER
            rows = sum(one.rows for one in found)
            if rows >= wanted:
                break
            if games >= MANY_GAMES and rows < FEW_POSITIONS * games:
                raise ForethoughtError("Almost all games end before their random move; lower value.last_ply.")
        kept = ValuePositions._make(np.concatenate(arrays)[:wanted] for arrays in zip(*found, strict=True))
        play.pass_by(games, kept.rows, watch.seconds)
        return kept, games

    def _jobs(self, number: int) -> Iterator[ValueGamesJob]:
        """Yield as many jobs as anybody asks for."""
        pipeline, chosen, reference = self.pipeline, self.chosen.value, reference_to(self.game)
        players = pipeline.compiled(pipeline.networks[IMITATION]), pipeline.compiled(pipeline.strongest)
        places = chosen.last_ply or self._longest_game, chosen.positions_per_game
        for part in count():
            yield ValueGamesJob(reference, *players, *places, TOGETHER, (self.chosen.seed, GAMES, number, part))

    @cached_property
    def _longest_game(self) -> int:
        """The plies of the longest of some games of the imitation network: hardly any of its games is longer."""
        imitation = self.pipeline.compiled(self.pipeline.networks[IMITATION])
        return longest_game(self.game, imitation, TOGETHER, self.chosen.seed, GAMES, 0)  # no iteration is number 0

    def _held_out(self, positions: ValuePositions) -> Bools:
        """Draw which positions are held out, by the first of each game: all of a game are on one side."""
        _, first, game = np.unique(positions.games, return_index=True, return_inverse=True)
        hashes = b"".join(digest(positions.facts[row, : positions.known[row]].tolist()) for row in first)
        drawn = drawn_numbers(hashes, self.chosen.seed)
        return np.asarray(drawn < self.chosen.value.held_out)[game]

    def _judge(self, places: Array, metric: Metric) -> dict[str, float]:
        """Measure the error on some positions."""
        if len(places) == 0:
            return {}
        judged = self.memory.samples(self.pipeline.rng(EXAMS).permutation(places)[:JUDGED])
        return {metric.name: squared_error(self.pipeline.compiled(self.pipeline.networks[VALUE]), self.game, judged)}

    def _teacher(self) -> "Apprentice":
        from forethought.learn.losses import kl_divergence  # noqa: PLC0415 (torch)

        if self._apprentice is None:
            networks, chosen, model = self.pipeline.networks, self.chosen, self.pipeline.model
            if VALUE not in networks:
                networks[VALUE] = self.pipeline.new_network(1)
            decay = chosen.learning.weight_decay
            self._apprentice = self.pipeline.apprentice(networks[VALUE], chosen.value.rate, decay, kl_divergence, model)
        return self._apprentice

    def state(self) -> dict[str, Array]:
        if self._apprentice is None:
            return {}
        return named(self._apprentice.state(), "apprentice.") | named(self.memory.state(), "memory.")

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self._teacher().restore(part_of(arrays, "apprentice."))
        self.memory.restore(part_of(arrays, "memory."))
