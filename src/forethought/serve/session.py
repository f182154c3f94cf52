"""A table with life around it: who listens, the bot that thinks about its move, the planner that thinks for the person.

All of it runs on the event loop; only searches and writing are in threads. Whoever changes the table holds its lock,
stops what still thinks about the old position, and answers when the change is on the disk.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Event
from typing import Any

from forethought.player import NewPlayer, Policy
from forethought.runtime.executor import Stopped
from forethought.serve.errors import not_now, unknown
from forethought.serve.event_streams import Audience, Listener
from forethought.serve.game_review import Review
from forethought.serve.live_game import SEARCHING, Table
from forethought.serve.planner_thoughts import ponder
from forethought.serve.player_catalogue import make_player, searches
from forethought.serve.session_store import Store, content_of
from forethought.serve.settings import Limits
from forethought.serve.stoppable_search import Threads, decide

ATTENTION = 15.0  # seconds after a request during which bots go on though nobody listens


class Work:
    """Something that thinks in a thread for a task of the event loop; stopping it stops both."""

    def __init__(self) -> None:
        self.stop = Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def goes_on(self) -> bool:
        return self._task is not None and not self._task.done()

    def begin(self, job: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.create_task(job)

    def cancel(self) -> None:
        self.stop.set()
        if self._task is not None:
            self._task.cancel()
        self.stop, self._task = Event(), None


class Room:
    """One table, its listeners and its thinkers."""

    def __init__(self, table: Table, store: Store, threads: Threads, limits: Limits) -> None:
        self.table, self.audience = table, Audience()
        self._store, self._threads, self._limits = store, threads, limits
        self._lock, self._bots, self._thought = asyncio.Lock(), Work(), Work()
        self._written = content_of(table)  # what the disk knows
        self.review = Review(table, threads)
        self.touched, self._closed = time.monotonic(), False

    @property
    def attended(self) -> bool:
        return bool(self.audience.listeners) or time.monotonic() - self.touched < ATTENTION

    # Changing the table

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[Table]:
        """Change the table: nothing thinks about the old position any more, and the disk knows the new one."""
        async with self._lock:
            if self._closed:
                raise unknown("This table was ended.")
            yield self.table
            content = content_of(self.table)
            if content != self._written:
                self._forget_thinking()
                await self._save(content)
        self.announce()
        self.wake()

    def announce(self) -> None:
        if self.audience.listeners:
            self.audience.tell("view", self.table.view())

    def wake(self) -> None:
        """Let bots think if it is their turn, somebody cares, and they do not yet."""
        self.touched = time.monotonic()
        waiting = self.table.bot_to_move and self.table.note is None
        if waiting and not self._closed and not self._bots.goes_on:
            self._bots.begin(self._let_bots_move(self._bots.stop))

    async def end(self) -> None:
        """Close for good: nothing is written any more."""
        async with self._lock:
            self._closed = True
            self.quieten()

    def quieten(self) -> None:
        """Stop all that thinks and end all streams."""
        self._forget_thinking()
        self.audience.end()

    def _forget_thinking(self) -> None:
        self._bots.cancel()
        self.forget_thought()
        self.review.forget()

    async def _let_bots_move(self, stop: Event) -> None:
        table = self.table
        while table.bot_to_move and table.note is None and self.attended:
            ply = table.ply
            try:
                policy = await self._decision(stop)
                if not table.humans:
                    await asyncio.sleep(self._limits.pause)
                async with self._lock:
                    if stop.is_set() or table.ply != ply:
                        return
                    table.choose(policy)
                    await self._save(content_of(table))
            except Stopped:
                return
            except Exception as error:  # of a user's rules, perhaps; the table says so instead of waiting for ever
                self._tell_mistake(error)
            else:
                self.announce()

    async def _save(self, content: bytes) -> None:
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(self._threads.disk, self._store.save, self.table.id, content)
        self._written = content

    def _tell_mistake(self, error: Exception) -> None:
        """Say what went wrong; where something is hidden only that, as an error may name what a player holds."""
        logging.getLogger(__name__).error("a player of %s failed: %s", self.table.spec, error, exc_info=error)
        self.table.note = "A player failed; the server has printed why." if self.table.game.hidden else f"{error}"
        self.announce()

    async def _decision(self, stop: Event) -> Policy:
        table = self.table
        seat = table.state.player
        observation, rng = table.state.observation(seat), table.chance(SEARCHING)
        spec, game = table.seats[seat], table.game

        def think() -> Policy:
            return decide(make_player(spec, game), observation, rng, stop)

        if not searches(spec):
            return await asyncio.to_thread(think)
        return await self._threads.moves.run(table.owner, think)

    # Thinking for the person

    def think(self, new_player: NewPlayer, ply: int) -> None:
        """Let a planner think about the person's decision; what it thought before is dropped."""
        table = self.table
        if not table.human_to_move:
            raise not_now("The planner thinks about your decisions; it is not your turn.")
        if ply != table.ply:
            raise not_now(f"The game has gone on: it is at ply {table.ply}, not {ply}; look again.")
        self.forget_thought()
        self._thought.begin(self._ponder(new_player, self._thought.stop))

    def forget_thought(self) -> None:
        self._thought.cancel()

    async def _ponder(self, new_player: NewPlayer, stop: Event) -> None:
        loop = asyncio.get_running_loop()

        def hear(thought: dict[str, Any]) -> None:
            if not stop.is_set():
                self.audience.tell("thought", thought)

        def report(thought: dict[str, Any]) -> None:
            with suppress(RuntimeError):  # the server has gone
                loop.call_soon_threadsafe(hear, thought)

        job = partial(ponder, new_player, self.table.state.clone(), self.table.ply, stop, report)
        try:
            await self._threads.thoughts.run(self.table.owner, job)
        except Stopped:
            return
        except Exception as error:
            self._tell_mistake(error)

    # Listening

    async def listen(self) -> AsyncIterator[bytes]:
        """Yield the present view, then what happens; when the last listener leaves, all thinking ends."""
        listener = Listener()
        self.audience.listeners.add(listener)
        listener.tell("view", self.table.view())
        self.wake()
        try:
            async for event in listener.events():
                yield event
        finally:
            self.audience.listeners.discard(listener)
            if not self.audience.listeners:
                self._rest()

    def _rest(self) -> None:
        """Let nobody think until somebody asks again; a move that is being written is written."""
        self.forget_thought()
        if not self._lock.locked():
            self._bots.cancel()
