"""Patterns: their simplest form, turned, reflected, joined."""

import numpy as np
import pytest

from forethought.board import make_board, placements, rhombus_grid, square_grid
from forethought.errors import ForethoughtError
from forethought.patterns.pattern import (
    EMPTY,
    ENEMY,
    FRIEND,
    FROM,
    KINDS,
    OFF,
    TO,
    Element,
    Pattern,
    canonical,
    combined,
    images,
    turned,
    turns,
)
from tests.naive.patterns import turned_offsets, turned_patterns
from tests.patterns.samples import random_pattern

TILINGS = ("square", "hex", "point")
HERE = (0, 0)


def at_anchor(*said: tuple[int, bool]) -> list[tuple[int, bool]]:
    """Say things of the anchor's cell; return what is left of them."""
    elements = Pattern(TO, tuple(Element(*HERE, kind, negated) for kind, negated in said)).elements
    return [(element.kind, element.negated) for element in elements]


def random_patterns(tiling: str, count: int = 50) -> list[Pattern]:
    grid = rhombus_grid(3) if tiling == "hex" else square_grid(3, 3)
    board = make_board(grid, placements(grid))
    rng = np.random.default_rng(1)
    return [random_pattern(rng, board) for _ in range(count)]


def test_what_goes_without_saying_is_not_said():
    assert at_anchor((EMPTY, False), (FRIEND, True), (ENEMY, True), (OFF, True)) == [(EMPTY, False)]
    assert at_anchor((OFF, False), (EMPTY, True)) == [(OFF, False)]
    assert at_anchor((FRIEND, False), (FRIEND, False)) == [(FRIEND, False)]
    assert at_anchor((ENEMY, True), (FRIEND, True)) == [(FRIEND, True), (ENEMY, True)]
    assert at_anchor((OFF, True), (ENEMY, True), (FRIEND, True)) == [(EMPTY, False)]


def test_two_things_at_once_are_refused():
    with pytest.raises(ForethoughtError, match="two things at once of the cell at 0,0"):
        at_anchor((EMPTY, False), (FRIEND, False))
    with pytest.raises(ForethoughtError, match="two things at once"):
        at_anchor(*((kind, True) for kind in KINDS))


def test_elements_come_in_order_however_given():
    elements = (Element(1, 0, FRIEND, False), Element(0, 2, OFF, True), Element(-1, 0, ENEMY, True))
    assert Pattern(TO, elements) == Pattern(TO, elements[::-1])
    assert Pattern(TO, elements).elements == tuple(sorted(elements))


def test_patterns_with_and_without_an_origin_can_be_sorted():
    patterns = [Pattern(FROM), Pattern(TO, (), (1, 0)), Pattern(TO)]
    assert sorted(patterns) == [patterns[2], patterns[1], patterns[0]]


def test_only_a_target_is_seen_with_its_origin():
    with pytest.raises(ForethoughtError, match="anchored at the target"):
        Pattern(FROM, (), (1, 0))


@pytest.mark.parametrize("tiling", TILINGS)
def test_turns_are_those_done_by_hand(tiling):
    found = turns(tiling)
    assert len(set(found)) == len(found) == (12 if tiling == "hex" else 8)
    assert found[0] == ((1, 0), (0, 1))
    for offset in ((1, 0), (2, 1), (-3, 2)):
        assert {turned(offset, turn) for turn in found} == set(turned_offsets(offset, tiling))


@pytest.mark.parametrize("tiling", TILINGS)
def test_images_are_those_made_by_hand(tiling):
    for pattern in random_patterns(tiling):
        found = images(pattern, tiling)
        assert found[0] == pattern
        assert len(set(found)) == len(found)
        assert set(found) == set(turned_patterns(pattern, tiling))


@pytest.mark.parametrize("tiling", TILINGS)
def test_all_images_have_the_same_canonical_form_which_is_one_of_them(tiling):
    for pattern in random_patterns(tiling):
        found = images(pattern, tiling)
        assert {canonical(image, tiling) for image in found} == {canonical(pattern, tiling)}
        assert canonical(pattern, tiling) in found


def test_patterns_that_are_no_images_of_each_other_differ_in_canonical_form():
    bent, straight = ((Element(1, 0, FRIEND, False), Element(*at, ENEMY, False)) for at in ((0, 1), (-1, 0)))
    assert canonical(Pattern(TO, bent), "square") != canonical(Pattern(TO, straight), "square")
    assert canonical(Pattern(TO, bent), "square") != canonical(Pattern(FROM, bent), "square")


def test_an_origin_turns_with_the_rest():
    pattern = Pattern(TO, (Element(1, 0, FRIEND, False),), (1, 1))
    image = next(image for image in images(pattern, "square") if image.elements[0][:2] == (0, 1))
    assert image.origin in ((1, 1), (-1, 1))
    assert len(images(pattern, "square")) == 8
    assert len(images(Pattern(TO, (), (1, 1)), "square")) == 4


FRIEND_RIGHT, ENEMY_ABOVE = (Element(1, 0, FRIEND, False),), (Element(0, 1, ENEMY, False),)


def test_both_are_asked_for_around_the_same_anchor():
    assert combined(Pattern(TO, FRIEND_RIGHT), Pattern(TO, ENEMY_ABOVE)) == Pattern(TO, FRIEND_RIGHT + ENEMY_ABOVE)
    assert combined(Pattern(FROM, FRIEND_RIGHT), Pattern(FROM), (2, 2)) == Pattern(FROM, FRIEND_RIGHT)
    with_origin = combined(Pattern(TO, FRIEND_RIGHT), Pattern(TO, (), (2, 1)))
    assert with_origin == Pattern(TO, FRIEND_RIGHT, (2, 1))


def test_what_is_seen_from_the_origin_moves_to_the_frame_of_the_target():
    both = combined(Pattern(FROM, FRIEND_RIGHT), Pattern(TO, ENEMY_ABOVE), (-1, -2))
    assert both == Pattern(TO, (*ENEMY_ABOVE, Element(0, -2, FRIEND, False)), (-1, -2))
    assert combined(Pattern(TO, (), (1, 0)), Pattern(FROM), (1, 0)) == Pattern(TO, (), (1, 0))


def test_origins_that_are_missing_or_disagree_are_refused():
    with pytest.raises(ForethoughtError, match="say where the origin lies"):
        combined(Pattern(TO), Pattern(FROM))
    with pytest.raises(ForethoughtError, match="say where the origin lies"):
        combined(Pattern(TO, (), (1, 0)), Pattern(FROM), (0, 1))
    with pytest.raises(ForethoughtError, match="differently"):
        combined(Pattern(TO, (), (1, 0)), Pattern(TO, (), (0, 1)))
