"""Othello: a disc must enclose enemy discs in a line, which turn over; who has more discs in the end wins.

Player 0 begins with d4 and e5, or the like on a smaller board. Who cannot move must pass; when neither can, the game is
over.
"""

from functools import cache

from numpy import int8, uint64

from forethought.board import Board, Move, make_board, placements, square_grid
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.bits import ONE, cells_of, count, marks, write_cells, write_facts

SIZES = (4, 6, 8)
STANDARD_SIZE = SIZES[-1]
FIRST_DISCS = 4
ZERO = uint64(0)


@cache
def board_of(size: int = STANDARD_SIZE) -> Board:
    """Return the board; an action is the cell of a disc, or the pass."""
    grid = square_grid(size, size)
    return make_board(grid, [*placements(grid), Move()])


def steps_of(size: int) -> tuple[tuple[uint64, uint64], ...]:
    """Return the steps to a neighbour with a higher number, and where enemies may stand on the way.

    A step to the left or right must not run over the edge: the enemies on the way cannot stand on the edge columns.
    """
    anywhere = 2 ** (size * size) - 1
    inside = sum(1 << cell for cell in range(size * size) if 0 < cell % size < size - 1)
    ways = ((1, inside), (size - 1, inside), (size, anywhere), (size + 1, inside))
    return tuple((uint64(step), uint64(cells)) for step, cells in ways)


@register_game("othello")
def othello(size: int = STANDARD_SIZE) -> Game:
    """Othello: enclose enemy discs to turn them over; more discs win."""
    if size not in SIZES:
        raise ForethoughtError(f"othello: size must be {SIZES[0]}, {SIZES[1]} or {SIZES[2]}, not {size}.")
    board, steps = board_of(size), steps_of(size)
    cells = pass_ = size * size
    everywhere = uint64(2**cells - 1)
    corner = (size // 2 - 1) * (size + 1)  # the lowest of the four cells in the middle
    # `moves` are the cells where the player to move may place a disc.
    state = record(turn=int8, over=int8, discs=(uint64, 2), moves=uint64)

    def lines_from(discs, enemy, step, inside):
        """Return the enemy discs that follow these discs without a gap, step by step upwards, and downwards."""
        between = enemy & inside
        up, down = between & (discs << step), between & (discs >> step)
        for _ in range(size - 3):
            up |= between & (up << step)
            down |= between & (down >> step)
        return up, down

    def openings(own, enemy):
        """Return the empty cells from which a line of enemy discs leads to an own one."""
        found = ZERO
        for step, inside in steps:
            up, down = lines_from(own, enemy, step, inside)
            found |= (up << step) | (down >> step)
        return found & everywhere & ~(own | enemy)

    def turned(own, enemy, disc):
        """Return the enemy discs that a new disc encloses."""
        found = ZERO
        for step, inside in steps:
            up, down = lines_from(disc, enemy, step, inside)
            if (up << step) & own:
                found |= up
            if (down >> step) & own:
                found |= down
        return found

    def start(s):
        s.discs[0] = 1 << corner | 1 << corner + size + 1
        s.discs[1] = 1 << corner + 1 | 1 << corner + size
        s.moves = openings(uint64(s.discs[0]), uint64(s.discs[1]))

    def player(s):
        return TERMINAL if s.over else s.turn

    def legal(s, out):
        if s.moves == 0:
            out[0] = pass_
            return 1
        return write_cells(s.moves, cells, 0, out, 0)

    def apply(s, action):
        own, enemy = uint64(s.discs[s.turn]), uint64(s.discs[1 - s.turn])
        if action != pass_:
            disc = ONE << uint64(action)
            changed = turned(own, enemy, disc)
            own |= disc | changed
            enemy ^= changed
            s.discs[s.turn], s.discs[1 - s.turn] = own, enemy
        s.moves = openings(enemy, own)
        if s.moves == 0 and openings(own, enemy) == ZERO:
            s.over = 1
        s.turn = 1 - s.turn

    def returns(s, out):
        lead = count(s.discs[0]) - count(s.discs[1])
        value = (lead > 0) - (lead < 0)
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        return write_facts(s.discs, cells, observer, s.turn, out)

    def show(s):
        return board.grid.draw(marks(s.discs, cells))

    def draw(s, observer):
        discs = [int(count(s.discs[who])) for who in range(2)]
        return [{"kind": "score", "label": "discs", "amount": discs[who], "seat": who} for who in range(2)]

    def set_up(s, owners, player):
        if sum(owner != 0 for owner in owners) < FIRST_DISCS:
            return f"at least {FIRST_DISCS} discs lie on the board"
        s.turn = player
        s.discs[0], s.discs[1] = cells_of(owners, 0), cells_of(owners, 1)
        own, enemy = uint64(s.discs[player]), uint64(s.discs[1 - player])
        s.moves = openings(own, enemy)
        s.over = int(s.moves == 0 and openings(enemy, own) == ZERO)
        return None

    plies = 2 * (cells - FIRST_DISCS)  # a pass is always followed by a disc
    return board_game(
        "othello",
        board,
        plies=plies,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw, set_up],
    )
