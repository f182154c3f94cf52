"""Backgammon: two armies of fifteen checkers race past each other by the dice; who first bears off all of its own wins.

Each player counts the points from its own side: checkers move from point 24 down to point 1 and then off the board.
A point with two or more enemies is closed; one enemy alone is hit and must enter again from the bar. One plays both
dice if one can, and the higher one if only either; doubles are played four times. A ply is one checker's move by one
die, so that a turn is a few plies. There is no doubling cube.
"""

from itertools import product

import numpy as np
from numpy import int8, int16

from forethought.errors import ForethoughtError
from forethought.game import CHANCE, TERMINAL, Game, record
from forethought.games import register_game

CHECKERS = 15
OFF, HOME, BAR = 0, 6, 25  # places: off the board, the points 1 to 24, the last of one's home, and the bar
PLACES = BAR + 1
FACES = 6
PASS = 2 * BAR
HIGH, LOW = 0, 1
NOWHERE = -1
ARMY = ((24, 2), (13, 5), (8, 3), (6, 5))  # how many stand where in the beginning

MOST_TURNS = 3000
TURN_FACTS = 2 * PLACES * CHECKERS
HIGH_FACTS = TURN_FACTS + 2
LOW_FACTS = HIGH_FACTS + FACES * 5
FACTS = LOW_FACTS + FACES * 2


