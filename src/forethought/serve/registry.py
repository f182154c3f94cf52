"""All sessions: started within limits, found by their secret ids, read back from the disk after a restart."""

import asyncio
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from forethought.game import Game
from forethought.serve.bot_players import PlayerMemory
from forethought.serve.errors import bad_request, conflict, not_found, too_many_requests
from forethought.serve.game_catalogue import GameCatalogue
from forethought.serve.live_game import LiveGame, check_seats
from forethought.serve.player_catalogue import check_player, make_player
from forethought.serve.preparation import Preparations
from forethought.serve.schemas.play import SeriesSchema, SessionSchema
from forethought.serve.schemas.requests import NewSessionSchema, SavedGameSchema
from forethought.serve.session import Session
from forethought.serve.session_store import SessionStore, StoredSession, stored_content
from forethought.serve.settings import ServerLimits
from forethought.serve.thread_pools import ThreadPools
from forethought.serve.viewpoints import GUEST, HOST, PERSONS, SPECTATOR, Viewpoint

ID_BYTES = 16
SEED_BITS = 53  # what JavaScript can hold


class Visit(NamedTuple):
    """A session, and whose address was used to find it."""

    session: Session
    viewpoint: Viewpoint

    def view(self) -> SessionSchema:
        return self.session.live.view(self.viewpoint)


