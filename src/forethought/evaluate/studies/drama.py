"""Drama, by who is ahead in the course of games, after Browne (2008).

C. Browne: Automatic Generation and Evaluation of Recombination Games. `docs/study.md` has the definitions.

A *lead* is the value of a position to player 0, from -1 to 1. Below MARGIN nobody leads: a planner's values are
estimates, and a lead that changes with their noise is none.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

MARGIN = 0.1


class GameDrama(NamedTuple):
    """The course of one game; the last three of a game that somebody won."""

    lead_changes: int  # how often another player takes the lead
    uncertainty: float  # 1 less the size of the lead, on average: 1 where nobody is ever ahead, 0 where all is decided
    was_behind: bool | None  # whether the winner was ever behind
    drama: float | None  # the mean of the roots of the deficits where the winner was behind; 0 if it never was
    settled: float | None  # the part of the game that was over when the winner took the lead that it kept


def drama_of(leads: Sequence[float], returns: Sequence[float]) -> GameDrama | None:
    """Return the course of a game of two players; None where nobody had a choice, or the planner had no values."""
    if not leads:
        return None
    holders = [math.copysign(1.0, lead) for lead in leads if abs(lead) >= MARGIN]
    changes = sum(before != after for before, after in pairwise(holders))
    open_part = 1.0 - sum(map(abs, leads)) / len(leads)
    if returns[0] == returns[1]:
        return GameDrama(changes, open_part, None, None, None)
    own = [lead if returns[0] > returns[1] else -lead for lead in leads]  # the winner's
    deficits = [-lead for lead in own if lead <= -MARGIN]
    drama = sum(map(math.sqrt, deficits)) / len(deficits) if deficits else 0.0
    doubtful = [place for place, lead in enumerate(own) if lead < MARGIN]
    settled = (doubtful[-1] + 1) / len(own) if doubtful else 0.0
    return GameDrama(changes, open_part, bool(deficits), drama, settled)
