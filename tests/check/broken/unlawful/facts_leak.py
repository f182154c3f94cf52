"""Player 1 knows whether player 0 was dealt the best card."""

from tests.check.bases import cards


def facts_leak():
    def facts(s, observer, out):
        n = 0
        if 0 <= observer < s.dealt:
            out[n] = s.cards[observer]
            n += 1
        if observer == 1 and s.dealt > 0 and s.cards[0] == 2:
            out[n] = 7
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.acts[t]
            n += 1
        return n

    return cards(facts, facts=8)
