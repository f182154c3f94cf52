"""Generic poker GP(T, C, R, B) of the OOS paper (Lisy, Lanctot and Bowling, 2015), a generalisation of Leduc poker.

Both players pay an ante of 1 and are dealt a card each; after a round of betting one card is dealt to the board, and a
second round follows. Player 0 speaks first in both. A pair with the board beats a high card, and equal cards tie.
T is the number of ranks (types), C of cards of each (copies), R the most raises after the first bet of a round
(raises), B the number of sizes of a bet (bets). Leduc is GP(3, 2, 1, 1).

The paper says all that but the sizes and who speaks first. Those are as in its authors' program (gtlibrary): 2, 4, ..,
2 B in the first round and twice as much in the second, on top of what is to be called, for bets and raises alike.
Folding is legal only against a bet, as there. That each player can pay every raise, is our reading: the paper has no
stacks. With these rules an equilibrium of GP(3, 3, 2, 2) is worth -0.11 to player 0, as printed.

The first bet of a round is called a raise here, as in most programs for Leduc. Suits never matter: the record holds
ranks only, so the cards of a rank lead to the same state.
"""

from numpy import int8, int16

from forethought.errors import ForethoughtError
from forethought.game import CHANCE, EVERYONE, TERMINAL, Game, record
from forethought.games import register_game

FOLD, CALL, RAISE = 0, 1, 2  # RAISE is the smallest raise; larger ones follow
ANTE, SMALLEST = 1, 2
NO_CARD = NOBODY = -1
RANKS = "A23456789TJQK"  # the highest are played; an ace is low
SUITS = "shdc56789"
ROUNDS = ("first", "second")
MOST = {"types": len(RANKS), "copies": len(SUITS), "raises": 9, "bets": 9}


@register_game("generic_poker")
def generic_poker(types: int = 3, copies: int = 3, raises: int = 2, bets: int = 2) -> Game:
    """Generic poker: ranks and cards of each, raises after a bet, and sizes of bets; Leduc is (3, 2, 1, 1)."""
    for name, value in (("types", types), ("copies", copies), ("raises", raises), ("bets", bets)):
        low = 0 if name == "raises" else 1
        if not low <= value <= MOST[name]:
            raise ForethoughtError(f"generic_poker: {name} must be from {low} to {MOST[name]}, not {value}.")
    if types * copies < 3:
        raise ForethoughtError(f"generic_poker: {types * copies} cards are too few; it needs 3.")
    return poker("generic_poker", types, copies, raises, bets)


