"""II Goofspiel: both players hold the same cards and bid one each round, in secret, for a rising prize.

Imperfect information: after each round the players learn who won it, not what the other bid. Cards and prizes are
0..cards-1 and prizes ascend, so the first round is for nothing; a tied prize is lost. Player 0's bid is made first and
not shown to player 1, which is the same as bidding at once.
"""

from numpy import int8, int32

from forethought.errors import ForethoughtError
from forethought.game import EVERYONE, TERMINAL, Game, record
from forethought.games import register_game

LOST, DREW, WON = 0, 1, 2
MOST_CARDS = 30


@register_game("goofspiel")
def goofspiel(cards: int = 13, payoff: str = "win") -> Game:
    """II Goofspiel: secret bids for rising prizes; payoff=win counts the winner, payoff=points the difference."""
    if not 2 <= cards <= MOST_CARDS:
        raise ForethoughtError(f"goofspiel: cards must be from 2 to {MOST_CARDS}, not {cards}.")
    if payoff not in ("win", "points"):
        raise ForethoughtError(f"goofspiel: payoff must be win or points, not {payoff}.")
    counts_points = payoff == "points"
    bid_facts, outcome_facts = 2, 2 + cards * cards
    state = record(turn=int8, round=int8, hands=(int32, 2), bids=(int8, (2, cards)))

    def start(s):
        s.hands[0] = s.hands[1] = (1 << cards) - 1

    def player(s):
        return TERMINAL if s.round == cards else s.turn

    def legal(s, out):
        hand = s.hands[s.turn]
        n = 0
        for card in range(cards):  # write every card, keep those held: no branch for the processor to guess
            out[n] = card
            n += (hand >> card) & 1
        return n

    def apply(s, action):
        s.hands[s.turn] &= ~(1 << action)
        s.bids[s.turn, s.round] = action
        s.round += s.turn
        s.turn = 1 - s.turn

    def outcome(mine, theirs):
        return DREW + (mine > theirs) - (mine < theirs)

    def returns(s, out):
        lead = 0
        for t in range(cards):
            lead += t * (outcome(s.bids[0, t], s.bids[1, t]) - DREW)
        value = lead if counts_points else (lead > 0) - (lead < 0)
        out[0], out[1] = value, -value

    def facts(s, observer, out):
        """The seat; then for each round one's own bid and how it ended. PUBLIC: how rounds ended for player 0."""
        n = 0
        if observer >= 0:
            out[n] = observer
            n += 1
        mine = observer if observer >= 0 else 0
        for t in range(s.round):
            if observer >= 0:
                out[n] = bid_facts + t * cards + s.bids[mine, t]
                n += 1
            out[n] = outcome_facts + 3 * t + outcome(s.bids[mine, t], s.bids[1 - mine, t])
            n += 1
        if observer == 0 and s.turn == 1:
            out[n] = bid_facts + s.round * cards + s.bids[0, s.round]
            n += 1
        return n

    def feasible(hand, equal, below, above):
        """Can distinct cards of `hand` equal each card of `equal`, undercut each of `below`, exceed each of `above`?

        Own bids differ, so equal bids are pinned to different cards. Undercutting demands are nested: if they can be
        met at all, then by the lowest cards left, and likewise exceeding ones by the highest (Hall's condition).
        """
        if equal & ~hand:
            return False
        free = hand & ~equal
        low_supply = low_demand = high_supply = high_demand = 0
        for i in range(cards):
            low, high = i, cards - 1 - i
            low_demand += (below >> low) & 1
            high_demand += (above >> high) & 1
            if low_demand > low_supply or high_demand > high_supply:
                return False
            low_supply += (free >> low) & 1
            high_supply += (free >> high) & 1
        return low_demand + high_demand <= low_supply

    def reaches(s, action, observer, target, known):
        """Own bids are fixed by the target; the other's must end each round as told and leave cards for the rest."""
        t = s.round
        if observer < 0:
            if s.turn == 0 or t >= known:
                return True
            return outcome(s.bids[0, t], action) == (target[t] - outcome_facts) % 3
        rounds = (known - 1) // 2
        if s.turn == observer:
            return 1 + 2 * t >= known or action == (target[1 + 2 * t] - bid_facts) % cards
        if t >= rounds:
            return True
        equal = below = above = 0
        for later in range(t, rounds):
            mine = (target[1 + 2 * later] - bid_facts) % cards
            ending = (target[2 + 2 * later] - outcome_facts) % 3
            if later == t:
                if outcome(mine, action) != ending:
                    return False
            elif ending == DREW:
                equal |= 1 << mine
            elif ending == WON:
                below |= 1 << mine
            else:
                above |= 1 << mine
        return feasible(s.hands[s.turn] & ~(1 << action), equal, below, above)

    def sees(s, action, observer):
        """Nobody sees the other's bid; once both are in, everybody learns how the round ended."""
        if s.turn == 0:
            return observer == 0
        first = s.bids[0, s.round]
        return outcome(action, first) if observer == 1 else outcome(first, action)

    def show(s, observer):
        def bid(who, t):
            return str(s.bids[who, t]) if observer in (who, EVERYONE) else "?"

        lines = ["round  " + " ".join(f"{t:>2}" for t in range(s.round))]
        lines += [f"bids {who} " + " ".join(f"{bid(who, t):>2}" for t in range(s.round)) for who in range(2)]
        winners = ["1-0"[outcome(s.bids[0, t], s.bids[1, t])] for t in range(s.round)]
        lines.append("winner " + " ".join(f"{winner:>2}" for winner in winners))
        if observer in (0, 1):
            hand = " ".join(str(card) for card in range(cards) if (s.hands[observer] >> card) & 1)
            lines.append(f"your cards: {hand or '-'}")
        return "\n".join(lines)

    def bids_known(s, who, observer):
        """The bids of a player; those the observer must not see as None, and not at all before both are in."""
        if observer in (who, EVERYONE):
            return [s.bids[who, t] for t in range(s.round + (who < s.turn))]
        return [None] * s.round

    def cards_known(s, who, observer):
        """The cards of a player: one's own all, those bid marked as used; of another's those left, face down."""
        if observer not in (who, EVERYONE):
            return [{"hidden": True}] * (cards - s.round)
        bids = bids_known(s, who, observer)
        return [{"text": str(card), "action": card, "used": card in bids} for card in range(cards)]

    def draw(s, observer):
        items = []
        for who in range(2):
            bids = [{"hidden": True} if b is None else {"text": str(b)} for b in bids_known(s, who, observer)]
            held = cards_known(s, who, observer)
            points = sum(t for t in range(s.round) if outcome(s.bids[who, t], s.bids[1 - who, t]) == WON)
            items += [
                {"kind": "cards", "label": f"cards of player {who}", "cards": held, "seat": who},
                {"kind": "cards", "label": f"bids of player {who}", "cards": bids, "seat": who},
                {"kind": "chips", "label": f"points of player {who}", "amount": points, "seat": who},
            ]
        prizes = [{"text": str(t), "used": t < s.round, "current": t == s.round} for t in range(cards)]
        winners = " ".join("1-0"[outcome(s.bids[0, t], s.bids[1, t])] for t in range(s.round))
        return [
            {"kind": "cards", "label": "prizes", "cards": prizes, "seat": None},
            *items,
            {"kind": "words", "label": "rounds won by player", "text": winners or "-"},
        ]

    def hand(s, player):
        return "bid " + (" ".join(map(str, bids_known(s, player, player))) or "-")

    def action_name(s, action):
        return f"bid {action}"

    return Game(
        name="goofspiel",
        players=2,
        actions=cards,
        facts=outcome_facts + 3 * cards,
        plies=2 * cards,
        record=state,
        hidden=True,
        largest_return=max(1.0, cards * (cards - 1) / 2) if counts_points else 1.0,  # all prizes but the one worth 0
        rules=[start, player, legal, apply, returns, facts, reaches, sees, show, draw, hand, action_name],
    )
