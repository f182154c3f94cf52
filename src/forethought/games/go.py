"""Go: surround points and capture chains; area counts, and no position of the whole board may come back.

A stone or a pass a turn. A chain without a free neighbour (a liberty) is captured. A stone that captures nothing and
has no liberty is illegal, and so is one that makes any earlier position of the board again (positional superko). Two
passes in a row end the game, and so do twice as many plies as there are points. A player's area is the own stones and
the empty points from which only own stones can be reached; player 1 gets `komi` more.
"""

from functools import cache
from math import isfinite

import numpy as np
from numpy import int8, int16, int32, int64, uint64

from forethought.arrays import Int64s
from forethought.board import Board, Move, make_board, placements, square_grid
from forethought.errors import ForethoughtError
from forethought.game import TERMINAL, Game, record
from forethought.games import register_game
from forethought.games.boards import board_game
from forethought.games.boards.owners import EMPTY

SIZES = range(2, 20)
PLANES = 3  # own stones, the other's, and empty points where the player to move may not play
# What a point is marked with: its owner, 1 + player, or EMPTY, or EDGE beyond the edge; and TIGHT is added to the owner
# where a chain has one liberty only.
OWNER, EDGE, TIGHT = 3, 3, 4


@cache
def board_of(size: int = 9) -> Board:
    """Return the points; an action is the point of a stone, or the pass."""
    grid = square_grid(size, size)
    return make_board(grid, [*placements(grid), Move()], PLANES, crossings=True)


def around_points(size: int) -> Int64s:
    """Return the four neighbours of each point [points, 4]; beyond the edge is one point more, which nobody owns."""
    neighbours = board_of(size).grid.neighbours[:, ::2]
    return np.where(neighbours >= 0, neighbours, size * size)


