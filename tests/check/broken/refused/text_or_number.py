"""A variable of a rule is sometimes text and sometimes a number."""

from tests.check.bases import stones

from forethought import TERMINAL


def text_or_number():
    def player(s):
        who = "nobody" if s.left == 0 else s.turn
        return TERMINAL if who == "nobody" else s.turn

    return stones(player)
