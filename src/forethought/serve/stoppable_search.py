"""Searches in portions, short enough to be stopped within a tenth of a second."""

import math
import time
from collections.abc import Iterator
from threading import Event
from typing import NamedTuple

from forethought.game import Observation
from forethought.player import NewPlayer, Player, Policy
from forethought.randomness import Generator
from forethought.runtime.executor import Stopped
from forethought.search.player import SearchPlayer

MAX_SECONDS = 30.0  # of any search, whatever its budget
PORTION = 0.04  # seconds between two checks whether to stop


class SearchProgress(NamedTuple):
    """How far a search is."""

    simulations: int
    seconds: float


def decide(new_player: NewPlayer, observation: Observation, rng: Generator, stop: Event) -> Policy:
    """Return a bot's policy; raises `Stopped` when `stop` is set."""
    player = new_player(rng)
    for _ in search_in_portions(player, observation, stop):
        pass
    return current_policy(player, observation)


def search_in_portions(player: Player, observation: Observation, stop: Event) -> Iterator[SearchProgress]:
    """Spend a new player's budget, and yield after each portion. A player that does not search yields nothing."""
    if stop.is_set():
        raise Stopped
    if not isinstance(player, SearchPlayer):
        return
    search, settings = player.search, player.settings
    search.aim_at(observation)
    search.simulate(1)  # compiles the kernels before the clock starts
    yield SearchProgress(search.simulated, 0.0)
    seconds = min(settings.seconds or MAX_SECONDS, MAX_SECONDS)
    simulations = math.inf if settings.seconds > 0.0 else settings.simulations
    spent = 0.0
    while search.simulated < simulations and spent < seconds:
        began = time.perf_counter()
        search.simulate_for(PORTION, simulations - search.simulated)
        spent += time.perf_counter() - began  # without the consumer's own time
        if stop.is_set():
            raise Stopped
        yield SearchProgress(search.simulated, spent)


def current_policy(player: Player, observation: Observation) -> Policy:
    """Return what a player would do after its search so far."""
    if isinstance(player, SearchPlayer):
        return Policy(observation.legal_actions, tuple(player.search.policy(observation).tolist()))
    return player.think(observation)
