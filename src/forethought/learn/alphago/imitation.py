"""A policy network that predicts the moves of games: AlphaGo's supervised learning.

The training games are gone through in a new random order in each epoch, and each iteration learns from as many as its
share of all epochs is. Positions are made of games when they are needed. Games held out are never learned from: whole
games are on one side, duplicates are removed before, and games that are one another turned or reflected are together.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from forethought.arrays import Array, Float32s, Int64s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.alphago.answers import MoveAccuracy, accuracy
from forethought.learn.alphago.expert import GameCollection
from forethought.learn.alphago.settings import MOVE
from forethought.learn.alphago.stage import Pipeline, TrainingStage
from forethought.learn.learner import EXAMS, LEARNING, MEMORY
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.samples import Samples
from forethought.nets.formats import IMITATION
from forethought.records.collection import RecordReader, Wanted, find_files
from forethought.records.data_set import HELD_OUT, TRAIN, DataSetFile, RecordSet, RecordSetBuilder, read_record_set
from forethought.records.identity import called

if TYPE_CHECKING:
    from forethought.learn.apprentice import Apprentice

JUDGED = 4_096  # positions of which the accuracy is measured
GAMES_AT_ONCE = 64  # that are made positions when they are judged

ACCURACY = Metric("accuracy", "Accuracy of imitation on held-out games", "share", better="higher")
ACCURACY_5 = Metric("accuracy_5", "Moves among the five most probable, on held-out games", "share", better="higher")
LOG_LOSS = Metric("log_loss", "Log-loss of imitation on held-out games", "nats", better="lower")
TRAIN_ACCURACY = Metric("train_accuracy", "Accuracy of imitation on training games", "share")
TRAIN_LOG_LOSS = Metric("train_log_loss", "Log-loss of imitation on training games", "nats")


class Lessons:
    """Games to imitate, as samples: the mover's facts, the legal actions, and what was played or thought."""

    def __init__(self, records: RecordSet, policies: list[Float32s] | None = None) -> None:
        """Take games, with the policies that the expert had in each of them if these are to be imitated."""
        self.records, self._policies = records, policies
        self.train, self.held_out = records.games(TRAIN), records.games(HELD_OUT)
        if len(self.train) == 0:
            raise ForethoughtError(f"There is nothing to imitate: {records.path} has no games for training.")

    @property
    def fingerprint(self) -> str:
        """What tells these games, and how they are divided, from others."""
        arrays = self.records.actions.astype(np.int64), self.records.ends, self.records.held_out
        return hashlib.blake2b(b"".join(array.tobytes() for array in arrays), digest_size=16).hexdigest()

    def samples(self, games: Int64s) -> Samples:
        """Return the decisions of some games."""
        found = self.records.positions(games)
        targets: Float32s = np.zeros(found.actions.shape, np.float32)
        if self._policies is None:
            targets[np.arange(found.rows), found.played] = 1.0
        elif found.rows:
            thought = [self._policies[game][:, : targets.shape[1]] for game in games.tolist()]
            targets[:] = np.concatenate(thought)
        nothing = np.zeros((found.rows, 0), np.float32)
        return Samples(found.facts, found.known, found.actions, found.counts, targets, nothing, nothing)

    def judged(self, games: Int64s) -> Samples | None:
        """Return decisions of some of the games, enough to judge by; None if there are none."""
        taken, rows = 0, 0
        while taken < len(games) and rows < JUDGED:
            rows += self.samples(games[taken : taken + GAMES_AT_ONCE]).rows
            taken += GAMES_AT_ONCE
        return self.samples(games[:taken]).chosen(slice(JUDGED)) if rows else None


def lessons_of_records(game: Game, name: str, seed: int, share: float) -> Lessons:
    """Read games to imitate: a data set with its own division, or any file, directory or run of games."""
    files = find_files([name], None)
    if len(files) == 1 and isinstance(files[0].format, DataSetFile):
        return Lessons(read_record_set(files[0].path, game))
    reader, builder = RecordReader(game, Wanted()), RecordSetBuilder(game)
    for one in reader.games(files, lambda _what, _part: None):
        builder.add(one)
    if reader.tally.kept == 0:
        first = f" The first: {reader.tally.examples[0]}" if reader.tally.examples else ""
        raise ForethoughtError(f"None of {reader.tally.games:,} games of {name} is one of {called(game)}.{first}")
    return Lessons(builder.finish(Path(name), seed, share))


