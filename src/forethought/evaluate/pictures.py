"""Pictures as files: figures that need no screen, written as PNG or SVG."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from forethought.errors import ForethoughtError
from forethought.files import check_can_write, write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PNG, SVG = KINDS = ("png", "svg")


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of a size in inches. Made without pyplot, it needs no screen."""
    from matplotlib.figure import Figure  # noqa: PLC0415 (slow to import, and seldom wanted)

    return Figure(figsize=(width, height), layout="constrained")


def picture_bytes(figure: "Figure", kind: str) -> bytes:
    """Return a figure as PNG or SVG; the same figure always as the same bytes. An SVG's words stay words."""
    import matplotlib as mpl  # noqa: PLC0415

    content = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "forethought"}):
        figure.savefig(content, format=kind, dpi=150, metadata={"Date": None} if kind == SVG else None)
    return content.getvalue()


def save_figure(figure: "Figure", path: str | Path) -> Path:
    """Write a figure as what the end of the file's name says; return its path."""
    file = check_picture_file(path)
    write_atomically(file, picture_bytes(figure, _kind_of(file)))
    return file


def check_picture_file(name: str | Path) -> Path:
    """Return the path of a picture; complain before the work for it is done if none can be written there."""
    path = Path(name)
    if _kind_of(path) not in KINDS:
        raise ForethoughtError(f"The picture {path} must end in .png or .svg.")
    check_can_write(path, "picture")
    return path


def _kind_of(path: Path) -> str:
    return path.suffix.lower().removeprefix(".")
