"""Boards as an array that says who owns each cell, 1 + player or EMPTY; plain functions, compiled with the rules."""

EMPTY = 0


def write_empty(owner, cells, out):
    """Write the empty cells; return how many."""
    n = 0
    for cell in range(cells):  # write every cell, keep the empty ones: no branch for the processor to guess
        out[n] = cell
        n += owner[cell] == EMPTY
    return n


def write_facts(owner, cells, observer, turn, out):
    """Write the facts of a board of two colours: one's own pieces, the other's, and who is to move."""
    mine = 2 if observer == 1 else 1
    n = 0
    for plane in range(2):
        piece = mine if plane == 0 else 3 - mine
        for cell in range(cells):
            out[n] = plane * cells + cell
            n += owner[cell] == piece
    out[n] = 2 * cells + turn
    return n + 1


def marks(owner, cells):
    """Write X where player 0 has a piece, O where player 1 has one, and a dot elsewhere; for drawings."""
    return "".join(".XO"[owner[cell]] for cell in range(cells))
