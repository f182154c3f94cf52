"""Columns of values: how many a game has, and whom each is about."""

from dataclasses import replace

import numpy as np
import pytest

import forethought as ft
from forethought.nets.values import seat_values, value_columns, won_values


def game_of(players: int, zero_sum: bool) -> ft.Game:
    return replace(ft.load("kuhn", compiled=False), players=players, zero_sum=zero_sum)


def seated(values: list[float], mover: int, players: int) -> list[float]:
    out = np.full(players, 9.0)
    seat_values(np.array(values), mover, players, out)
    return out.tolist()


@pytest.mark.parametrize(
    ("players", "zero_sum", "columns"), [(2, True, 1), (2, False, 2), (3, True, 3), (3, False, 3), (1, False, 1)]
)
def test_how_many_columns_there_are(players: int, zero_sum: bool, columns: int) -> None:
    assert value_columns(game_of(players, zero_sum)) == columns


def test_one_column_is_about_the_mover_and_the_other_loses_it() -> None:
    assert seated([0.25], 0, 2) == [0.25, -0.25]
    assert seated([0.25], 1, 2) == [-0.25, 0.25]


def test_more_columns_go_round_the_table_from_the_mover() -> None:
    assert seated([0.1, 0.2], 0, 2) == [0.1, 0.2]
    assert seated([0.1, 0.2], 1, 2) == [0.2, 0.1]
    assert seated([0.1, 0.2, 0.3], 2, 3) == [0.2, 0.3, 0.1]
    assert seated([0.5], 0, 1) == [0.5]


@pytest.mark.parametrize(("players", "zero_sum"), [(1, False), (2, True), (2, False), (3, True), (4, False)])
def test_what_was_won_comes_back_to_its_seats(players: int, zero_sum: bool) -> None:
    returns = [0.5, -0.5, 0.75, 1.0][:players]
    movers = [*range(players), 0]
    won = won_values(game_of(players, zero_sum), movers, returns)
    assert won.dtype == np.float32
    assert won[:, 0].tolist() == [returns[mover] for mover in movers]
    for mover, row in zip(movers, won, strict=True):
        assert seated(row.tolist(), mover, players) == returns


def test_a_game_without_decisions_has_its_columns_all_the_same() -> None:
    assert won_values(game_of(3, True), [], [1.0, 0.0, -1.0]).shape == (0, 3)
