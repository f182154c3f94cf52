"""Players forget their cards as soon as somebody acts."""

from tests.check.bases import cards


def facts_forget():
    def facts(s, observer, out):
        n = 0
        if 0 <= observer < s.dealt and s.moves == 0:
            out[n] = s.cards[observer]
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.acts[t]
            n += 1
        return n

    return cards(facts)
