"""A sequential test: may the match stop now, with the chance of a wrong verdict still bounded?

A generalised sequential probability ratio test (GSPRT) on the advantage of A, one number a round, in two directions:
`no difference` against `A is better by the margin`, and against `B is`. The likelihood ratio of two means is taken from
the mean and the spread of the rounds so far, as if they were normal. The margin is in win rate where games are won or
lost: 0.05 is a win rate of 55 %. Where they pay different sums, it is the same multiple of the spread of one game's
advantage: a player who wins small pots and loses big ones is not the better one.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s
from forethought.errors import ForethoughtError

ALPHA = 0.05  # a verdict for A or B though there is no difference
BETA = 0.05  # a verdict of no difference though it is the margin
ACCEPT = math.log(2 / ALPHA)  # for a true likelihood ratio these bounds are strict: the half of ALPHA to either side
REJECT = math.log(BETA)
FEWEST_ROUNDS = 30  # before that, the spread is not known well enough


@dataclass
class SequentialTest:
    """The sums of the rounds so far, and what they prove."""

    margin: float
    rounds: int = 0
    total: float = 0.0
    squares: float = 0.0  # of the rounds' advantages
    game_squares: float = 0.0  # of the games' advantages, their mean in each round
    verdict: str = field(default="", init=False)  # "A", "B", "equal", or nothing yet

    def __post_init__(self) -> None:
        if not 0 < self.margin < 0.5:
            raise ForethoughtError(
                f"The margin must be between 0 and 0.5, a difference in win rate, not {self.margin}."
            )

    def add(self, advantages: npt.NDArray[np.float64]) -> str:
        """Take the advantage in each game of one round; return the verdict as it stands."""
        mean = float(advantages.mean())
        self.rounds += 1
        self.total += mean
        self.squares += mean * mean
        self.game_squares += float(advantages @ advantages) / len(advantages)
        sums = np.array([self.rounds, self.total, self.squares, self.game_squares])
        self.verdict = VERDICTS[int(verdicts(sums, self.margin))]
        return self.verdict


VERDICTS = {0: "", 1: "A", -1: "B", 2: "equal"}


def verdicts(sums: Float64s, margin: float) -> Float64s:
    """Return what the sums prove, as a key of VERDICTS; with more axes, a simulation judges every moment at once."""
    rounds, total, squares, game_squares = sums
    for_a = evidence(np.array([rounds, total, squares, game_squares]), margin)
    for_b = evidence(np.array([rounds, -total, squares, game_squares]), margin)
    proven = np.select([for_a >= ACCEPT, for_b >= ACCEPT, np.maximum(for_a, for_b) <= REJECT], [1, -1, 2], 0)
    return np.where(rounds >= FEWEST_ROUNDS, proven, 0).astype(np.float64)


def evidence(sums: Float64s, margin: float) -> Float64s:
    """Return the log-likelihood ratio of `A is better by the margin` to `no difference`.

    It is n d (2 mean - d) / (2 variance) for a difference d, the variance taken about no difference. One round of the
    spread of one game is added, so that rounds which cancel out do not count as certainty. If no game has gone to
    either side yet, the ratio is that of so many rounds undecided, were the margin the share that is decided.
    """
    rounds, total, squares, game_squares = sums
    undecided = game_squares <= 0
    game_variance = np.where(undecided, 1.0, game_squares / rounds)
    difference = 2 * margin * np.sqrt(game_variance)
    variance = (squares + game_variance) / (rounds + 1)
    ratio = difference * (2 * total - rounds * difference) / (2 * variance)
    logarithms: Float64s = np.where(undecided, rounds * math.log1p(-margin), ratio)
    return logarithms
