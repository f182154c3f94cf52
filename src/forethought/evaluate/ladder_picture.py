"""A ladder as a picture: ratings with their intervals."""

from typing import TYPE_CHECKING

from forethought.evaluate.pictures import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from forethought.evaluate.ladder import Ladder


def draw_ladder(ladder: "Ladder") -> "Figure":
    """Draw a row for each player, the best on top."""
    figure = new_figure(8.0, 1.5 + 0.45 * len(ladder.standings))
    axes = figure.subplots()
    rows = list(range(len(ladder.standings), 0, -1))
    ratings = [standing.rating for standing in ladder.standings]
    below = [standing.rating - standing.low for standing in ladder.standings]
    above = [standing.high - standing.rating for standing in ladder.standings]
    axes.errorbar(ratings, rows, xerr=[_not_negative(below), _not_negative(above)], fmt="o", capsize=4)
    axes.set_yticks(rows, [standing.player for standing in ladder.standings])
    axes.set_xlabel(f"{ladder.unit} with 95 % interval; {ladder.reference}")
    axes.set_title(f"{ladder.game}, {ladder.matches[0].games:,} games per pair, seed {ladder.seed}")
    axes.grid(axis="x", alpha=0.3)
    return figure


def _not_negative(lengths: list[float]) -> list[float]:
    """A median of resamples may lie beside the rating itself, so that an arm would point backwards."""
    return [max(0.0, length) for length in lengths]
