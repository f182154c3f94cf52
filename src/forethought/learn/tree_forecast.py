"""How fast a tree search is, and how much memory it takes; for forecasts of trainings that search trees."""

import time

from forethought.game import Game
from forethought.learn.episodes import pass_chance
from forethought.learn.forecast import PROBE_SECONDS
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.tree import EDGE_BYTES, NODE_BYTES

TYPICAL_ACTIONS = 30  # legal in a position


def forest_rate(forest: Forest, game: Game, trees: int) -> float:
    """Search all trees from the start of a game for half a second; return simulations per second."""
    state = game.start()
    pass_chance(state, [], generator(0))
    for tree in range(trees):
        forest.aim(tree, state)
    forest.search(64)  # compiles what must be, before the clock starts
    began, before = time.perf_counter(), forest.simulated.sum()
    while time.perf_counter() - began < PROBE_SECONDS:
        forest.search(10)
    return float(forest.simulated.sum() - before) / (time.perf_counter() - began)


def tree_bytes(game: Game, nodes: float) -> float:
    """Return how much memory a tree of so many nodes takes."""
    return nodes * (NODE_BYTES + EDGE_BYTES * min(game.actions, TYPICAL_ACTIONS))
