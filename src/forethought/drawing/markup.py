"""HTML as text: elements whose contents are escaped, tables, and bars."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence

SOFT, IDEA = "#8a93a0", "#8e3b8a"
TABLE = "font-size:0.9em;font-variant-numeric:tabular-nums;border-collapse:collapse"
CELL = "padding:0.15em 0.7em;vertical-align:middle"
EMPTY = {"path", "circle", "ellipse", "line", "rect", "polyline"}  # elements without contents
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what HTML and XML do not allow


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def escaped(value: object) -> Markup:
    """Return text for HTML, in which nothing is a tag or ends an attribute."""
    return Markup(html.escape(_UNPRINTABLE.sub("\ufffd", str(value))))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """Return an element. Children that are no Markup are escaped; lists are taken apart, and None is nothing.

    In names of attributes `_` stands for `-`; an attribute that is None is left out.
    """
    given = "".join(
        f' {name.replace("_", "-")}="{escaped(f"{value:.6g}" if isinstance(value, float) else value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    inside = "".join(_flat(children))
    return Markup(f"<{tag}{given}/>" if tag in EMPTY else f"<{tag}{given}>{inside}</{tag}>")


def _flat(children: Iterable[object]) -> Iterator[str]:
    for child in children:
        if isinstance(child, list):
            yield from _flat(child)
        elif child is not None:
            yield child if isinstance(child, Markup) else escaped(child)


def block(title: object, *children: object) -> Markup:
    """Return a result: its title, and below it what it says."""
    return element("div", element("div", title, style="font-weight:600;margin:0.2em 0 0.4em"), *children)


def note(*children: object) -> Markup:
    """Return a line of small print."""
    return element("div", *children, style=f"color:{SOFT};font-size:0.9em;margin:0.3em 0")


def beside(*children: object) -> Markup:
    """Return things side by side, as far as there is room."""
    return element("div", *children, style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], left: Sequence[str] = ()) -> Markup:
    """Return a table; columns that are named in `left` hold words, the others numbers."""
    sides = [f"text-align:{'left' if column in left else 'right'};{CELL}" for column in columns]

    def row(tag: str, contents: Sequence[object]) -> Markup:
        return element("tr", [element(tag, one, style=side) for one, side in zip(contents, sides, strict=True)])

    body = element("tbody", [row("td", contents) for contents in rows])
    return element("table", element("thead", row("th", columns)), body, style=TABLE)


def bar(share: float) -> Markup:
    """Return a bar for a share, from 0 to 1."""
    width = 120.0 * min(max(share, 0.0), 1.0)
    ground = element("rect", width=120, height=10, rx=2, fill=SOFT, opacity=0.25)
    filled = element("rect", width=width, height=10, rx=2, fill=IDEA)
    return element("svg", ground, filled, viewBox="0 0 120 10", width=120, height=10)


def interval(low: float, high: float, value: float, ends: tuple[float, float]) -> Markup:
    """Return a value as a dot on the line of its interval; the picture goes from one of the ends to the other."""
    begin, span = ends[0], (ends[1] - ends[0]) or 1.0
    left, right, at = (5.0 + 140.0 * min(max((one - begin) / span, 0.0), 1.0) for one in (low, high, value))
    line = element("line", x1=left, x2=right, y1=7, y2=7, stroke="currentColor", stroke_width=2)
    return element("svg", line, element("circle", cx=at, cy=7, r=4, fill=IDEA), viewBox="0 0 150 14", width=150)
