"""Rules run as Python: the record view writes the same bytes as NumPy, and refuses what machine code would spoil."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.game import record
from forethought.interpreter import Interpreter, Out, RecordView

LAYOUT = record(
    turn=np.int8, big=np.int64, share=np.float32, flag=np.bool_, grid=(np.int16, (2, 3)), mask=(np.uint32, 4)
)


def view_and_array() -> tuple[RecordView, np.ndarray]:
    memory = np.zeros(LAYOUT.itemsize, np.uint8)
    return RecordView(LAYOUT, memory), memory.view(LAYOUT)


@given(
    st.integers(-128, 127), st.integers(-(2**63), 2**63 - 1), st.integers(0, 1), st.integers(0, 2), st.integers(0, 3)
)
def test_fields_lie_where_numpy_puts_them(turn: int, big: int, row: int, column: int, place: int) -> None:
    s, array = view_and_array()
    s.turn, s.big, s.flag, s.share = turn, big, True, 0.5
    s.grid[row, column] = turn
    s.mask[place] = abs(turn)
    assert array["turn"][0] == turn
    assert array["big"][0] == big
    assert array["flag"][0]
    assert array["share"][0] == 0.5
    assert array["grid"][0, row, column] == turn
    assert array["mask"][0, place] == abs(turn)
    assert (s.turn, s.big, s.grid[row, column], s.mask[place]) == (turn, big, turn, abs(turn))


def test_rows_slices_and_iteration_work_as_in_numpy() -> None:
    s, array = view_and_array()
    s.grid[0] = 7
    s.grid[1][2] = 5
    s.mask[1:3] = [8, 9]
    assert array["grid"][0].tolist() == [[7, 7, 7], [0, 0, 5]]
    assert array["mask"][0].tolist() == [0, 8, 9, 0]
    assert [list(row) for row in s.grid] == [[7, 7, 7], [0, 0, 5]]
    assert list(s.mask[::2]) == [0, 9]
    assert len(s.mask) == 4


def test_reading_gives_python_numbers_that_do_not_wrap() -> None:
    s, _ = view_and_array()
    s.turn = 127
    assert s.turn + s.turn == 254


@pytest.mark.parametrize(
    ("write", "complaint"),
    [
        (lambda s: setattr(s, "turn", 128), r"'turn' \(int8\) cannot hold 128"),
        (lambda s: setattr(s, "turn", 0.5), r"'turn' \(int8\) cannot hold 0.5"),
        (lambda s: s.mask.__setitem__(0, -1), r"'mask' \(uint32\) cannot hold -1"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(write, complaint: str) -> None:
    s, _ = view_and_array()
    with pytest.raises(OverflowError, match=complaint):
        write(s)


@pytest.mark.parametrize("index", [4, -1, -3])
def test_an_index_outside_the_field_is_refused_negative_ones_too(index: int) -> None:
    s, _ = view_and_array()
    with pytest.raises(IndexError, match=rf"index {index} of the field 'mask' is not in 0..3"):
        s.mask[index]


def test_a_missing_field_and_a_whole_array_are_refused() -> None:
    s, _ = view_and_array()
    with pytest.raises(AttributeError, match="no field 'trun'; it has turn, big"):
        s.trun = 1
    with pytest.raises(TypeError, match="'mask' is an array"):
        s.mask = 1


def test_answers_are_bounded_and_whole() -> None:
    out = Out(np.zeros(2, np.int64))
    out[1] = 5
    assert out[1] == 5
    with pytest.raises(IndexError, match="place 2 of the answer"):
        out[2] = 1
    with pytest.raises(TypeError, match="a whole number, or any number for chance and returns, is wanted"):
        out[0] = 0.5


def test_a_rule_must_return_what_its_machine_code_would() -> None:
    interpreter, memory = Interpreter(LAYOUT), np.zeros(LAYOUT.itemsize, np.uint8)

    def legal(s, out):
        out[0] = 1

    def apply(s, action):
        return 3

    with pytest.raises(TypeError, match="'legal' must return a whole number, not None"):
        interpreter.wrap(legal, True)(memory, np.zeros(1, np.int64))
    with pytest.raises(TypeError, match="'apply' must return nothing, not 3"):
        interpreter.wrap(apply, False)(memory, 0)
