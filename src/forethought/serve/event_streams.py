"""Server-sent events: each subscriber gets the newest event of each kind; a slow one misses those in between."""

import asyncio
from collections.abc import AsyncIterator

from fastapi.responses import JSONResponse

from forethought.serve.schemas.base import Schema

HEARTBEAT = 10.0  # seconds
HEARTBEAT_COMMENT = b": heartbeat\n\n"


class EventStreamResponse(JSONResponse):
    """How streams are described in OpenAPI: the data of each event is JSON of one of the route's schemas."""

    media_type = "text/event-stream"


def encode_event(kind: str, data: Schema) -> bytes:
    """Return an event as it is sent."""
    return f"event: {kind}\ndata: {data.model_dump_json()}\n\n".encode()


class Subscriber:
    """One open stream. It holds at most one event of each kind, so a slow client costs no memory."""

    def __init__(self) -> None:
        self._pending: dict[str, Schema] = {}
        self._changed, self._closed = asyncio.Event(), False

    def send(self, kind: str, data: Schema) -> None:
        self._pending[kind] = data
        self._changed.set()

    def close(self) -> None:
        self._closed = True
        self._changed.set()

    async def events(self) -> AsyncIterator[bytes]:
        """Yield encoded events, and a comment whenever there was none for a while."""
        while not self._closed or self._pending:
            try:
                await asyncio.wait_for(self._changed.wait(), HEARTBEAT)
            except TimeoutError:
                yield HEARTBEAT_COMMENT
                continue
            self._changed.clear()
            pending, self._pending = self._pending, {}
            for kind, data in pending.items():
                yield encode_event(kind, data)


class Subscribers:
    """All streams of one session."""

    def __init__(self) -> None:
        self.open: set[Subscriber] = set()

    def send(self, kind: str, data: Schema) -> None:
        for subscriber in self.open:
            subscriber.send(kind, data)

    def close(self) -> None:
        for subscriber in self.open:
            subscriber.close()
