"""A policy network that learns by winning: REINFORCE against a pool of its earlier selves (AlphaGo's RL policy).

A gradient step follows a batch of games against one opponent, drawn uniformly from the pool, half of them in each seat.
With z what the game was worth in the end, and v the baseline, it climbs the mean over the learner's decisions of

    (z - v(s)) log p(a | s)

All games of a batch are played by the network that learns from them, and only then it changes; batch norm stays as it
is in play. So the gradient is that of the policy that played. Positions are not turned or reflected, as in the other
stages: there the network plays otherwise, and to make moves less probable that it would not draw has no end. Nothing is
remembered but networks: an iteration that was interrupted is played again, the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from forethought.arrays import Array, Float32s
from forethought.compiler.announce import Stopwatch
from forethought.errors import ForethoughtError
from forethought.evaluate.lockstep import CompiledSide, GamesInProgress, play_out
from forethought.games.reference import GameReference, reference_to
from forethought.learn.alphago.answers import values_of
from forethought.learn.alphago.settings import VALUE_BASELINE
from forethought.learn.alphago.stage import Pipeline, TrainingStage, named, part_of, parts_of_rows
from forethought.learn.division import parts_of
from forethought.learn.learner import GAMES, MEMORY
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.recording import MovesSide, RecordedMoves
from forethought.learn.samples import Samples, joined
from forethought.nets.formats import REINFORCED, VALUE, Parameters
from forethought.playouts import largest_return
from forethought.randomness import generators
from forethought.runtime.executor import Stopped, Stopping, in_order

if TYPE_CHECKING:
    from forethought.learn.apprentice import Apprentice

TOGETHER = 32  # games of one worker that are played in lock-step
ROWS = 512  # that are differentiated at once
PER_ITERATION = 1 << 20  # seeds: more batches than any iteration has

POOL_WIN_RATE = Metric("pool_win_rate", "Win rate against the pool, draws counted half", "share")
POOL = Metric("pool", "Networks in the pool", "networks")


@dataclass(frozen=True)
class PoolGamesJob:
    """Games of the learner in one seat against an opponent, to be played together by one worker. Plain data."""

    reference: GameReference
    learner: Any  # a compiled network
    opponent: Any  # likewise
    seat: int  # the learner's
    games: int
    seed: tuple[int, ...]


class PoolGames(NamedTuple):
    """What games against the pool came to."""

    moves: RecordedMoves  # the learner's
    results: Float32s  # [games] what the learner won, from -1 to 1


def play_against(job: PoolGamesJob, stopping: Stopping) -> PoolGames:
    """Play the games of a job, in lock-step. A task for an executor."""
    if stopping():
        raise Stopped
    game = job.reference.game
    games = GamesInProgress(game, generators(job.games, *job.seed))
    side = MovesSide(games, [job.seat], job.learner)
    play_out([side, CompiledSide(games, games.seats([1 - job.seat]), job.opponent)])
    return PoolGames(side.moves(), (games.play.returns[:, job.seat] / largest_return(game)).astype(np.float32))


def weighted(moves: RecordedMoves, weights: Float32s) -> Samples:
    """Return moves as samples whose targets are a weight for the action that was played, and 0 for the others."""
    targets = np.zeros(moves.actions.shape, np.float32)
    targets[np.arange(moves.rows), moves.choices] = weights
    width, nothing = int(moves.known.max(initial=0)), np.zeros((moves.rows, 0), np.float32)
    facts = np.ascontiguousarray(moves.facts[:, :width])
    return Samples(facts, moves.known, moves.actions, moves.counts, targets, nothing, nothing)


class ReinforcementStage(TrainingStage):
    """The network learns by playing against its earlier selves."""

    def __init__(self, pipeline: Pipeline) -> None:
        super().__init__(pipeline)
        self.pool: list[Parameters] = []
        self._apprentice: Apprentice | None = None
        wanted = self.chosen.policy_gradient
        if wanted.iterations and wanted.baseline == VALUE_BASELINE and VALUE not in pipeline.networks:
            raise ForethoughtError(
                "A baseline is the value network of an earlier run: name one with network.start, "
                "or use policy_gradient.baseline=none."
            )

    def iterate(self, number: int, place: int, play: Play) -> Mapping[str, float]:
        teacher, results, entropies = self._teacher(), list[Float32s](), list[float]()
        for batch, size in enumerate(self._batches()):
            done = place * len(self._batches()) + batch
            if done and done % self.chosen.policy_gradient.pool_every == 0:
                self.pool.append(self.pipeline.strongest)
            watch = Stopwatch()
            played = list(in_order(play.executor, play_against, self._jobs(number, batch, size)))
            play.pass_by(size, sum(part.moves.rows for part in played), watch.seconds)
            entropies.append(self._learn(played))
            self.pipeline.networks[REINFORCED] = teacher.parameters()
            results += [part.results for part in played]
        return {
            POOL_WIN_RATE.name: float((np.concatenate(results).mean() + 1.0) / 2.0),
            "entropy": float(np.mean(entropies)),
            POOL.name: len(self.pool),
        }

    def _batches(self) -> list[int]:
        """Return the games of each gradient step of an iteration."""
        return list(parts_of(self.chosen.games, self.chosen.policy_gradient.batch))

    def _jobs(self, number: int, batch: int, size: int) -> Iterator[PoolGamesJob]:
        """Divide the games of a step, half of them in each seat; how many workers there are makes no difference."""
        drawn = self.pool[self.drawn_opponent(number, batch)]
        learner, opponent = (self.pipeline.compiled(one) for one in (self.pipeline.strongest, drawn))
        seed, reference = (self.chosen.seed, GAMES, number, batch), reference_to(self.game)
        for seat, games in enumerate(((size + 1) // 2, size // 2)):
            for part, some in enumerate(parts_of(games, TOGETHER)):
                yield PoolGamesJob(reference, learner, opponent, seat, some, (*seed, seat, part))

    def drawn_opponent(self, number: int, batch: int) -> int:
        """Draw one of the pool."""
        return int(self.pipeline.rng(MEMORY, number * PER_ITERATION + batch).integers(len(self.pool)))

    def _learn(self, played: list[PoolGames]) -> float:
        """Take the step; return the entropy of the policy before it."""
        lesson = self.lesson(played)
        if lesson.rows == 0:
            return 0.0
        return self._teacher().step(list(parts_of_rows(lesson, ROWS))).entropy

    def lesson(self, played: list[PoolGames]) -> Samples:
        """Return the learner's decisions, with what each move was worth less what was expected there."""
        found = joined([weighted(part.moves, part.results[part.moves.games]) for part in played])
        if self.chosen.policy_gradient.baseline == VALUE_BASELINE:
            choices = np.concatenate([part.moves.choices for part in played])
            expected = values_of(self.pipeline.compiled(self.pipeline.networks[VALUE]), self.game, found)
            found.targets[np.arange(found.rows), choices] -= expected
        return found

    def _teacher(self) -> "Apprentice":
        from forethought.learn.losses import log_likelihood  # noqa: PLC0415 (torch)

        if self._apprentice is None:
            start, rate = self.pipeline.strongest, self.chosen.policy_gradient.rate
            self.pool = self.pool or [start]
            model = self.pipeline.model.with_fixed_averages()
            self._apprentice = self.pipeline.apprentice(start, rate, 0.0, log_likelihood, model)
        return self._apprentice

    def state(self) -> dict[str, Array]:
        if self._apprentice is None:
            return {}
        pool = {f"{place}.{part}": array for place, one in enumerate(self.pool) for part, array in one.items()}
        return named(self._apprentice.state(), "apprentice.") | named(pool, "pool.")

    def restore(self, arrays: Mapping[str, Array]) -> None:
        pool = part_of(arrays, "pool.")
        self.pool = [part_of(pool, f"{place}.") for place in range(len({key.partition(".")[0] for key in pool}))]
        self._teacher().restore(part_of(arrays, "apprentice."))
