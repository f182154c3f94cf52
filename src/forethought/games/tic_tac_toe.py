"""Tic-tac-toe: three in a row on three by three."""

from numpy import int8, int16

from forethought.game import TERMINAL, Game, record

# The eight lines, as bit masks of cells.
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)
FULL = 0b111111111


def tic_tac_toe() -> Game:
    """Tic-tac-toe: three in a row on three by three."""
    state = record(turn=int8, marks=(int16, 2))

    def won(marks):
        for line in LINES:
            if marks & line == line:
                return True
        return False

    def start(s):
        pass

    def player(s):
        if won(s.marks[1 - s.turn]) or (s.marks[0] | s.marks[1]) == FULL:
            return TERMINAL
        return s.turn

    def legal(s, out):
        n = 0
        taken = s.marks[0] | s.marks[1]
        for cell in range(9):  # write every cell, keep the free ones: no branch for the processor to guess
            out[n] = cell
            n += 1 - ((taken >> cell) & 1)
        return n

    def apply(s, action):
        s.marks[s.turn] |= 1 << action
        s.turn = 1 - s.turn

    def returns(s, out):
        value = 1.0 if won(s.marks[0]) else -1.0 if won(s.marks[1]) else 0.0
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        mine = observer if observer >= 0 else 0
        n = 0
        for side in range(2):
            marks = s.marks[mine if side == 0 else 1 - mine]
            for cell in range(9):
                if (marks >> cell) & 1:
                    out[n] = 9 * side + cell
                    n += 1
        return n

    def show(s):
        def mark(cell):
            return "X" if (s.marks[0] >> cell) & 1 else "O" if (s.marks[1] >> cell) & 1 else "."

        return "\n".join(" ".join(mark(3 * row + column) for column in range(3)) for row in (2, 1, 0))

    def action_name(s, action):
        return "abc"[action % 3] + str(1 + action // 3)

    return Game(
        name="tic_tac_toe",
        players=2,
        actions=9,
        facts=18,
        plies=9,
        record=state,
        hidden=False,
        rules=[start, player, legal, apply, returns, facts, show, action_name],
    )
