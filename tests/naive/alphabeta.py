"""Depth-limited minimax through the Python face, and the value of leaves by random games."""

import numpy as np

import forethought as ft
from tests.naive import xoshiro
from tests.naive.mcts import child

GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mixed(x: int) -> int:
    """SplitMix64's function of a counter."""
    x = (x ^ (x >> 30)) * FIRST & xoshiro.MASK
    x = (x ^ (x >> 27)) * SECOND & xoshiro.MASK
    return x ^ (x >> 31)


def value(s: ft.State, plies: int, rollouts: int = 0, seed: int = 0) -> float:
    """What player 0 wins, if both look so many plies ahead."""
    if s.is_terminal:
        return s.returns()[0]
    if plies == 0:
        return leaf_value(s, rollouts, seed)
    after = [value(child(s, action), plies - 1, rollouts, seed) for action in s.legal_actions()]
    return max(after) if s.player == 0 else min(after)


def leaf_value(s: ft.State, rollouts: int, seed: int) -> float:
    """The mean of random games and of a drawn one; the position and the seed decide which games."""
    padded = s.memory.tobytes() + bytes(-len(s.memory) % 8)
    key = 0
    for number in np.frombuffer(padded, np.uint64).tolist():
        key = mixed(((key ^ number) + GOLDEN) & xoshiro.MASK)
    words, total = [mixed(((key ^ seed) + (i + 1) * GOLDEN) & xoshiro.MASK) for i in range(4)], 0.0
    for _ in range(rollouts):
        end = s.clone()
        while not end.is_terminal:
            legal = end.legal_actions()
            end.apply(legal[xoshiro.below(len(legal), words)])
        total += end.returns()[0]
    return total / (rollouts + 1)
