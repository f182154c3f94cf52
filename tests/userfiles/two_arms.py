"""Two arms, one of them loaded in secret: the smallest game in which the right answer must be mixed.

Player 0 loads the left or the right arm, unseen. Player 1 pulls one of them, and gets from player 0 what a loaded one
pays: 1 on the left, 3 on the right; an empty one pays nothing. Neither side may prefer an arm. So with l the chance
that left is loaded l = 3 (1 - l), and with p the chance that left is pulled p = 3 (1 - p): both are 3/4, as the value.
"""

from numpy import int8

from forethought import EVERYONE, TERMINAL, Game, record

LEFT, RIGHT = 0, 1
UNKNOWN = -1
PAYS_RIGHT = 3
ANSWER = 0.75  # the chance of left, for both players


def two_arms() -> Game:
    """Load one of two arms, and let the other player pull."""
    state = record(loaded=int8, pulled=int8)

    def start(s):
        s.loaded = s.pulled = UNKNOWN

    def player(s):
        if s.loaded == UNKNOWN:
            return 0
        return 1 if s.pulled == UNKNOWN else TERMINAL

    def legal(s, out):
        out[0], out[1] = LEFT, RIGHT
        return 2

    def apply(s, action):
        if s.loaded == UNKNOWN:
            s.loaded = action
        else:
            s.pulled = action

    def returns(s, out):
        won = 0
        if s.loaded == s.pulled:
            won = PAYS_RIGHT if s.loaded == RIGHT else 1
        out[0], out[1] = -won, won

    def facts(s, observer, out):
        n = 0
        if observer >= 0:
            out[n] = observer  # the seat, or both would know nothing when they choose
            n += 1
        if s.loaded != UNKNOWN and observer == 0:
            out[n] = 2 + s.loaded
            n += 1
        if s.pulled != UNKNOWN:
            out[n] = 4 + s.pulled
            n += 1
        return n

    def sees(s, action, observer):
        return s.loaded != UNKNOWN or observer == 0

    def show(s, observer):
        loaded = "-" if s.loaded == UNKNOWN else action_name(s, s.loaded) if observer in (0, EVERYONE) else "?"
        pulled = "-" if s.pulled == UNKNOWN else action_name(s, s.pulled)
        return f"loaded {loaded}   pulled {pulled}"

    def action_name(s, action):
        return ("left", "right")[action]

    return Game(
        name="two_arms",
        players=2,
        actions=2,
        facts=6,
        plies=2,
        record=state,
        hidden=True,
        rules=[start, player, legal, apply, returns, facts, sees, show, action_name],
    )
