"""What a learner is, and the learners there are.

A learner is one algorithm for one game: an iteration plays games and learns from them. Everything else, saving,
examinations, resuming, progress, belongs to the one loop, `training.train`. A kind of learner is registered:

    @register_learner("exit-oos", MyConfiguration, label="...", suits=lambda game: game.hidden)
    class ExitOos(Learner): ...
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from forethought.arrays import Array
from forethought.game import Game
from forethought.learn.configuration import UNTIL_TIME_IS_OVER, Configuration
from forethought.learn.metrics import Metric
from forethought.player import PlayerSettings
from forethought.registry import Registry

if TYPE_CHECKING:
    from forethought.learn.play import Play
    from forethought.learn.run import SavedGame

# What a generator is for: each purpose of each iteration has a stream of its own.
WEIGHTS, GAMES, MEMORY, LEARNING, EXAMS, GATES, GROWTH = range(7)


@dataclass(frozen=True)
class LearnerState:
    """All that further learning depends on: arrays by name, and plain JSON."""

    arrays: Mapping[str, Array]
    about: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Forecast:
    """What a training is expected to take."""

    seconds_per_iteration: float  # of self-play
    memory_bytes: float


class Learner(ABC):
    """One algorithm of learning, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = ()  # what `iterate` reports, in the order in which it is shown
    has_patterns: ClassVar[bool] = False  # whether what was learned contains weighed patterns, for `explain` to read
    remedy: ClassVar[str] = "more simulations per decision (search.simulations)"  # for a run that has levelled off

    def __init__(self, game: Game, configuration: Configuration) -> None:
        """Begin. A game or a configuration that does not suit the algorithm is refused."""
        self.game, self.configuration = game, configuration
        self.warnings: list[str] = []  # what the user should know before it begins

    @abstractmethod
    def iterate(self, number: int, play: "Play") -> Mapping[str, float]:
        """Play, learn, and return what was measured. All chance comes from the seed and the number."""

    @abstractmethod
    def state(self) -> LearnerState:
        """Return all that further learning depends on."""

    @abstractmethod
    def restore(self, state: LearnerState, games: "Iterable[Sequence[SavedGame]]") -> None:
        """Become what the learner was that gave this state; it had played these games, iteration by iteration."""

    @abstractmethod
    def export(self, path: Path) -> None:
        """Write what was learned, for players."""

    @classmethod
    @abstractmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        """Return the players that use what was learned in a run, by what they are.

        The first is examined in games. `policy`, if there is one, is also measured exactly where the game is small;
        `search` is the strongest, and what people are invited to play against.
        """

    def forecast(self) -> Forecast | None:
        """Say what self-play will take, if that can be told; measured in about a second. The loop measures the rest."""
        return None

    @property
    def jobs_per_iteration(self) -> int:
        """Into how many jobs self-play is divided: more workers than that do not help."""
        return 1

    def iterations_within(self, seconds: float) -> int:  # noqa: ARG002 (what anneals needs to know)
        """Return how many iterations to plan, if only the time is limited; whatever anneals measures its speed."""
        return UNTIL_TIME_IS_OVER

    def rng(self, purpose: int, iteration: int = 0) -> np.random.Generator:
        """Return the generator of one purpose in one iteration."""
        return np.random.default_rng((self.configuration.seed, purpose, iteration))


@dataclass(frozen=True)
class LearnerKind:
    """A registered algorithm."""

    name: str
    label: str  # for people
    configuration: type[Configuration]
    learner: type[Learner]
    suits: Callable[[Game], bool]
    recommended: Callable[[Game], bool]  # whether it is chosen for a game that it suits, if nobody names another
    presets: Mapping[str, Mapping[str, Any]]  # named settings, by dotted key
    usual_preset: Callable[[Game], str]  # the preset of a game, if nobody names one; empty: none

    def strongest(self, run: str) -> PlayerSettings:
        """Return the strongest player that uses what was learned in a run."""
        players = self.learner.players(run)
        return players.get("search") or next(iter(players.values()))


LEARNERS: Registry[LearnerKind] = Registry(
    "algorithm", "forethought.learners", ("forethought.learn.algorithms",), "register_learner"
)

LearnerClass = TypeVar("LearnerClass", bound=type[Learner])


def register_learner(  # noqa: PLR0913 (each is a choice of the algorithm)
    name: str,
    configuration: type[Configuration],
    *,
    label: str,
    suits: Callable[[Game], bool] = lambda _game: True,
    recommended: Callable[[Game], bool] = lambda _game: False,
    presets: Mapping[str, Mapping[str, Any]] | None = None,
    usual_preset: Callable[[Game], str] = lambda _game: "",
) -> Callable[[LearnerClass], LearnerClass]:
    """Register an algorithm: a decorator of its learner."""

    def register(learner: LearnerClass) -> LearnerClass:
        kind = LearnerKind(name, label, configuration, learner, suits, recommended, presets or {}, usual_preset)
        LEARNERS.add(name, kind, learner.__module__)
        return learner

    return register


def recommended_learner(game: Game) -> str:
    """Return the algorithm for a game, if nobody names one."""
    found = [kind.name for _, kind in LEARNERS if kind.suits(game) and kind.recommended(game)]
    if not found:
        raise game.mistake(f"no algorithm is recommended for it; name one of {', '.join(LEARNERS.names())}")
    return found[0]


def usual_presets(game: Game) -> Callable[[str], str]:
    """Return which preset of an algorithm trainings of a game begin from, if nobody names one."""
    return lambda algorithm: LEARNERS.find(algorithm).usual_preset(game)


def new_learner(game: Game, configuration: Configuration) -> Learner:
    """Return a learner as a configuration describes it."""
    return LEARNERS.find(configuration.algorithm).learner(game, configuration)
