"""The sections of a configuration: how each algorithm searches, plays, remembers, learns and is measured."""

from dataclasses import dataclass
from typing import ClassVar

from forethought.game import Game
from forethought.learn.fields import Checked, setting
from forethought.patterns.model import OBJECTIVES

PAPER_BATCH = 32  # rows of a minibatch for each decision of a player; the paper's 32 N in Goofspiel(N)
TARGETINGS, WEIGHTINGS, ROLLOUTS = ("infoset", "public", "none"), ("ema", "exact", "none"), ("network", "uniform")
NETWORKS = ("auto", "tower", "mlp")
LAYERS = r"([1-9]\d{0,4}(-[1-9]\d{0,4})*)?"  # widths, such as 128-64


@dataclass(frozen=True)
class SearchConfiguration(Checked):
    """How the expert thinks: Online Outcome Sampling with the apprentice's roll-outs."""

    SECTION: ClassVar[str] = "search."

    simulations: int = setting("walks at every decision", 10_000, low=1)
    targeting: str = setting("what walks are aimed at: infoset, public or none", "infoset", words=TARGETINGS)
    delta: float = setting("probability that a walk is targeted", 0.9, low=0.0, high=1.0)
    epsilon: float = setting("exploration in walks", 0.4, above=0.0, high=1.0)
    gamma: float = setting("probability of the others' mistakes", 0.01, low=0.0, high=1.0)
    weighting: str = setting("of targeted updates: ema, exact or none", "ema", words=WEIGHTINGS)
    decay: float = setting("of the moving average, if the weighting is ema", 0.99, low=0.0, high=1.0)
    max_infosets: int = setting("in one search's memory; it grows no more beyond", 1_000_000, low=0)
    slots: int = setting("concurrent walks, whose questions to the network make one batch", 20, low=1)
    rollouts: str = setting("who plays below the tree: network or uniform", "network", words=ROLLOUTS)


@dataclass(frozen=True)
class MemoryConfiguration(Checked):
    """What the apprentice learns from: an exponentially weighted reservoir."""

    SECTION: ClassVar[str] = "memory."

    capacity: int = setting("games it holds", 32_000, low=1)
    beta: float = setting("decay: it reaches back so many times its capacity", 2.0, low=1.0)


