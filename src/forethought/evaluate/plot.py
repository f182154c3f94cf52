"""A ladder as a picture: ratings with their intervals."""

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from forethought.errors import ForethoughtError
from forethought.evaluate.ladder import Ladder
from forethought.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check_picture(path: Path) -> None:
    """Complain before a long ladder is played, not after it."""
    if path.suffix.lower() != ".png":
        raise ForethoughtError(f"The picture {path} must end in .png.")
    if not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise ForethoughtError(f"The picture {path} cannot be written; name a file in a directory that is yours.")
    _new_figure(1)


def draw_ladder(ladder: Ladder, path: Path) -> None:
    """Write the picture: a row a player, best on top."""
    figure = _new_figure(len(ladder.standings))
    axes = figure.subplots()
    rows = range(len(ladder.standings), 0, -1)
    ratings = [standing.rating for standing in ladder.standings]
    below = [standing.rating - standing.low for standing in ladder.standings]
    above = [standing.high - standing.rating for standing in ladder.standings]
    axes.errorbar(ratings, list(rows), xerr=[_not_negative(below), _not_negative(above)], fmt="o", capsize=4)
    axes.set_yticks(list(rows), [standing.player for standing in ladder.standings])
    axes.set_xlabel(f"rating with 95 % interval; {ladder.anchor} fixed at 1500")
    axes.set_title(f"{ladder.game}, {ladder.matches[0].games:,} games a pair, seed {ladder.seed}")
    axes.grid(axis="x", alpha=0.3)
    content = io.BytesIO()
    figure.savefig(content, dpi=150, format="png")
    write_atomically(path, content.getvalue())


def _new_figure(rows: int) -> "Figure":
    """Return an empty figure. Made without pyplot, it needs no screen."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 (slow to import, and seldom wanted)
    except ImportError:
        raise ForethoughtError("Pictures need Matplotlib: pip install matplotlib.") from None
    return Figure(figsize=(8, 1.5 + 0.45 * rows), layout="constrained")


def _not_negative(lengths: list[float]) -> list[float]:
    """A median of resamples may lie beside the rating itself, so that an arm would point backwards."""
    return [max(0.0, length) for length in lengths]
