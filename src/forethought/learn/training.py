"""Expert iteration: play games, remember them, learn from the memory, measure; again and again.

Everything random in iteration n is drawn from generators that the run's seed and n decide, and each game from one of
its own. So a run that is stopped at any instant goes on from its last checkpoint and its finished games as if it had
never stopped: the memory is rebuilt by adding all games again, in their order.
"""

import time
from dataclasses import asdict
from threading import Event

from forethought.files import write_atomically
from forethought.game import Game
from forethought.learn.alphazero import AlphaZero
from forethought.learn.apprentice import Apprentice, Lesson
from forethought.learn.biased_expert import BiasedExpert
from forethought.learn.configuration import (
    AlphaZeroConfiguration,
    Configuration,
    ExitOosConfiguration,
    TspgConfiguration,
)
from forethought.learn.episodes import Episode
from forethought.learn.events import ITERATION, IterationReport
from forethought.learn.exit_oos import ExitOos
from forethought.learn.loop import GAMES, GATES, LESSONS, MEMORY, WEIGHTS, Listener, Loop
from forethought.learn.memory import Memory
from forethought.learn.method import Method
from forethought.learn.progress import Examiner, Measured
from forethought.learn.run import Run
from forethought.learn.samples import Samples, joined
from forethought.learn.symmetries import TurnedMemory
from forethought.learn.tspg import TspgTraining
from forethought.nets.networks import Network, load_network
from forethought.randomness import generator
from forethought.runtime import in_threads


def training_of(run: Run, game: Game) -> "Training | TspgTraining":
    """Return the training that a run is for."""
    return TspgTraining(run, game) if isinstance(run.configuration, TspgConfiguration) else Training(run, game)


def check_suits(game: Game, configuration: Configuration) -> None:
    """Refuse a configuration of an algorithm that the game does not suit."""
    if isinstance(configuration, TspgConfiguration):
        BiasedExpert(game, configuration)
    else:
        method_of(game, configuration)


def method_of(game: Game, configuration: Configuration) -> Method:
    """Return the algorithm of expert iteration that a configuration is for."""
    if isinstance(configuration, AlphaZeroConfiguration):
        return AlphaZero(game, configuration)
    assert isinstance(configuration, ExitOosConfiguration)  # noqa: S101 (there are two)
    return ExitOos(game, configuration)


class Training(Loop):
    """A run of expert iteration."""

    def __init__(self, run: Run, game: Game) -> None:
        super().__init__(run, game)
        self.memory: Memory | None = None
        self.method = method_of(game, run.configuration)
        exam, seed = run.configuration.evaluation, run.configuration.seed
        self._examiner = Examiner(game, exam.against, max(exam.games, game.players), seed)
        self._model, parameters = self.method.new_network(self._rng(WEIGHTS))
        lessons = self.method.lessons
        self._apprentice = Apprentice(self._model, parameters, lessons.rate, lessons.decay, lessons.threads)
        self.network: Network = self._model.compiled(parameters)  # what plays
        checkpoint = run.newest_checkpoint()
        if checkpoint is not None:
            self._apprentice.restore(checkpoint.arrays)
            self.iteration = checkpoint.iteration
            self.network = load_network(run.weights_file(self.iteration), game)
            for iteration in range(1, self.iteration + 1):
                self._remember(joined([played.samples for played in run.games(iteration)]), iteration)

    def _iterate(self, iteration: int, listen: Listener) -> IterationReport:
        began = time.perf_counter()
        episodes = self._play(iteration, listen)
        searched = time.perf_counter() - began
        played = self.run.games(iteration)
        samples = joined([game.samples for game in played])
        self._remember(samples, iteration)
        lesson = self._learn(iteration)
        self._replace_network(iteration)
        exam = self._examine(iteration)
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
            value_loss=lesson.value_loss,
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
        chosen, run, network, size = self.configuration, self.run, self.network, self.method.together
        done = run.finished_games(iteration)
        missing = [index for index in range(chosen.games) if index not in done]
        groups = [tuple(missing[i : i + size]) for i in range(0, len(missing), size)]
        episodes: list[Episode] = []

        def play(group: tuple[int, ...], stop: Event) -> list[Episode]:
            rngs = [generator(chosen.seed, GAMES, iteration, index) for index in group]
            return self.method.play(network, rngs, stop)

        for group, played in in_threads(play, groups, chosen.threads):
            for index, episode in zip(group, played, strict=True):
                about = {"actions": episode.actions, "returns": episode.returns, "walks": episode.walks}
                run.save_game(iteration, index, episode.samples, about)
            episodes += played
            listen(iteration, len(done) + len(episodes))
        run.close_iteration(iteration)
        return episodes

    def _remember(self, samples: Samples, iteration: int) -> None:
        """Add an iteration's games. The first tells how many decisions a game has: capacity is counted in games."""
        if self.memory is None:
            rows = self.method.capacity * max(1, -(-samples.rows // self.configuration.games))
            width, values = samples.facts.shape[1], samples.values.shape[1]
            self.memory = Memory(rows, self.method.beta, width, self.game.actions, values)
        self.memory.add(samples, self._rng(MEMORY, iteration))

    def _learn(self, iteration: int) -> Lesson:
        lessons, memory = self.method.lessons, self.memory
        assert memory is not None  # noqa: S101 (the iteration's games are in it)
        board = self.game.board if lessons.symmetries else None
        source = memory if board is None else TurnedMemory(memory, self.game, board)
        return self._apprentice.fit(source, lessons.steps, lessons.batch, self._rng(LESSONS, iteration))

    def _replace_network(self, iteration: int) -> None:
        """Let the network that has learned play from now on, if it may, and write down which one does."""
        parameters, path = self._apprentice.parameters(), self.run.weights_file(iteration)
        candidate = self._model.compiled(parameters)
        if iteration == 1 or self.method.accepts(candidate, self.network, (self.configuration.seed, GATES, iteration)):
            self.network = candidate
            self._model.save(path, parameters, self.game)
        else:
            write_atomically(path, self.run.weights_file(iteration - 1).read_bytes())

    def _examine(self, iteration: int) -> Measured | None:
        return self._examiner.measure(self.network) if self._exam_due(iteration) else None
