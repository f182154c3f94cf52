"""What a viewer may see of a game: every position, action and name passes through here before it is sent.

A viewer is the seat of the one person at the table. Where nothing is hidden, where only bots play, and when the game is
over, it is EVERYONE.
"""

import math
from collections.abc import Iterable
from typing import Any

from forethought.board import NOWHERE, Board
from forethought.game import EVERYONE, PUBLIC, Game, State

LEAN, ROW = 0.5, math.sqrt(3) / 2  # of hexagons: how far a row stands to the right of the one below, and above it


def sees(state: State, action: int, viewer: int) -> bool:
    """Whether the viewer sees this action happen: its own, and others' where the game's rule says so."""
    if viewer == EVERYONE or not state.game.hidden or state.player == viewer:
        return True
    rule = state.game.source.get("sees")
    return rule is not None and rule(state.view, action, viewer) is True


def position(state: State, viewer: int, ply: int, last: int | None) -> dict[str, Any]:
    """Show a position; `last` is the action that led to it, if the viewer saw that."""
    return {
        "ply": ply,
        "pieces": _pieces(state),
        "last": last,
        "text": state.show(viewer),
        "drawing": state.drawing(viewer),
    }


def positions(game: Game, viewer: int, played: Iterable[tuple[int, int | None]]) -> list[dict[str, Any]]:
    """Show every position of a game: of its actions, each with what the viewer saw of it."""
    state = game.start()
    shown = [position(state, viewer, 0, None)]
    for ply, (action, seen) in enumerate(played, 1):
        state.apply(action)
        shown.append(position(state, viewer, ply, seen))
    return shown


def _pieces(state: State) -> list[int] | None:
    """Say for each cell who has a piece there: 1 + player, or 0."""
    board = state.game.board
    if board is None:
        return None
    owners = [0] * board.cells
    for fact in state.facts(PUBLIC):
        plane, cell = divmod(fact, board.cells)
        if plane < min(2, board.planes):
            owners[cell] = 1 + plane
    return owners


def board_of(game: Game) -> dict[str, Any] | None:
    """Describe the board, which stays the same from move to move."""
    board = game.board
    if board is None:
        return None
    grid = board.grid
    lines = [[a, b] for a, b in grid.steps if a < b] if grid.tiling == "point" else []
    return {
        "tiling": grid.tiling,
        "cells": [_cell(board, cell) for cell in range(board.cells)],
        "lines": lines,
        "moves": [
            {"origin": int(origin), "target": int(target), "kind": int(kind)}
            for origin, target, kind in zip(board.origins, board.targets, board.kinds, strict=True)
        ],
        "stacks": board.stacks,
        "checkered": grid.tiling == "square" and _only_moves(board),
    }


def _cell(board: Board, cell: int) -> dict[str, Any]:
    column, row = board.grid.places[cell]
    x, y = (column + LEAN * row, row * ROW) if board.grid.tiling == "hex" else (column, row)
    return {"x": round(x, 4), "y": round(y, 4), "name": board.grid.name(cell)}


def _only_moves(board: Board) -> bool:
    """Whether pieces walk and none is ever placed, as on a chessboard."""
    return all(
        origin != NOWHERE or target == NOWHERE for origin, target in zip(board.origins, board.targets, strict=True)
    )
