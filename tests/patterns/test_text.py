"""Patterns in words and drawings."""

import numpy as np
import pytest

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.patterns.pattern import EMPTY, ENEMY, FRIEND, FROM, OFF, TO, Element, Pattern
from forethought.patterns.text import draw, from_text, to_text
from tests.patterns.samples import random_pattern

LINE = Pattern(TO, (Element(1, 0, FRIEND, False), Element(2, 0, ENEMY, True)))


def test_words_say_what_a_pattern_is():
    assert to_text(LINE) == "to f@1,0 !e@2,0"
    assert to_text(Pattern(FROM, (Element(0, -1, OFF, False), Element(0, 0, EMPTY, True)))) == "from #@0,-1 !-@0,0"
    assert to_text(Pattern(TO, (), (-1, -2))) == "to o@-1,-2"


def test_words_are_read_as_they_were_written():
    board = load("teeko", compiled=False).board
    rng = np.random.default_rng(1)
    patterns = [random_pattern(rng, board) for _ in range(200)]
    assert [from_text(to_text(pattern)) for pattern in patterns] == patterns
    assert {pattern.origin is None for pattern in patterns} == {True, False}
    words = [to_text(pattern) for pattern in patterns]
    assert [to_text(from_text(text)) for text in words] == words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "at f@1,0",
        "f@1,0",
        "to f@1",
        "to f@1,0,0",
        "to ff@1,0",
        "to x@1,0",
        "to !o@1,0",
        "to  f@1,0",
        "to f@1,0 ",
        "to f@1000,0",
        "to f@+1,0",
        "to\nf@1,0",
        "to o@1,0 o@0,1",
        "from o@1,0",
        "to f@1,0 e@1,0",
    ],
)
def test_other_words_are_refused(text):
    with pytest.raises(ForethoughtError):
        from_text(text)


def test_a_drawing_marks_the_target_and_what_is_around_it():
    assert draw(from_text("to f@1,0 !e@2,0 -@0,1 #@-1,-1"), "square").splitlines() == [
        " .   -   .   .",
        " .  [ ]  f   !e",
        " #   .   .   .",
    ]


def test_a_drawing_marks_the_origin():
    assert draw(from_text("to o@-1,-1 e@0,0"), "square").splitlines() == [" .  [e]", "( )  ."]
    assert draw(from_text("from f@1,0"), "square").splitlines() == ["( )  f"]


def test_two_signs_of_one_cell_stand_together():
    assert "[!f!e]" in draw(from_text("to !f@0,0 !e@0,0 f@1,1"), "point")


def test_hexagons_lean_to_the_right():
    """As on the board: the cell above is half a cell to the right."""
    lines = draw(from_text("to f@0,1 e@0,-1 e@1,-1"), "hex").splitlines()
    assert [line.strip() for line in lines] == ["f   .", "[ ]  .", "e   e"]
    columns = [lines[0].index("f"), lines[1].index("[") + 1, lines[2].index("e")]
    assert columns[0] - columns[1] == columns[1] - columns[2] > 0
