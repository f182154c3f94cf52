"""Liar's Dice: each player rolls in secret, then they outbid each other until one calls the other a liar.

A bid says that among all dice at least `quantity` show `face`; sixes are wild and count as every face. Bids run by
quantity, then face; each must be higher than the last. When a bid is called, the bidder wins if it holds. One round.
"""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from numpy import int8, int16, int64

from forethought.errors import ForethoughtError
from forethought.game import CHANCE, EVERYONE, TERMINAL, Game, record
from forethought.games import register_game

FACES = 6
WILD = FACES - 1
MOST_DICE = 5


@register_game("liars_dice")
def liars_dice(dice: int = 1) -> Game:
    """Liar's Dice: secret rolls and rising bids; dice is the number each player has."""
    if not 1 <= dice <= MOST_DICE:
        raise ForethoughtError(f"liars_dice: dice must be from 1 to {MOST_DICE}, not {dice}.")
    bids = 2 * dice * FACES
    liar = bids  # the action that calls the last bid
    rolls = list(combinations_with_replacement(range(FACES), dice))
    counts = np.array([[roll.count(face) for face in range(FACES)] for roll in rolls], np.int64)
    orders = [factorial(dice) // prod(factorial(int(n)) for n in row) for row in counts]
    odds = np.array([order / FACES**dice for order in orders])
    bid_facts, liar_fact = FACES * dice, FACES * dice + 2 * bids

    state = record(dealt=int8, rolls=(int16, 2), turn=int8, called=int8, last=int8, made=int64)

    def start(s):
        s.last = -1

    def player(s):
        if s.called:
            return TERMINAL
        return CHANCE if s.dealt < 2 else s.turn

    def legal(s, out):
        if s.dealt < 2:
            for roll in range(len(odds)):
                out[roll] = roll
            return len(odds)
        n = 0
        for bid in range(s.last + 1, bids):
            out[n] = bid
            n += 1
        if s.last >= 0:
            out[n] = liar
            n += 1
        return n

    def chance(s, out):
        for roll in range(len(odds)):
            out[roll] = odds[roll]

    def apply(s, action):
        if s.dealt < 2:
            s.rolls[s.dealt] = action
            s.dealt += 1
        elif action == liar:
            s.called = 1
        else:
            s.made |= 1 << action
            s.last = action
            s.turn = 1 - s.turn

    def showing(s, face):
        """How many of all dice count as this face."""
        total = 0
        for who in range(2):
            total += counts[s.rolls[who], face]
            if face != WILD:
                total += counts[s.rolls[who], WILD]
        return total

    def returns(s, out):
        holds = showing(s, s.last % FACES) >= 1 + s.last // FACES
        winner = 1 - s.turn if holds else s.turn
        out[winner], out[1 - winner] = 1.0, -1.0

    def facts(s, observer, out):
        """One's own dice, as 'at least k of this face'; then the bids, one's own apart from the other's."""
        n = 0
        if observer >= 0 and s.dealt > observer:
            for face in range(FACES):
                for k in range(counts[s.rolls[observer], face]):
                    out[n] = face * dice + k
                    n += 1
        other = 1 if observer == 1 else 0  # player 0 made the first bid
        for bid in range(s.last + 1):
            if (s.made >> bid) & 1:
                out[n] = bid_facts + other * bids + bid
                n += 1
                other = 1 - other
        if s.called:
            out[n] = liar_fact
            n += 1
        return n

    def sees(s, action, observer):
        return s.dealt in (2, observer)

    def said(s):
        return ", ".join(action_name(s, bid) for bid in range(s.last + 1) if (s.made >> bid) & 1) or "-"

    def show(s, observer):
        def faces(who):
            if s.dealt <= who:
                return "-"
            return " ".join(str(f + 1) if observer in (who, EVERYONE) else "?" for f in rolls[s.rolls[who]])

        table = f"bids: {said(s)}{'   liar!' if s.called else ''}"
        return f"player 0: {faces(0)}\nplayer 1: {faces(1)}\n{table}"

    def draw(s, observer):
        def faces(who):
            seen = s.dealt > who and observer in (who, EVERYONE)
            return [face + 1 for face in rolls[s.rolls[who]]] if seen else [None] * dice

        rolled = [{"kind": "dice", "label": f"player {who}", "dice": faces(who), "seat": who} for who in range(2)]
        words = said(s) + (", liar!" if s.called else "")
        shown = (
            [{"kind": "words", "label": "the last bid", "text": truth(s)}] if s.called and observer == EVERYONE else []
        )
        return [*rolled, {"kind": "words", "label": "bids", "text": words}, *shown]

    def truth(s):
        there, face = showing(s, s.last % FACES), 1 + s.last % FACES
        holds = "holds" if there >= 1 + s.last // FACES else "does not hold"
        return f"{action_name(s, s.last)} {holds}: {there} of {2 * dice} dice count as {face}"

    def hand(s, player):
        return " ".join(str(face + 1) for face in rolls[s.rolls[player]]) if s.dealt > player else "-"

    def action_name(s, action):
        if s.dealt < 2:
            return "roll " + " ".join(str(face + 1) for face in rolls[action])
        return "liar!" if action == liar else f"{1 + action // FACES} x {1 + action % FACES}"

    return Game(
        name="liars_dice",
        players=2,
        actions=bids + 1,
        outcomes=len(rolls),
        facts=liar_fact + 1,
        plies=2 + bids + 1,
        record=state,
        hidden=True,
        largest_return=1.0,
        rules=[start, player, legal, chance, apply, returns, facts, sees, show, draw, hand, action_name],
    )
