"""The laws of boards: each broken variant is caught, exhaustively and by random games alone."""

import pytest

import forethought as ft
from forethought.api.arguments import quiet
from forethought.check.boards import kept_symmetries
from forethought.check.budget import TimeBudget
from forethought.check.checker import Checker
from forethought.check.positions import LawBrokenError, first_position
from tests.check.board_variants import BROKEN_BOARDS, lawful_board


def test_the_unbroken_game_keeps_every_law() -> None:
    report = ft.check(lawful_board(), seconds=1e9)
    assert report.ok, report.violation
    assert report.exhaustive


@pytest.mark.parametrize("make", BROKEN_BOARDS, ids=lambda make: make.__name__)
@pytest.mark.quick_cases(5)
def test_a_broken_board_is_caught_with_the_right_law_named(make) -> None:
    explorer, sampler = (Checker(make(), 0, TimeBudget(1e9, quiet)) for _ in range(2))
    with pytest.raises(LawBrokenError) as caught:
        explorer.explore(100_000)
    assert caught.value.law == BROKEN_BOARDS[make], caught.value
    with pytest.raises(LawBrokenError):
        sampler.sample(2_000)


def test_only_symmetries_that_keep_the_start_are_played() -> None:
    """Half of Othello's foldings exchange the colours of the first four discs; an empty board stays empty."""
    kept = {
        name: len(kept_symmetries(first_position(ft.load(name, compiled=False)))) for name in ("othello", "tic_tac_toe")
    }
    assert kept == {"othello": 3, "tic_tac_toe": 7}
