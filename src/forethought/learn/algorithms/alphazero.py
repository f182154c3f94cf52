"""AlphaZero: the expert is Monte Carlo tree search, guided by the apprentice's policies and values.

The expert plays all seats of a game. What it finds at each decision, and who won in the end, become training samples.
A worker plays several games at once, so that their questions to the network form one batch; each game has its own tree
and its own generator, and is the same in whatever company it is played.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from forethought.evaluate.rounds import Entrant, contest
from forethought.game import Game
from forethought.learn.board_networks import (
    BoardLearning,
    BoardNetwork,
    network_kind,
    new_board_network,
    torch_threads,
)
from forethought.learn.configuration import Configuration
from forethought.learn.episodes import Episode, OngoingGame, pass_chance
from forethought.learn.exams import play_contest
from forethought.learn.forecast import expected
from forethought.learn.learner import GATES, Forecast, register_learner
from forethought.learn.network_learner import NetworkLearner, SelfPlayJob
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.samples import samples_of
from forethought.learn.sections import MemorySettings
from forethought.learn.tree_forecast import forest_rate, tree_bytes
from forethought.nets.backends import BackendSettings
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import Parameters
from forethought.nets.values import won_values
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.playouts import largest_return
from forethought.randomness import Generator, choose, generator
from forethought.runtime.executor import Stopped, Stopping
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.players import AzSettings, PuctSettings
from forethought.search.mcts.search import learning_policy, playing_policy
from forethought.settings import Settings, changed, fixed, setting, settings_from

if TYPE_CHECKING:
    from forethought.learn.models import Model


@dataclass(frozen=True, kw_only=True)
class AlphaZeroSearch(PuctSettings):
    """How the expert thinks: tree search guided by the apprentice, with Dirichlet noise at the root."""

    simulations: int = changed(PuctSettings, "simulations", 200)
    seconds: float = fixed(PuctSettings, "seconds", 0.0)  # by the clock, nothing could be repeated
    parallel_simulations: int = fixed(PuctSettings, "parallel_simulations", 1)
    virtual_loss: int = fixed(PuctSettings, "virtual_loss", 1)
    dirichlet_epsilon: float = changed(PuctSettings, "dirichlet_epsilon", 0.25)
    backend: str = changed(BackendSettings, "backend")
    temperature: float = fixed(PuctSettings, "temperature", 1.0)  # `play` decides how moves are drawn


@dataclass(frozen=True, kw_only=True)
class AlphaZeroMemory(MemorySettings):
    """What is remembered: far less than in other algorithms, as values age."""

    capacity: int = changed(MemorySettings, "capacity", 3_000)
    beta: float = changed(MemorySettings, "beta", 1.0)


@dataclass(frozen=True, kw_only=True)
class AlphaZeroLearning(BoardLearning):
    """How the apprentice learns: Adam on the error of policies and values."""

    steps: int = changed(BoardLearning, "steps", 100)
    weight_decay: float = changed(BoardLearning, "weight_decay", 1e-4)


@dataclass(frozen=True, kw_only=True)
class AlphaZeroPlay(Settings):
    """How self-play moves."""

    temperature: float = setting("temperature of the first moves of a game", 1.0, low=0.0)
    temperature_plies: int = setting("plies of a game with that temperature; later it is 0", 15, low=0)
    parallel_games: int = setting("games of one worker whose questions form one batch", 16, low=1)


@dataclass(frozen=True, kw_only=True)
class GateSettings(Settings):
    """AlphaGo Zero's gate: only a network that beats the best one so far plays on."""

    games: int = setting("games of the match against the best network so far; 0: every network plays", 0, low=0)
    threshold: float = setting("win rate that is needed in it", 0.55, low=0.0, high=1.0)


@dataclass(frozen=True, kw_only=True)
class AlphaZeroConfiguration(Configuration):
    """AlphaZero, where nothing is hidden; with a gate and symmetries, AlphaGo Zero."""

    algorithm: str = changed(Configuration, "algorithm", "alphazero")
    games: int = changed(Configuration, "games", 64)
    search: AlphaZeroSearch = field(default_factory=AlphaZeroSearch)
    network: BoardNetwork = field(default_factory=BoardNetwork)
    memory: AlphaZeroMemory = field(default_factory=AlphaZeroMemory)
    learning: AlphaZeroLearning = field(default_factory=AlphaZeroLearning)
    play: AlphaZeroPlay = field(default_factory=AlphaZeroPlay)
    gate: GateSettings = field(default_factory=GateSettings)


