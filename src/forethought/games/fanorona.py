"""Fanorona: pieces on five by nine crossings capture whole lines by approaching them or withdrawing from them.

A piece moves along a line to the next crossing. If enemies stand beyond it in the same direction, they may be captured
(approach); if they stand behind the origin, these (withdrawal): the whole row of them, up to the first gap. Where both
are possible they are two actions. Who can capture must. The piece may then go on capturing, a ply each, but not to a
crossing where it has been in this turn, or stop. Who has lost all pieces has lost; a player who is shut in passes.

The rules know no draw, so a game of `limit` plies is one.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy import int8, int16, int64, uint64

from forethought.arrays import Int64s
from forethought.board import NOWHERE, Board, Move, crossings_grid, make_board
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import ONE, first_cell, marks, write_cells, write_pieces
from forethought.games.boards.winners import NOBODY, returns

ROWS, COLUMNS = 5, 9
CELLS = ROWS * COLUMNS
APPROACH, WITHDRAWAL, STEP = 0, 1, 2
PLANES = 4  # own pieces, the other's, where the capturing piece has been, and where it is
LONGEST = 30_000
TWO_ROWS = (1 << 2 * COLUMNS) - 1
MIDDLE = (0b101001010 << 2 * COLUMNS, 0b010100101 << 2 * COLUMNS)  # b, d, g, i of the middle row; and a, c, f, h


@cache
def board_of() -> Board:
    """Return the crossings; actions are all moves along lines, in three kinds, and then the end of a turn."""
    grid = crossings_grid(ROWS, COLUMNS)
    moves = [Move(*step, kind) for step in grid.steps for kind in (APPROACH, WITHDRAWAL, STEP)]
    return make_board(grid, [*moves, Move()], PLANES)


class Captures(NamedTuple):
    """By action: the first crossing it captures, CELLS if none, and the direction in which it captures on."""

    victims: Int64s
    ways: Int64s


def captures_of(board: Board) -> Captures:
    neighbours = board.grid.neighbours
    victims, ways = np.full(board.actions, CELLS), np.zeros(board.actions, np.int64)
    for action in range(board.actions - 1):
        origin, target, kind = board.origins[action], board.targets[action], board.kinds[action]
        ahead = int((neighbours[origin] == target).argmax())
        ways[action] = ahead if kind == APPROACH else (ahead + 4) % 8
        victim = neighbours[target if kind == APPROACH else origin, ways[action]]
        if kind != STEP and victim != NOWHERE:
            victims[action] = victim
    return Captures(victims, ways)


@register_game("fanorona")
def fanorona(limit: int = 2500) -> Game:
    """Fanorona: capture lines by approach or withdrawal; a draw after `limit` plies."""
    if not 1 <= limit <= LONGEST:
        raise ForethoughtError(f"fanorona: limit must be from 1 to {LONGEST}, not {limit}.")
    board = board_of()
    origins, targets, kinds, neighbours = board.origins, board.targets, board.kinds, board.grid.neighbours
    victims, ways = captures_of(board)
    stop = board.actions - 1
    first_move = np.searchsorted(origins[:stop], np.arange(CELLS + 1))  # moves are in the order of their origins
    # While a piece goes on capturing, `runner` is where it is and `visited` where it has been.
    state = record(turn=int8, winner=int8, ply=int16, runner=int8, pieces=(int64, 2), visited=int64)

    def start(s):
        s.winner = NOBODY
        s.runner = NOWHERE
        s.pieces[0] = TWO_ROWS | MIDDLE[0]
        s.pieces[1] = TWO_ROWS << 3 * COLUMNS | MIDDLE[1]

    def player(s):
        return s.turn if s.winner == NOBODY and s.ply < limit else TERMINAL

    def is_capture(taken, enemy, action):
        """Return 1 if a move ends where its piece may go and captures something, else 0."""
        return ~(taken >> int(targets[action])) & (enemy >> int(victims[action])) & 1

    def write_captures(s, cell, out, n):
        taken, enemy = s.pieces[0] | s.pieces[1] | s.visited, s.pieces[1 - s.turn]
        for action in range(first_move[cell], first_move[cell + 1]):  # write all, keep captures: no branch to guess
            out[n] = action
            n += is_capture(taken, enemy, action)
        return n

    def write_steps(s, cell, out, n):
        taken = s.pieces[0] | s.pieces[1]
        for action in range(first_move[cell] + STEP, first_move[cell + 1], 3):
            out[n] = action
            n += ~(taken >> int(targets[action])) & 1
        return n

    def write_for_all(s, out, capturing):
        rest = uint64(s.pieces[s.turn])
        n = 0
        while rest:
            cell = first_cell(rest)
            rest &= rest - ONE
            n = write_captures(s, cell, out, n) if capturing else write_steps(s, cell, out, n)
        return n

    def legal(s, out):
        n = 0
        if s.runner == NOWHERE:
            n = write_for_all(s, out, True)
            if n > 0:
                return n
            n = write_for_all(s, out, False)
            if n > 0:
                return n
        else:
            n = write_captures(s, s.runner, out, n)
        out[n] = stop
        return n + 1

    def can_go_on(s):
        taken, enemy = s.pieces[0] | s.pieces[1] | s.visited, s.pieces[1 - s.turn]
        found = 0
        for action in range(first_move[s.runner], first_move[s.runner + 1]):
            found += is_capture(taken, enemy, action)
        return found > 0

    def capture(s, action):
        enemy = s.pieces[1 - s.turn]
        cell = int(victims[action])
        while cell != NOWHERE and (enemy >> cell) & 1:
            enemy ^= 1 << cell
            cell = int(neighbours[cell, ways[action]])
        s.pieces[1 - s.turn] = enemy
        if enemy == 0:
            s.winner = s.turn

    def end_turn(s):
        s.runner = NOWHERE
        s.visited = 0
        s.turn = 1 - s.turn

    def apply(s, action):
        s.ply += 1
        if action == stop:
            end_turn(s)
            return
        origin, target = int(origins[action]), int(targets[action])
        s.pieces[s.turn] ^= 1 << origin | 1 << target
        if kinds[action] == STEP:
            end_turn(s)
            return
        capture(s, action)
        s.visited |= 1 << origin
        s.runner = target
        if not can_go_on(s):
            end_turn(s)

    def facts(s, observer, out):
        n = write_pieces(s.pieces, CELLS, observer, out)
        n = write_cells(s.visited, CELLS, 2 * CELLS, out, n)
        if s.runner != NOWHERE:
            out[n] = 3 * CELLS + s.runner
            n += 1
        out[n] = PLANES * CELLS + s.turn
        return n + 1

    def show(s):
        return board.grid.draw(marks(s.pieces, CELLS))

    def action_name(s, action):
        if action == stop:
            return "pass" if s.runner == NOWHERE else "stop"
        return board.action_name(action) + (" approaching", " withdrawing", "")[board.kinds[action]]

    return board_game(
        "fanorona",
        board,
        plies=limit,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, action_name],
    )
