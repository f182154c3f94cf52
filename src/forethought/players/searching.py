"""Players that search before they decide, and can say what they thought."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation
from forethought.nets.mlp import load_mlp
from forethought.players.player import NewPlayer, Policy
from forethought.randomness import Generator
from forethought.runs import weights_of
from forethought.search.ismcts import search as tree_search
from forethought.search.online import OnlineSearch
from forethought.search.oos import search as sampling

Progress = Callable[[float], None]
STEPS = 50  # of a search that somebody watches


@dataclass(frozen=True)
class Budget:
    """How long to think: so many walks, or so many seconds if these are given."""

    simulations: int
    seconds: float

    def __post_init__(self) -> None:
        if self.simulations < 1:
            raise ForethoughtError(f"simulations must be at least 1, not {self.simulations}.")
        if self.seconds < 0.0:
            raise ForethoughtError(f"seconds must not be negative, as {self.seconds} is.")

    def spend(self, search: OnlineSearch, progress: Progress | None) -> None:
        """Search; in steps if somebody watches."""
        steps = 1 if progress is None else STEPS
        for step in range(steps):
            if self.seconds > 0.0:
                search.walks_for(self.seconds / steps)
            else:
                search.walks(self.simulations * (step + 1) // steps - self.simulations * step // steps)
            if progress is not None:
                progress((step + 1) / steps)


@dataclass(frozen=True)
class Thought:
    """What a search found where a player is to move."""

    policy: Policy
    walks: int
    seconds: float
    infosets: int  # in memory
    about_actions: Mapping[str, tuple[float, ...]]  # what else it knows of each action


class SearchPlayer:
    """Searches at every decision; what it learnt earlier in the game stays in memory."""

    def __init__(self, search: OnlineSearch, budget: Budget) -> None:
        self.search, self.budget = search, budget

    def think(self, observation: Observation) -> Policy:
        return self.study(observation).policy

    def study(self, observation: Observation, progress: Progress | None = None) -> Thought:
        """Search, and say what was found."""
        search, began, walked = self.search, time.perf_counter(), self.search.walked
        search.aim_at(observation)
        self.budget.spend(search, progress)
        return Thought(
            Policy(observation.legal_actions, tuple(search.policy(observation).tolist())),
            search.walked - walked,
            time.perf_counter() - began,
            search.infosets,
            {name: tuple(map(float, numbers)) for name, numbers in search.about_actions(observation).items()},
        )


def oos(  # noqa: PLR0913, PLR0917 (one parameter each of the search)
    game: Game,
    simulations: int = 10_000,
    seconds: float = 0.0,
    targeting: str = "infoset",
    delta: float = 0.9,
    epsilon: float = 0.4,
    gamma: float = 0.01,
    weighting: str = "ema",
    decay: float = 0.99,
    max_infosets: int = 1_000_000,
    slots: int = 20,
    net: str = "",
) -> NewPlayer:
    """Plans by Online Outcome Sampling at every decision; with net=RUN, its roll-outs follow what that run learnt."""
    settings = sampling.Settings(targeting, delta, epsilon, gamma, weighting, decay, max_infosets, slots)
    budget, network = Budget(simulations, seconds), load_mlp(weights_of(net), game) if net else None

    def new_player(rng: Generator) -> SearchPlayer:
        return SearchPlayer(sampling.OnlineOutcomeSampling(game, settings, rng, network), budget)

    return new_player


def ismcts(
    game: Game,
    simulations: int = 10_000,
    seconds: float = 0.0,
    exploration: float = 2.0,
    play: str = "most",
    max_infosets: int = 1_000_000,
) -> NewPlayer:
    """Plans by Information Set Monte Carlo Tree Search, the usual rival of OOS."""
    settings, budget = tree_search.Settings(exploration, play, max_infosets), Budget(simulations, seconds)

    def new_player(rng: Generator) -> SearchPlayer:
        return SearchPlayer(tree_search.InformationSetTreeSearch(game, settings, rng), budget)

    return new_player
