"""A race of two with a choice of dice: a steady one brings one or two steps, a bold one none or three.

Whoever first has gone all the way wins. Chance acts in between, and nothing is hidden.
"""

from numpy import int8

from forethought import CHANCE, TERMINAL, Game, record

STEADY, BOLD = 0, 1
NO_DIE = -1
FACES = 4  # 0 to 3 steps


def dice_race(steps: int = 5, rounds: int = 6) -> Game:
    """Race so many steps; a draw after so many rounds."""
    state = record(turns=int8, die=int8, gone=(int8, 2))

    def start(s):
        s.die = NO_DIE

    def player(s):
        if s.gone[0] >= steps or s.gone[1] >= steps or s.turns == 2 * rounds:
            return TERMINAL
        return s.turns % 2 if s.die == NO_DIE else CHANCE

    def legal(s, out):
        if s.die == NO_DIE:
            out[0], out[1] = STEADY, BOLD
        elif s.die == STEADY:
            out[0], out[1] = 1, 2
        else:
            out[0], out[1] = 0, 3
        return 2

    def chance(s, out):
        out[0] = 1.0 / 3.0 if s.die == STEADY else 0.6
        out[1] = 1.0 - out[0]

    def apply(s, action):
        if s.die == NO_DIE:
            s.die = action
            return
        s.gone[s.turns % 2] = min(steps, s.gone[s.turns % 2] + action)
        s.turns += 1
        s.die = NO_DIE

    def returns(s, out):
        out[0] = (s.gone[0] >= steps) - (s.gone[1] >= steps)
        out[1] = -out[0]

    def facts(s, observer, out):
        out[0], out[1], out[2] = s.gone[0], steps + 1 + s.gone[1], 2 * (steps + 1) + s.turns
        if s.die == NO_DIE:
            return 3
        out[3] = 2 * (steps + 1) + 2 * rounds + 1 + s.die
        return 4

    def show(s):
        return f"turn {s.turns}: {s.gone[0]} and {s.gone[1]} of {steps} steps, die {s.die}"

    def action_name(s, action):
        return ("steady", "bold")[action] if s.die == NO_DIE else f"{action} steps"

    return Game(
        name="dice_race",
        players=2,
        actions=2,
        outcomes=FACES,
        facts=2 * (steps + 1) + 2 * rounds + 3,
        plies=4 * rounds,
        record=state,
        hidden=False,
        rules=[start, player, legal, chance, apply, returns, facts, show, action_name],
    )
