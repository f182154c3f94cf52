"""Why thinking about one information set alone goes wrong: the best guess hangs on a play that never comes there.

A coin is tossed, unseen; player 0 picks left or right, in secret. After heads the game is over, and left has won 1.
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
        """Once a side is picked the coin is shown, for it tells whether to guess; the pick stays secret to the end."""
        n = 0
        if s.pick != UNKNOWN:
            out[n] = s.coin
            n += 1
            if observer == 0:
                out[n] = 2 + s.pick
                n += 1
        if s.guess != UNKNOWN:
            out[n] = 4 + s.guess
            n += 1
        return n

    def sees(s, action, observer):
        if s.coin == UNKNOWN:
            return False
        if s.pick == UNKNOWN:
            return 2 * s.coin + action if observer == 0 else s.coin
        return True

    def show(s, observer):
        coin = "-" if s.pick == UNKNOWN else ("heads", "tails")[s.coin]
        pick = "-" if s.pick == UNKNOWN else ("left", "right")[s.pick] if observer in (0, EVERYONE) else "?"
        guess = "-" if s.guess == UNKNOWN else ("left", "right")[s.guess]
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
