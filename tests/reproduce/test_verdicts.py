"""The verdict rule, case by case."""

import pytest

from forethought.reproduce.verdicts import (
    HIGHER,
    LOWER,
    NEITHER,
    NOT_COMPARABLE,
    REPRODUCED,
    STRONGER,
    WEAKER,
    RowVerdict,
    Span,
    Terms,
    judged,
)

PRINTED = Span(0.66, 0.65, 0.67)
ABOVE_HALF, BELOW_ONE = Span(low=0.5), Span(high=1.0)


@pytest.mark.parametrize(
    ("printed", "ours", "better", "word"),
    [
        (PRINTED, Span(0.66, 0.60, 0.72), HIGHER, REPRODUCED),
        (PRINTED, Span(0.69, 0.67, 0.71), HIGHER, REPRODUCED),  # the ends touch
        (PRINTED, Span(0.70, 0.68, 0.72), HIGHER, STRONGER),
        (PRINTED, Span(0.62, 0.60, 0.64), HIGHER, WEAKER),
        (PRINTED, Span(0.70, 0.68, 0.72), LOWER, WEAKER),
        (PRINTED, Span(0.62, 0.60, 0.64), LOWER, STRONGER),
        (Span(0.06), Span(0.07, 0.05, 0.09), LOWER, REPRODUCED),  # without an interval the value itself is met or not
        (Span(0.06), Span(0.09, 0.08, 0.10), LOWER, WEAKER),
        (PRINTED, Span(0.66, 0.60, 0.72), NEITHER, REPRODUCED),
        (PRINTED, Span(0.70, 0.68, 0.72), NEITHER, NOT_COMPARABLE),
        (PRINTED, Span(0.62, 0.60, 0.64), NEITHER, NOT_COMPARABLE),
        (PRINTED, Span(0.66, 0.40, 0.92), HIGHER, NOT_COMPARABLE),  # too wide
        (PRINTED, Span(0.66), HIGHER, NOT_COMPARABLE),
        (Span(), Span(0.66, 0.60, 0.72), HIGHER, NOT_COMPARABLE),
        (ABOVE_HALF, Span(0.60, 0.52, 0.68), HIGHER, REPRODUCED),
        (ABOVE_HALF, Span(0.75, 0.52, 0.98), HIGHER, REPRODUCED),  # wide, but it decides the direction
        (ABOVE_HALF, Span(0.52, 0.48, 0.56), HIGHER, NOT_COMPARABLE),
        (ABOVE_HALF, Span(0.40, 0.35, 0.45), HIGHER, WEAKER),
        (BELOW_ONE, Span(0.40, 0.35, 0.45), LOWER, REPRODUCED),
        (BELOW_ONE, Span(1.40, 1.35, 1.45), LOWER, WEAKER),
    ],
)
def test_intervals_decide(printed: Span, ours: Span, better: str, word: str) -> None:
    assert judged(printed, ours, Terms(better, 0.1)).word == word


def test_less_work_than_the_papers_excuses_weaker_results_only() -> None:
    terms = Terms(HIGHER, 0.1, lesser="10 iterations were trained, not 100")
    weaker = judged(PRINTED, Span(0.62, 0.60, 0.64), terms)
    assert weaker == RowVerdict(NOT_COMPARABLE, "weaker, and 10 iterations were trained, not 100")
    assert judged(ABOVE_HALF, Span(0.40, 0.35, 0.45), terms).word == NOT_COMPARABLE
    assert judged(PRINTED, Span(0.70, 0.68, 0.72), terms).word == STRONGER
    assert judged(PRINTED, Span(0.66, 0.60, 0.72), terms).word == REPRODUCED


def test_why_is_said() -> None:
    assert (
        str(judged(PRINTED, PRINTED, Terms(HIGHER, 0.1, incomparable="other rules"))) == "not comparable: other rules"
    )
    assert judged(PRINTED, Span(0.66), Terms(HIGHER, 0.1)).why == "a single value has no interval"
    assert (
        judged(PRINTED, Span(0.6, 0.3, 0.9), Terms(HIGHER, 0.1)).why == "our interval is wider than 0.1 to either side"
    )
    assert str(judged(PRINTED, PRINTED, Terms(HIGHER, 0.1))) == REPRODUCED
