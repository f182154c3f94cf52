"""Ten coins: one player offers a share, the other takes it or leaves both with nothing. What one wins is not lost."""

from numpy import int8

from forethought import TERMINAL, Game, record

COINS = 10
NO_ANSWER = -1
REFUSED, TAKEN = 0, 1


def ultimatum() -> Game:
    """Offer 1 to 9 of ten coins."""
    state = record(offer=int8, answer=int8)

    def start(s):
        s.answer = NO_ANSWER

    def player(s):
        if s.answer != NO_ANSWER:
            return TERMINAL
        return 0 if s.offer == 0 else 1

    def legal(s, out):
        count = COINS - 1 if s.offer == 0 else 2
        for i in range(count):
            out[i] = i
        return count

    def apply(s, action):
        if s.offer == 0:
            s.offer = action + 1
        else:
            s.answer = action

    def returns(s, out):
        out[0] = (COINS - s.offer) * (s.answer == TAKEN)
        out[1] = s.offer * (s.answer == TAKEN)

    def facts(s, observer, out):
        out[0], out[1] = s.offer, COINS + 1 + s.answer
        return 2

    return Game(
        name="ultimatum",
        players=2,
        actions=COINS - 1,
        facts=COINS + 3,
        plies=2,
        record=state,
        hidden=False,
        zero_sum=False,
        rules=[start, player, legal, apply, returns, facts],
    )
