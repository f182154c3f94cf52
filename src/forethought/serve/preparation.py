"""Preparation of games: whatever is not on the disk yet is compiled in processes, one for each game that is waited for.

So no game waits for another's compilation, progress can be told, and a process that nobody waits for any more is ended.
"""

import asyncio
import json
import logging
import os
import shutil
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial

from forethought.compiler import NotCompiledError, only_compiled
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import load
from forethought.serve.compiling_process import CompilationRequest, prepare
from forethought.serve.event_streams import Subscriber
from forethought.serve.game_catalogue import GameCatalogue, Key
from forethought.serve.player_catalogue import default_thinker
from forethought.serve.schemas.play import PreparationSchema

START_SECONDS, SECONDS_PER_FUNCTION = 2.0, 0.3  # on an ordinary machine: Go's rules 5 s, a tree search 12 s
EXAMPLES = ("tic_tac_toe", "kuhn")  # one for each search that is recommended
LOW_PRIORITY = ("nice", "-n", "10") if shutil.which("nice") else ()
MOST_REMEMBERED = 1_000  # needs known to be compiled

Listen = Callable[[PreparationSchema], None]


def in_silence(_progress: PreparationSchema) -> None:
    """Listen to nothing."""


class Preparations:
    """All that is being compiled for this server."""

    def __init__(self, games: GameCatalogue, most_processes: int) -> None:
        self._games, self._free = games, asyncio.Semaphore(most_processes)
        self._running: dict[CompilationRequest, Compilation] = {}
        self._compiled: set[tuple[Key, CompilationRequest]] = set()
        self._warming: asyncio.Task[None] | None = None

    async def game(self, spec: str, players: Iterable[str], listen: Listen = in_silence) -> Game:
        """Return a game, when all is compiled that it and these players need; `listen` hears how far that is."""
        key = await asyncio.to_thread(self._games.key, spec)
        request = CompilationRequest(key.spec, tuple(sorted(set(players))))
        if (key, request) not in self._compiled:
            if not await asyncio.to_thread(_is_compiled, partial(load, key.spec), request.players):
                await self._compile(request, spec, listen)
            if len(self._compiled) >= MOST_REMEMBERED:
                self._compiled.clear()
            self._compiled.add((key, request))
        return await self._games.find(spec)

    async def player(self, game: Game, spec: str, player: str, listen: Listen) -> None:
        """Return when all is compiled that a player needs in a game that is being played, whatever its file is now."""
        if not await asyncio.to_thread(_is_compiled, lambda: game, [player]):
            with suppress(ForethoughtError):  # of an edited file; then the player compiles what it needs
                key = await asyncio.to_thread(self._games.key, spec)
                await self._compile(CompilationRequest(key.spec, (player,)), spec, listen)

    async def events(self, spec: str, players: Iterable[str]) -> AsyncIterator[bytes]:
        """Yield `preparation` events until all is compiled; whoever leaves before does not wait any more."""
        subscriber = Subscriber()
        send = partial(subscriber.send, "preparation")

        async def wait() -> None:
            try:
                with suppress(ForethoughtError):  # whoever starts the game is told
                    await self.game(spec, players, send)
            finally:
                send(
                    PreparationSchema(
                        game=self._games.name_title(spec.partition("(")[0]),
                        compiled=0,
                        functions=0,
                        seconds=0,
                        ready=True,
                    )
                )
                subscriber.close()

        waiting = asyncio.create_task(wait())
        try:
            async for event in subscriber.events():
                yield event
        finally:
            waiting.cancel()

    def warm(self) -> None:
        """Compile the searches that the page offers first, one after another at low priority; nobody waits for it."""
        self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        for name in EXAMPLES:
            request = CompilationRequest(name, (default_thinker(load(name, compiled=False)),))
            if not await asyncio.to_thread(_is_compiled, partial(load, name), request.players):
                await asyncio.wait({self._begin(request, self._games.name_title(name), LOW_PRIORITY).work})

    def close(self) -> None:
        if self._warming is not None:
            self._warming.cancel()
        for compilation in list(self._running.values()):
            compilation.end()

    async def _compile(self, request: CompilationRequest, spec: str, listen: Listen) -> None:
        compilation = self._running.get(request) or self._begin(request, self._games.name_title(spec.partition("(")[0]))
        await compilation.wait(listen)

    def _begin(self, request: CompilationRequest, title: str, command: Sequence[str] = ()) -> "Compilation":
        compilation = self._running[request] = Compilation(request, title, self._free, command)
        compilation.work.add_done_callback(partial(self._ended, request))
        return compilation

    def _ended(self, request: CompilationRequest, work: "asyncio.Future[None]") -> None:
        self._running.pop(request, None)
        if not work.cancelled() and (error := work.exception()) is not None:
            logging.getLogger(__name__).error("%s could not be compiled in a process: %s", request.game, error)


class Compilation:
    """One process that compiles, and those who wait for it."""

    def __init__(
        self, request: CompilationRequest, title: str, free: asyncio.Semaphore, command: Sequence[str]
    ) -> None:
        self._request, self._title, self._free, self._command = request, title, free, command
        self._listeners: list[Listen] = []
        self._process: asyncio.subprocess.Process | None = None
        self._began = time.monotonic()
        self._progress = self._described(0, 0)
        self.work = asyncio.ensure_future(self._run())

    async def wait(self, listen: Listen) -> None:
        """Wait until all is compiled, or cannot be, which whoever needs it will find out. The last to leave ends it."""
        self._listeners.append(listen)
        listen(self._progress)
        try:
            await asyncio.wait({self.work})
        finally:
            self._listeners.remove(listen)
            if not self._listeners:
                self.end()

    def end(self) -> None:
        self.work.cancel()
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def _run(self) -> None:
        async with self._free:
            self._began = time.monotonic()
            self._process = process = await asyncio.create_subprocess_exec(
                *self._command,
                sys.executable,
                "-m",
                "forethought.serve.compiling_process",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 (asked for above)
            process.stdin.write(json.dumps([self._request]).encode())
            process.stdin.close()
            async for line in process.stdout:
                self._tell(*json.loads(line))
            await process.wait()

    def _tell(self, compiled: int, functions: int) -> None:
        self._progress = self._described(compiled, functions)
        for listen in self._listeners:
            listen(self._progress)

    def _described(self, compiled: int, functions: int) -> PreparationSchema:
        """Estimate the time: what was spent, and what the functions take that are known to be left.

        Functions differ, and so do machines: one is taken to need the mean of the usual time and of what it was so far.
        """
        spent = max(START_SECONDS, time.monotonic() - self._began)
        each = (SECONDS_PER_FUNCTION + spent / compiled) / 2 if compiled else SECONDS_PER_FUNCTION
        seconds = spent + (functions - compiled) * each
        return PreparationSchema(
            game=self._title, compiled=compiled, functions=functions, seconds=round(seconds), ready=False
        )


def _is_compiled(find_game: Callable[[], Game], players: Sequence[str]) -> bool:
    """Whether all is on the disk; then it is in memory, too, afterwards."""
    try:
        with only_compiled():
            prepare(find_game(), players)
    except NotCompiledError:
        return False
    return True
