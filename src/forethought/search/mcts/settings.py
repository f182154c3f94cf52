"""The settings of tree search, and which games they suit."""

import math
from dataclasses import dataclass

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.search.player import SearchSettings
from forethought.settings import changed, setting

SELECTIONS = ("ucb1", "puct")
FROM_PARENT, AS_LOSS = URGENCIES = ("parent", "loss")


@dataclass(frozen=True, kw_only=True)
class MctsSettings(SearchSettings):
    """How a tree is searched; the defaults are those of UCT."""

    simulations: int = changed(SearchSettings, "simulations", 1_600)
    selection: str = setting("how actions are selected in the tree", "ucb1", words=SELECTIONS)
    exploration: float = setting("c of UCB1 or PUCT", math.sqrt(2.0), low=0.0)
    first_play_urgency: str = setting(
        "value of an action not tried yet: that of its parent, or a loss", FROM_PARENT, words=URGENCIES
    )
    prior_temperature: float = setting("temperature of the policy that gives the priors", 1.0, above=0.0)
    expansion_threshold: int = setting(
        "visits to a position before simulations go on beyond it", 1, low=1, served=10_000
    )
    rollout_weight: float = setting(
        "weight of a roll-out in the value of a leaf, lambda; the rest is the network's",
        1.0,
        alias="lambda",
        low=0.0,
        high=1.0,
    )
    rollout_limit: int = setting("plies after which a roll-out counts as a draw", 1_000, low=0, served=10_000)
    solve: bool = setting("back up proven wins and losses (MCTS-Solver)", False)
    parallel_simulations: int = setting(
        "simulations of one tree at once, whose questions the network answers together", 1, low=1, served=64
    )
    virtual_loss: int = setting(
        "lost visits that a simulation counts as until the network has answered", 1, low=0, high=1_000_000
    )
    max_considered_actions: int = setting(
        "actions in Gumbel sequential halving at the root; 0: no halving", 0, low=0, served=64
    )
    dirichlet_epsilon: float = setting("weight of Dirichlet noise in the root's priors", 0.0, low=0.0, high=1.0)
    dirichlet_alpha: float = setting("alpha of the Dirichlet noise; about 10 / legal actions", 1.0, above=0.0)
    temperature: float = setting("of the visits from which the move is drawn; 0: the most visited", 0.0, low=0.0)
    max_nodes: int = setting("nodes in memory, beyond which it does not grow", 1_000_000, low=1, served=1_000_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_considered_actions and self.selection != "puct":
            raise ForethoughtError("Sequential halving (max_considered_actions) needs selection=puct.")

    @property
    def planned(self) -> int:
        """For how many simulations sequential halving is planned: the first only evaluates the root."""
        return max(1, self.simulations - 1)

    def check_game(self, game: Game, asks: bool) -> None:
        """Refuse a game that cannot be searched so, and settings that need an evaluator where there is none."""
        if game.hidden:
            raise game.mistake(
                "it hides something from its players, so a tree of positions misleads; use oos or ismcts"
            )
        if self.solve and not (game.players == 2 and game.zero_sum):
            raise game.mistake("only zero-sum games of two players can be solved in the search; leave solve out")
        needs = self.selection == "puct" or self.rollout_weight < 1.0 or self.dirichlet_epsilon
        if not asks and (needs or self.max_considered_actions):
            raise ForethoughtError("Only UCB1 with roll-outs can do without a network.")
