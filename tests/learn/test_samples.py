"""Rows of examples: padded, joined and cut without a change to what they say."""

import numpy as np
import pytest

import forethought as ft
from forethought.learn.samples import Example, Samples, joined, no_samples, samples_of, widened

EXAMPLES: list[Example] = [((1, 4, 7), (0, 2), (0.25, 0.75)), ((), (1,), (1.0,)), ((29,), (0, 1, 2), (0.5, 0.5, 0.0))]
WON = np.array([[1.0], [-1.0], [0.5]], np.float32)


def rows_of(samples: Samples) -> list[tuple]:
    return [(*samples.row(place), tuple(samples.values[place].tolist())) for place in range(samples.rows)]


def test_examples_are_found_again_and_padding_is_zero() -> None:
    samples = samples_of(ft.load("leduc", compiled=False), EXAMPLES, WON)
    assert rows_of(samples) == [(*example, (won,)) for example, (won,) in zip(EXAMPLES, WON.tolist(), strict=True)]
    assert samples.facts.tolist() == [[1, 4, 7], [0, 0, 0], [29, 0, 0]]
    assert samples.targets.tolist() == [[0.25, 0.75, 0.0], [1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    assert samples.values.dtype == np.float32


def test_without_values_there_are_no_columns() -> None:
    samples = samples_of(ft.load("leduc", compiled=False), EXAMPLES)
    assert samples.values.shape == (3, 0)
    assert [samples.row(place) for place in range(3)] == EXAMPLES


@pytest.mark.parametrize("columns", [0, 1, 3])
def test_joined_rows_stand_one_after_another_whatever_their_widths(columns: int) -> None:
    game, won = ft.load("leduc", compiled=False), np.arange(9, dtype=np.float32).reshape(3, 3)[:, :columns]
    parts = [samples_of(game, EXAMPLES[place : place + 1], won[place : place + 1]) for place in (1, 0, 2)]
    parts.insert(1, samples_of(game, [], won[:0]))
    assert [part.facts.shape[1] for part in parts] == [0, 0, 3, 1]
    assert rows_of(joined(parts)) == [row for part in parts for row in rows_of(part)]
    assert rows_of(widened(joined(parts), 10)) == rows_of(joined(parts))
    assert joined(parts).values.shape == (3, columns)


def test_chosen_rows_stay_whole() -> None:
    samples = samples_of(ft.load("leduc", compiled=False), EXAMPLES, WON)
    assert rows_of(samples.chosen([2, 0])) == [rows_of(samples)[place] for place in (2, 0)]


def test_a_row_takes_a_few_hundred_bytes() -> None:
    """Goofspiel with 13 cards: 38 facts at its longest, 13 actions, one value."""
    assert sum(array.nbytes for array in no_samples(38, 13, 100, values=1)) / 100 < 400
