"""Expert iteration: play games, remember them, learn from the memory, measure; again and again.

Everything random in iteration n is drawn from generators that the run's seed and n decide, and each game from one of
its own. So a run that is stopped at any instant goes on from its last checkpoint and its finished games as if it had
never stopped: the memory is rebuilt by adding all games again, in their order.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from threading import Event

import numpy as np

from forethought.game import Game
from forethought.learn.apprentice import Apprentice, Lesson
from forethought.learn.configuration import Configuration
from forethought.learn.events import ITERATION, IterationReport
from forethought.learn.memory import Memory
from forethought.learn.models import MlpModel
from forethought.learn.progress import Examiner, Measured
from forethought.learn.run import Run
from forethought.learn.samples import Samples, joined
from forethought.learn.self_play import Episode, Expert, play_episode
from forethought.nets.mlp import Mlp, default_hidden, make_mlp, mlp_of, parameters_of, save_mlp
from forethought.randomness import generator
from forethought.runtime import in_threads
from forethought.search.oos import Settings

WEIGHTS, GAMES, MEMORY, LESSONS, EXAMS = range(5)  # what a generator is for


Listener = Callable[[int, int], None]  # iteration, games finished in it


class Training:
    """A run in progress."""

    def __init__(self, run: Run, game: Game) -> None:
        self.run, self.game, self.configuration = run, game, run.configuration
        self.memory: Memory | None = None
        chosen = self.configuration
        exam = chosen.evaluation
        self._examiner = Examiner(game, exam.against, max(exam.games, game.players), chosen.seed)
        hidden = chosen.learning.layers or default_hidden(game)
        first = make_mlp(game.facts, game.actions, hidden, self._rng(WEIGHTS))
        self._apprentice = Apprentice(MlpModel(len(hidden) + 1), parameters_of(first), chosen.learning.rate)
        self.iteration = 0
        checkpoint = run.newest_checkpoint()
        if checkpoint is not None:
            self._apprentice.restore(checkpoint.arrays)
            self.iteration = checkpoint.iteration
            for iteration in range(1, self.iteration + 1):
                self._remember(joined([played.samples for played in run.games(iteration)]), iteration)

    @property
    def network(self) -> Mlp:
        return mlp_of(self._apprentice.parameters())

    def iterations(self, listen: Listener) -> Iterator[IterationReport]:
        """Iterate until there are enough or the time is over; each iteration is safe on disk before it is reported."""
        chosen, began = self.configuration, time.monotonic()
        while self.iteration < chosen.iterations:
            yield self._iterate(self.iteration + 1, listen)
            if 0.0 < chosen.minutes * 60.0 <= time.monotonic() - began:
                return

    def _iterate(self, iteration: int, listen: Listener) -> IterationReport:
        began = time.perf_counter()
        episodes = self._play(iteration, listen)
        searched = time.perf_counter() - began
        played = self.run.games(iteration)
        samples = joined([game.samples for game in played])
        self._remember(samples, iteration)
        lesson = self._learn(iteration)
        network = self.network
        exam = self._examine(iteration, network)
        save_mlp(self.run.weights_file(iteration), network, self.game)
        report = IterationReport(
            iteration=iteration,
            games=len(played),
            samples=samples.rows,
            walks=sum(game.about["walks"] for game in played),
            seconds=time.perf_counter() - began,
            search_seconds=searched,
            walks_per_second=sum(episode.walks for episode in episodes) / searched,
            games_per_second=len(episodes) / searched,
            loss=lesson.loss,
            entropy=lesson.entropy,
            remembered=self.memory.rows if self.memory else 0,
            **(asdict(exam) if exam else {}),
        )
        self.run.report(ITERATION, **asdict(report))
        self.run.save_checkpoint(iteration, self._apprentice.state(), {})
        self.iteration = iteration
        return report

    def _play(self, iteration: int, listen: Listener) -> list[Episode]:
        """Play the games of an iteration that are not on disk yet, and return them."""
        chosen, run = self.configuration, self.run
        expert = expert_of(chosen, self.network if chosen.search.rollouts == "network" else None)
        done = run.finished_games(iteration)
        missing = [index for index in range(chosen.games) if index not in done]
        episodes = []

        def play(index: int, stop: Event) -> Episode:
            return play_episode(self.game, expert, generator(chosen.seed, GAMES, iteration, index), stop)

        for finished, (index, episode) in enumerate(in_threads(play, missing, chosen.threads), len(done) + 1):
            about = {"actions": episode.actions, "returns": episode.returns, "walks": episode.walks}
            run.save_game(iteration, index, episode.samples, about)
            episodes.append(episode)
            listen(iteration, finished)
        run.close_iteration(iteration)
        return episodes

    def _remember(self, samples: Samples, iteration: int) -> None:
        """Add an iteration's games. The first tells how many decisions a game has: capacity is counted in games."""
        if self.memory is None:
            chosen = self.configuration
            rows = chosen.memory.capacity * max(1, -(-samples.rows // chosen.games))
            self.memory = Memory(rows, chosen.memory.beta, samples.facts.shape[1], self.game.actions)
        self.memory.add(samples, self._rng(MEMORY, iteration))

    def _learn(self, iteration: int) -> Lesson:
        learning = self.configuration.learning
        assert self.memory is not None  # noqa: S101 (the iteration's games are in it)
        rng = self._rng(LESSONS, iteration)
        return self._apprentice.fit(self.memory, learning.steps, learning.batch_for(self.game), rng)

    def _examine(self, iteration: int, network: Mlp) -> Measured | None:
        chosen = self.configuration
        due = iteration % chosen.evaluation.every == 0 or iteration in (1, chosen.iterations)
        return self._examiner.measure(network) if due else None

    def _rng(self, purpose: int, iteration: int = 0) -> np.random.Generator:
        return np.random.default_rng((self.configuration.seed, purpose, iteration))


def expert_of(configuration: Configuration, network: Mlp | None) -> Expert:
    """Return the expert that plays an iteration."""
    chosen = configuration.search
    settings = Settings(
        chosen.targeting,
        chosen.delta,
        chosen.epsilon,
        chosen.gamma,
        chosen.weighting,
        chosen.decay,
        chosen.max_infosets,
        chosen.slots,
    )
    return Expert(settings, chosen.simulations, configuration.play.exploration, network)
