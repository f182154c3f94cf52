"""Connections on which a request begins and does not come: closed after a while, since each holds memory and a socket.

uvicorn limits only the time between two requests. A request has begun when a connection is made, and when bytes of it
are there after a response; until its headers are complete, there is nothing yet that the application could refuse.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class PromptHeaders(H11Protocol):
    """HTTP whose headers have to be complete in time, however slowly their bytes arrive."""

    def __init__(self, seconds: float, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_headers()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_answering():
            self._stop_timer()
        else:
            self._await_headers()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.trailing_data[0] and not self._is_answering():  # the next request came together with this one
            self._await_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _await_headers(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self._seconds, self.transport.close)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
