"""All tables: opened within limits, found by their secret ids, read back from the disk after a restart."""

import asyncio
import secrets
import time
from collections.abc import Sequence
from typing import Any

from forethought.game import Game
from forethought.serve.errors import bad_request, too_many, unknown
from forethought.serve.game_catalogue import Catalogue
from forethought.serve.live_game import Table, check_seats
from forethought.serve.player_catalogue import HUMAN, check_player, make_player
from forethought.serve.session import Room
from forethought.serve.session_store import Kept, Store, content_of
from forethought.serve.settings import Limits
from forethought.serve.stoppable_search import Threads

ID_BYTES = 16
SEED_BITS = 53  # so that JavaScript can hold one


class Hall:
    """Every table of the server."""

    def __init__(self, catalogue: Catalogue, store: Store, threads: Threads, limits: Limits) -> None:
        self._catalogue, self._store, self._threads, self._limits = catalogue, store, threads, limits
        self._rooms: dict[str, Room] = {}
        self._kept = {kept.id: kept for kept in store.all()}  # those nobody has asked for since the start
        self._waking = asyncio.Lock()
        self._opening: list[str] = []  # whose tables are being set up

    async def open(self, owner: str, spec: str, seats: Sequence[str], seed: int | None) -> Room:
        """Set up a new game."""
        drawn = secrets.randbits(SEED_BITS) if seed is None else seed
        return await self._add(owner, {"game": spec, "seats": seats, "actions": [], "resigned": None}, drawn)

    async def load(self, owner: str, saved: dict[str, Any]) -> Room:
        """Set up a saved game, to be replayed or played on."""
        return await self._add(owner, saved, secrets.randbits(SEED_BITS))

    async def find(self, id: str) -> Room:
        """Return the room of a table."""
        if id in self._kept:
            await self._read_back(id)
        if id not in self._rooms:
            raise unknown("There is no such table; it was ended, or cleared away for newer ones.")
        room = self._rooms[id]
        room.wake()
        return room

    async def remove(self, id: str) -> None:
        await self.find(id)
        await self._forget(id)

    def quieten(self) -> None:
        for room in self._rooms.values():
            room.quieten()

    async def _add(self, owner: str, saved: dict[str, Any], seed: int) -> Room:
        await asyncio.to_thread(self._check, saved)
        self._opening.append(owner)
        try:
            await self._make_room(owner)
            game = await self._catalogue.find(saved["game"])
            table = await asyncio.to_thread(self._table, game, owner, saved, seed)
            await asyncio.to_thread(self._store.save, table.id, content_of(table))
            room = self._rooms[table.id] = Room(table, self._store, self._threads, self._limits)
        finally:
            self._opening.remove(owner)
        room.wake()
        return room

    def _check(self, saved: dict[str, Any]) -> None:
        """Refuse a table that cannot be, before anything is compiled for it."""
        check_seats(self._catalogue.plain(saved["game"]), saved["seats"])
        for player in _players(saved["seats"]):
            check_player(player)

    def _table(self, game: Game, owner: str, saved: dict[str, Any], seed: int) -> Table:
        """Make a table and play what has been played."""
        for player in _players(saved["seats"]):
            make_player(player, game)
        named, spec = secrets.token_urlsafe(ID_BYTES), self._catalogue.normal(saved["game"])
        table = Table(named, owner, spec, game, tuple(saved["seats"]), seed)
        table.replay(saved["actions"])
        table.settle()
        _set_resigned(table, saved["resigned"])
        return table

    async def _read_back(self, id: str) -> None:
        """Set up a table as it was before the restart; who asks meanwhile waits for the same one."""

        def table(kept: Kept, game: Game) -> Table:
            made = Table(kept.id, kept.owner, kept.game, game, kept.seats, kept.seed)
            made.replay(kept.actions)
            made.resigned = kept.resigned
            return made

        async with self._waking:
            if id in self._kept:
                kept = self._kept[id]
                made = await asyncio.to_thread(table, kept, await self._catalogue.find(kept.game))
                self._rooms[id] = Room(made, self._store, self._threads, self._limits)
                self._kept.pop(id, None)

    async def _make_room(self, owner: str) -> None:
        """Clear away tables if there are too many: of finished ones the oldest, then of those nobody looks at."""
        for most, mine in ((self._limits.tables_per_client, True), (self._limits.tables, False)):
            while self._count(owner if mine else None) > most:
                old = self._oldest(owner if mine else None)
                if old is None:
                    raise too_many(f"There are {most} games in progress; end one of them first.")
                await self._forget(old)

    def _count(self, owner: str | None) -> int:
        owners = [room.table.owner for room in self._rooms.values()] + [kept.owner for kept in self._kept.values()]
        owners += self._opening
        return len(owners) if owner is None else owners.count(owner)

    def _oldest(self, owner: str | None) -> str | None:
        """Return the table to clear away: not over counts more than any age, and attended ones stay."""
        now, wall = time.monotonic(), time.time()
        ages = [(kept.over, wall - kept.changed, kept.id, kept.owner) for kept in self._kept.values()]
        ages += [
            (room.table.over, now - room.touched, room.table.id, room.table.owner)
            for room in self._rooms.values()
            if not room.attended or (room.table.over and not room.audience.listeners)
        ]
        mine = [age for age in ages if owner in (None, age[3])]
        return max(mine)[2] if mine else None

    async def _forget(self, id: str) -> None:
        self._kept.pop(id, None)
        room = self._rooms.pop(id, None)
        if room is not None:
            await room.end()
        await asyncio.to_thread(self._store.remove, id)


def _players(seats: Sequence[str]) -> list[str]:
    """Return who sits there besides people, each once."""
    return [seat for seat in dict.fromkeys(seats) if seat != HUMAN]


def _set_resigned(table: Table, resigned: int | None) -> None:
    if resigned is None:
        return
    if resigned not in table.humans or table.over:
        raise bad_request(f"Seat {resigned} cannot have resigned in this game.")
    table.resigned = resigned
