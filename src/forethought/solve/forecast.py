"""The size of a game's tree, estimated before it is unrolled.

Chen's heterogeneous sampling (1992): descend level by level, and keep of all nodes of the same kind (same depth, player
and number of legal actions) one representative with the weight of all. The estimate is unbiased, and exact where nodes
of the same kind have equal subtrees, as in Goofspiel and Liar's Dice.
"""

from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.randomness import Generator, generator, uniform

MAX_NODES = 50_000_000
BYTES_PER_NODE = 50  # the tree, and the arrays of one sweep over it
PROBES = 10

Looks = tuple[int, int]  # player, number of legal actions


def forecast_nodes(game: Game, seed: int = 0) -> float:
    """Estimate the number of histories of a game, without merging chance outcomes."""
    rng = generator(seed)
    return sum(_probe(game, rng) for _ in range(PROBES)) / PROBES


class TreeTooLargeError(ForethoughtError):
    """A game has more nodes than may be unrolled."""

    def __init__(self, game: Game, nodes: float, max_nodes: int, how: str) -> None:
        size = f"{how} {nodes:.2g} nodes, {nodes * BYTES_PER_NODE / 1e9:,.3g} GB"
        message = f"the whole game is too large to unroll: {size} (the limit is {max_nodes:.2g}; --max-nodes)"
        super().__init__(str(game.mistake(message)))


def _probe(game: Game, rng: Generator) -> float:
    level: dict[Looks, tuple[State, float]] = {(0, 0): (game.start(), 1.0)}
    total = 0.0
    for _ply in range(game.plies + 1):  # a game that does not end is refused when it is unrolled
        following: dict[Looks, tuple[State, float]] = {}
        for state, weight in level.values():
            total += weight
            for action in state.legal_actions():
                child = state.clone()
                game.table.apply(child.memory, action)
                looks = (child.player, len(child.legal_actions()))
                chosen, so_far = following.get(looks, (child, 0.0))
                if uniform(rng) * (so_far + weight) >= so_far:
                    chosen = child
                following[looks] = (chosen, so_far + weight)
        level = following
    return total
