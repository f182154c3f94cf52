"""Players that search before they decide, and can say what they found."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from forethought.game import Game, Observation
from forethought.player import NewPlayer, Player, PlayerSettings, Policy
from forethought.randomness import Generator
from forethought.search.online import OnlineSearch
from forethought.settings import setting
from forethought.specs import Value

Progress = Callable[[float], None]  # the part of the search that is done
NewSearch = Callable[[Generator], OnlineSearch]
STEPS = 50  # of a search that somebody watches


@dataclass(frozen=True, kw_only=True)
class SearchSettings(PlayerSettings):
    """What every search takes."""

    simulations: int = setting("simulations per decision", 10_000, low=1, counts="simulations", served=200_000)
    seconds: float = setting(
        "seconds per decision; 0: simulations decide", 0.0, low=0.0, counts="seconds per decision", served=10.0
    )

    def new_search(self, game: Game) -> NewSearch:
        """Load what the search needs for a game; return what begins a search for each game that is played."""
        raise NotImplementedError

    def said(self) -> dict[str, Value]:
        return {key: value for key, value in super().said().items() if not self.seconds or key != "simulations"}

    def new_player(self, game: Game) -> NewPlayer:
        new_search = self.new_search(game)
        return lambda rng: SearchPlayer(new_search(rng), self)


@dataclass(frozen=True, kw_only=True)
class InfosetSettings(SearchSettings):
    """What a search takes that remembers by information set."""

    max_infosets: int = setting(
        "information sets in memory, beyond which it does not grow", 1_000_000, low=1, served=1_000_000
    )


@dataclass(frozen=True)
class Thought:
    """What a player found where it is to move."""

    policy: Policy
    simulations: int = 0
    seconds: float = 0.0
    infosets: int = 0  # in memory
    about_actions: Mapping[str, tuple[float, ...]] = field(default_factory=dict)  # what else it knows of each action


class SearchPlayer:
    """Searches at every decision; what it found earlier in the game stays in memory."""

    def __init__(self, search: OnlineSearch, settings: SearchSettings) -> None:
        self.search, self.settings = search, settings

    def think(self, observation: Observation) -> Policy:
        return self.study(observation).policy

    def study(self, observation: Observation, progress: Progress | None = None) -> Thought:
        """Search, and say what was found."""
        search, began, before = self.search, time.perf_counter(), self.search.simulated
        search.aim_at(observation)
        self._spend(progress)
        return Thought(
            Policy(observation.legal_actions, tuple(search.policy(observation).tolist())),
            search.simulated - before,
            time.perf_counter() - began,
            search.infosets,
            {name: tuple(map(float, numbers)) for name, numbers in search.about_actions(observation).items()},
        )

    def _spend(self, progress: Progress | None) -> None:
        """Search for as long as the settings say; in steps if somebody watches."""
        steps, simulations, seconds = 1 if progress is None else STEPS, self.settings.simulations, self.settings.seconds
        for step in range(steps):
            if seconds > 0.0:
                self.search.simulate_for(seconds / steps)
            else:
                self.search.simulate(simulations * (step + 1) // steps - simulations * step // steps)
            if progress is not None:
                progress((step + 1) / steps)


def current_policy(player: Player, observation: Observation) -> Policy:
    """Return what a player would do after its search so far, without searching further."""
    if isinstance(player, SearchPlayer):
        return Policy(observation.legal_actions, tuple(player.search.policy(observation).tolist()))
    return player.think(observation)


def shares_of(policy: Policy, about_actions: Mapping[str, Sequence[float]], hidden: bool) -> Sequence[float]:
    """Return how strongly each action is advised, from 0 to 1: the policy.

    Where nothing is hidden that is just the most visited action, so shares of the visits tell more. Under hidden
    information visits are no advice: they also go where a search explores.
    """
    visits = () if hidden else about_actions.get("visits", ())
    total = sum(visits)
    return [float(count) / total for count in visits] if total > 0 else policy.probabilities


def study(player: Player, observation: Observation, progress: Progress | None = None) -> Thought:
    """Let any player decide, and say what it found: no more than its policy, if it does not search."""
    if isinstance(player, SearchPlayer):
        return player.study(observation, progress)
    return Thought(player.think(observation))
