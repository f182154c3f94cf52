"""Positions of games, as the page draws them: boards with their pieces, cards, dice, chips and words; or text."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from forethought.board import NOWHERE, Board
from forethought.board.grids import centre
from forethought.drawing.markup import IDEA, SOFT, Markup, beside, element

UNIT = 44.0  # from cell to cell
MARGIN = 0.8 * UNIT
RADIUS = UNIT / math.sqrt(3)  # of a hexagon whose neighbours are a unit away
PLAYERS = ("#1f5f99", "#e8a317")
GROUND, PAPER, INK, BACK = "#ebe7dc", "#fffefb", "#1d2733", "#4a86b8"
SUITS = {"s": "\u2660", "h": "\u2665", "d": "\u2666", "c": "\u2663"}
RED = ("h", "d")
PIPS = ((), (4,), (0, 8), (0, 4, 8), (0, 2, 6, 8), (0, 2, 4, 6, 8), (0, 2, 3, 5, 6, 8))  # on a grid of three by three
PILE, MOST_PILED = 4.2, 5  # the height of a point in cells, and how many pieces of its pile are drawn
MOST_DISCS = 8  # of a pile of chips; higher ones are drawn alike

Items = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class PositionView:
    """What an observer sees of a position: plain data, which draws itself."""

    text: str
    board: Board | None = None
    pieces: Sequence[int] = ()  # [cells] 1 + the player who has a piece there, or 0
    items: Items | None = None  # as the rule `draw` lists them

    def html(self, shares: Mapping[int, float] | None = None) -> Markup:
        """Draw it, and on a board how large a share each action has, from 0 to 1."""
        drawn = [_board(self.board, self.pieces, shares or {})] if self.board is not None else []
        if any(item.get("kind") in DRAW for item in self.items or ()):
            drawn.append(_table_top(self.items or ()))
        return element("div", drawn) if drawn else element("pre", self.text)

    def _repr_html_(self) -> str:
        return self.html()


# Boards


def _board(board: Board, pieces: Sequence[int], shares: Mapping[int, float]) -> Markup:
    places = [centre(board.grid.tiling, *place) for place in board.grid.places]
    spots = [(UNIT * x, -UNIT * y) for x, y in places]
    left, top = min(x for x, _ in spots) - MARGIN, min(y for _, y in spots) - MARGIN
    width, height = max(x for x, _ in spots) + MARGIN - left, max(y for _, y in spots) + MARGIN - top
    heat = _heat(board, pieces, shares)
    lines = [_road(spots[a], spots[b]) for a, b in board.lines]
    cells = [
        _cell(board, board.grid.name(cell), spot, pieces[cell], heat.get(cell, 0.0)) for cell, spot in enumerate(spots)
    ]
    box = f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}"
    return element("svg", lines, cells, viewBox=box, width=min(width, 460.0), role="img")


def _cell(board: Board, name: str, spot: tuple[float, float], owner: int, heat: float) -> Markup:
    x, y = spot
    outline = _outline(board.drawn_as, x, y)
    parts = [element("title", name)]
    if board.drawn_as != "point":
        parts.append(element("path", d=outline, fill=GROUND))
    if heat > 0.0:
        parts.append(element("path", d=outline, fill=IDEA, opacity=0.85 * heat))
    return element("g", parts, _piece(x, y, owner - 1) if owner else None)


def _piece(x: float, y: float, player: int) -> list[Markup]:
    """Draw a piece; a ring besides the colour tells the players apart."""
    disc = element("circle", cx=x, cy=y, r=0.38 * UNIT, fill=PLAYERS[player])
    ring = element("circle", cx=x, cy=y, r=0.2 * UNIT, fill="none", stroke="#7a4f00", stroke_width=3.5)
    return [disc, ring] if player == len(PLAYERS) - 1 else [disc]


def _outline(tiling: str, x: float, y: float) -> str:
    if tiling == "hex":
        turns = [math.pi / 6 + math.pi / 3 * n for n in range(6)]
        corners = [(x + (RADIUS - 1.5) * math.cos(turn), y + (RADIUS - 1.5) * math.sin(turn)) for turn in turns]
    else:
        half = UNIT / 2 - 0.75
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    return "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in corners) + "Z"


def _road(a: tuple[float, float], b: tuple[float, float]) -> Markup:
    return element("line", x1=a[0], y1=a[1], x2=b[0], y2=b[1], stroke=SOFT, stroke_width=1.5)


def _heat(board: Board, pieces: Sequence[int], shares: Mapping[int, float]) -> dict[int, float]:
    """Return how warm each cell is: the share of what goes there, of the largest there is."""
    found: dict[int, float] = {}
    for action, share in shares.items():
        target = int(board.targets[action])
        if target != NOWHERE:
            cell = board.resting_cell(target, pieces)
            found[cell] = found.get(cell, 0.0) + share
    largest = max(found.values(), default=0.0)
    return {cell: share / largest for cell, share in found.items()} if largest > 0.0 else {}


# Cards and the like


def _table_top(items: Items) -> Markup:
    """Draw items, those of one seat together."""
    seats = groupby((item for item in items if item.get("kind") in DRAW), key=lambda item: item.get("seat"))
    return element("div", [_seat(seat, list(held)) for seat, held in seats])


def _seat(seat: int | None, items: Items) -> Markup:
    colour = SOFT if seat is None or seat >= len(PLAYERS) else PLAYERS[seat]
    drawn = [
        element("div", element("div", item.get("label", ""), style=f"color:{SOFT}"), DRAW[item["kind"]](item))
        for item in items
    ]
    return element("div", beside(drawn), style=f"border-left:4px solid {colour};padding:0.2em 0.8em;margin:0.4em 0")


def _cards(item: Mapping[str, Any]) -> Markup:
    return element("div", [_card(card) for card in item["cards"]], style="display:flex;gap:0.4em;flex-wrap:wrap")


def _card(card: Mapping[str, Any]) -> Markup:
    box = "width:2.4em;height:3.3em;border:1px solid #c9c6bd;border-radius:6px;text-align:center;padding-top:0.5em"
    if card.get("hidden"):
        return element("div", "\u00a0", style=f"{box};background:{BACK}", title="a card face down")
    colour = "#b3261e" if card.get("suit") in RED else INK
    faded = ";opacity:0.35" if card.get("used") else ""
    face = f"{card.get('text', '')} {SUITS.get(card.get('suit', ''), '')}"
    return element("div", face, style=f"{box};background:{PAPER};color:{colour};font-weight:600{faded}")


def _dice(item: Mapping[str, Any]) -> Markup:
    return element("div", [_die(face) for face in item["dice"]], style="display:flex;gap:0.4em")


def _die(face: int | None) -> Markup:
    ground = element("rect", x=1, y=1, width=48, height=48, rx=9, fill=BACK if face is None else PAPER, stroke=SOFT)
    if face is None:
        marks = [element("text", "?", x=25, y=33, text_anchor="middle", font_size=24, fill=PAPER)]
    elif 0 <= face < len(PIPS):
        spots = [(11 + 14 * (pip % 3), 11 + 14 * (pip // 3)) for pip in PIPS[face]]
        marks = [element("circle", cx=x, cy=y, r=4.2, fill=INK) for x, y in spots]
    else:
        marks = [element("text", face, x=25, y=33, text_anchor="middle", font_size=20, fill=INK)]
    return element("svg", ground, marks, viewBox="0 0 50 50", width=40)


def _chips(item: Mapping[str, Any]) -> Markup:
    height = min(MOST_DISCS, max(0, math.ceil(item["amount"])))
    discs = [
        element("ellipse", cx=20, cy=5 * (height - n) + 4, rx=17, ry=7, fill="#009e73", stroke=PAPER)
        for n in range(height)
    ]
    pile = element("svg", discs, viewBox=f"0 0 40 {5 * height + 14}", width=34)
    return element("div", pile, " ", element("strong", f"{item['amount']:g}"))


def _words(item: Mapping[str, Any]) -> Markup:
    return element("div", item["text"], style="white-space:pre-line")


def _score(item: Mapping[str, Any]) -> Markup:
    return element("strong", f"{item['amount']:g}")


def _points(item: Mapping[str, Any]) -> Markup:
    """Draw two rows of points that face each other, with piles of pieces; of a high pile, the number."""
    top, bottom = item["rows"]
    height = (2 * PILE + 0.4) * UNIT
    drawn = [
        _point(point, place, edge) for row, edge in ((top, 0.0), (bottom, height)) for place, point in enumerate(row)
    ]
    box = f"0 {-0.6 * UNIT:.1f} {UNIT * len(top):.1f} {height + 1.2 * UNIT:.1f}"
    return element("svg", drawn, viewBox=box, width=560, role="img")


def _point(point: Mapping[str, Any], place: int, edge: float) -> Markup:
    """Draw a point whose pile begins at an edge, the upper one at 0."""
    x, inwards = UNIT * (place + 0.5), 1.0 if edge == 0.0 else -1.0
    end, side, count = edge + inwards * PILE * UNIT, UNIT / 2 - 1.5, int(point.get("count", 0))
    wedge = f"M{x - side:.1f} {edge:.1f}L{x:.1f} {end:.1f}L{x + side:.1f} {edge:.1f}Z"
    ground = element("rect", x=x - UNIT / 2, y=min(edge, end), width=UNIT, height=PILE * UNIT, fill=GROUND)
    parts = [ground, None if point.get("plain") else element("path", d=wedge, fill=SOFT, opacity=0.35)]
    spots = [edge + inwards * UNIT * (0.42 + 0.8 * n) for n in range(min(count, MOST_PILED))]
    parts += [part for y in spots for part in _piece(x, y, int(point.get("owner") or 0))]
    if count > MOST_PILED:
        parts.append(_written(count, x, spots[-1] + 6, PAPER))
    parts.append(_written(point["name"], x, edge - inwards * 0.3 * UNIT + 5, "currentColor"))
    return element("g", parts)


def _written(text: object, x: float, y: float, colour: str) -> Markup:
    return element("text", text, x=x, y=y, text_anchor="middle", font_size=16, fill=colour)


DRAW: dict[str, Callable[[Mapping[str, Any]], Markup]] = {
    "cards": _cards,
    "dice": _dice,
    "chips": _chips,
    "words": _words,
    "score": _score,
    "points": _points,
}
