"""The review of a finished game, move by move: started on request, stopped when no client waits for it any more."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from threading import Event

from forethought.evaluate.review import Reviewed, review
from forethought.game import State
from forethought.player import player_title, recommended_player
from forethought.runtime.executor import Stopped
from forethought.serve.errors import conflict
from forethought.serve.live_game import LiveGame
from forethought.serve.schemas.play import ReviewedMoveSchema, ReviewSchema
from forethought.serve.thread_pools import ThreadPools

POLL = 0.25  # seconds between two checks whether the client is still connected

ClientLeft = Callable[[], Awaitable[bool]]
Prepare = Callable[[str], Awaitable[None]]  # compiles what a player needs


class GameReview:
    """The review of one session's game: made once, for all clients that ask."""

    def __init__(self, live: LiveGame, pools: ThreadPools, prepare: Prepare, seconds: float) -> None:
        """Review for so long at most; the first decision always gets its time, since it may compile kernels."""
        self._live, self._pools, self._prepare, self._seconds = live, pools, prepare, seconds
        self._planner = recommended_player(live.game).reviews
        self._stop, self._waiting = Event(), 0
        self._work: asyncio.Future[list[ReviewedMoveSchema]] | None = None

    async def result(self, client_left: ClientLeft) -> ReviewSchema:
        """Return the review when it is done, as far as the time allowed."""
        if not self._live.over:
            raise conflict("The game can be reviewed when it is over.")
        if self._work is None:
            self._work = self._start()
        work, stop = self._work, self._stop
        self._waiting += 1
        try:
            while not work.done() and not await client_left():
                await asyncio.wait({work}, timeout=POLL)
        finally:
            self._waiting -= 1
            if not self._waiting and not work.done():
                self.cancel()
        if stop.is_set():
            raise conflict("The review was stopped; ask again.")
        return ReviewSchema(planner=player_title(self._planner), moves=work.result())

    def cancel(self) -> None:
        """Stop; the next request starts a review of the game as it is then."""
        self._stop.set()
        if self._work is not None:
            self._work.cancel()
        self._stop, self._work = Event(), None

    def _start(self) -> "asyncio.Future[list[ReviewedMoveSchema]]":
        first, actions, stop = self._live.played.first, self._live.actions, self._stop

        async def prepared_review() -> list[ReviewedMoveSchema]:
            await self._prepare(self._planner)
            return await self._pools.reviews.run(self._live.owner, lambda: self._review(first, actions, stop))

        return asyncio.ensure_future(prepared_review())

    def _review(self, first: State, actions: list[int], stop: Event) -> list[ReviewedMoveSchema]:
        found: list[Reviewed] = []
        end = float("inf")

        def listen(one: Reviewed) -> None:
            nonlocal end
            end = min(end, time.monotonic() + self._seconds)  # the clock starts with the first result
            found.append(one)
            if stop.is_set() or time.monotonic() > end:
                raise Stopped

        with suppress(Stopped):
            if not stop.is_set():  # it may have waited long for a thread
                review(first, actions, self._planner, 0, listen)
        return _named(first, actions, found)


def _named(first: State, actions: list[int], found: list[Reviewed]) -> list[ReviewedMoveSchema]:
    """Add the names of actions to a review."""
    by_ply, state, moves = {one.ply: one for one in found}, first.clone(), []
    for ply, action in enumerate(actions):
        if ply in by_ply:
            one = by_ply[ply]
            moves.append(
                ReviewedMoveSchema(
                    ply=ply,
                    player=one.player,
                    action=action,
                    name=state.action_name(action),
                    best=one.best,
                    best_name=state.action_name(one.best),
                    loss=one.loss,
                    exact=one.exact,
                    probability=one.probability,
                )
            )
        state.apply(action)
    return moves
