"""Sets of cells as the bits of one whole number, for rules: plain functions, compiled with the rules that call them.

`(bits >> cell) & 1` means the same in Python and in machine code whatever the type. Complements, sums and shifts to the
left do not, on boards of 64 cells: there a rule reads `uint64(s.stones[0])` and combines it with its like only.
"""

import numpy as np
from numpy import uint64

ONE = uint64(1)
# Powers of two below 2^66 all leave different rests when divided by 67.
PRIME = uint64(67)
CELL_OF_REST = np.array([next((cell for cell in range(64) if 2**cell % 67 == rest), 0) for rest in range(67)])


def first_cell(bits):
    """Return the lowest cell of a set that is not empty, an unsigned number."""
    return int(CELL_OF_REST[int((bits & (~bits + ONE)) % PRIME)])


def count(bits):
    """Return how many cells are in the set; compilers know this loop and make one instruction of it."""
    rest = uint64(bits)
    n = 0
    while rest:
        rest &= rest - ONE
        n += 1
    return n


def write_cells(bits, cells, offset, out, n):
    """Write offset + cell for each cell of the set, from place n on; return the next free place."""
    for cell in range(cells):  # write every cell, keep those in the set: no branch for the processor to guess
        out[n] = offset + cell
        n += (bits >> cell) & 1
    return n


def write_pieces(pieces, cells, observer, out):
    """Write the facts that are one's own pieces and the other's; return the next free place."""
    mine = 1 if observer == 1 else 0
    n = write_cells(pieces[mine], cells, 0, out, 0)
    return write_cells(pieces[1 - mine], cells, cells, out, n)


def write_facts(pieces, cells, observer, turn, out):
    """Write the facts of a board of two colours: one's own pieces, the other's, and who is to move."""
    n = write_pieces(pieces, cells, observer, out)
    out[n] = 2 * cells + turn
    return n + 1


def cells_of(owners, player):
    """Return the cells that a player owns, by 1 + player for each cell; for setting up positions."""
    return sum(1 << cell for cell, owner in enumerate(owners) if owner == 1 + player)


def marks(pieces, cells):
    """Write X where player 0 has a piece, O where player 1 has one, and a dot elsewhere; for drawings."""
    first, second = pieces
    return "".join("X" if (first >> c) & 1 else "O" if (second >> c) & 1 else "." for c in range(cells))