@register_game("go")
def go(size: int = 9, komi: float = 7.5) -> Game:
    """Go: the larger area wins; player 1 gets komi more."""
    if size not in SIZES:
        raise ForethoughtError(f"go: size must be from {SIZES[0]} to {SIZES[-1]}, not {size}.")
    if not isfinite(komi):
        raise ForethoughtError(f"go: komi must be a finite number, not {komi}.")
    board = board_of(size)
    cells = pass_ = size * size
    plies = 2 * cells
    around = around_points(size)
    # A position is the exclusive or of one random number for each stone, by owner and point.
    codes = np.random.default_rng(cells).integers(1, 2**63, (3, cells), np.uint64)
    places = 1 << (plies + plies // 2).bit_length()  # for the positions of the past, which fill two thirds at most
    # A chain is known by one of its stones, its head. Under the head stand its liberties (their number, their sum and
    # the sum of their squares, each counted as often as stones touch it) and its part of the position.
    state = record(
        turn=int8,
        passes=int8,
        captured=int8,
        ply=int16,
        lead=int16,
        marks=(int8, cells + 1),
        reach=(int8, cells + 1),
        head=(int16, cells),
        next=(int16, cells),
        liberties=(int32, cells),
        sums=(int32, cells),
        squares=(int32, cells),
        parts=(uint64, cells),
        position=uint64,
        past=(uint64, places),
    )

    def start(s):
        s.marks[cells] = EDGE

    def player(s):
        return TERMINAL if s.passes == 2 or s.ply == plies else s.turn

    def note_liberties(s, head):
        """Mark the stones of a chain as tight if all its liberties are one point, or as no longer tight."""
        mark = s.marks[head] & OWNER
        if s.liberties[head] * s.squares[head] == s.sums[head] * s.sums[head]:  # true only of equal numbers
            mark += TIGHT
        stone = head
        while s.marks[stone] != mark:
            s.marks[stone] = mark
            stone = s.next[stone]

    def place_of(s, position):
        """Return where a position stands among those of the past, or the free place where it would."""
        place = int64(position & uint64(places - 1))
        while s.past[place] != 0 and s.past[place] != position:
            place = (place + 1) & (places - 1)
        return place

    def position_after(s, point):
        """Return the position that a stone here makes; a chain that it captures may touch it more than once."""
        position = uint64(s.position) ^ codes[1 + s.turn, point]
        for way in range(4):
            near = int(around[point, way])
            if s.marks[near] == TIGHT + 2 - s.turn:
                fresh = True
                for earlier in range(way):
                    before = int(around[point, earlier])
                    fresh &= s.marks[before] != s.marks[near] or s.head[before] != s.head[near]
                if fresh:
                    position ^= uint64(s.parts[s.head[near]])
        return position

    def is_legal(s, point):
        """A stone needs an empty neighbour, an own one that is not tight, or an enemy that is; and a new position."""
        found = 0
        for way in range(4):
            found |= 1 << s.marks[int(around[point, way])]
        captures = found >> (TIGHT + 2 - s.turn) & 1
        if captures == 0 and found & (1 << EMPTY | 1 << (1 + s.turn)) == 0:
            return False
        if captures == 0 and s.captured == 0:  # until something is captured there are ever more stones
            return True
        position = position_after(s, point) if captures else uint64(s.position) ^ codes[1 + s.turn, point]
        return s.past[place_of(s, position)] == 0

    def legal(s, out):
        n = 0
        for point in range(cells):
            if s.marks[point] == EMPTY and is_legal(s, point):
                out[n] = point
                n += 1
        out[n] = pass_
        return n + 1

    def add_liberty(s, head, point, times):
        """Count a liberty of a chain once more, or with -1 for `times` once less."""
        s.liberties[head] += times
        s.sums[head] += times * point
        s.squares[head] += times * point * point

    def join(s, head, other):
        """Make the chain of another head part of the first."""
        stone = other
        while s.head[stone] != head:
            s.head[stone] = head
            s.marks[stone] = s.marks[head]
            stone = s.next[stone]
        s.next[head], s.next[other] = s.next[other], s.next[head]
        s.liberties[head] += s.liberties[other]
        s.sums[head] += s.sums[other]
        s.squares[head] += s.squares[other]
        s.parts[head] ^= s.parts[other]

    def capture(s, head):
        s.position ^= s.parts[head]
        s.captured = 1
        stone = head
        while s.marks[stone] != EMPTY:
            s.marks[stone] = EMPTY
            for way in range(4):
                near = int(around[stone, way])
                if s.marks[near] & OWNER == 1 + s.turn:
                    add_liberty(s, s.head[near], stone, 1)
                    note_liberties(s, s.head[near])
            stone = s.next[stone]

    def set_stone(s, point):
        """Put a stone on the board as a chain of its own."""
        s.marks[point] = 1 + s.turn
        s.head[point] = s.next[point] = point
        s.liberties[point] = s.sums[point] = s.squares[point] = 0
        s.parts[point] = codes[1 + s.turn, point]
        s.position ^= s.parts[point]

    def place(s, point):
        set_stone(s, point)
        for way in range(4):
            near = int(around[point, way])
            if s.marks[near] == EMPTY:
                add_liberty(s, s.head[point], near, 1)
            elif near != cells:
                add_liberty(s, s.head[near], point, -1)
                if s.marks[near] & OWNER == 1 + s.turn and s.head[near] != s.head[point]:
                    join(s, s.head[near], s.head[point])
        for way in range(4):
            near = int(around[point, way])
            if s.marks[near] & OWNER == 2 - s.turn:
                if s.liberties[s.head[near]] == 0:
                    capture(s, s.head[near])
                else:
                    note_liberties(s, s.head[near])
        note_liberties(s, s.head[point])
        s.past[place_of(s, uint64(s.position))] = s.position

    def count_area(s):
        """Let each empty point learn from its neighbours which colours it reaches, until nothing is learnt any more."""
        for point in range(cells):
            s.reach[point] = s.marks[point] & OWNER
        learnt = True
        while learnt:
            learnt = False
            for point in range(cells):
                if s.marks[point] == EMPTY:
                    found = s.reach[point]
                    for way in range(4):
                        found |= s.reach[int(around[point, way])]
                    learnt |= found != s.reach[point]
                    s.reach[point] = found
        s.lead = 0
        for point in range(cells):
            s.lead += (s.reach[point] == 1) - (s.reach[point] == 2)

    def apply(s, action):
        if action == pass_:
            s.passes += 1
        else:
            s.passes = 0
            place(s, action)
        s.ply += 1
        s.turn = 1 - s.turn
        if s.passes == 2 or s.ply == plies:
            count_area(s)

    def returns(s, out):
        value = (s.lead > komi) - (s.lead < komi)
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        mine = 2 if observer == 1 else 1
        n = 0
        for plane in range(2):
            for point in range(cells):
                out[n] = plane * cells + point
                n += s.marks[point] & OWNER == (mine if plane == 0 else 3 - mine)
        for point in range(cells):
            if s.marks[point] == EMPTY and not is_legal(s, point):
                out[n] = 2 * cells + point
                n += 1
        out[n] = PLANES * cells + s.turn
        n += 1
        if s.passes > 0:
            out[n] = PLANES * cells + 2
            n += 1
        return n

    def show(s):
        return board.grid.draw("".join(".XO"[s.marks[point] & OWNER] for point in range(cells)))

    def areas(s):
        """Count the area of each player if the game ended now; an empty point counts for who alone reaches it."""
        reach = [{int(s.marks[point] & OWNER)} - {EMPTY} for point in range(cells)]
        waiting = [point for point in range(cells) if reach[point]]
        while waiting:
            point = waiting.pop()
            for near in around[point].tolist():
                if near != cells and s.marks[near] == EMPTY and not reach[point] <= reach[near]:
                    reach[near] |= reach[point]
                    waiting.append(near)
        return [sum(found == {1 + who} for found in reach) for who in range(2)]

    def draw(s, observer):
        first, second = areas(s)
        return [
            {"kind": "score", "label": "area", "amount": first, "seat": 0},
            {"kind": "score", "label": "area and komi", "amount": second + komi, "seat": 1},
        ]

    return board_game(
        "go",
        board,
        plies=plies,
        record=state,
        rules=[start, player, legal, apply, returns, facts, show, draw],
        more_facts=1,  # the other player has passed
    )
