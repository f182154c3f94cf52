"""Monte Carlo counterfactual regret minimisation (Lanctot et al., 2009), on the rules themselves: no tree in memory.

Both solvers walk through the game again and again, updating one player's regrets in each walk, the players in turn.
Information sets get their rows as they are met, so the memory is that of the play so far, not that of the game.
"""

from abc import ABC, abstractmethod

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.randomness import generator
from forethought.solve.external_walks import begin_walk, external_walks, make_stack
from forethought.solve.outcome_walks import make_path, outcome_walks
from forethought.solve.policies import TabularPolicy
from forethought.solve.regrets import average_policy, enlarged, make_regrets

MAX_INFOSETS = 10_000_000


class MonteCarloCFR(ABC):
    """What both ways of sampling share. The same seed gives the same result, in whatever portions walks are asked for.

    Once there are `max_infosets`, information sets not seen before are played uniformly and not remembered.
    """

    algorithm: str
    rows_ahead: int  # the walk goes on only while there is room for so many more rows

    def __init__(self, game: Game, seed: int, max_infosets: int = MAX_INFOSETS) -> None:
        self.game = game
        self.walked = 0
        self.table = make_regrets(max_infosets)
        self._rng = generator(seed)

    @property
    def infosets(self) -> int:
        """How many information sets have been met."""
        return int(self.table.infosets.used[0])

    def walks(self, count: int) -> None:
        """Walk so many more times through the game."""
        end = self.walked + count
        while True:
            done = self._walk(end - self.walked)
            if done < 0:
                raise self.game.mistake(
                    f"a game did not end within the declared {self.game.plies} plies, or had no legal action"
                )
            self.walked += done
            if self.walked == end:
                return
            self.table = enlarged(self.game.table, self.table, self.rows_ahead)

    def average_policy(self) -> TabularPolicy:
        """Return the average strategy so far, which is what converges."""
        return average_policy(self.game, self.table, {"algorithm": self.algorithm, "iterations": self.walked})

    @abstractmethod
    def _walk(self, walks: int) -> int:
        """Do so many walks, or fewer if room runs out; return how many were finished, -1 if a law of games broke."""


class OutcomeSampling(MonteCarloCFR):
    """One walk is one game. The updated player explores: with probability epsilon its action is uniform.

    Say a walk updates player i, who wins u at its end z. Let p(h) be the probability of i's own sampled actions on the
    way to h, exploration included, and t(h) that of i's actions from h to z under its current strategy. Everybody else
    and chance are sampled as they play, so their probabilities cancel in every weight by importance, and at an
    information set of i where a was sampled (ha being the history after it)

        regret[b] -= u t(h) / p(z) for all b,      regret[a] += u t(ha) / p(z).

    At an information set of another player j, with strategy s,

        average[b] += s[b] / (sampling probability of the actions of all players but j on the way)

    which is j's own reach times that of chance, over the probability of sampling h. With two players both increments
    are unbiased: for the counterfactual regret, and for s weighted by j's reach (up to a constant).
    """

    algorithm = "outcome sampling"

    def __init__(self, game: Game, seed: int, epsilon: float = 0.6, max_infosets: int = MAX_INFOSETS) -> None:
        if not 0.0 < epsilon <= 1.0:
            raise ForethoughtError(f"epsilon must be above 0 and at most 1, not {epsilon}; 0.6 is usual.")
        super().__init__(game, seed, max_infosets)
        self.epsilon = epsilon
        self.rows_ahead = game.plies
        self._path = make_path(game)

    def _walk(self, walks: int) -> int:
        arguments = (self.game.table, self.walked, walks, self.epsilon, self.table, self._path)
        return outcome_walks(*arguments, self._rng)


class ExternalSampling(MonteCarloCFR):
    """One walk tries all actions of the updated player, and samples one of everybody else's and of chance's.

    Regrets are differences of the values found. The strategies sampled from are added to the averages with weight 1
    ("simple averaging"): with two players they are met as often as their owner, and chance, reach them.
    """

    algorithm = "external sampling"
    rows_ahead = 1

    def __init__(self, game: Game, seed: int, max_infosets: int = MAX_INFOSETS) -> None:
        super().__init__(game, seed, max_infosets)
        self._stack = make_stack(game)
        begin_walk(game.table, self._stack)

    def _walk(self, walks: int) -> int:
        return external_walks(self.game.table, self.walked, walks, self.table, self._stack, self._rng)
