"""Ratings as numbers. Ranks of Go are put on the scale of the European Go Federation: 1 dan is 2100, a rank 100."""

import math
import re

from forethought.errors import ForethoughtError

UNKNOWN = math.nan
_RATING = re.compile(r"\s*(\d{1,4}(?:\.\d{1,4})?)\s*([kdp]?)", re.IGNORECASE)
FIRST_KYU, FIRST_DAN, FIRST_PROFESSIONAL = 2000, 2100, 2700
RANK, PROFESSIONAL_RANK = 100, 30


def read_rating(text: str) -> float:
    """Return a rating or a rank (`1850`, `6d`, `12k`, `9p`, `3d?`) as a number; NaN if it is neither."""
    found = _RATING.match(text)
    if found is None:
        return UNKNOWN
    number, letter = float(found[1]), found[2].lower()
    if letter == "k":
        return FIRST_KYU - RANK * (number - 1)
    if letter == "d":
        return FIRST_DAN + RANK * (number - 1)
    if letter == "p":
        return FIRST_PROFESSIONAL + PROFESSIONAL_RANK * (number - 1)
    return number


def wanted_rating(text: str) -> float:
    """Return the rating that a person asks for."""
    rating = read_rating(text)
    if math.isnan(rating):
        raise ForethoughtError(f"'{text}' is no rating; write it as 1850, 6d, 12k or 9p.")
    return rating