@register_learner(
    "alphazero",
    AlphaZeroConfiguration,
    label="AlphaZero",
    suits=lambda game: not game.hidden,
    recommended=lambda _game: True,
)
class AlphaZero(NetworkLearner):
    """The algorithm, for one game and configuration."""

    def __init__(self, game: Game, configuration: AlphaZeroConfiguration) -> None:
        if game.hidden:
            raise game.mistake("it hides something from its players; train it with --algorithm exit-oos")
        self._chosen = configuration
        self.games_at_once = min(configuration.play.parallel_games, -(-configuration.games // configuration.threads))
        self.game = game
        backend = configuration.search.backend
        super().__init__(game, configuration, configuration.memory, configuration.learning, backend)

    @property
    def torch_threads(self) -> int:
        kind = network_kind(self.game, self._chosen.network)
        return torch_threads(kind, self._chosen.learning.threads, self._chosen.threads)

    def new_network(self, rng: np.random.Generator) -> "tuple[Model, Parameters]":
        return new_board_network(self.game, self._chosen.network, rng)

    def self_play(self, play: Play, jobs: Iterable[SelfPlayJob]) -> list[SavedGame]:
        return play.episodes(play_games, jobs)

    def accepts(self, number: int, candidate: Parameters, play: Play) -> bool:
        """Let the network that has learned play the best one so far, as in self-play but without Dirichlet noise."""
        gate = self._chosen.gate
        if gate.games == 0:
            return True
        sides = []
        for name, parameters in (("new", candidate), ("best", self.parameters)):
            path = play.workspace / f"{name}.safetensors"
            self._model.save(path, parameters, self.game)
            sides.append(Entrant(name, settings_from(AzSettings, self._chosen.search, run=str(path))))
        seed = int(np.random.SeedSequence((self.configuration.seed, GATES, number)).generate_state(1)[0])
        return (
            play_contest(contest(self.game, sides[0], sides[1], seed), gate.games, play.executor).win_rate
            >= gate.threshold
        )

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {
            "network": NetworkSettings(run=run),
            "policy": NetworkSettings(run=run, greedy="never"),
            "search": AzSettings(run=run, simulations=200),
        }

    def forecast(self) -> Forecast:
        chosen, search = self._chosen, self._chosen.search
        rngs = [generator(number) for number in range(self.games_at_once)]
        forest = Forest(self.game, search, rngs, self.network)
        return expected(
            self.game,
            chosen,
            rate=forest_rate(forest, self.game, self.games_at_once),
            simulations=search.simulations,
            capacity=chosen.memory.capacity,
            search_bytes=lambda simulations: tree_bytes(
                self.game, min(simulations * self.games_at_once, search.max_nodes)
            ),
        )


def play_games(job: SelfPlayJob, stopping: Stopping) -> list[Episode]:
    """Play the games of a job, all at once. A task for an executor."""
    game, configuration = job.reference.game, job.configuration
    assert isinstance(configuration, AlphaZeroConfiguration)  # noqa: S101 (the jobs are this learner's)
    rngs = [generator(*seed) for seed in job.seeds()]
    return GamesAtOnce(game, configuration, job.weights.network(game), rngs).play(stopping)


class GamesAtOnce:
    """Games that one worker plays at once."""

    def __init__(
        self, game: Game, configuration: AlphaZeroConfiguration, evaluator: Evaluator, rngs: Sequence[Generator]
    ) -> None:
        self._game, self._chosen = game, configuration
        self._forest = Forest(game, configuration.search, rngs, evaluator)
        self._games = [OngoingGame(game.start()) for _ in rngs]

    def play(self, stopping: Stopping) -> list[Episode]:
        """Play all games to their ends."""
        live = list(range(len(self._games)))
        while live:
            for number in live:
                ongoing = self._games[number]
                pass_chance(ongoing.state, ongoing.actions, self._forest.rng(number))
                if ongoing.state.is_terminal:
                    self._forest.forget(number)
                else:
                    self._forest.aim(number, ongoing.state)
            live = [number for number in live if not self._games[number].state.is_terminal]
            if stopping():
                raise Stopped
            before = self._forest.simulated
            self._forest.search(self._chosen.search.simulations)
            for number in live:
                self._games[number].simulations += int(self._forest.simulated[number] - before[number])
                self._move(number)
        return [self._episode(ongoing) for ongoing in self._games]

    def _move(self, number: int) -> None:
        """Learn from what was found, and play."""
        ongoing, found = self._games[number], self._forest.found(number)
        mover, halving = ongoing.state.player, self._chosen.search.max_considered_actions > 0
        target = learning_policy(found, halving)
        ongoing.examples.append((ongoing.state.facts(mover), found.actions.tolist(), target.tolist()))
        ongoing.movers.append(mover)
        policy = playing_policy(found, self._temperature_at(len(ongoing.actions)), halving)
        action = int(found.actions[choose(policy, len(policy), self._forest.rng(number))])
        ongoing.actions.append(action)
        ongoing.state.apply(action)

    def _temperature_at(self, ply: int) -> float:
        play = self._chosen.play
        return play.temperature if ply < play.temperature_plies else 0.0

    def _episode(self, ongoing: OngoingGame) -> Episode:
        returns = ongoing.state.returns()
        values = won_values(self._game, ongoing.movers, returns) / largest_return(self._game)
        return Episode(samples_of(self._game, ongoing.examples, values), ongoing.actions, returns, ongoing.simulations)
