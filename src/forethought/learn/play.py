"""What the loop offers a learner during one iteration: games on the executor, each safe on disk once it is finished."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from forethought.compiler.announce import Stopwatch
from forethought.learn.episodes import Episode
from forethought.learn.run import Run, SavedGame
from forethought.runtime.executor import Executor, Task

GamesFinished = Callable[[int, int], None]  # iteration, games finished in it


class EpisodesJob(Protocol):
    """Games of self-play to play together."""

    @property
    def indexes(self) -> Sequence[int]:
        """Which games of the iteration they are."""


Job = TypeVar("Job", bound=EpisodesJob)


class Play:
    """One iteration's games."""

    def __init__(self, run: Run, iteration: int, executor: Executor, listen: GamesFinished) -> None:
        self.executor, self.iteration = executor, iteration
        self._run, self._listen = run, listen
        self._finished = set(run.finished_games(iteration))
        self.games: list[SavedGame] = []  # of the whole iteration, once it is complete
        self.seconds = 0.0  # of playing now, without compilation
        self.played, self.simulations = 0, 0  # now, not before a run was stopped
        self.passed_games, self.passed_samples = 0, 0  # learned from at once, and not kept

    @property
    def workspace(self) -> Path:
        """A directory for files that only this iteration needs."""
        return self._run.workspace

    def missing(self, count: int) -> list[int]:
        """Return which of so many games are not on disk yet."""
        return [index for index in range(count) if index not in self._finished]

    def episodes(self, task: Task[Job, list[Episode]], jobs: Iterable[Job]) -> list[SavedGame]:
        """Play the missing games, keep each as it is finished, and return all games of the iteration in order."""
        watch = Stopwatch()
        for job, played in self.executor.map(task, jobs):
            for index, episode in zip(job.indexes, played, strict=True):
                self.keep(index, episode)
        self.seconds += watch.seconds
        return self.complete()

    def keep(self, index: int, episode: Episode) -> None:
        """Keep one game that is finished."""
        about = {name: value for name, value in vars(episode).items() if name != "samples"}
        self._run.save_game(self.iteration, index, episode.samples, about)
        self._finished.add(index)
        self.played += 1
        self.simulations += episode.simulations
        self._listen(self.iteration, len(self._finished))

    def pass_by(self, games: int, samples: int, seconds: float) -> None:
        """Note games that are learned from at once and not kept: what follows depends on the learner's state alone."""
        self.passed_games += games
        self.passed_samples += samples
        self.played += games
        self.seconds += seconds
        self._listen(self.iteration, self.passed_games)

    def complete(self) -> list[SavedGame]:
        """Close the iteration: all of its games are there. Return them in order."""
        self._run.close_iteration(self.iteration)
        self.games = self._run.games(self.iteration)
        return self.games
