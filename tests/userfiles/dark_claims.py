"""Dark claims: cells are claimed unseen. Who tries a cell that is taken learns that, and tries again."""

from numpy import int8

from forethought import TERMINAL, Game, record

CELLS = 4
FREE = 2
SEATS = 2  # facts that say who one is


def dark_claims() -> Game:
    """Dark claims: whoever has claimed more wins; cell n is worth n + 1, and nobody sees what the other tries."""
    state = record(turn=int8, owner=(int8, CELLS), tried=(int8, (2, CELLS)), tries=(int8, 2))

    def start(s):
        for cell in range(CELLS):
            s.owner[cell] = FREE
            s.tried[0, cell] = s.tried[1, cell] = -1

    def player(s):
        for cell in range(CELLS):
            if s.owner[cell] == FREE:
                return s.turn
        return TERMINAL

    def legal(s, out):
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
        if s.owner[action] == FREE:
            s.owner[action] = s.turn
            s.turn = 1 - s.turn

    def returns(s, out):
        out[0] = out[1] = 0.0
        for cell in range(CELLS):
            out[s.owner[cell]] += cell + 1
            out[1 - s.owner[cell]] -= cell + 1

    def facts(s, observer, out):
        if observer < 0:
            return 0
        out[0] = observer
        for k in range(s.tries[observer]):
            cell = s.tried[observer, k]
            out[1 + k] = SEATS + 2 * (k * CELLS + cell) + (s.owner[cell] == observer)
        return 1 + s.tries[observer]

    def sees(s, action, observer):
        return int(s.owner[action] == FREE) if observer == s.turn else False

    def show(s, observer):
        def mark(cell):
            known = observer not in (0, 1) or cell in list(s.tried[observer, : s.tries[observer]])
            return "01."[s.owner[cell]] if known else "?"

        return " ".join(mark(cell) for cell in range(CELLS))

    def action_name(s, action):
        return f"claim {action}"

    return Game(
        name="dark_claims",
        players=2,
        actions=CELLS,
        facts=SEATS + 2 * CELLS * CELLS,
        plies=2 * CELLS,
        record=state,
        hidden=True,
        zero_sum=True,
        rules=[start, player, legal, apply, returns, facts, sees, show, action_name],
    )
