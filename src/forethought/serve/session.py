"""A session: a live game, the streams that follow it, the bots that play in it, the planners that think for persons.

Each viewpoint (`viewpoints.py`) has streams and planners of its own, so that nobody hears what another may know.

All of it runs on the event loop; only searches and writing run in threads. A change of the game holds the session's
lock, stops every search about the old position, and is answered when it is on the disk.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Event
from typing import Any, get_args

from forethought.game import State
from forethought.runtime.executor import Stopped
from forethought.serve.bot_players import BotDecision, Decided, PlayerMemory, Seat
from forethought.serve.errors import not_found
from forethought.serve.event_streams import Subscriber, Subscribers
from forethought.serve.game_review import GameReview
from forethought.serve.live_game import LiveGame
from forethought.serve.planner_thoughts import think_aloud
from forethought.serve.player_catalogue import make_player, searches
from forethought.serve.preparation import Preparations
from forethought.serve.schemas.play import PreparationSchema, SessionSchema
from forethought.serve.schemas.requests import Place
from forethought.serve.schemas.thought import ThoughtSchema
from forethought.serve.session_store import SessionStore, stored_content
from forethought.serve.settings import ServerLimits
from forethought.serve.thread_pools import ThreadPools
from forethought.serve.viewpoints import Viewpoint

THOUGHTS: dict[Place, str] = {"first": "thought", "second": "second-thought"}  # the events of planners' places
ATTENDED_SECONDS = 15.0  # after a request, during which bots play on though no stream is open


class BackgroundTask:
    """A task of the event loop that searches in a thread; cancelling it stops both."""

    def __init__(self) -> None:
        self.stop = Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, job: Coroutine[Any, Any, None]) -> None:
        self._task = asyncio.create_task(job)

    def cancel(self) -> None:
        self.stop.set()
        if self._task is not None:
            self._task.cancel()
        self.stop, self._task = Event(), None


class Audience:
    """The streams of one viewpoint, and the planners that think for it, by their places on the page."""

    def __init__(self) -> None:
        self.subscribers = Subscribers()
        self.planners = {place: BackgroundTask() for place in get_args(Place)}
        self.sent: SessionSchema | None = None  # the view that all streams have sent

    def send_view(self, view: SessionSchema) -> None:
        """Send the view, if it has changed: an equal one would tell that something hidden happened."""
        if view != self.sent:
            self.sent = view
            self.subscribers.send("view", view)

    def stop_thinking(self) -> None:
        for planner in self.planners.values():
            planner.cancel()


class Session:
    """One live game with its streams and searches."""

    def __init__(
        self,
        live: LiveGame,
        store: SessionStore,
        pools: ThreadPools,
        players: PlayerMemory,
        preparations: Preparations,
        limits: ServerLimits,
    ) -> None:
        self.live, self._audiences = live, dict[Viewpoint, Audience]()
        self._store, self._pools, self._players, self._limits = store, pools, players, limits
        self._preparations, self._prepared = preparations, set[str]()  # the players that have all they need
        self._lock, self._bots = asyncio.Lock(), BackgroundTask()
        self._written = stored_content(live)  # what is on the disk
        self.review = GameReview(live, pools, self._prepare, limits.review_seconds)
        self.last_request, self._closed = time.monotonic(), False

    @property
    def is_followed(self) -> bool:
        """Whether a stream is open."""
        return any(audience.subscribers.open for audience in self._audiences.values())

    @property
    def is_attended(self) -> bool:
        return self.is_followed or time.monotonic() - self.last_request < ATTENDED_SECONDS

    def _audience(self, viewpoint: Viewpoint) -> Audience:
        return self._audiences.setdefault(viewpoint, Audience())

    # Changing the game

    @asynccontextmanager
    async def change(self) -> AsyncIterator[LiveGame]:
        """Change the game; afterwards no search is about the old position, and the new one is on the disk."""
        async with self._lock:
            if self._closed:
                raise not_found("This session was ended.")
            yield self.live
            content = stored_content(self.live)
            if content != self._written:
                self._cancel_searches()
                await self._save(content)
        self._send_view()
        self.continue_bots()

    def continue_bots(self) -> None:
        """Count a request, and let the bots play if it is their turn and they do not yet."""
        self.last_request = time.monotonic()
        waiting = self.live.bot_to_move and self.live.error is None
        if waiting and not self._closed and not self._bots.is_running:
            self._bots.start(self._play_bots(self._bots.stop))

    async def close(self) -> None:
        """End the session; nothing is written any more."""
        async with self._lock:
            self._closed = True
            self.stop_streams()
            self._players.forget(self.live.id)

    def stop_streams(self) -> None:
        """Stop all searches and end all streams."""
        self._cancel_searches()
        for audience in self._audiences.values():
            audience.subscribers.close()

    def _send_view(self) -> None:
        """Send everybody a view of its own."""
        for viewpoint, audience in self._audiences.items():
            if audience.subscribers.open:
                audience.send_view(self.live.view(viewpoint))

    def _cancel_searches(self) -> None:
        self._bots.cancel()
        for audience in self._audiences.values():
            audience.stop_thinking()
        self.review.cancel()

    async def _play_bots(self, stop: Event) -> None:
        live = self.live
        while live.bot_to_move and live.error is None and self.is_attended:
            decision = len(live.history)
            try:
                decided = await self._bot_decision(stop)
                if not live.persons:
                    await asyncio.sleep(self._limits.pause)
                async with self._lock:
                    if stop.is_set() or len(live.history) != decision:
                        return
                    self._players.keep(self._seat(live.state.player), decided.player)
                    live.play_policy(decided.policy, decided.thought)
                    await self._save(stored_content(live))
            except Stopped:
                return
            except Exception as error:  # perhaps of a user's rules; shown, so that the person does not wait for ever
                self._report_failure(error)
            else:
                self._send_view()

    async def _save(self, content: bytes) -> None:
        loop = asyncio.get_running_loop()
        writing = loop.run_in_executor(self._pools.disk, self._store.save, self.live.id, content)
        await asyncio.shield(writing)  # a view may have shown the move already, so it is written even at shutdown
        self._written = content

    def _report_failure(self, error: Exception) -> None:
        """Show what went wrong; not where information is hidden, since the message may contain it."""
        logging.getLogger(__name__).error("a player of %s failed: %s", self.live.spec, error, exc_info=error)
        self.live.error = "A player failed; the server has printed why." if self.live.game.hidden else str(error)
        self._send_view()

    async def _bot_decision(self, stop: Event) -> Decided:
        """Let the bot decide whose turn it is."""
        live = self.live
        number = live.state.player
        spec, rng, since = live.seats[number], live.player_rng(number), live.bots_remember_from
        decision = BotDecision(live.played.first, spec, number, rng, live.actions, since, self._limits.search_seconds)
        await self._prepare(spec)
        job = partial(decision.decide, self._players.take(self._seat(number)), stop)
        return await (self._pools.moves.run(live.owner, job) if searches(spec) else asyncio.to_thread(job))

    async def _prepare(self, player: str, listeners: Sequence[Audience] = ()) -> None:
        """Wait until all is compiled that a player needs; some streams, or else all, tell how far that is."""

        def tell(progress: PreparationSchema) -> None:
            for audience in listeners or self._audiences.values():
                audience.subscribers.send("preparation", progress)

        if player not in self._prepared:
            await self._preparations.player(self.live.game, self.live.spec, player, tell)
            self._prepared.add(player)

    def _seat(self, number: int) -> Seat:
        return Seat(self.live.id, number, self.live.undos)

    # Thinking for persons

    def start_thinking(self, viewpoint: Viewpoint, place: Place, player: str, ply: int) -> None:
        """Let a planner think about a decision; an earlier thought in the same place is stopped."""
        state = self.live.decision_at(viewpoint, ply)
        audience = self._audience(viewpoint)
        planner = audience.planners[place]
        planner.cancel()
        send = partial(audience.subscribers.send, THOUGHTS[place])
        planner.start(self._think(player, state, ply, planner.stop, audience, send))

    def stop_thinking(self, viewpoint: Viewpoint) -> None:
        self._audience(viewpoint).stop_thinking()

    async def _think(
        self,
        player: str,
        state: State,
        ply: int,
        stop: Event,
        audience: Audience,
        tell: Callable[[ThoughtSchema], None],
    ) -> None:
        loop, live, seconds = asyncio.get_running_loop(), self.live, self._limits.search_seconds

        def send(thought: ThoughtSchema) -> None:
            if not stop.is_set():
                tell(thought)

        def report(thought: ThoughtSchema) -> None:
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(send, thought)

        def think() -> None:
            think_aloud(make_player(player, live.game), state, ply, seconds, stop, report)

        try:
            await self._prepare(player, [audience])
            await self._pools.thoughts.run(live.owner, think)
        except Stopped:
            return
        except Exception as error:
            self._report_failure(error)

    # Streams

    async def events(self, viewpoint: Viewpoint) -> AsyncIterator[bytes]:
        """Yield the present view, then all events; when the last subscriber leaves, searches stop."""
        subscriber, audience = Subscriber(), self._audience(viewpoint)
        audience.subscribers.open.add(subscriber)
        audience.sent = self.live.view(viewpoint)
        subscriber.send("view", audience.sent)
        self.continue_bots()
        try:
            async for event in subscriber.events():
                yield event
        finally:
            audience.subscribers.open.discard(subscriber)
            if not audience.subscribers.open:
                audience.stop_thinking()
            if not self.is_followed and not self._lock.locked():
                self._bots.cancel()  # until the next request; a move that is being written is still written
