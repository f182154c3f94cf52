"""What a planner thinks for the person at the table, from what that person may know, told while the search runs."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from forethought.game import Observation, State
from forethought.player import NewPlayer, Player
from forethought.randomness import Generator, generator
from forethought.search.beliefs import Beliefs
from forethought.search.player import SearchPlayer
from forethought.serve.stoppable_search import Progress, opinion, portions

PERIOD = 0.2  # seconds between two reports

Report = Callable[[dict[str, Any]], None]


def ponder(new_player: NewPlayer, state: State, ply: int, stop: Event, report: Report) -> None:
    """Think about the decision of whoever is to move, and report several times a second."""
    observation = state.observation(state.player)
    names = {action: state.action_name(action) for action in observation.legal_actions}
    beliefs = Beliefs(state.game, observation) if state.game.hidden else None
    thinker = Thinker(new_player(_rng_of(observation)), observation, names, beliefs, ply)
    progress, told = Progress(0, 0.0), 0.0
    for progress in portions(thinker.player, observation, stop):
        if progress.seconds - told >= PERIOD:
            told = progress.seconds
            report(thinker.thought(progress, done=False))
    report(thinker.thought(progress, done=True))


@dataclass(frozen=True)
class Thinker:
    """A player that thinks about one observation."""

    player: Player
    observation: Observation
    names: dict[int, str]
    beliefs: Beliefs | None  # where something is hidden
    ply: int

    def thought(self, progress: Progress, *, done: bool) -> dict[str, Any]:
        """Put what the player thinks so far in the words of the interface."""
        policy, (walks, seconds) = opinion(self.player, self.observation), progress
        about = self.player.search.about_actions(self.observation) if isinstance(self.player, SearchPlayer) else {}
        actions = [
            {
                "action": action,
                "name": self.names[action],
                "probability": probability,
                **{name: float(numbers[place]) for name, numbers in about.items()},
            }
            for place, (action, probability) in enumerate(zip(*policy, strict=True))
        ]
        return {
            "ply": self.ply,
            "walks": walks,
            "seconds": seconds,
            "walks_per_second": walks / seconds if seconds > 0.0 else 0.0,
            "value": _value(actions),
            "done": done,
            "actions": actions,
            "grid": self._grid(),
            "ranges": self._ranges(),
        }

    def _strategy(self, observation: Observation) -> Sequence[float]:
        return opinion(self.player, observation).probabilities

    def _grid(self) -> dict[str, Any] | None:
        grid = None if self.beliefs is None else self.beliefs.strategy_grid(self._strategy)
        return None if grid is None else {"actions": grid.names, "rows": [row._asdict() for row in grid.rows]}

    def _ranges(self) -> list[dict[str, Any]] | None:
        ranges = None if self.beliefs is None else self.beliefs.opponent_ranges(self._strategy)
        if ranges is None:
            return None
        return [{"seat": seat, "hands": [one._asdict() for one in held]} for seat, held in ranges.items()]


def _value(actions: list[dict[str, Any]]) -> float | None:
    """Return what the position is worth to the player to move: the mean over all walks, where the search has values."""
    if not actions or "value" not in actions[0]:
        return None
    visits = sum(one["visits"] for one in actions)
    return float(sum(one["visits"] * one["value"] for one in actions) / visits) if visits else None


def _rng_of(observation: Observation) -> Generator:
    """Return a generator that only the observation gives, so that nothing a search says hangs on a secret."""
    digest = hashlib.sha256(repr((observation.player, observation.facts)).encode()).digest()
    return generator(int.from_bytes(digest[:8], "big"))
