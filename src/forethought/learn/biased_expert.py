"""The expert of TSPG: tree search biased by the policies it teaches."""

import time

from forethought.game import Game
from forethought.learn.configuration import TspgConfiguration
from forethought.learn.episodes import pass_chance
from forethought.learn.gradients import Pace
from forethought.patterns.model import board_of
from forethought.patterns.policies import Policies
from forethought.randomness import Generator, generator
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.players import PatternSearchSettings
from forethought.search.mcts.tree import EDGE_BYTES, NODE_BYTES

TYPICAL_MOVES = 30  # legal in a position, for a forecast of memory


class BiasedExpert:
    """How a run searches and learns."""

    def __init__(self, game: Game, configuration: TspgConfiguration) -> None:
        board_of(game)
        chosen, learning = configuration.search, configuration.learning
        self.game, self.simulations, self.capacity = game, chosen.simulations, configuration.memory.capacity
        self.pace = Pace(learning.rate, learning.momentum, learning.decay, divided=learning.divided)
        self._settings = PatternSearchSettings(
            exploration=chosen.exploration, rollout_limit=chosen.cut, max_nodes=chosen.max_nodes
        )

    def forest(self, policies: Policies, rng: Generator) -> Forest:
        """Return the search of one player for one game; it sees when weights are written anew."""
        return Forest(self.game, self._settings, [rng], policies)

    def probe(self, policies: Policies, seconds: float) -> float:
        """Search for so long from the start of a game; return walks a second."""
        forest, state = self.forest(policies, generator(0)), self.game.start()
        pass_chance(state, [], generator(0))
        forest.aim(0, state)
        forest.search(16)  # compiles what must be, before the clock starts
        began, walked = time.perf_counter(), int(forest.simulated[0])
        while time.perf_counter() - began < seconds:
            forest.search(64)
        return (int(forest.simulated[0]) - walked) / (time.perf_counter() - began)

    def tree_bytes(self, walks: float) -> float:
        """Return how much memory a game's search takes."""
        most = min(walks, self._settings.max_nodes)
        return most * (NODE_BYTES + EDGE_BYTES * min(self.game.actions, TYPICAL_MOVES))
