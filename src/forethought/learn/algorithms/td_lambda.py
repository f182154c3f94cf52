"""TD(lambda) by self-play, as in TD-Gammon (Tesauro, 1992): a network of afterstates learns from its own games.

The dice let backgammon explore all by itself; games without chance need some random actions. Every action is learned
from before the next, so that there is one worker. The network is all that further learning depends on.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from forethought.compiler.announce import Stopwatch
from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.learn.division import parts_of
from forethought.learn.learner import GAMES, WEIGHTS, Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.sections import LearningSettings
from forethought.learn.temporal_difference import TemporalDifference, learn_by_playing
from forethought.nets.afterstates import AfterstateNetwork, new_network, save_network, suits_afterstates
from forethought.player import PlayerSettings
from forethought.players.afterstate import AfterstateSettings
from forethought.randomness import generator
from forethought.settings import Settings, changed, fixed, setting

TOGETHER = 100  # games between which it can be stopped
DIFFERENCE = Metric("difference", "Temporal differences: squared")


@dataclass(frozen=True, kw_only=True)
class TdLearning(Settings):
    """How the network learns: a step along the traces after every action."""

    hidden: int = setting("hidden units", 80, low=1)
    rate: float = changed(LearningSettings, "rate", 0.1)
    trace_decay: float = setting(
        "lambda: how much of its trace a weight keeps from action to action", 0.7, low=0.0, high=1.0
    )


@dataclass(frozen=True, kw_only=True)
class TdPlay(Settings):
    """How games are played: the action of the highest value."""

    epsilon: float = setting("share of random actions; dice explore by themselves", 0.02, low=0.0, high=1.0)


@dataclass(frozen=True, kw_only=True)
class TdConfiguration(Configuration):
    """TD(lambda) on afterstates, for games of two players where nothing is hidden."""

    algorithm: str = changed(Configuration, "algorithm", "td-lambda")
    games: int = changed(Configuration, "games", 2_000)
    workers: int = fixed(Configuration, "workers", 1)  # every action is learned from before the next
    learning: TdLearning = field(default_factory=TdLearning)
    play: TdPlay = field(default_factory=TdPlay)


@register_learner("td-lambda", TdConfiguration, label="TD(lambda) on afterstates", suits=suits_afterstates)
class TdLearner(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (DIFFERENCE,)
    remedy: ClassVar[str] = "a lower learning rate (learning.rate), more hidden units, and more games"

    def __init__(self, game: Game, configuration: TdConfiguration) -> None:
        super().__init__(game, configuration)
        if not suits_afterstates(game):
            raise game.mistake("td-lambda needs a game of two players and opposed interests where nothing is hidden")
        self._chosen = configuration
        self._network = new_network(game.facts, configuration.learning.hidden, self.rng(WEIGHTS))

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        learning, actions, errors = self._chosen.learning, 0, 0.0
        how = TemporalDifference(learning.rate, learning.trace_decay, self._chosen.play.epsilon)
        for part, games in enumerate(parts_of(self._chosen.games, TOGETHER)):
            watch = Stopwatch()
            found = learn_by_playing(
                self.game, self._network, how, games, generator(self._chosen.seed, GAMES, number, part)
            )
            play.pass_by(games, found.actions, watch.seconds)
            actions += found.actions
            errors += found.actions * found.mean_squared_error
        return {"difference": errors / max(actions, 1)}

    def state(self) -> LearnerState:
        return LearnerState(self._network._asdict())

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:  # noqa: ARG002
        self._network = AfterstateNetwork(**{name: np.array(array) for name, array in state.arrays.items()})

    def export(self, path: Path) -> None:
        save_network(path, self._network, self.game)

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"network": AfterstateSettings(run=run)}
