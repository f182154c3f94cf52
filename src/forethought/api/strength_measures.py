"""How strong players are, measured for a comparison: each measurement is a step, done once."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from forethought.api.arguments import Progress
from forethought.api.matches import match
from forethought.api.solving import exploitability
from forethought.api.steps import StepStore, identity_of_game, identity_of_player
from forethought.errors import ForethoughtError
from forethought.evaluate.decision_time import seconds_per_decision
from forethought.evaluate.exploitability import EXACT
from forethought.evaluate.strength_curves import NASHCONV, SCORE, StrengthPoint
from forethought.game import Game
from forethought.player import PlayerSettings
from forethought.runs import matches_file
from forethought.runtime.executor import Executor


@dataclass(frozen=True)
class StrengthMeasure(ABC):
    """Measures the players of a game."""

    strength: ClassVar[str]
    game: Game
    steps: StepStore
    executor: Executor
    seed: int

    @property
    @abstractmethod
    def measured(self) -> str:
        """What strength is, for people."""

    @abstractmethod
    def point(self, label: str, seconds: float, player: PlayerSettings, progress: Progress) -> StrengthPoint:
        """Measure a player who has so much time."""

    def seconds(self, player: PlayerSettings) -> float:
        """Return how long a player thinks about a decision."""
        asked = self.asked("seconds", player)
        return float(self.steps.done(asked, lambda: seconds_per_decision(self.game, player, self.seed)).found)

    def asked(self, what: str, player: PlayerSettings) -> dict[str, Any]:
        """Return the definition of a measurement."""
        spec = self.game.spec or self.game.name
        return {what: identity_of_player(player), "game": identity_of_game(spec), "seed": self.seed}

    def means(self, progress: Progress) -> dict[str, Any]:
        """Return how it is measured, as functions of the API take it."""
        return {"seed": self.seed, "executor": self.executor, "progress": progress}


@dataclass(frozen=True)
class StrengthByNashConv(StrengthMeasure):
    """By exact NashConv."""

    strength: ClassVar[str] = NASHCONV

    @property
    def measured(self) -> str:
        return "NashConv"

    def point(self, label: str, seconds: float, player: PlayerSettings, progress: Progress) -> StrengthPoint:
        def work() -> Any:
            return exploitability(self.game, player, **self.means(progress))

        found = self.steps.done(self.asked(NASHCONV, player), work).found
        if found["kind"] != EXACT:
            raise ForethoughtError(f"{self.game.name} is too large for an exact NashConv; measure the score.")
        return StrengthPoint(label, seconds, found["nashconv"], None, None)


@dataclass(frozen=True)
class StrengthByScore(StrengthMeasure):
    """By the win rate against a reference."""

    strength: ClassVar[str] = SCORE
    rival: PlayerSettings
    games: int

    @property
    def measured(self) -> str:
        return f"score against {self.rival}"

    def point(self, label: str, seconds: float, player: PlayerSettings, progress: Progress) -> StrengthPoint:
        def work() -> Any:
            means = self.means(progress)
            return match(self.game, player, self.rival, games=self.games, store=matches_file(), **means)

        played = {"against": identity_of_player(self.rival), "games": self.games}
        found = self.steps.done({**self.asked(SCORE, player), **played}, work).found
        return StrengthPoint(label, seconds, *(found[f"win_rate{end}"] for end in ("", "_low", "_high")))