@register_game("backgammon")
def backgammon(stakes: int = 3, turns: int = 1000) -> Game:
    """Backgammon: race and hit by the dice; gammons count up to `stakes`, and after `turns` turns it is a draw."""
    if not 1 <= stakes <= 3:
        raise ForethoughtError(f"backgammon: stakes must be 1, 2 with gammons or 3 with backgammons, not {stakes}.")
    if not 1 <= turns <= MOST_TURNS:
        raise ForethoughtError(f"backgammon: turns must be from 1 to {MOST_TURNS}, not {turns}.")
    # Two dice are the outcome 6 * (first - 1) + second - 1. Who begins is decided by unequal ones, one of each player.
    pairs = list(product(range(FACES), repeat=2))
    first_rolls = np.array([FACES * first + second for first, second in pairs if first != second])
    rolls = np.array([FACES * high + low for high, low in pairs if high >= low])
    odds = np.array([(1 if high == low else 2) / FACES**2 for high, low in pairs if high >= low])
    # `left` is how many moves are left by either die.
    state = record(turn=int8, begun=int8, turns=int16, dice=(int8, 2), left=(int8, 2), checkers=(int8, (2, PLACES)))

    def start(s):
        for who in range(2):
            for place, count in ARMY:
                s.checkers[who, place] = count

    def is_rolled(s):
        return s.left[HIGH] + s.left[LOW] > 0

    def player(s):
        if s.checkers[0, OFF] == CHECKERS or s.checkers[1, OFF] == CHECKERS or s.turns == turns:
            return TERMINAL
        return s.turn if is_rolled(s) else CHANCE

    def foremost(s, taken, put):
        """The place farthest from home, after a checker was taken from one place and put on another."""
        place = BAR
        while place > OFF and s.checkers[s.turn, place] - (place == taken) + (place == put) == 0:
            place -= 1
        return place

    def is_open(s, place, die, first):
        """Whether a checker on this place may move by a die, where the foremost stands on `first`."""
        target = place - die
        if target > OFF:
            return (first != BAR or place == BAR) and s.checkers[1 - s.turn, BAR - target] < 2
        return first <= HOME and (target == OFF or place == first)

    def any_move(s, die, taken, put):
        first = foremost(s, taken, put)
        for place in range(1, first + 1):
            if s.checkers[s.turn, place] - (place == taken) + (place == put) > 0 and is_open(s, place, die, first):
                return True
        return False

    def write_moves(s, which, both, out, n):
        """Write the moves by one die; where both are to be played, those after which the other can be."""
        die, other = s.dice[which], s.dice[1 - which]
        first = foremost(s, NOWHERE, NOWHERE)
        for place in range(1, first + 1):
            if s.checkers[s.turn, place] > 0 and is_open(s, place, die, first):
                if not both or any_move(s, other, place, max(place - die, OFF)):
                    out[n] = which * BAR + place - 1
                    n += 1
        return n

    def write_rolls(s, out):
        count = len(rolls) if s.begun else len(first_rolls)
        for k in range(count):
            out[k] = rolls[k] if s.begun else first_rolls[k]
        return count

    def legal(s, out):
        n = 0
        if not is_rolled(s):
            return write_rolls(s, out)
        if s.left[HIGH] and s.left[LOW]:
            n = write_moves(s, HIGH, True, out, n)
            n = write_moves(s, LOW, True, out, n)
        if n == 0 and s.left[HIGH]:
            n = write_moves(s, HIGH, False, out, n)
        if n == 0 and s.left[LOW]:
            n = write_moves(s, LOW, False, out, n)
        if n == 0:
            out[0] = PASS
            n = 1
        return n

    def chance(s, out):
        for k in range(len(odds) if s.begun else len(first_rolls)):
            out[k] = odds[k] if s.begun else 1 / len(first_rolls)

    def roll(s, first, second):
        s.dice[HIGH], s.dice[LOW] = max(first, second), min(first, second)
        s.left[HIGH], s.left[LOW] = (4, 0) if first == second else (1, 1)
        if not s.begun:  # each has rolled one die: who has the higher one begins, with both
            s.turn = 0 if first > second else 1
            s.begun = 1

    def end_turn(s):
        s.left[HIGH], s.left[LOW] = 0, 0
        s.turn = 1 - s.turn
        s.turns += 1

    def apply(s, action):
        if not is_rolled(s):
            roll(s, 1 + action // FACES, 1 + action % FACES)
        elif action == PASS:
            end_turn(s)
        else:
            which, place = action // BAR, action % BAR + 1
            target = max(place - s.dice[which], OFF)
            s.checkers[s.turn, place] -= 1
            s.checkers[s.turn, target] += 1
            if target > OFF and s.checkers[1 - s.turn, BAR - target] == 1:
                s.checkers[1 - s.turn, BAR - target] = 0
                s.checkers[1 - s.turn, BAR] += 1
            s.left[which] -= 1
            which = HIGH if s.left[HIGH] else LOW
            if s.left[which] == 0 or not any_move(s, s.dice[which], NOWHERE, NOWHERE):
                end_turn(s)

    def returns(s, out):
        winner = 0 if s.checkers[0, OFF] == CHECKERS else 1
        if s.checkers[winner, OFF] < CHECKERS:  # too many turns
            out[0], out[1] = 0.0, 0.0
            return
        won = 1
        if s.checkers[1 - winner, OFF] == 0:
            won = 2
            for place in range(BAR - HOME, BAR + 1):  # the winner's home, and the bar
                if s.checkers[1 - winner, place]:
                    won = 3
        out[winner], out[1 - winner] = min(won, stakes), -min(won, stakes)

    def facts(s, observer, out):
        """Checkers, one's own first, as 'at least k on this place'; then whose turn it is, and the dice."""
        own = 1 if observer == 1 else 0
        n = 0
        for side in range(2):
            for place in range(PLACES):
                for k in range(s.checkers[own if side == 0 else 1 - own, place]):
                    out[n] = (side * PLACES + place) * CHECKERS + k
                    n += 1
        if s.begun:
            out[n] = TURN_FACTS + s.turn
            n += 1
        if is_rolled(s):
            out[n] = HIGH_FACTS + (s.dice[HIGH] - 1) * 5 + s.left[HIGH]
            out[n + 1] = LOW_FACTS + (s.dice[LOW] - 1) * 2 + s.left[LOW]
            n += 2
        return n

    def show(s):
        """The board with the points of player 0, x; player 1 is o."""

        def cell(point, row):
            mine, others = s.checkers[0, point], s.checkers[1, BAR - point]
            count, mark = (mine, "x") if mine else (others, "o")
            if row == 4 and count > 5:
                return f"{count:2}"
            return f" {mark}" if count > row else " ."

        def half(points, rows):
            cells = [[cell(point, row) for point in points] for row in rows]
            return ["".join(line[:6]) + " |" + "".join(line[6:]) for line in cells]

        lines = [" 13 . . . . 18|19 . . . . 24", *half(range(13, 25), range(5)), ""]
        lines += [*half(range(12, 0, -1), range(4, -1, -1)), " 12 . . . . 7 |6 . . . . 1"]
        bars = f"bar: x {s.checkers[0, BAR]}, o {s.checkers[1, BAR]}"
        off = f"off: x {s.checkers[0, OFF]}, o {s.checkers[1, OFF]}"
        rolled = [str(s.dice[which]) for which in (HIGH, LOW) for _ in range(s.left[which])]
        dice = f"   {'xo'[s.turn]} plays {' '.join(rolled)}" if rolled else ""
        return "\n".join([*lines, f"{bars}   {off}{dice}"])

    def drawn_point(s, number):
        """A point by player 0's number; it is named as the player to move counts."""
        mine, others = int(s.checkers[0, number]), int(s.checkers[1, BAR - number])
        owner = 0 if mine else 1 if others else None
        return {"name": str(number if s.turn == 0 else BAR - number), "count": mine + others, "owner": owner}

    def drawn_tray(s, name, who, place):
        return {"name": name, "count": int(s.checkers[who, place]), "owner": who, "plain": True}

    def drawn_rows(s):
        """Both rows from the left, each with a bar and a tray of player 1, above, or player 0, below."""
        return [
            [
                *[drawn_point(s, number) for number in outer],
                drawn_tray(s, "bar", who, BAR),
                *[drawn_point(s, number) for number in inner],
                drawn_tray(s, "off", who, OFF),
            ]
            for who, outer, inner in ((1, range(13, 19), range(19, 25)), (0, range(12, 6, -1), range(6, 0, -1)))
        ]

    def drawn_place(who, place):
        """Where a place of a player is drawn, counted from the left, the upper row first."""
        if place in (OFF, BAR):
            return (13 if place == OFF else 6) + (14 if who == 0 else 0)
        number = place if who == 0 else BAR - place
        along = number - 13 if number > 12 else 12 - number
        return along + (along >= 6) + (0 if number > 12 else 14)

    def drawn_moves(s):
        """What each action does, as far as there are checkers: from where to where."""
        places = [place for place in range(1, PLACES) if s.checkers[s.turn, place]]
        return [
            {
                "action": which * BAR + place - 1,
                "origin": drawn_place(s.turn, place),
                "target": drawn_place(s.turn, max(place - int(s.dice[which]), OFF)),
            }
            for which in (HIGH, LOW)
            for place in (places if s.left[which] else ())
        ]

    def draw(s, observer):
        rolled = [int(s.dice[which]) for which in (HIGH, LOW) for _ in range(s.left[which])]
        return [
            {"kind": "points", "label": "board", "rows": drawn_rows(s), "moves": drawn_moves(s)},
            {"kind": "dice", "label": "to play", "dice": rolled},
        ]

    def action_name(s, action):
        if not is_rolled(s):
            first, second = 1 + action // FACES, 1 + action % FACES
            return f"roll {first}-{second}" if s.begun else f"roll {first} against {second}"
        if action == PASS:
            return "pass"
        die, place = int(s.dice[action // BAR]), action % BAR + 1
        target = place - die
        hit = target > OFF and s.checkers[1 - s.turn, BAR - target] == 1
        origin, end = "bar" if place == BAR else place, target if target > OFF else "off"
        return f"{die}: {origin}/{end}{'*' if hit else ''}"

    return Game(
        name="backgammon",
        players=2,
        actions=PASS + 1,
        outcomes=FACES * FACES,
        facts=FACTS,
        plies=1 + turns * 5,
        record=state,
        hidden=False,
        largest_return=float(stakes),
        rules=[start, player, legal, chance, apply, returns, facts, show, draw, action_name],
    )