@dataclass(frozen=True)
class LearningConfiguration(Checked):
    """How the apprentice learns: Adam on the divergence from the expert's policies."""

    SECTION: ClassVar[str] = "learning."

    rate: float = setting("Adam's learning rate", 1e-3, above=0.0, high=1.0)
    steps: int = setting("gradient steps an iteration; the paper's Goofspiel(13) takes 512", 128, low=1)
    batch: int = setting("rows of a minibatch; 0: 32 for each decision of a player", 0, low=0)
    hidden: str = setting("hidden layers; empty: as the game's size suggests", "", "128-64", pattern=LAYERS)

    def batch_for(self, game: Game) -> int:
        """Return the rows of a minibatch."""
        return self.batch or PAPER_BATCH * max(1, game.plies // game.players)


@dataclass(frozen=True)
class PlayConfiguration(Checked):
    """How self-play moves."""

    SECTION: ClassVar[str] = "play."

    exploration: float = setting("share of uniformly random moves in self-play", 0.0, low=0.0, high=1.0)
    aside: int = setting("examples a game from elsewhere in the search's tree; 0: only where play went", 0, low=0)


@dataclass(frozen=True)
class EvaluationConfiguration(Checked):
    """How the apprentice is measured on the way."""

    SECTION: ClassVar[str] = "evaluation."

    every: int = setting("iterations from one evaluation to the next", 5, low=1)
    games: int = setting("games of an evaluation", 400, low=1)
    against: str = setting("the opponent, a player's spec", "random", "random", pattern=".+")


@dataclass(frozen=True)
class SparseEvaluationConfiguration(EvaluationConfiguration):
    """The same where an iteration is a single game."""

    every: int = setting("iterations from one evaluation to the next", 25, low=1)


@dataclass(frozen=True)
class TreeSearchConfiguration(Checked):
    """How the expert of AlphaZero thinks: Monte Carlo tree search, guided by the apprentice."""

    SECTION: ClassVar[str] = "search."

    simulations: int = setting("walks at every decision", 200, low=1)
    exploration: float = setting("c of PUCT", 1.5, low=0.0)
    noise: float = setting("share of Dirichlet noise in the root's priors", 0.25, low=0.0, high=1.0)
    concentration: float = setting("alpha of that noise; about 10 / moves in a position", 1.0, above=0.0)
    considered: int = setting("moves in Gumbel's sequential halving at the root; 0: none", 0, low=0)
    pessimistic: bool = setting("untried moves count as lost, not as their position's value", False)
    rollouts: float = setting("share of random roll-outs in the value of a leaf", 0.0, low=0.0, high=1.0)
    solve: bool = setting("pass on proven wins and losses", False)
    max_nodes: int = setting("in the memory of one worker's searches; it grows no more beyond", 1_000_000, low=1)


@dataclass(frozen=True)
class NetworkConfiguration(Checked):
    """What the apprentice of AlphaZero is made of."""

    SECTION: ClassVar[str] = "network."

    kind: str = setting(
        "tower, mlp, or auto: a tower where the game has a board of 16 cells or more", "auto", words=NETWORKS
    )
    blocks: int = setting("residual blocks of a tower", 4, low=1, high=100)
    filters: int = setting("of each convolution of a tower", 32, low=1, high=1024)
    value_units: int = setting("hidden units of a tower's value", 64, low=1, high=4096)
    hidden: str = setting("hidden layers of an mlp", "256-256", "256-256", pattern=LAYERS)


@dataclass(frozen=True)
class WindowConfiguration(MemoryConfiguration):
    """What AlphaZero remembers: far less, as its values age."""

    capacity: int = setting("games it holds", 3_000, low=1)
    beta: float = setting("decay: it reaches back so many times its capacity", 1.0, low=1.0)


@dataclass(frozen=True)
class ValueLearningConfiguration(Checked):
    """How the apprentice of AlphaZero learns: Adam on the error of policies and values."""

    SECTION: ClassVar[str] = "learning."

    rate: float = setting("Adam's learning rate", 1e-3, above=0.0, high=1.0)
    steps: int = setting("gradient steps an iteration", 100, low=1)
    batch: int = setting("rows of a minibatch", 256, low=1)
    decay: float = setting("c of c |theta|^2 in the loss", 1e-4, low=0.0)
    threads: int = setting("of torch, on which the last bits of weights depend; 0: as many as workers", 0, low=0)
    symmetries: bool = setting("turn and reflect examples at random, as AlphaGo Zero does", False)


@dataclass(frozen=True)
class TreePlayConfiguration(Checked):
    """How AlphaZero's self-play moves."""

    SECTION: ClassVar[str] = "play."

    temperature: float = setting("of the moves drawn in the opening", 1.0, low=0.0)
    opening: int = setting("plies of a game whose moves are drawn; later the most visited is played", 15, low=0)
    together: int = setting("games of one worker whose questions make one batch", 16, low=1)


@dataclass(frozen=True)
class GateConfiguration(Checked):
    """AlphaGo Zero's gate: only a network that beats the best so far plays on."""

    SECTION: ClassVar[str] = "gate."

    games: int = setting("of the match with the best network so far; 0: every network plays", 0, low=0)
    score: float = setting("share of points to be won in it", 0.55, low=0.0, high=1.0)


@dataclass(frozen=True)
class BiasedSearchConfiguration(Checked):
    """How the expert of TSPG thinks: tree search biased by the linear policies it teaches."""

    SECTION: ClassVar[str] = "search."

    simulations: int = setting("walks at every decision; the first only opens it", 1_600, low=2)
    exploration: float = setting("c of PUCT", 2.5, low=0.0)
    playouts: str = setting("whose policy plays below the tree: tspg, double or ce", "tspg", words=OBJECTIVES)
    cut: int = setting("plies after which such play counts as a draw", 200, low=1)
    max_nodes: int = setting("in the memory of one search; it grows no more beyond", 1_000_000, low=1)


@dataclass(frozen=True)
class DecisionMemoryConfiguration(Checked):
    """What TSPG remembers of each player: its latest decisions."""

    SECTION: ClassVar[str] = "memory."

    capacity: int = setting("decisions it holds", 400, low=1)


@dataclass(frozen=True)
class LinearLearningConfiguration(Checked):
    """How linear policies learn: centred RMSProp, a step after every move."""

    SECTION: ClassVar[str] = "learning."

    rate: float = setting("base learning rate", 0.005, above=0.0, high=1.0)
    divided: bool = setting("divide the rate by the number of weights", True)
    momentum: float = setting("share of a step that is taken again in the next", 0.9, low=0.0, high=1.0)
    decay: float = setting("of the means of gradients and of their squares", 0.9, low=0.0, high=1.0)
    batch: int = setting("decisions of a minibatch", 30, low=1)
    grow: bool = setting("add a pattern to each player after every game", True)


@dataclass(frozen=True)
class CutPlayConfiguration(Checked):
    """How TSPG's self-play moves: in proportion to visits."""

    SECTION: ClassVar[str] = "play."

    plies: int = setting("after which a game counts as a draw", 150, low=1)


def layers_of(hidden: str) -> tuple[int, ...]:
    """Return the widths of hidden layers, such as 128-64."""
    return tuple(int(width) for width in hidden.split("-") if width)
