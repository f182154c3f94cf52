"""Patterns as text, for files, and as drawings, for people.

The text is the anchor, then each element with its offset: `to f@1,0 !e@2,0` has a friend to the right of the target and
behind it anything but an enemy. `o@-1,-1` is the offset of the move's origin. The letters are `-` empty, `f` friend,
`e` enemy and `#` off the board; `!` means not.
"""

import re

from forethought.errors import ForethoughtError
from forethought.patterns.pattern import FROM, TO, Element, Offset, Pattern

LETTERS = "-fe#"
ANCHOR_WORDS = ("to", "from")
ORIGIN = "o"
_WORD = re.compile(r"(o|!?[-fe#])@(-?[0-9]{1,2}),(-?[0-9]{1,2})", re.ASCII)


def to_text(pattern: Pattern) -> str:
    """Write a pattern as text; `from_text` reads it."""
    words = [ANCHOR_WORDS[pattern.anchor]]
    if pattern.origin is not None:
        words.append(f"{ORIGIN}@{pattern.origin[0]},{pattern.origin[1]}")
    return " ".join(words + [f"{_sign(element)}@{element.right},{element.up}" for element in pattern.elements])


def from_text(text: str) -> Pattern:
    """Read a pattern as `to_text` writes it."""
    anchor, *words = text.split(" ")
    found = [_WORD.fullmatch(word) for word in words]
    if anchor not in ANCHOR_WORDS or None in found:
        raise ForethoughtError(f"'{text}' is no pattern; one looks like 'to f@1,0 !e@2,0'.")
    parts = [(match[1], (int(match[2]), int(match[3]))) for match in found if match]
    origins = [place for sign, place in parts if sign == ORIGIN]
    if len(origins) > 1:
        raise ForethoughtError(f"The pattern '{text}' has more than one origin; leave one.")
    elements = [
        Element(*place, LETTERS.index(sign[-1]), sign.startswith("!")) for sign, place in parts if sign != ORIGIN
    ]
    return Pattern(ANCHOR_WORDS.index(anchor), tuple(elements), *origins)


def draw(pattern: Pattern, tiling: str) -> str:
    """Draw a pattern for a terminal: [ ] is the target of the move, ( ) its origin, and a dot any other cell."""
    signs: dict[Offset, str] = {}
    for element in pattern.elements:
        place = element.right, element.up
        signs[place] = signs.get(place, "") + _sign(element)
    if pattern.anchor == TO:
        signs[0, 0] = f"[{signs.get((0, 0), ' ')}]"
    origin = (0, 0) if pattern.anchor == FROM else pattern.origin
    if origin is not None:
        signs[origin] = f"({signs.get(origin, ' ')})"
    return _drawn(signs, leaning=tiling == "hex")


def _drawn(signs: dict[Offset, str], leaning: bool) -> str:
    """Draw the smallest rectangle with all signs; on hexagons each row is half a cell to the right of the next."""
    columns, rows = ([place[axis] for place in signs] for axis in (0, 1))
    half = max(map(len, signs.values())) // 2 + 1
    lines = []
    for row in range(max(rows), min(rows) - 1, -1):
        cells = [signs.get((column, row), ".").center(2 * half) for column in range(min(columns), max(columns) + 1)]
        lean = half * (row - min(rows)) if leaning else 0
        lines.append((" " * lean + "".join(cells)).rstrip())
    return "\n".join(lines)


def _sign(element: Element) -> str:
    return "!" * element.negated + LETTERS[element.kind]
