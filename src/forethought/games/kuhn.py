"""Kuhn poker: three cards, one bet, the smallest game in which bluffing pays.

Both players pay an ante of 1 and are dealt one of the cards J, Q and K; the third is not used. Player 0 speaks first.
In turn they pass or bet 1, until both have passed, both have bet, or a bet is answered by a pass, which is a fold: then
whoever bet wins what was paid. Else the higher card wins it.
"""

from numpy import int8

from forethought.game import CHANCE, EVERYONE, TERMINAL, Game, record
from forethought.games import register_game

PASS, BET = 0, 1
NO_CARD = -1
CARDS = "JQK"


@register_game("kuhn")
def kuhn() -> Game:
    """Kuhn poker: three cards, one bet."""
    state = record(dealt=int8, cards=(int8, 2), moves=int8, history=(int8, 3))

    def start(s):
        s.cards[0] = s.cards[1] = NO_CARD

    def over(s):
        """Play ends with two passes, two bets, or a pass that answers a bet."""
        if s.moves < 2:
            return False
        last, before = s.history[s.moves - 1], s.history[s.moves - 2]
        return last == before or last == PASS

    def player(s):
        if s.dealt < 2:
            return CHANCE
        return TERMINAL if over(s) else s.moves % 2

    def legal(s, out):
        if s.dealt == 2:
            out[0], out[1] = PASS, BET
            return 2
        n = 0
        for card in range(3):
            if card != s.cards[0]:
                out[n] = card
                n += 1
        return n

    def chance(s, out):
        for i in range(3 - s.dealt):
            out[i] = 1.0 / (3 - s.dealt)

    def apply(s, action):
        if s.dealt < 2:
            s.cards[s.dealt] = action
            s.dealt += 1
        else:
            s.history[s.moves] = action
            s.moves += 1

    def returns(s, out):
        last, before = s.history[s.moves - 1], s.history[s.moves - 2]
        if last == before:
            stake = 2.0 if last == BET else 1.0
            winner = 0 if s.cards[0] > s.cards[1] else 1
        else:  # a pass answered a bet: whoever bet wins the ante
            stake = 1.0
            winner = s.moves % 2
        out[winner], out[1 - winner] = stake, -stake

    def facts(s, observer, out):
        n = 0
        if observer >= 0 and s.cards[observer] != NO_CARD:
            out[n] = s.cards[observer]
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.history[t]
            n += 1
        return n

    def sees(s, action, observer):
        return s.dealt == 2 or s.dealt == observer

    def show(s, observer):
        cards = [
            CARDS[card] if card != NO_CARD and observer in (owner, EVERYONE) else "?"
            for owner, card in enumerate(s.cards)
        ]
        bets = " ".join(("pass", "bet")[s.history[t]] for t in range(s.moves))
        return f"cards {cards[0]} {cards[1]}   play: {bets or '-'}"

    def draw(s, observer):
        items, paid = [], [1 + sum(s.history[t] == BET for t in range(who, s.moves, 2)) for who in range(2)]
        for who in range(2):
            seen = s.cards[who] != NO_CARD and observer in (who, EVERYONE)
            card = {"text": CARDS[s.cards[who]]} if seen else {"hidden": True}
            items += [
                {"kind": "cards", "label": f"player {who}", "cards": [card], "seat": who},
                {"kind": "chips", "label": f"player {who} paid", "amount": paid[who], "seat": who},
            ]
        bets = ", ".join(("pass", "bet")[s.history[t]] for t in range(s.moves))
        return [
            *items,
            {"kind": "chips", "label": "pot", "amount": sum(paid), "seat": None},
            {"kind": "words", "label": "play", "text": bets or "-"},
            {"kind": "notes", "label": "bets", "notes": [] if over(s) else stakes(s, sum(paid))},
        ]

    def stakes(s, pot):
        """What passing and betting cost: to pass is to fold where a bet is to be answered."""
        facing = s.moves > 0 and s.history[s.moves - 1] == BET
        return [
            {"action": PASS, "text": "fold, lose 1" if facing else f"pot {pot}"},
            {"action": BET, "text": f"{'call, ' if facing else ''}pay 1, pot {pot + 1}"},
        ]

    def hand(s, player):
        return "-" if s.cards[player] == NO_CARD else CARDS[s.cards[player]]

    def action_name(s, action):
        return f"deal {CARDS[action]}" if s.dealt < 2 else ("pass", "bet")[action]

    return Game(
        name="kuhn",
        players=2,
        actions=2,
        outcomes=3,
        facts=9,
        plies=5,
        record=state,
        hidden=True,
        largest_return=2.0,
        rules=[start, player, legal, chance, apply, returns, facts, sees, show, draw, hand, action_name],
    )