def poker(name: str, types: int, copies: int, raises: int, bets: int) -> Game:
    """Return the game of these parameters under a name."""
    names = RANKS[-types:]
    most_raises, most_moves = raises + 1, raises + 3  # check, bet, raises, call
    acts = RAISE + bets
    state = record(
        dealt=int8,
        left=(int8, types),
        cards=(int8, 2),
        board=int8,
        round=int8,
        turn=int8,
        raises=int8,
        paid=(int16, 2),
        moves=(int8, 2),
        history=(int8, (2, most_moves)),
        folded=int8,
    )

    def start(s):
        for rank in range(types):
            s.left[rank] = copies
        s.cards[0] = s.cards[1] = s.board = NO_CARD
        s.paid[0] = s.paid[1] = ANTE
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
            for rank in range(types):
                for copy in range(s.left[rank]):
                    out[n] = copies * rank + copy
                    n += 1
            return n
        if s.paid[s.turn] < s.paid[1 - s.turn]:
            out[n] = FOLD
            n += 1
        out[n] = CALL
        n += 1
        if s.raises < most_raises:
            for action in range(RAISE, acts):
                out[n] = action
                n += 1
        return n

    def chance(s, out):
        cards = 0
        for rank in range(types):
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

    def size(s, action):
        """By how much a raise raises."""
        return SMALLEST * (action - RAISE + 1) * (s.round + 1)

    def bet(s, action):
        s.history[s.round, s.moves[s.round]] = action
        s.moves[s.round] += 1
        if action == FOLD:
            s.folded = s.turn
            return
        s.paid[s.turn] = s.paid[1 - s.turn]
        if action >= RAISE:
            s.paid[s.turn] += size(s, action)
            s.raises += 1
        s.turn = 1 - s.turn
        if action == CALL and s.moves[s.round] > 1:
            s.round += 1
            s.turn = s.raises = 0

    def apply(s, action):
        if dealing(s):
            deal(s, action // copies)
        else:
            bet(s, action)

    def strength(s, who):
        return types + s.cards[who] if s.cards[who] == s.board else s.cards[who]

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
            out[n] = types + s.board
            n += 1
        for r in range(2):
            for t in range(s.moves[r]):
                out[n] = 2 * types + acts * (most_moves * r + t) + s.history[r, t]
                n += 1
        return n

    def sees(s, action, observer):
        if not dealing(s):
            return True
        return action // copies if s.dealt in (2, observer) else False

    def show(s, observer):
        def card(rank, seen):
            return "-" if rank == NO_CARD else names[rank] if seen else "?"

        hands = [card(s.cards[who], observer in (who, EVERYONE)) for who in range(2)]
        letters = ["f", "c", *(f"r{n + 1}" if bets > 1 else "r" for n in range(bets))]
        played = [" ".join(letters[s.history[r, t]] for t in range(s.moves[r])) for r in range(2)]
        lines = [f"player {who}: {hands[who]}   paid {s.paid[who]}" for who in range(2)]
        return "\n".join([*lines, f"board: {card(s.board, True)}   play: {played[0]} / {played[1]}"])

    def draw(s, observer):
        items = []
        for who in range(2):
            seen = s.cards[who] != NO_CARD and observer in (who, EVERYONE)
            card = {"text": names[s.cards[who]]} if seen else {"hidden": True}
            items += [
                {"kind": "cards", "label": f"player {who}", "cards": [card], "seat": who},
                {"kind": "chips", "label": f"player {who} paid", "amount": s.paid[who], "seat": who},
            ]
        board = {"hidden": True} if s.board == NO_CARD else {"text": names[s.board]}
        return [
            *items,
            {"kind": "cards", "label": "board", "cards": [board], "seat": None},
            {"kind": "chips", "label": "pot", "amount": s.paid[0] + s.paid[1], "seat": None},
            {"kind": "notes", "label": "bets", "notes": stakes(s)},
            *(
                {"kind": "words", "label": f"{ROUNDS[r]} round", "text": said(s, r)}
                for r in range(2)
                if r == 0 or s.moves[1]
            ),
        ]

    def stakes(s):
        """What each bet costs; no matter whether cards are being dealt, which not everybody knows."""
        if s.folded != NOBODY or s.round == 2:
            return []
        owed, pot = s.paid[1 - s.turn] - s.paid[s.turn], s.paid[0] + s.paid[1]
        costs = {action: owed + size(s, action) for action in range(RAISE, acts)}
        return [
            {"action": FOLD, "text": f"lose {s.paid[s.turn]}"},
            {"action": CALL, "text": f"pay {owed}, pot {pot + owed}" if owed else f"pot {pot}"},
            *({"action": action, "text": f"pay {cost}, pot {pot + cost}"} for action, cost in costs.items()),
        ]

    def said(s, r):
        acted = [s.history[r, t] for t in range(s.moves[r])]
        answered = [t > 0 and acted[t - 1] >= RAISE for t in range(len(acted))]
        return ", ".join(word(r, act, facing) for act, facing in zip(acted, answered, strict=True)) or "-"

    def word(r, action, facing):
        """Name an act of round r; a raise with its size if there are several."""
        if action < RAISE:
            return "fold" if action == FOLD else "call" if facing else "check"
        return f"raise {SMALLEST * (action - RAISE + 1) * (r + 1)}" if bets > 1 else "raise"

    def hand(s, player):
        return "-" if s.cards[player] == NO_CARD else names[s.cards[player]]

    def action_name(s, action, observer):
        if not dealing(s):
            return word(s.round, action, s.paid[s.turn] < s.paid[1 - s.turn])
        rank = action // copies
        told = observer == EVERYONE and s.left[rank] > 1  # facts do not tell the suit; of a single card it is forgotten
        return f"deal {names[rank]}{SUITS[action % copies] if told else ''}"

    return Game(
        name=name,
        players=2,
        actions=acts,
        outcomes=types * copies,
        facts=2 * types + acts * 2 * most_moves,
        plies=3 + 2 * most_moves,
        record=state,
        hidden=True,
        largest_return=float(ANTE + most_raises * SMALLEST * bets * 3),  # the ante, and raises in two rounds
        rules=[start, player, legal, chance, apply, returns, facts, sees, show, draw, hand, action_name],
    )
