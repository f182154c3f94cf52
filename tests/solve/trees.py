"""Trees used by several tests, made once."""

from functools import cache

import numpy as np

import forethought as ft
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll


@cache
def tree_of(spec: str) -> GameTree:
    return unroll(ft.load(spec))


def random_strategy(tree: GameTree, seed: int) -> np.ndarray:
    """A strategy with every probability positive."""
    weights = np.random.default_rng(seed).random(len(tree.flat.actions)) + 0.05
    return weights / np.repeat(np.add.reduceat(weights, tree.rows.first), tree.rows.count)
