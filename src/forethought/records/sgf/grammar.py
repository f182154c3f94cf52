"""The text of SGF: collections of trees of nodes, of which only main lines are read.

A file is read through a window. Of each tree the text up to its first closing parenthesis is kept: that is its main
line, however deep its variations nest. So neither the number of games nor variations cost memory.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from forethought.records.window import LONGEST_GAME, Window

_START = re.compile(rb"\(\s{0,64};")
_LONGEST_START = 66  # bytes
# A value in brackets, in which a backslash takes the next byte as it is, or else a parenthesis or an open bracket.
_BORDER = re.compile(rb"\[(?:[^\]\\]++|\\.)*+\]|[()\[]", re.DOTALL)
_PIECE = re.compile(rb";|([A-Za-z]++)|\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_LOWER = bytes(range(ord("a"), ord("z") + 1))  # older files wrote `Black` for `B`
_ESCAPE = re.compile(r"\\(?:\r\n|\n\r|\n|\r|(.))", re.DOTALL)
_ENCODINGS = re.compile(r"utf-8|ascii|iso8859|cp\d|gb|big5|euc|shift_jis|koi8|johab")  # in which brackets are brackets
LONGEST_TEXT = 1000  # bytes of a name or a result

Node = dict[bytes, list[bytes]]  # values by property, as they stand in the file


class MainLine(NamedTuple):
    """The main line of a tree as text, or why there is none."""

    text: bytes
    problem: str = ""


def main_lines(file: BinaryIO) -> Iterator[MainLine]:
    """Yield the main lines of all trees of a file; what stands between trees is passed over."""
    window, place = Window(file), 0
    while True:
        found = _START.search(window.data, place)
        if found is not None:
            line, place = _main_line(window, found.start())
            yield line
        elif window.ended:
            return
        else:
            window.move(max(place, len(window.data) - _LONGEST_START))
            place = 0


def _main_line(window: Window, start: int) -> tuple[MainLine, int]:
    """Return the main line of the tree that starts here, and the place after the tree."""
    depth, place, text = 0, start, b""
    while True:
        for border in _BORDER.finditer(window.data, place):
            mark = window.data[border.start() : border.end()]
            if mark == b"[":  # the value goes on beyond the window
                place = border.start()
                break
            place = border.end()
            if mark == b")":
                text = text or window.data[start:place]
            depth += (mark == b"(") - (mark == b")")
            if depth == 0:
                return MainLine(text), place
        else:
            place = len(window.data)
        if window.ended:
            return MainLine(text or window.data[start:], "the file ends in the middle of it"), len(window.data)
        kept = place if text else start
        if len(window.data) - kept > LONGEST_GAME:
            return MainLine(b"", f"it is longer than {LONGEST_GAME >> 20} megabytes"), place + 1
        window.move(kept)
        start, place = start - kept, place - kept


def nodes_of(text: bytes) -> list[Node]:
    """Return the nodes of a main line."""
    nodes: list[Node] = []
    values: list[bytes] = []
    for piece in _PIECE.finditer(text):
        kind = piece.lastindex
        if kind == 2:
            values.append(piece[2])
        elif kind is None:
            nodes.append({})
        elif nodes:
            name = piece[1] if piece[1].isupper() else piece[1].translate(None, _LOWER)
            values = nodes[-1].setdefault(name, [])
    return nodes


def text_of(node: Mapping[bytes, list[bytes]], name: bytes, encoding: str) -> str:
    """Return the first value of a property as text; empty if the node has none."""
    values = node.get(name)
    return unescaped(values[0][:LONGEST_TEXT].decode(encoding, "replace")).strip() if values else ""


def encoding_of(root: Node) -> str:
    """Return the encoding that a game declares, or else the one in which all of its values can be read."""
    declared = b"".join(root.get(b"CA", [])).decode("ascii", "replace").strip()
    with suppress(LookupError, ValueError):
        found = codecs.lookup(declared).name
        if _ENCODINGS.match(found):
            return found
    try:
        b"".join(value for values in root.values() for value in values).decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"  # the standard's default
    return "utf-8"


def unescaped(text: str) -> str:
    """Return a value without its backslashes; one at the end of a line joins it with the next."""
    return _ESCAPE.sub(lambda found: found[1] or "", text) if "\\" in text else text


def escaped(text: str) -> str:
    """Return a text as a value."""
    return re.sub(r"([\]\\:])", r"\\\1", text)
