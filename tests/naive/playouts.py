"""Random games through the Python face, one call at a time."""

import forethought as ft
from tests.naive import xoshiro


def playouts(game: ft.Game, games: int, words: list[int]) -> tuple[int, list[float]]:
    """Return plies played and each player's sum of returns."""
    plies, sums = 0, [0.0] * game.players
    for _ in range(games):
        s = game.start()
        while not s.is_terminal:
            legal = s.legal_actions()
            choice = xoshiro.choose(s.chance(), words) if s.is_chance else xoshiro.below(len(legal), words)
            s.apply(legal[choice])
            plies += 1
        sums = [total + value for total, value in zip(sums, s.returns(), strict=True)]
    return plies, sums
