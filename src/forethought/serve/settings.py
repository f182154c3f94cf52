"""How much one client, and all of them together, may ask for."""

import os
import time
from dataclasses import dataclass

MOST_CLIENTS = 10_000  # whose rates are remembered


@dataclass(frozen=True)
class Limits:
    """What the server gives at most."""

    body: int = 64 * 1024  # bytes
    body_seconds: float = 10.0  # until all of it has come
    requests_per_second: float = 100.0  # of one client, in the long run
    requests_at_once: float = 400.0  # after a pause
    streams: int = 128  # of one client, open at once
    tables: int = 256
    tables_per_client: int = 64
    threads: int = os.cpu_count() or 1  # that search for players' moves, and as many for thoughts
    pause: float = 0.4  # seconds between two moves where nobody but bots plays, so that one can watch


class Rates:
    """A bucket of requests for each client, which fills again with time."""

    def __init__(self, limits: Limits) -> None:
        self._speed, self._most = limits.requests_per_second, limits.requests_at_once
        self._buckets: dict[str, tuple[float, float]] = {}  # what is left, and when that was

    def take(self, client: str) -> bool:
        """Take one request from a client's bucket; False if it is empty."""
        now = time.monotonic()
        left, then = self._buckets.get(client, (self._most, now))
        left = min(self._most, left + (now - then) * self._speed)
        if len(self._buckets) >= MOST_CLIENTS:
            self._buckets.clear()  # buckets of old clients are full again anyway
        self._buckets[client] = (left - 1.0 if left >= 1.0 else left, now)
        return left >= 1.0