class Minibatches:
    """Some rows in a random order, so many at a time, each under a random symmetry."""

    def __init__(self, pipeline: Pipeline, samples: Samples, rng: np.random.Generator) -> None:
        self._pipeline, self._samples = pipeline, samples
        self._order, self._taken = rng.permutation(samples.rows), 0

    def batch(self, size: int, rng: np.random.Generator) -> Samples:
        self._taken += size
        rows = self._order[self._taken - size : self._taken]
        return self._pipeline.turned(self._samples.chosen(rows), rng)


class ImitationStage(TrainingStage):
    """The network learns to play as the games were played."""

    def __init__(self, pipeline: Pipeline, collection: GameCollection) -> None:
        super().__init__(pipeline)
        self._collection = collection
        self._lessons: Lessons | None = None
        self._apprentice: Apprentice | None = None
        chosen = self.chosen.imitation
        if chosen.records and (chosen.iterations or self.chosen.rollout.iterations):
            if chosen.target != MOVE:
                raise ForethoughtError("Records tell moves, not policies: use imitation.target=move.")
            self._lessons = lessons_of_records(self.game, chosen.records, self.chosen.seed, chosen.held_out)

    @property
    def lessons(self) -> Lessons:
        """What there is to imitate."""
        if self._lessons is None:
            records = self._collection.records(self.chosen.seed, self.chosen.imitation.held_out)
            policies = None if self.chosen.imitation.target == MOVE else self._collection.policies
            self._lessons = Lessons(records, policies)
        return self._lessons

    def iterate(self, number: int, place: int, play: Play) -> Mapping[str, float]:  # noqa: ARG002
        teacher, chosen, rng = self._teacher(), self.chosen.imitation, self.pipeline.rng(LEARNING, number)
        samples = self.lessons.samples(self.games_of(place))
        if samples.rows:
            size = min(chosen.batch, samples.rows)
            teacher.fit(Minibatches(self.pipeline, samples, rng), samples.rows // size, size, rng)
        self.pipeline.networks[IMITATION] = teacher.parameters()
        return self._judge()

    def games_of(self, place: int) -> Int64s:
        """Return the training games of an iteration: its share of all epochs, each of which has an order of its own."""
        games, chosen = self.lessons.train, self.chosen.imitation
        total = max(1, round(len(games) * chosen.epochs))
        numbers = np.arange(place * total // chosen.iterations, (place + 1) * total // chosen.iterations)
        epochs = numbers // len(games)
        orders = {int(epoch): self.pipeline.rng(MEMORY, int(epoch)).permutation(games) for epoch in np.unique(epochs)}
        found = [orders[int(epoch)][number % len(games)] for number, epoch in zip(numbers, epochs, strict=True)]
        return np.array(found, np.int64)

    def _teacher(self) -> "Apprentice":
        from forethought.learn.losses import kl_divergence  # noqa: PLC0415 (torch)

        if self._apprentice is None:
            start, rate, decay = (
                self.pipeline.networks[IMITATION],
                self.chosen.imitation.rate,
                self.chosen.learning.weight_decay,
            )
            self._apprentice = self.pipeline.apprentice(start, rate, decay, kl_divergence, self.pipeline.model)
        return self._apprentice

    def _judge(self) -> dict[str, float]:
        """Measure how well moves are predicted, in the same games each time."""
        rng, network = self.pipeline.rng(EXAMS), self.pipeline.compiled(self.pipeline.networks[IMITATION])
        found: list[MoveAccuracy | None] = []
        for games in (self.lessons.held_out, self.lessons.train):
            judged = self.lessons.judged(rng.permutation(games))
            found.append(None if judged is None else accuracy(network, self.game, judged))
        held_out, train = found
        measured = (
            {}
            if held_out is None
            else {
                ACCURACY.name: held_out.top1,
                ACCURACY_5.name: held_out.top5,
                LOG_LOSS.name: held_out.log_loss,
            }
        )
        return measured | (
            {} if train is None else {TRAIN_ACCURACY.name: train.top1, TRAIN_LOG_LOSS.name: train.log_loss}
        )

    def state(self) -> dict[str, Array]:
        return {} if self._apprentice is None else self._apprentice.state()

    def restore(self, arrays: Mapping[str, Array]) -> None:
        self._teacher().restore(dict(arrays))
