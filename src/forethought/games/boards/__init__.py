"""Games on a board: how one is made, and what their rules share (sets of cells as bits, owners of cells, winners)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from forethought.board import Board
from forethought.game import Game


def board_game(
    name: str,
    board: Board,
    *,
    plies: int,
    record: np.dtype[Any],
    rules: Sequence[Callable[..., Any]],
    more_facts: int = 0,
) -> Game:
    """Make a game of two players who see the whole board; actions are named as the board does, if not by a rule.

    Facts are the board's planes, who is to move, and as many more about the whole board. A win pays 1.
    """

    def action_name(s, action):
        return board.action_name(action)

    own_names = any(rule.__name__ == "action_name" for rule in rules)
    return Game(
        name=name,
        players=2,
        actions=board.actions,
        facts=board.planes * board.cells + 2 + more_facts,
        plies=plies,
        record=record,
        hidden=False,
        largest_return=1.0,
        rules=rules if own_names else [*rules, action_name],
        board=board,
    )