class SessionRegistry:
    """Every session of the server."""

    def __init__(
        self,
        games: GameCatalogue,
        preparations: Preparations,
        store: SessionStore,
        pools: ThreadPools,
        limits: ServerLimits,
    ) -> None:
        self._games, self._preparations = games, preparations
        self._store, self._pools, self._limits = store, pools, limits
        self._players = PlayerMemory(limits.infosets)
        self._sessions: dict[str, Session] = {}
        self._stored = {stored.id: stored for stored in store.all()}  # those not asked for since the start
        self._links = {link: stored.id for stored in self._stored.values() for link in stored.game.links}
        self._reading, self._continuing = asyncio.Lock(), asyncio.Lock()
        self._starting: list[str] = []  # the owners of sessions that are being started

    async def start(self, owner: str, new: NewSessionSchema) -> Visit:
        """Start a new game."""
        seed = secrets.randbits(SEED_BITS) if new.seed is None else new.seed
        begun = SavedGameSchema(forethought=1, game=new.game, seats=new.seats, actions=[], start=new.start)
        return await self._add(owner, begun, seed)

    async def load(self, owner: str, saved: SavedGameSchema) -> Visit:
        """Load a saved game, to be replayed or continued."""
        return await self._add(owner, saved, secrets.randbits(SEED_BITS))

    async def continue_series(self, owner: str, id: str) -> Visit:
        """Return the next game of a series, in which everybody sits one seat further; whoever asks first starts it."""
        session, viewpoint = await self.find(id)
        live = session.live
        async with self._continuing:
            if not live.over:
                raise conflict("The next game can begin when this one is over.")
            if live.next is None or not self._is_there(live.next):
                seats = _moved_on(live.seats)
                saved = SavedGameSchema(forethought=1, game=live.spec, seats=seats, actions=[], start=live.start)
                following = (await self._add(owner, saved, secrets.randbits(SEED_BITS), live.series_after())).session
                if self._is_there(live.id):  # it may have been removed to make room
                    async with session.change():
                        live.next = following.live.id
            else:
                following = (await self.find(live.next)).session
        place = None if viewpoint.seat is None else (viewpoint.seat - 1) % len(live.seats)
        return Visit(following, Viewpoint(viewpoint.role, place))

    async def find(self, id: str) -> Visit:
        """Return a session by its own id, or by one of its links."""
        main = self._links.get(id, id)
        if main in self._stored:
            await self._read_back(main)
        if main not in self._sessions:
            raise not_found("There is no such session; it was ended, or removed to make room for newer ones.")
        session = self._sessions[main]
        session.continue_bots()
        return Visit(session, session.live.links.get(id, HOST))

    async def remove(self, id: str) -> None:
        session, viewpoint = await self.find(id)
        session.live.check_host(viewpoint)
        await self._delete(session.live.id)

    def _is_there(self, id: str) -> bool:
        return id in self._sessions or id in self._stored

    def stop_streams(self) -> None:
        for session in self._sessions.values():
            session.stop_streams()

    async def _add(self, owner: str, saved: SavedGameSchema, seed: int, series: SeriesSchema | None = None) -> Visit:
        await asyncio.to_thread(self._check, saved)
        self._starting.append(owner)
        try:
            await self._make_room(owner)
            game = await self._preparations.game(saved.game, _players(saved.seats))
            live = await asyncio.to_thread(self._live_game, game, owner, saved, seed)
            live.links, live.series = _new_links(saved.seats), series
            await asyncio.to_thread(self._store.save, live.id, stored_content(live))
            session = self._sessions[live.id] = self._session(live)
            self._links |= dict.fromkeys(live.links, live.id)
        finally:
            self._starting.remove(owner)
        session.continue_bots()
        return Visit(session, HOST)

    def _session(self, live: LiveGame) -> Session:
        return Session(live, self._store, self._pools, self._players, self._preparations, self._limits)

    def _check(self, saved: SavedGameSchema) -> None:
        """Refuse an impossible game before anything is compiled for it."""
        game = self._games.plain(saved.game)
        check_seats(game, saved.seats)
        if saved.start is not None:
            game.set_up(saved.start.pieces, saved.start.to_move)
        for player in _players(saved.seats):
            check_player(player)

    def _live_game(self, game: Game, owner: str, saved: SavedGameSchema, seed: int) -> LiveGame:
        """Set up a game and replay its actions."""
        for player in _players(saved.seats):
            make_player(player, game)
        spec = self._games.normal(saved.game)
        address, title = secrets.token_urlsafe(ID_BYTES), self._title(spec)
        live = LiveGame(address, owner, spec, title, game, tuple(saved.seats), seed, saved.start)
        live.replay(saved.actions)
        live.play_chance()
        _set_resigned(live, saved.resigned)
        return live

    def _title(self, spec: str) -> str:
        return self._games.name_title(spec.partition("(")[0])

    async def _read_back(self, id: str) -> None:
        """Set up a session as it was before the restart; concurrent requests wait for the same one."""

        def live_game(stored: StoredSession, game: Game) -> LiveGame:
            saved = stored.game
            seats, title = tuple(saved.seats), self._title(saved.game)
            live = LiveGame(stored.id, saved.owner, saved.game, title, game, seats, saved.seed, saved.start)
            live.replay(saved.actions)
            live.resigned, live.undos = saved.resigned, saved.undos
            live.bots_remember_from = saved.bots_remember_from
            live.thoughts = {thought.ply: thought for thought in saved.thoughts}
            live.links, live.series, live.next = _viewpoints(saved.links), saved.series, saved.next
            return live

        stored = self._stored[id]
        game = await self._preparations.game(stored.game.game, ())
        async with self._reading:
            if id in self._stored:
                live = await asyncio.to_thread(live_game, stored, game)
                self._sessions[id] = self._session(live)
                self._stored.pop(id, None)

    async def _make_room(self, owner: str) -> None:
        """Remove sessions if there are too many: the oldest finished one first, then those that nobody attends."""
        for limit, counted in ((self._limits.sessions_per_client, owner), (self._limits.sessions, None)):
            while self._count(counted) > limit:
                oldest = self._oldest(counted)
                if oldest is None:
                    raise too_many_requests(f"There are {limit} games in progress; end one of them first.")
                await self._delete(oldest)

    def _count(self, owner: str | None) -> int:
        """Count the sessions of one owner, or of all."""
        owners = [session.live.owner for session in self._sessions.values()]
        owners += [stored.game.owner for stored in self._stored.values()] + self._starting
        return len(owners) if owner is None else owners.count(owner)

    def _oldest(self, owner: str | None) -> str | None:
        """Return the session to remove: finished ones before others, older before newer, attended ones never."""
        now, wall = time.monotonic(), time.time()
        ages = [
            (stored.game.over, wall - stored.changed, stored.id, stored.game.owner) for stored in self._stored.values()
        ]
        ages += [
            (session.live.over, now - session.last_request, session.live.id, session.live.owner)
            for session in self._sessions.values()
            if not session.is_attended or (session.live.over and not session.is_followed)
        ]
        candidates = [age for age in ages if owner in (None, age[3])]
        return max(candidates)[2] if candidates else None

    async def _delete(self, id: str) -> None:
        self._stored.pop(id, None)
        session = self._sessions.pop(id, None)
        for link in [link for link, main in self._links.items() if main == id]:
            del self._links[link]
        if session is not None:
            await session.close()
        await asyncio.to_thread(self._store.remove, id)


def _players(seats: Sequence[str]) -> list[str]:
    """Return the players that are not persons, each once."""
    return [seat for seat in dict.fromkeys(seats) if seat not in PERSONS]


def _moved_on(seats: Iterable[str]) -> list[str]:
    """Return the seats of the next game of a series: everybody sits one seat further, the first becomes the last."""
    first, *others = seats
    return [*others, first]


def _new_links(seats: Sequence[str]) -> dict[str, Viewpoint]:
    """Draw addresses for spectators and for each guest."""
    guests = [Viewpoint("guest", seat) for seat, player in enumerate(seats) if player == GUEST]
    return {secrets.token_urlsafe(ID_BYTES): viewpoint for viewpoint in (*guests, SPECTATOR)}


def _viewpoints(links: Mapping[str, int | None]) -> dict[str, Viewpoint]:
    return {link: SPECTATOR if seat is None else Viewpoint("guest", seat) for link, seat in links.items()}


def _set_resigned(live: LiveGame, resigned: int | None) -> None:
    if resigned is None:
        return
    if resigned not in live.persons or live.over:
        raise bad_request(f"Seat {resigned} cannot have resigned in this game.")
    live.resigned = resigned
