"""A pattern: what the cells around a move must be, as the player who moves sees them.

It is anchored at the cell that the move goes to or at the one that it comes from, and may specify both: then it is
anchored at the target, and `origin` is the offset of the cell that the move comes from. A pattern is active for a move
if it holds in any rotation or reflection of the tiling, whether or not the rules of the game are symmetric.

A cell is EMPTY, FRIEND, ENEMY, or OFF the board. An element requires one of these or, negated, any other; so beyond the
edge no cell is empty, and every cell is "not empty".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from forethought.board.grids import EIGHT_WAYS, SIX_WAYS
from forethought.errors import ForethoughtError

EMPTY, FRIEND, ENEMY, OFF = KINDS = range(4)
TO, FROM = ANCHORS = range(2)
ANYTHING = 0b1111  # all four kinds are allowed

Offset = tuple[int, int]  # to the right, and up
Turn = tuple[Offset, Offset]  # a matrix that maps offsets (right, up)


class Element(NamedTuple):
    """One cell and what it must be, or with `negated` must not be."""

    right: int
    up: int
    kind: int
    negated: bool

    @property
    def allowed(self) -> int:
        """What the cell may be, a bit for each kind."""
        return ANYTHING & ~(1 << self.kind) if self.negated else 1 << self.kind


@dataclass(frozen=True)
class Pattern:
    """Elements around an anchor, always in their simplest form: equivalent patterns are equal."""

    anchor: int
    elements: tuple[Element, ...] = ()
    origin: Offset | None = None

    def __post_init__(self) -> None:
        if self.origin is not None and self.anchor != TO:
            raise ForethoughtError("Only a pattern anchored at the target of a move can say where its origin is.")
        object.__setattr__(self, "elements", tuple(_simplest(self.elements)))

    def __lt__(self, other: "Pattern") -> bool:
        return self._order < other._order

    @property
    def _order(self) -> tuple[int, tuple[Element, ...], tuple[int, ...]]:
        return self.anchor, self.elements, self.origin or ()

    @property
    def allowed(self) -> dict[Offset, int]:
        """What each cell of the pattern may be, a bit for each kind."""
        return _allowed(self.elements)


def _allowed(elements: Iterable[Element]) -> dict[Offset, int]:
    found: dict[Offset, int] = {}
    for element in elements:
        place = element.right, element.up
        found[place] = found.get(place, ANYTHING) & element.allowed
    return found


def _simplest(elements: Iterable[Element]) -> Iterator[Element]:
    """Yield the fewest equivalent elements in order: one kind where only it is allowed, otherwise what is excluded."""
    for (right, up), allowed in sorted(_allowed(elements).items()):
        kinds = [kind for kind in KINDS if allowed >> kind & 1]
        if not kinds:
            raise ForethoughtError(f"A pattern asks for two things at once of the cell at {right},{up}; leave one out.")
        if len(kinds) == 1:
            yield Element(right, up, kinds[0], False)
        else:
            yield from (Element(right, up, kind, True) for kind in KINDS if kind not in kinds)


@cache
def turns(tiling: str) -> tuple[Turn, ...]:
    """Return all rotations and reflections of a tiling, the identity first: 8 of squares and points, 12 of hexagons."""
    ways = SIX_WAYS if tiling == "hex" else EIGHT_WAYS
    quarter = 1 if tiling == "hex" else 2
    found = []
    for sense in (1, -1):
        for turn in range(0, len(ways), quarter):
            right, up = (ways[(sense * ways.index(way) + turn) % len(ways)] for way in ((1, 0), (0, 1)))
            found.append(((right[0], up[0]), (right[1], up[1])))
    return tuple(found)


def turned(offset: Offset, turn: Turn) -> Offset:
    (a, b), (c, d) = turn
    right, up = offset
    return a * right + b * up, c * right + d * up


def images(pattern: Pattern, tiling: str) -> list[Pattern]:
    """List the distinct rotations and reflections of a pattern, itself first."""
    return list(dict.fromkeys(_image(pattern, turn) for turn in turns(tiling)))


def canonical(pattern: Pattern, tiling: str) -> Pattern:
    """Return the smallest image; it is the same for all images of a pattern."""
    return min(images(pattern, tiling))


def _image(pattern: Pattern, turn: Turn) -> Pattern:
    elements = [Element(*turned((e.right, e.up), turn), e.kind, e.negated) for e in pattern.elements]
    origin = None if pattern.origin is None else turned(pattern.origin, turn)
    return Pattern(pattern.anchor, tuple(elements), origin)


def combined(one: Pattern, other: Pattern, origin: Offset | None = None) -> Pattern:
    """Return the pattern that requires both; `origin` is needed if their anchors differ."""
    if one.anchor == other.anchor:
        origins = {one.origin, other.origin} - {None}
        if len(origins) > 1:
            raise ForethoughtError("Patterns that place the origin of a move differently cannot be combined.")
        return Pattern(one.anchor, one.elements + other.elements, *origins)
    if origin is None or {one.origin, other.origin} - {None, origin}:
        raise ForethoughtError("To combine patterns around a target and an origin, say where the origin lies.")
    return Pattern(TO, _seen_from_target(one, origin) + _seen_from_target(other, origin), origin)


def _seen_from_target(pattern: Pattern, origin: Offset) -> tuple[Element, ...]:
    if pattern.anchor == TO:
        return pattern.elements
    return tuple(e._replace(right=e.right + origin[0], up=e.up + origin[1]) for e in pattern.elements)
