"""What a benchmark says: our number, the number beside it, and whether the claim holds."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """One claim, measured. Without a peer there is nothing to compare: `peer`, `ratio` and `holds` are None."""

    name: str
    unit: str
    ours: float
    peer: float | None
    peer_name: str
    ratio: float | None  # how many times better ours is
    goal: float  # the ratio that is claimed
    holds: bool | None
    note: str = ""


Benchmark = Callable[[], Result]


@dataclass(frozen=True)
class Claim:
    """What is to be shown, before it is measured."""

    name: str
    unit: str
    peer_name: str
    goal: float

    def by_rate(self, ours: float, peer: float | None, note: str = "") -> Result:
        """Compare so many a second, where more is better; no peer, no verdict."""
        return self._result(ours, peer, None if peer is None else ours / peer, note)

    def by_cost(self, ours: float, peer: float | None, note: str = "") -> Result:
        """Compare seconds or bytes, where less is better; no peer, no verdict."""
        return self._result(ours, peer, None if peer is None else peer / ours, note)

    def _result(self, ours: float, peer: float | None, ratio: float | None, note: str) -> Result:
        holds = None if ratio is None else ratio >= self.goal
        return Result(self.name, self.unit, ours, peer, self.peer_name, ratio, self.goal, holds, note)


def within_limit(name: str, seconds: float, limit: float) -> Result:
    """Compare a time with the longest it may be: a claim whose peer is a promise."""
    return Claim(name, "seconds", "limit", goal=1.0).by_cost(seconds, limit)
