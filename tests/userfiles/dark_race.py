"""A race in the dark: each rolls a die and may run as far, seen by nobody; nobody can run beyond the end.

A hidden game with a board, on which each sees the own trail alone, and with a drawing besides: the die and numbers.
"""

from numpy import int8

from forethought import CHANCE, EVERYONE, TERMINAL, Game, record
from forethought.board import Move, make_board, square_grid

FACES = (2, 4, 8)
ROLLING, RUNNING = 0, 1
REST, RUN = 0, 1


def dark_race(length: int = 8, rounds: int = 2) -> Game:
    """Dark race: run as far as you can, without seeing the other."""
    grid = square_grid(2, length)
    board = make_board(grid, [Move(), Move(kind=1)], keeps=lambda folding: bool((folding[:1] == 0).all()))
    turns, seat = 2 * rounds, 4 * length  # facts: two planes of cells, the seat, the faces, the seat's own choices
    rolled = seat + 2
    chosen = rolled + len(FACES) * turns
    state = record(
        turn=int8, phase=int8, at=(int8, 2), trail=(int8, 2 * length), faces=(int8, turns), choices=(int8, turns)
    )

    def start(s):
        s.trail[0] = s.trail[length] = 1

    def player(s):
        if s.turn == turns:
            return TERMINAL
        return CHANCE if s.phase == ROLLING else s.turn % 2

    def legal(s, out):
        count = len(FACES) if s.phase == ROLLING else 2
        for action in range(count):
            out[action] = action
        return count

    def chance(s, out):
        for face in range(len(FACES)):
            out[face] = 1.0 / len(FACES)

    def apply(s, action):
        if s.phase == ROLLING:
            s.faces[s.turn] = action
            s.phase = RUNNING
            return
        if action == RUN:
            who = s.turn % 2
            s.at[who] = min(s.at[who] + FACES[s.faces[s.turn]], length - 1)
            s.trail[who * length + s.at[who]] = 1
        s.choices[s.turn] = action
        s.phase = ROLLING
        s.turn += 1

    def returns(s, out):
        out[0] = (s.at[0] > s.at[1]) - (s.at[0] < s.at[1])
        out[1] = -out[0]

    def facts(s, observer, out):
        n = 0
        if observer >= 0:
            out[0] = seat + observer
            n = 1
            for cell in range(observer * length, (observer + 1) * length):
                if s.trail[cell]:
                    out[n] = cell
                    n += 1
        for one in range(min(s.turn + s.phase, turns)):
            out[n] = rolled + len(FACES) * one + s.faces[one]
            n += 1
            if one < s.turn and one % 2 == observer:
                out[n] = chosen + 2 * one + s.choices[one]
                n += 1
        return n

    def sees(s, action, observer):
        return s.phase == ROLLING

    def draw(s, observer):
        rolls = s.turn + s.phase
        items = [{"kind": "dice", "label": "die", "dice": [FACES[s.faces[rolls - 1]]] if rolls else []}]
        for who in range(2):
            far = str(s.at[who]) if observer in (who, EVERYONE) else "?"
            items.append({"kind": "words", "label": "distance", "text": far, "seat": who})
        return items

    def show(s, observer):
        return "".join(str(s.at[who]) if observer in (who, EVERYONE) else "?" for who in range(2))

    def action_name(s, action):
        return f"roll {FACES[action]}" if s.phase == ROLLING else ("rest", "run")[action]

    return Game(
        name="dark_race",
        players=2,
        actions=2,
        outcomes=len(FACES),
        facts=chosen + 2 * turns,
        plies=2 * turns,
        record=state,
        board=board,
        hidden=True,
        largest_return=1.0,
        rules=[start, player, legal, chance, apply, returns, facts, sees, draw, show, action_name],
    )
