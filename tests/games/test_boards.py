"""What the rules of board games share: sets of cells as bits, and winners."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy import uint64

from forethought.game import PUBLIC
from forethought.games.boards.bits import count, first_cell, marks, write_cells, write_facts
from forethought.games.boards.winners import NOBODY, returns


@pytest.mark.parametrize(("winner", "expected"), [(0, [1, -1]), (1, [-1, 1]), (NOBODY, [0, 0])])
def test_the_winner_takes_a_point_from_the_other(winner, expected):
    out = [None, None]
    returns(SimpleNamespace(winner=winner), out)
    assert out == expected


@pytest.mark.parametrize("cell", range(64))
def test_the_first_cell_is_found_below_any_others(cell):
    others = int(np.random.default_rng(cell).integers(2**63)) << (cell + 1)
    assert first_cell(uint64((1 << cell | others) % 2**64)) == cell


def test_cells_are_counted():
    for bits in (0, 1, 2**64 - 1, 0xF0F0_0000_0000_0001):
        assert count(bits) == bits.bit_count()


def test_cells_are_written_in_order_from_a_place_on():
    out = [-1] * 10
    assert write_cells(0b10010, 6, 100, out, 3) == 5
    assert out[3:5] == [101, 104]


@pytest.mark.parametrize(("observer", "planes"), [(0, [0, 2, 4 + 1]), (1, [1, 4 + 0, 4 + 2]), (PUBLIC, [0, 2, 4 + 1])])
def test_facts_are_planes_and_the_turn(observer, planes):
    out = [-1] * 10
    assert write_facts((0b0101, 0b0010), 4, observer, 1, out) == 4
    assert out[:4] == [*planes, 8 + 1]


def test_marks_are_those_of_the_two_players():
    assert marks((0b0101, 0b0010), 4) == "XOX."
