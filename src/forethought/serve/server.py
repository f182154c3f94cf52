"""Runs the application on a socket, and stops without waiting for open streams."""

import asyncio
import errno
import socket
from collections.abc import Callable
from functools import partial
from types import FrameType

import uvicorn

from forethought.errors import ForethoughtError
from forethought.serve.app import make_app
from forethought.serve.prompt_headers import PromptHeaders
from forethought.serve.settings import ServerSettings

PATIENCE = 3  # seconds for requests that are being answered when the server stops
KEEP_ALIVE = (
    60  # seconds an idle connection stays open: longer than clients keep theirs, so that none closes during a request
)


class PageServer(uvicorn.Server):
    """Ends open streams before it stops, and calls back when it listens."""

    def __init__(self, settings: ServerSettings, listening: Callable[[], None]) -> None:
        application = make_app(settings)
        configuration = uvicorn.Config(
            application,
            http=partial(PromptHeaders, settings.limits.header_seconds),  # type: ignore[arg-type]  # makes a protocol
            log_level="warning",
            access_log=False,
            proxy_headers=False,  # else clients could choose their own address
            server_header=False,
            timeout_graceful_shutdown=PATIENCE,
            timeout_keep_alive=KEEP_ALIVE,
            limit_concurrency=1_000,
        )
        super().__init__(configuration)
        self._application, self._listening = application, listening
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if not self.should_exit:
            self._listening()

    def stop(self) -> None:
        """Stop from any thread."""
        self.should_exit = True
        self._end_streams()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._end_streams()

    def _end_streams(self) -> None:
        if self._loop is not None and hasattr(self._application.state, "services"):
            self._loop.call_soon_threadsafe(self._application.state.services.stop_streams)


def listening_socket(host: str, port: int) -> socket.socket:
    """Bind a port; 0 chooses a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns off Nagle's algorithm only where the protocol is named; else each response waits 40 ms for an ACK.
    taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        if error.errno == errno.EADDRINUSE:
            raise ForethoughtError(f"Port {port} is taken; name another with --port {port + 1}.") from error
        reason = error.strerror or str(error)
        raise ForethoughtError(f"The server cannot listen on {host}, port {port}: {reason}.") from error
    return taken


def run_server(settings: ServerSettings, taken: socket.socket, listening: Callable[[], None]) -> None:
    """Serve until Ctrl-C; `listening` is called when the page can be opened."""
    PageServer(settings, listening).run(sockets=[taken])
