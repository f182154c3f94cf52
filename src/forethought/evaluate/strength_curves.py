"""Strength over time as a picture: planners over seconds per decision, learners over minutes of training."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from forethought.evaluate.pictures import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NASHCONV, SCORE = STRENGTHS = ("nashconv", "score")


@dataclass(frozen=True)
class StrengthPoint:
    """How strong somebody is who has so much time, with a 95 % interval where there is one."""

    label: str  # "1000 simulations", "iteration 12"
    seconds: float  # per decision, or of training
    strength: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class StrengthCurve:
    """A planner with several budgets, or a learner at its checkpoints."""

    name: str
    points: list[StrengthPoint]


def draw_strength(
    planners: Sequence[StrengthCurve], learners: Sequence[StrengthCurve], measured: str, title: str
) -> "Figure":
    """Draw both side by side, on the same scale of strength; or one of them, if there is no curve of the other."""
    both = [(planners, "seconds per decision", 1.0), (learners, "minutes of training", 60.0)]
    sides = [side for side in both if side[0]]
    figure = new_figure(5.5 * len(sides), 4.5)
    left, *_ = panels = figure.subplots(1, len(sides), sharey=True, squeeze=False)[0]
    for axes, (curves, label, size) in zip(panels, sides, strict=True):
        for one in curves:
            _draw(axes, one, size)
        axes.set(xlabel=label, xscale="log")
        axes.grid(alpha=0.3, which="both")
        axes.legend()
    left.set_ylabel(measured)
    if all(point.low is None and point.strength > 0.0 for curve in (*planners, *learners) for point in curve.points):
        left.set_yscale("log")  # NashConv
    figure.suptitle(title)
    return figure


def _draw(axes: "Axes", curve: StrengthCurve, size: float) -> None:
    points = [one for one in curve.points if one.seconds > 0.0]
    arms = [
        [one.strength - (one.strength if one.low is None else one.low) for one in points],
        [(one.strength if one.high is None else one.high) - one.strength for one in points],
    ]
    at = [one.seconds / size for one in points]
    axes.errorbar(at, [one.strength for one in points], yerr=arms, marker="o", capsize=3, label=curve.name)
