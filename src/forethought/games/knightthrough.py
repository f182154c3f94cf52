"""Knightthrough: Breakthrough with knights, which jump forward only and capture where they land.

Each player has two rows of knights. The first knight on the far row wins, and so does who captures the last enemy.
"""

from functools import cache

from forethought.board import Board
from forethought.game import Game
from forethought.games import breakthrough, register_game

KNIGHT_JUMPS = ((-2, 1), (-1, 2), (1, 2), (2, 1))  # to the right, and forward
FEWEST_COLUMNS = 4  # on fewer, a knight before the far row could be stuck


@cache
def board_of(rows: int = 8, columns: int = 8) -> Board:
    """Return the board and all jumps on it: first those upwards, player 0's, then as many downwards."""
    return breakthrough.board_of(rows, columns, KNIGHT_JUMPS)


@register_game("knightthrough")
def knightthrough(rows: int = 8, columns: int = 8) -> Game:
    """Knightthrough: knights jump forward; the first on the far row wins."""
    breakthrough.check_size("knightthrough", rows, columns, FEWEST_COLUMNS)
    return breakthrough.race("knightthrough", board_of(rows, columns))
