"""The one rule by which a measured value is called reproduced, stronger, weaker or not comparable.

1. Where the data file says why a number cannot be compared, it is not comparable.
2. Without an interval of our own, or with one whose half is wider than the resolution of the item, nothing can be said.
3. A printed value: our interval meets the printed one (the value itself if none is printed): reproduced; it lies wholly
   on the better side: stronger; wholly on the worse side: weaker.
   A value of which neither side is better, the score of a player against itself, is reproduced or not comparable.
4. A printed direction ("above 50 %"): our interval wholly within: reproduced; wholly outside: weaker; on both sides:
   not comparable.
5. What is weaker with less work than the paper's is not comparable: the budget may be the reason.
"""

import math
from dataclasses import dataclass

REPRODUCED, STRONGER, WEAKER, NOT_COMPARABLE = "reproduced", "stronger", "weaker", "not comparable"
HIGHER, LOWER, NEITHER = "higher", "lower", "neither"


@dataclass(frozen=True)
class Span:
    """A value with its interval; of a direction only one end is known, and of an exact value both ends are the same."""

    value: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def is_direction(self) -> bool:
        """Whether it states no value, only on which side of a bound it lies."""
        return self.value is None and (self.low is None) != (self.high is None)

    @property
    def ends(self) -> tuple[float, float]:
        """Both ends, as far as they are known."""
        low = self.low if self.low is not None else self.value
        high = self.high if self.high is not None else self.value
        return -math.inf if low is None else low, math.inf if high is None else high


@dataclass(frozen=True)
class Terms:
    """What a comparison goes by."""

    better: str  # HIGHER, LOWER, or NEITHER, as in a match of a player against itself
    resolution: float  # the widest half of an interval of ours that still says something
    incomparable: str = ""  # why the number cannot be compared at all
    lesser: str = ""  # in what the budget is less than the paper's


@dataclass(frozen=True)
class RowVerdict:
    """What a row shows, and why it is no more."""

    word: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.word}: {self.why}" if self.why else self.word


def judged(printed: Span, ours: Span, terms: Terms) -> RowVerdict:
    """Compare what was measured with what was printed, by the rule above."""
    obstacle = _obstacle(printed, ours, terms)
    if obstacle:
        return RowVerdict(NOT_COMPARABLE, obstacle)
    side = _side(printed, ours, terms)
    if printed.is_direction and side > 0:
        return RowVerdict(REPRODUCED)
    if side and terms.better == NEITHER:
        return RowVerdict(NOT_COMPARABLE, "it differs, and neither side is the better one")
    if side < 0:
        return RowVerdict(NOT_COMPARABLE, f"weaker, and {terms.lesser}") if terms.lesser else RowVerdict(WEAKER)
    if printed.is_direction:
        return RowVerdict(NOT_COMPARABLE, "our interval lies on both sides")
    return RowVerdict(STRONGER if side > 0 else REPRODUCED)


def _obstacle(printed: Span, ours: Span, terms: Terms) -> str:
    """Say why nothing can be said; nothing if it can."""
    if terms.incomparable:
        return terms.incomparable
    if printed.value is None and not printed.is_direction:
        return "nothing was printed"
    if ours.low is None or ours.high is None:
        return "a single value has no interval"
    if not printed.is_direction and (ours.high - ours.low) / 2 > terms.resolution:
        return f"our interval is wider than {terms.resolution:g} to either side"
    return ""


def _side(printed: Span, ours: Span, terms: Terms) -> int:
    """Return 1 if ours lies wholly on the better side, -1 if on the worse, 0 if the intervals meet.

    Of a direction, the side that the paper claims counts as the better one.
    """
    (low, high), (own_low, own_high) = printed.ends, ours.ends
    if printed.is_direction:
        within = low <= own_low and own_high <= high
        outside = own_high < low or own_low > high
        return int(within) - int(outside)
    above = int(own_low > high) - int(own_high < low)
    return above if terms.better == HIGHER else -above
