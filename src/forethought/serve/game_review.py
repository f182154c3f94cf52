"""A finished game looked at again, move by move; begun when somebody asks, stopped when nobody waits any more."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Event
from typing import Any

from forethought.evaluate.review import Reviewed, review
from forethought.game import Game
from forethought.player import recommended_player
from forethought.runtime.executor import Stopped
from forethought.serve.errors import not_now
from forethought.serve.live_game import Table
from forethought.serve.stoppable_search import LONGEST, Threads

LOOK = 0.25  # seconds between two looks whether the client is still there

Gone = Callable[[], Awaitable[bool]]


class Review:
    """The review of one table: made once, for all who ask."""

    def __init__(self, table: Table, threads: Threads) -> None:
        self._table, self._threads = table, threads
        self._planner = recommended_player(table.game).reviews
        self._stop, self._waiting = Event(), 0
        self._work: asyncio.Future[list[dict[str, Any]]] | None = None

    async def told(self, gone: Gone) -> dict[str, Any]:
        """Return the review when it is done, or as far as it came in time, unless the client has gone."""
        if not self._table.over:
            raise not_now("The game is not over; it can be reviewed when it is.")
        if self._work is None:
            self._work = self._begin()
        work, stop = self._work, self._stop
        self._waiting += 1
        try:
            while not work.done() and not await gone():
                await asyncio.wait({work}, timeout=LOOK)
        finally:
            self._waiting -= 1
            if not self._waiting and not work.done():
                self.forget()
        if stop.is_set():
            raise not_now("The review was stopped; ask again.")
        return {"planner": self._planner, "moves": work.result()}

    def forget(self) -> None:
        """Stop; whoever asks again gets a review of what the table is then."""
        self._stop.set()
        self._stop, self._work = Event(), None

    def _begin(self) -> "asyncio.Future[list[dict[str, Any]]]":
        game, stop, planner = self._table.game, self._stop, self._planner
        actions = [entry.action for entry in self._table.entries]

        def work() -> list[dict[str, Any]]:
            found: list[Reviewed] = []
            end = time.monotonic() + LONGEST

            def listen(one: Reviewed) -> None:
                found.append(one)
                if stop.is_set() or time.monotonic() > end:
                    raise Stopped

            with suppress(Stopped):
                if not stop.is_set():  # it may have waited long for a thread
                    review(game, actions, planner, 0, listen)
            return _named(game, actions, found)

        return asyncio.ensure_future(self._threads.reviews.run(self._table.owner, work))


def _named(game: Game, actions: list[int], found: list[Reviewed]) -> list[dict[str, Any]]:
    """Put what was found in the words of the interface."""
    by_ply, state, told = {one.ply: one for one in found}, game.start(), []
    for ply, action in enumerate(actions):
        if ply in by_ply:
            one = by_ply[ply]
            told.append(
                {
                    "ply": ply,
                    "player": one.player,
                    "action": action,
                    "name": state.action_name(action),
                    "best": one.best,
                    "best_name": state.action_name(one.best),
                    "loss": one.loss,
                    "exact": one.exact,
                    "probability": one.probability,
                }
            )
        state.apply(action)
    return told
