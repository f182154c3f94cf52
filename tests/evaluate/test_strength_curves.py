"""Pictures of strength over time have a side for planners, one for learners, or one of them."""

import pytest

from forethought.evaluate.strength_curves import StrengthCurve, StrengthPoint, draw_strength

CURVE = StrengthCurve("mmd", [StrengthPoint("iteration 1", 6.0, 0.5, None, None)])


@pytest.mark.parametrize(
    ("planners", "learners", "labels"),
    [
        ([CURVE], [CURVE], ["seconds per decision", "minutes of training"]),
        ([CURVE], [], ["seconds per decision"]),
        ([], [CURVE], ["minutes of training"]),
    ],
)
def test_only_sides_with_curves_are_drawn(
    planners: list[StrengthCurve], learners: list[StrengthCurve], labels: list[str]
) -> None:
    axes = draw_strength(planners, learners, "NashConv", "kuhn").axes
    assert [one.get_xlabel() for one in axes] == labels
    assert axes[0].get_ylabel() == "NashConv"
