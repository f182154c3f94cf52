"""Searches in threads: so many at once, in portions short enough to be stopped within a tenth of a second."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import NamedTuple, TypeVar
from weakref import WeakValueDictionary

from forethought.game import Observation
from forethought.player import NewPlayer, Player, Policy
from forethought.randomness import Generator
from forethought.runtime.executor import Stopped
from forethought.search.player import SearchPlayer

DISK_THREADS = 4
LONGEST = 30.0  # seconds of any search, whatever was asked for
PORTION = 0.04  # seconds between two looks whether to stop

T = TypeVar("T")


class Progress(NamedTuple):
    """How far a search is."""

    simulations: int
    seconds: float


class Pool:
    """Threads that search, at most half of them for one client."""

    def __init__(self, count: int, name: str) -> None:
        self._threads, self._share = ThreadPoolExecutor(count, name), max(1, count // 2)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # of clients that search now

    async def run(self, client: str, job: Callable[[], T]) -> T:
        """Do a client's job in a thread, when it is its turn."""
        turn = self._turns.setdefault(client, asyncio.Semaphore(self._share))
        async with turn:
            return await asyncio.get_running_loop().run_in_executor(self._threads, job)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class Threads:
    """Pools of their own, so that bots never wait for somebody's curiosity, nor the disk for a search."""

    def __init__(self, count: int) -> None:
        self.moves = Pool(count, "forethought-move")
        self.thoughts = Pool(count, "forethought-thought")
        self.reviews = Pool(1, "forethought-review")
        self.disk = ThreadPoolExecutor(DISK_THREADS, "forethought-disk")

    def close(self) -> None:
        for pool in (self.moves, self.thoughts, self.reviews):
            pool.close()
        self.disk.shutdown(wait=False, cancel_futures=True)


def decide(new_player: NewPlayer, observation: Observation, rng: Generator, stop: Event) -> Policy:
    """Let a bot think about its move; raises `Stopped` if told to stop."""
    player = new_player(rng)
    for _ in portions(player, observation, stop):
        pass
    return opinion(player, observation)


def portions(player: Player, observation: Observation, stop: Event) -> Iterator[Progress]:
    """Spend a new player's budget bit by bit, and tell of it. Players that do not search have nothing to tell."""
    if stop.is_set():
        raise Stopped
    if not isinstance(player, SearchPlayer):
        return
    search, settings = player.search, player.settings
    search.aim_at(observation)
    search.simulate(1)  # compiles what must be, before the clock starts
    yield Progress(search.simulated, 0.0)
    longest = min(settings.seconds or LONGEST, LONGEST)
    most = math.inf if settings.seconds > 0.0 else settings.simulations
    spent = 0.0
    while search.simulated < most and spent < longest:
        began = time.perf_counter()
        search.simulate_for(PORTION, most - search.simulated)
        spent += time.perf_counter() - began  # without what the listener takes
        if stop.is_set():
            raise Stopped
        yield Progress(search.simulated, spent)


def opinion(player: Player, observation: Observation) -> Policy:
    """Return what a player would do after what it has searched so far."""
    if isinstance(player, SearchPlayer):
        return Policy(observation.legal_actions, tuple(player.search.policy(observation).tolist()))
    return player.think(observation)
