"""The parameters of tree search, and what games they suit."""

import math
from dataclasses import dataclass

from forethought.errors import ForethoughtError
from forethought.game import Game

SELECTIONS = ("ucb1", "puct")


@dataclass(frozen=True)
class TreeSettings:
    """How a tree is searched; the defaults are UCT's."""

    selection: str = "ucb1"
    exploration: float = math.sqrt(2.0)
    pessimistic: bool = False  # untried actions count as lost; else as what their position is worth so far
    rollouts: float = 1.0  # share of roll-outs in the value of a leaf; the rest is an evaluator's
    cut: int = 1_000  # plies after which a roll-out counts as a draw
    solve: bool = False  # pass on proven wins and losses
    width: int = 1  # walks of one tree that may wait at once
    considered: int = 0  # actions in Gumbel's sequential halving; 0: plain selection at the root
    planned: int = 0  # walks that the halving is planned for
    gumbel: float = 1.0  # scale of its noise: 1 to explore, 0 to play as well as possible
    noise: float = 0.0  # share of Dirichlet noise in the root's priors
    concentration: float = 1.0  # of that noise: its alpha
    worth: float = 1.0  # what a value of 1 stands for: the largest return of the game
    max_nodes: int = 1_000_000  # then walks go on below the tree, and add nothing

    def __post_init__(self) -> None:
        if self.selection not in SELECTIONS:
            raise ForethoughtError(f"selection must be one of {', '.join(SELECTIONS)}, not {self.selection}.")
        for name in ("rollouts", "noise"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ForethoughtError(f"{name} must be from 0 to 1, not {getattr(self, name)}.")
        for name in ("exploration", "gumbel"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise ForethoughtError(f"{name} must be 0 or a number above it, not {getattr(self, name)}.")
        if not 0.0 < self.concentration < math.inf:
            raise ForethoughtError(f"concentration must be a number above 0, not {self.concentration}.")
        for name, least in (("cut", 0), ("width", 1), ("considered", 0), ("planned", 0), ("max_nodes", 1)):
            if getattr(self, name) < least:
                raise ForethoughtError(f"{name} must be at least {least}, not {getattr(self, name)}.")
        if self.considered and (self.selection != "puct" or not self.planned):
            raise ForethoughtError("Sequential halving (considered) needs selection=puct, and planned walks.")

    def check_game(self, game: Game, asks: bool) -> None:
        """Refuse a game that cannot be searched so, and settings that need an evaluator where there is none."""
        if game.hidden:
            raise game.mistake(
                "it hides something from its players, so a tree of positions misleads; use oos or ismcts"
            )
        if self.solve and not (game.players == 2 and game.zero_sum):
            raise game.mistake("only zero-sum games of two players can be solved on the way; leave solve out")
        if not asks and (self.selection == "puct" or self.rollouts < 1.0 or self.considered or self.noise):
            raise ForethoughtError("Only UCB1 with roll-outs can do without a network.")
