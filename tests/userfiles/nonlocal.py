"""Why thinking about one information set alone goes wrong: the best guess hangs on a play that never comes there.

A coin is tossed, which only player 1 sees. Player 0 picks left or right, in secret; after heads left wins 1 at once.
After tails player 1 guesses what was picked, and player 0 wins 3 if the guess is right. Player 0 is as well off on
either side only if player 1 says left a third of the time; who leaves heads out of account says it half of the time.
"""

from numpy import int8

from forethought import CHANCE, EVERYONE, TERMINAL, Game, record

HEADS, TAILS = 0, 1
LEFT, RIGHT = 0, 1
UNKNOWN = -1


def guessing() -> Game:
    """A coin, a pick and a guess."""
    state = record(coin=int8, pick=int8, guess=int8)

    def start(s):
        s.coin = s.pick = s.guess = UNKNOWN

    def player(s):
        if s.coin == UNKNOWN:
            return CHANCE
        if s.pick == UNKNOWN:
            return 0
        return TERMINAL if s.coin == HEADS or s.guess != UNKNOWN else 1

    def legal(s, out):
        out[0], out[1] = 0, 1
        return 2

    def chance(s, out):
        out[0] = out[1] = 0.5

    def apply(s, action):
        if s.coin == UNKNOWN:
            s.coin = action
        elif s.pick == UNKNOWN:
            s.pick = action
        else:
            s.guess = action

    def returns(s, out):
        wins_one, wins_three = s.coin == HEADS and s.pick == LEFT, s.coin == TAILS and s.pick == s.guess
        value = 1 * wins_one + 3 * wins_three
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        n = 0
        if observer == 1 and s.coin != UNKNOWN:
            out[n] = s.coin
            n += 1
        if observer == 0 and s.pick != UNKNOWN:
            out[n] = 2 + s.pick
            n += 1
        if s.guess != UNKNOWN:
            out[n] = 4 + s.guess
            n += 1
        return n

    def sees(s, action, observer):
        if s.coin == UNKNOWN:
            return observer == 1
        return s.pick != UNKNOWN or observer == 0

    def show(s, observer):
        def shown(value, names, seen):
            return "-" if value == UNKNOWN else names[value] if seen else "?"

        coin = shown(s.coin, ("heads", "tails"), observer in (1, EVERYONE))
        pick = shown(s.pick, ("left", "right"), observer in (0, EVERYONE))
        guess = shown(s.guess, ("left", "right"), True)
        return f"coin {coin}   picked {pick}   guessed {guess}"

    def action_name(s, action):
        return ("heads", "tails")[action] if s.coin == UNKNOWN else ("left", "right")[action]

    return Game(
        name="nonlocal",
        players=2,
        actions=2,
        outcomes=2,
        facts=6,
        plies=3,
        record=state,
        hidden=True,
        rules=[start, player, legal, chance, apply, returns, facts, sees, show, action_name],
    )
