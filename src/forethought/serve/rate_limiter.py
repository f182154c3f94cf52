"""How often one client may ask: a token bucket per client."""

import time

MAX_CLIENTS = 10_000  # whose buckets are remembered


class RateLimiter:
    """Each client has a bucket of requests, which fills again over time."""

    def __init__(self, per_second: float, at_once: float) -> None:
        self._per_second, self._at_once = per_second, at_once
        self._buckets: dict[str, tuple[float, float]] = {}  # requests left, and when that was counted

    def allows(self, client: str) -> bool:
        """Take one request from a client's bucket; False if it is empty."""
        now = time.monotonic()
        left, counted = self._buckets.get(client, (self._at_once, now))
        left = min(self._at_once, left + (now - counted) * self._per_second)
        if len(self._buckets) >= MAX_CLIENTS:
            self._buckets.clear()  # the buckets of clients that have left are full again anyway
        self._buckets[client] = (left - 1.0 if left >= 1.0 else left, now)
        return left >= 1.0
