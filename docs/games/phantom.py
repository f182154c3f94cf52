"""Phantom tic-tac-toe: tic-tac-toe in which nobody sees the other's marks; who tries a taken cell learns that it is."""

from numpy import int8

from forethought import TERMINAL, Game, record

CELLS = 9
EMPTY = 2  # the owner of a cell: 0, 1 or nobody
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
SEATS = 2  # facts that tell who one is


def phantom() -> Game:
    """Phantom tic-tac-toe: three in a row, without seeing the other's marks."""
    state = record(turn=int8, marks=int8, winner=int8, owner=(int8, CELLS), tried=(int8, (2, CELLS)), tries=(int8, 2))

    def start(s):
        s.winner = EMPTY
        for cell in range(CELLS):
            s.owner[cell] = EMPTY

    def player(s):
        return TERMINAL if s.winner != EMPTY or s.marks == CELLS else s.turn

    def legal(s, out):  # what oneself has not tried yet; that a cell is taken must not show here
        n = 0
        for cell in range(CELLS):
            known = False
            for k in range(s.tries[s.turn]):
                known |= s.tried[s.turn, k] == cell
            if not known:
                out[n] = cell
                n += 1
        return n

    def apply(s, action):
        s.tried[s.turn, s.tries[s.turn]] = action
        s.tries[s.turn] += 1
        if s.owner[action] != EMPTY:
            return  # a failed try: the same player tries again, and the other notices nothing
        s.owner[action] = s.turn
        s.marks += 1
        for line in LINES:
            if s.owner[line[0]] == s.turn and s.owner[line[1]] == s.turn and s.owner[line[2]] == s.turn:
                s.winner = s.turn
        s.turn = 1 - s.turn

    def returns(s, out):
        out[0] = 0 if s.winner == EMPTY else 1 - 2 * s.winner
        out[1] = -out[0]

    def facts(s, observer, out):  # one's own tries in their order, and whether each succeeded
        if observer < 0:
            return 0  # the public sees nothing
        out[0] = observer
        for k in range(s.tries[observer]):
            cell = s.tried[observer, k]
            out[1 + k] = SEATS + 2 * (k * CELLS + cell) + (s.owner[cell] == observer)
        return 1 + s.tries[observer]

    def sees(s, action, observer):  # a number: what the observer learns by this action
        if observer != s.turn:
            return False
        return 1 if s.owner[action] == EMPTY else 0

    def show(s, observer):
        def mark(cell):
            seen = observer not in (0, 1) or cell in list(s.tried[observer, : s.tries[observer]])
            return "XO."[s.owner[cell]] if seen else "?"

        return "\n".join(" ".join(mark(3 * row + column) for column in range(3)) for row in range(3))

    def action_name(s, action):
        return "abc"[action % 3] + "321"[action // 3]

    return Game(
        name="phantom",
        players=2,
        actions=CELLS,
        facts=SEATS + 2 * CELLS * CELLS,
        plies=2 * CELLS,
        record=state,
        hidden=True,
        rules=[start, player, legal, apply, returns, facts, sees, show, action_name],
    )
