"""Leduc poker: six cards of three ranks, two rounds of betting, one public card.

Ante 1; a raise is 2 in the first round and 4 in the second, at most two a round; player 0 speaks first in both. A pair
with the board beats a high card. Folding is legal only against a raise. Suits never matter: the record holds ranks
only, so the two cards of a rank lead to the same state.
"""

from numpy import int8

from forethought.game import CHANCE, EVERYONE, TERMINAL, Game, record
from forethought.games import register_game

FOLD, CALL, RAISE = 0, 1, 2
RANKS = 3
MAX_RAISES = 2
MAX_MOVES = 4  # check, raise, raise, call
NO_CARD = NOBODY = -1
NAMES = "JQK"


@register_game("leduc")
def leduc() -> Game:
    """Leduc poker: six cards, two rounds of betting."""
    state = record(
        dealt=int8,
        left=(int8, RANKS),
        cards=(int8, 2),
        board=int8,
        round=int8,
        turn=int8,
        raises=int8,
        paid=(int8, 2),
        moves=(int8, 2),
        history=(int8, (2, MAX_MOVES)),
        folded=int8,
    )

    def start(s):
        for rank in range(RANKS):
            s.left[rank] = 2
        s.cards[0] = s.cards[1] = s.board = NO_CARD
        s.paid[0] = s.paid[1] = 1
        s.folded = NOBODY

    def dealing(s):
        return s.dealt < 2 or (s.round == 1 and s.board == NO_CARD and s.folded == NOBODY)

    def player(s):
        if s.folded != NOBODY or s.round == 2:
            return TERMINAL
        return CHANCE if dealing(s) else s.turn

    def legal(s, out):
        n = 0
        if dealing(s):
            for rank in range(RANKS):
                for copy in range(s.left[rank]):
                    out[n] = 2 * rank + copy
                    n += 1
            return n
        if s.paid[s.turn] < s.paid[1 - s.turn]:
            out[n] = FOLD
            n += 1
        out[n] = CALL
        n += 1
        if s.raises < MAX_RAISES:
            out[n] = RAISE
            n += 1
        return n

    def chance(s, out):
        cards = 0
        for rank in range(RANKS):
            cards += s.left[rank]
        for i in range(cards):
            out[i] = 1.0 / cards

    def deal(s, rank):
        s.left[rank] -= 1
        if s.dealt < 2:
            s.cards[s.dealt] = rank
            s.dealt += 1
        else:
            s.board = rank

    def bet(s, action):
        s.history[s.round, s.moves[s.round]] = action
        s.moves[s.round] += 1
        if action == FOLD:
            s.folded = s.turn
            return
        s.paid[s.turn] = s.paid[1 - s.turn]
        if action == RAISE:
            s.paid[s.turn] += 4 if s.round == 1 else 2
            s.raises += 1
        s.turn = 1 - s.turn
        if action == CALL and s.moves[s.round] > 1:
            s.round += 1
            s.turn = s.raises = 0

    def apply(s, action):
        if dealing(s):
            deal(s, action // 2)
        else:
            bet(s, action)

    def strength(s, who):
        return RANKS + s.cards[who] if s.cards[who] == s.board else s.cards[who]

    def returns(s, out):
        if s.folded != NOBODY:
            value = s.paid[1] if s.folded == 1 else -s.paid[0]
        else:
            first, second = strength(s, 0), strength(s, 1)
            value = s.paid[0] if first > second else -s.paid[0] if first < second else 0
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        n = 0
        if observer >= 0 and s.cards[observer] != NO_CARD:
            out[n] = s.cards[observer]
            n += 1
        if s.board != NO_CARD:
            out[n] = RANKS + s.board
            n += 1
        for r in range(2):
            for t in range(s.moves[r]):
                out[n] = 2 * RANKS + 3 * (MAX_MOVES * r + t) + s.history[r, t]
                n += 1
        return n

    def sees(s, action, observer):
        if not dealing(s):
            return True
        return action // 2 if s.dealt in (2, observer) else False

    def show(s, observer):
        def card(rank, seen):
            return "-" if rank == NO_CARD else NAMES[rank] if seen else "?"

        hands = [card(s.cards[who], observer in (who, EVERYONE)) for who in range(2)]
        bets = [" ".join("fcr"[s.history[r, t]] for t in range(s.moves[r])) for r in range(2)]
        lines = [f"player {who}: {hands[who]}   paid {s.paid[who]}" for who in range(2)]
        return "\n".join([*lines, f"board: {card(s.board, True)}   play: {bets[0]} / {bets[1]}"])

    def draw(s, observer):
        items = []
        for who in range(2):
            seen = s.cards[who] != NO_CARD and observer in (who, EVERYONE)
            card = {"text": NAMES[s.cards[who]]} if seen else {"hidden": True}
            items += [
                {"kind": "cards", "label": f"player {who}", "cards": [card], "seat": who},
                {"kind": "chips", "label": f"player {who} paid", "amount": s.paid[who], "seat": who},
            ]
        board = {"hidden": True} if s.board == NO_CARD else {"text": NAMES[s.board]}
        return [
            *items,
            {"kind": "cards", "label": "board", "cards": [board], "seat": None},
            {"kind": "chips", "label": "pot", "amount": s.paid[0] + s.paid[1], "seat": None},
            {"kind": "notes", "label": "bets", "notes": stakes(s)},
            {"kind": "words", "label": "play", "text": f"{said(s, 0)} / {said(s, 1)}"},
        ]

    def stakes(s):
        """What each bet costs; no matter whether cards are being dealt, which not everybody knows."""
        if s.folded != NOBODY or s.round == 2:
            return []
        owed, pot = s.paid[1 - s.turn] - s.paid[s.turn], s.paid[0] + s.paid[1]
        call, bet = owed, owed + (4 if s.round == 1 else 2)
        return [
            {"action": FOLD, "text": f"lose {s.paid[s.turn]}"},
            {"action": CALL, "text": f"pay {call}, pot {pot + call}" if call else f"pot {pot}"},
            {"action": RAISE, "text": f"pay {bet}, pot {pot + bet}"},
        ]

    def said(s, r):
        acts = [s.history[r, t] for t in range(s.moves[r])]
        answered = [t > 0 and acts[t - 1] == RAISE for t in range(len(acts))]
        names = [("fold", "call" if a else "check", "raise")[act] for act, a in zip(acts, answered, strict=True)]
        return ", ".join(names) or "-"

    def hand(s, player):
        return "-" if s.cards[player] == NO_CARD else NAMES[s.cards[player]]

    def action_name(s, action, observer):
        if dealing(s) and observer != EVERYONE:
            return f"deal {NAMES[action // 2]}"  # facts do not tell the suit
        if dealing(s):
            suit = "sh"[action % 2] if s.left[action // 2] == 2 else ""  # of a single card left, the suit is forgotten
            return f"deal {NAMES[action // 2]}{suit}"
        facing = s.paid[s.turn] < s.paid[1 - s.turn]
        return ("fold", "call" if facing else "check", "raise")[action]

    return Game(
        name="leduc",
        players=2,
        actions=3,
        outcomes=2 * RANKS,
        facts=2 * RANKS + 3 * 2 * MAX_MOVES,
        plies=3 + 2 * MAX_MOVES,
        record=state,
        hidden=True,
        largest_return=13.0,  # the ante, and two raises in each round
        rules=[start, player, legal, chance, apply, returns, facts, sees, show, draw, hand, action_name],
    )
