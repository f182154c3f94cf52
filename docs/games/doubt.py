"""Doubt: one secret roll, one claim, one chance to call the bluff. The finished file of the tutorial."""

from numpy import int8

from forethought import CHANCE, EVERYONE, TERMINAL, Game, record

PASS, CLAIM = 0, 1  # player 0
BELIEVE, DOUBT = 0, 1  # player 1


def doubt(faces: int = 6) -> Game:
    """Doubt: claim that your secret roll is high, or call the bluff."""
    state = record(roll=int8, moves=int8, acts=(int8, 2))

    def start(s):
        s.roll = -1

    def player(s):
        if s.roll < 0:
            return CHANCE
        if s.moves == 2 or (s.moves == 1 and s.acts[0] == PASS):
            return TERMINAL
        return s.moves

    def legal(s, out):
        n = faces if s.roll < 0 else 2
        for i in range(n):
            out[i] = i
        return n

    def chance(s, out):
        for i in range(faces):
            out[i] = 1.0 / faces

    def apply(s, action):
        if s.roll < 0:
            s.roll = action
        else:
            s.acts[s.moves] = action
            s.moves += 1

    def is_high(s):
        return 2 * s.roll >= faces

    def returns(s, out):
        if s.acts[0] == PASS:
            value = -1
        elif s.acts[1] == BELIEVE:
            value = 1
        else:
            value = 2 if is_high(s) else -2
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        n = 0
        if observer == 0 and s.roll >= 0:
            out[n] = s.roll
            n += 1
        for t in range(s.moves):
            out[n] = faces + 2 * t + s.acts[t]
            n += 1
        return n

    def sees(s, action, observer):
        return s.roll >= 0 or observer == 0

    def show(s, observer):
        roll = "-" if s.roll < 0 else str(s.roll + 1) if observer in (0, EVERYONE) else "?"
        said = ["pass", "claim"][s.acts[0]] if s.moves > 0 else "-"
        answer = ["believe", "doubt"][s.acts[1]] if s.moves > 1 else "-"
        return f"roll {roll}   said: {said}   answer: {answer}"

    def action_name(s, action):
        if s.roll < 0:
            return f"roll {action + 1}"
        return (("pass", "claim"), ("believe", "doubt"))[s.moves][action]

    return Game(
        name="doubt",
        players=2,
        actions=2,
        outcomes=faces,
        facts=faces + 4,
        plies=3,
        record=state,
        hidden=True,
        rules=[start, player, legal, chance, apply, returns, facts, sees, show, action_name],
    )
