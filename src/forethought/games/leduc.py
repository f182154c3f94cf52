"""Leduc poker: six cards of three ranks, two rounds of betting, one public card.

Ante 1; a raise is 2 in the first round and 4 in the second, at most two a round; player 0 speaks first in both. A pair
with the board beats a high card. Folding is legal only against a raise. The rules are those of generic poker.
"""

from forethought.game import Game
from forethought.games import register_game
from forethought.games.generic_poker import poker


@register_game("leduc")
def leduc() -> Game:
    """Leduc poker: six cards, two rounds of betting."""
    return poker("leduc", types=3, copies=2, raises=1, bets=1)
