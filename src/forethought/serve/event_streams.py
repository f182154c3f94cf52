"""Server-sent events: whoever listens gets the newest of each kind; what it was too slow for is left out."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi.responses import JSONResponse

HEARTBEAT = 10.0  # seconds
STILL_HERE = b": still here\n\n"
END = "end"


class Events(JSONResponse):
    """How streams are described: the data of every event is JSON, of one of the models that the address names."""

    media_type = "text/event-stream"


def written(kind: str, data: Any) -> bytes:
    """Write an event as it is sent."""
    return f"event: {kind}\ndata: {json.dumps(data, allow_nan=False)}\n\n".encode()


class Listener:
    """One open stream. Holds at most one event of each kind, so a slow reader costs no memory."""

    def __init__(self) -> None:
        self._waiting: dict[str, Any] = {}
        self._news = asyncio.Event()

    def tell(self, kind: str, data: Any) -> None:
        self._waiting[kind] = data
        self._news.set()

    def end(self) -> None:
        self.tell(END, None)

    async def events(self) -> AsyncIterator[bytes]:
        """Yield events as they are written on the wire, and a comment when there was none for a while."""
        while True:
            try:
                await asyncio.wait_for(self._news.wait(), HEARTBEAT)
            except TimeoutError:
                yield STILL_HERE
                continue
            self._news.clear()
            waiting, self._waiting = self._waiting, {}
            for kind, data in waiting.items():
                if kind == END:
                    return
                yield written(kind, data)


class Audience:
    """Those who listen to one thing."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()

    def tell(self, kind: str, data: Any) -> None:
        for listener in self.listeners:
            listener.tell(kind, data)

    def end(self) -> None:
        for listener in self.listeners:
            listener.end()
