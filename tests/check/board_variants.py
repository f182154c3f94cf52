"""One small lawful game on a board, and one broken variant of it for each thing that a board says.

Two players place a piece each on two by three cells, and then each moves its piece to a neighbouring cell. Player 0
wins if the pieces stand side by side in the end.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from numpy import int8

from forethought.board import Move, make_board, placements, square_grid
from forethought.game import TERMINAL, Game, record

GRID = square_grid(2, 3)
CELLS = GRID.cells
BOARD = make_board(GRID, [*placements(GRID), *(Move(*step) for step in GRID.steps)])
STEPS = tuple(GRID.steps)
NEAR = tuple(tuple((cell, other) in STEPS for other in range(CELLS)) for cell in range(CELLS))


def lawful_board() -> Game:
    """A game that keeps every law."""

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.ply == 4 else s.ply % 2

    def legal(s, out):
        n = 0
        if s.ply < 2:
            for cell in range(CELLS):
                if s.ply == 0 or cell != s.places[0]:
                    out[n] = cell
                    n += 1
            return n
        mover = s.ply % 2
        for step in range(len(STEPS)):
            if STEPS[step][0] == s.places[mover] and STEPS[step][1] != s.places[1 - mover]:
                out[n] = CELLS + step
                n += 1
        return n

    def apply(s, action):
        s.places[s.ply % 2] = action if s.ply < 2 else STEPS[action - CELLS][1]
        s.ply += 1

    def returns(s, out):
        out[0] = 1.0 if NEAR[s.places[0]][s.places[1]] else -1.0
        out[1] = -out[0]

    def facts(s, observer, out):
        mine = 1 if observer == 1 else 0
        n = 0
        for plane in range(2):
            who = mine if plane == 0 else 1 - mine
            if who < s.ply:
                out[n] = CELLS * plane + s.places[who]
                n += 1
        out[n] = 2 * CELLS + s.ply % 2
        if s.ply >= 2:
            out[n + 1] = 2 * CELLS + 2
            n += 1
        return n + 1

    def action_name(s, action):
        return BOARD.action_name(action)

    def set_up(s, owners, player):
        count = sum(owner > 0 for owner in owners)
        s.ply = count if count < 2 else 2 + player
        for cell, owner in enumerate(owners):
            if owner:
                s.places[owner - 1] = cell

    return Game(
        name="lawful_board",
        players=2,
        actions=BOARD.actions,
        facts=2 * CELLS + 3,
        plies=4,
        record=record(ply=int8, places=(int8, 2)),
        hidden=False,
        rules=[start, player, legal, apply, returns, facts, action_name, set_up],
        board=BOARD,
    )


def with_rule(rule: Callable[..., Any]) -> Game:
    """The lawful game with one rule replaced, by name."""
    game = lawful_board()
    return replace(game, rules=[rule if other.__name__ == rule.__name__ else other for other in game.rules])


def facts_with(write: Callable[..., int]) -> Game:
    """The lawful game in which something is done to the facts of an observer."""
    lawful_facts = lawful_board().source["facts"]

    def facts(s, observer, out):
        return write(s, observer, out, lawful_facts(s, observer, out))

    return with_rule(facts)


def planes_from_one_side() -> Game:
    """Player 1's own pieces are in plane 1."""
    lawful_facts = lawful_board().source["facts"]

    def facts(s, observer, out):
        return lawful_facts(s, min(observer, 0), out)

    return with_rule(facts)


def public_from_the_other_side() -> Game:
    lawful_facts = lawful_board().source["facts"]

    def facts(s, observer, out):
        return lawful_facts(s, observer if observer >= 0 else 1, out)

    return with_rule(facts)


def one_cell_with_two_owners() -> Game:
    def write(s, observer, out, n):
        if 0 < s.ply < 2:
            mine = out[0] < CELLS
            out[n] = s.places[0] + (CELLS if mine else 0)
            return n + 1
        return n

    return facts_with(write)


def nobody_to_move() -> Game:
    """A turn is told only until all pieces are placed; legal actions tell the rest, so that no other law is broken."""

    def write(s, observer, out, n):
        if s.ply >= 2:
            out[n - 2] = 2 * CELLS + 1 - s.ply % 2
        return n

    return facts_with(write)


def placed_elsewhere() -> Game:
    def apply(s, action):
        s.places[s.ply % 2] = (action + 3) % CELLS if s.ply == 0 else action if s.ply < 2 else STEPS[action - CELLS][1]
        s.ply += 1

    return with_rule(apply)


def moved_backwards() -> Game:
    """The board says from where to where, and the rules mean it the other way round."""
    game = lawful_board()
    moves = [*placements(GRID), *(Move(target, origin) for origin, target in STEPS)]
    return replace(game, board=make_board(GRID, moves))


def stays_where_it_was() -> Game:
    """Steps are copies: the facts keep a piece on the cell that it leaves."""

    def write(s, observer, out, n):
        if s.ply == 3 and s.left != s.places[0] and s.left != s.places[1]:
            out[n] = s.left + (CELLS if observer == 1 else 0)
            return n + 1
        return n

    def apply(s, action):
        if s.ply == 2:
            s.left = s.places[0]
        s.places[s.ply % 2] = action if s.ply < 2 else STEPS[action - CELLS][1]
        s.ply += 1

    game = facts_with(write)
    rules = [apply if rule.__name__ == "apply" else rule for rule in game.rules]
    return replace(game, rules=rules, record=record(ply=int8, left=int8, places=(int8, 2)))


def forbidden_corner() -> Game:
    def legal(s, out):
        n = 0
        if s.ply < 2:
            for cell in range(1, CELLS):
                if s.ply == 0 or cell != s.places[0]:
                    out[n] = cell
                    n += 1
            return n
        mover = s.ply % 2
        for step in range(len(STEPS)):
            if STEPS[step][0] == s.places[mover] and STEPS[step][1] != s.places[1 - mover]:
                out[n] = CELLS + step
                n += 1
        return n

    return with_rule(legal)


def lucky_corner() -> Game:
    def returns(s, out):
        out[0] = 1.0 if s.places[0] == 0 else -1.0
        out[1] = -out[0]

    return with_rule(returns)


def sets_up_another_turn() -> Game:
    def set_up(s, owners, player):
        lawful_board().source["set_up"](s, owners, 0)

    return with_rule(set_up)


def refuses_to_set_up() -> Game:
    def set_up(s, owners, player):
        return "not today"

    return with_rule(set_up)


# The law each variant breaks.
BROKEN_BOARDS = {
    planes_from_one_side: "board",
    public_from_the_other_side: "board",
    one_cell_with_two_owners: "board",
    nobody_to_move: "board",
    placed_elsewhere: "board",
    moved_backwards: "board",
    stays_where_it_was: "board",
    sets_up_another_turn: "board",
    refuses_to_set_up: "board",
    forbidden_corner: "symmetries",
    lucky_corner: "symmetries",
}
