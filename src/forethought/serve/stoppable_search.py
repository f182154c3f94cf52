"""Searches in portions, short enough to be stopped within a tenth of a second."""

import math
import time
from collections.abc import Iterator
from threading import Event
from typing import NamedTuple

from forethought.game import Observation
from forethought.player import Player
from forethought.runtime.executor import Stopped
from forethought.search.player import SearchPlayer

PORTION = 0.04  # seconds between two checks whether to stop


class SearchProgress(NamedTuple):
    """How far a search is."""

    simulations: int  # for this decision
    seconds: float
    cut: bool = False  # the limit of time has ended it before its own settings did


def search_in_portions(
    player: Player, observation: Observation, stop: Event, most_seconds: float
) -> Iterator[SearchProgress]:
    """Spend a player's budget of one decision, and yield after each portion; nothing if it does not search."""
    if stop.is_set():
        raise Stopped
    if not isinstance(player, SearchPlayer):
        return
    search, settings = player.search, player.settings
    before = search.simulated
    search.aim_at(observation)
    search.simulate(1)  # compiles the kernels before the clock starts
    yield SearchProgress(1, 0.0)
    simulations = math.inf if settings.seconds > 0.0 else settings.simulations
    seconds = settings.seconds or math.inf
    done, spent = 1, 0.0
    while done < simulations and spent < min(seconds, most_seconds):
        began = time.perf_counter()
        search.simulate_for(PORTION, simulations - done)
        spent += time.perf_counter() - began  # without the consumer's own time
        done = search.simulated - before
        if stop.is_set():
            raise Stopped
        yield SearchProgress(done, spent, cut=done < simulations and most_seconds <= spent < seconds)
