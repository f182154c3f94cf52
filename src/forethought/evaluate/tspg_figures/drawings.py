"""The pictures of the TSPG paper's figures; what they show was computed before."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from forethought.evaluate.pictures import new_figure
from forethought.evaluate.tspg_figures.densities import WeightDensity
from forethought.evaluate.tspg_figures.entropies import EntropyCurve
from forethought.evaluate.tspg_figures.strength import PolicyStrength, SearchStrength, WinRate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = 6.4, 4.0  # inches


def draw_policy_strength(curves: Sequence[PolicyStrength], title: str) -> "Figure":
    """Draw Fig. 2: win rates against ce over games of self-play."""
    figure, axes = _panel(title)
    for curve in curves:
        means = [rate.mean for rate in curve.win_rates]
        arms = _arms(curve.win_rates)
        axes.errorbar(curve.checkpoints, means, yerr=arms, marker="o", capsize=3, label=f"{curve.policy} against ce")
    _win_rate_scale(axes)
    axes.set_xlabel("games of self-play")
    axes.legend()
    return figure


def draw_search_strength(rows: Sequence[SearchStrength], title: str) -> "Figure":
    """Draw Table I: win rates of biased tree search against UCT."""
    figure, axes = _panel(title)
    rates = [row.win_rate for row in rows]
    places = range(len(rows))
    axes.errorbar(places, [rate.mean for rate in rates], yerr=_arms(rates), fmt="o", capsize=5)
    axes.set_xticks(places, [f"play-outs by {row.playouts}" for row in rows])
    axes.set_xlim(-0.5, len(rows) - 0.5)
    _win_rate_scale(axes)
    return figure


def draw_entropies(curves: Sequence[EntropyCurve], title: str) -> "Figure":
    """Draw Fig. 3: normalised entropies over the time of a game, a standard deviation to either side."""
    figure, axes = _panel(title)
    for curve in curves:
        mean, deviation = np.array(curve.mean), np.array(curve.deviation)
        (line,) = axes.plot(curve.progress, mean, label=curve.name)
        low, high = np.maximum(mean - deviation, 0.0), np.minimum(mean + deviation, 1.0)
        axes.fill_between(curve.progress, low, high, color=line.get_color(), alpha=0.12, linewidth=0)
    axes.set(xlabel="turn / turns of the game", ylabel="normalised entropy", xlim=(0, 1), ylim=(0, 1.02))
    axes.legend()
    return figure


def draw_densities(densities: Sequence[WeightDensity], title: str) -> "Figure":
    """Draw Fig. 4: the densities of weights."""
    figure, axes = _panel(title)
    for one in densities:
        axes.plot(one.at, one.density, label=f"{one.policy}, standard deviation {one.deviation:.3f}")
    axes.set(xlabel="weight", ylabel="density", ylim=(0, None))
    axes.legend()
    return figure


def _panel(title: str) -> tuple["Figure", "Axes"]:
    figure = new_figure(*SIZE)
    axes = figure.subplots()
    axes.set_title(title)
    axes.grid(alpha=0.3)
    return figure, axes


def _win_rate_scale(axes: "Axes") -> None:
    axes.axhline(0.5, color="grey", linewidth=0.8)
    axes.set(ylim=(0, 1.02), ylabel="win rate (95 % over runs)")
    axes.yaxis.set_major_formatter("{x:.0%}")


def _arms(rates: Sequence[WinRate]) -> list[list[float]]:
    """Return how far intervals reach below and above their means; not at all where there is only one run."""
    below = [0.0 if rate.low is None else max(0.0, rate.mean - rate.low) for rate in rates]
    above = [0.0 if rate.high is None else max(0.0, rate.high - rate.mean) for rate in rates]
    return [below, above]
