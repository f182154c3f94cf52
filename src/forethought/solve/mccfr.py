"""Monte Carlo counterfactual regret minimisation (Lanctot et al., 2009), on the rules themselves: no tree in memory.

Each simulation (a *walk*, see `search/online.py`) updates the regrets of one player; players alternate. Information
sets get rows when they are first visited, so that memory grows with the play so far, not with the game.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from forethought.game import Game
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.search.regret import Regrets, enlarged, make_regrets
from forethought.solve.external_walks import begin_walk, external_walks, make_stack
from forethought.solve.policies import TabularPolicy, normalised
from forethought.status import BROKEN, broken_law

MAX_INFOSETS = 10_000_000


class MonteCarloCFR(ABC):
    """What both ways of sampling share. Results depend on the seed, and not on how simulations are divided into calls.

    Once there are `max_infosets`, new information sets are played uniformly and not stored.
    """

    algorithm: str
    game: Game
    table: Regrets

    @property
    @abstractmethod
    def simulated(self) -> int:
        """Number of simulations so far."""

    @abstractmethod
    def simulate(self, count: int) -> None:
        """Run `count` more simulations."""

    @property
    def infosets(self) -> int:
        """Number of information sets in memory."""
        return int(self.table.infosets.used[0])

    def average_policy(self) -> TabularPolicy:
        """Return the average strategy so far, which converges."""
        return average_policy(self.game, self.table, {"algorithm": self.algorithm, "iterations": self.simulated})


class OutcomeSampling(OnlineOutcomeSampling, MonteCarloCFR):
    """One walk is one play: Online Outcome Sampling (`search/oos/search.py`) without a target, and with gamma 0.

    The updated player explores: with probability epsilon its action is uniform. With two players both increments are
    unbiased: for the counterfactual regret, and for the strategy weighted by its owner's reach. A walk adds one
    information set; below it, play is uniform.
    """

    algorithm = "outcome sampling"

    def __init__(
        self,
        game: Game,
        seed: int,
        epsilon: float = 0.6,
        max_infosets: int = MAX_INFOSETS,
        linear: bool = False,
        baseline_rate: float = 0.0,
    ) -> None:
        settings = OosSettings(
            targeting="none",
            epsilon=epsilon,
            gamma=0.0,
            linear=linear,
            baseline_rate=baseline_rate,
            weighting="none",
            max_infosets=max_infosets,
        )
        super().__init__(game, settings, generator(seed), labelled=True)


class ExternalSampling(MonteCarloCFR):
    """One walk tries all actions of the updated player, and samples one of each other player and of chance.

    Regrets are differences of the values found. The sampled strategies are added to the averages with weight 1 ("simple
    averaging"): with two players they are visited as often as their owner, and chance, reach them.
    """

    algorithm = "external sampling"

    def __init__(self, game: Game, seed: int, max_infosets: int = MAX_INFOSETS) -> None:
        self.game = game
        self._simulated = 0
        self.table = make_regrets(max_infosets, labelled=True)
        self._rng = generator(seed)
        self._stack = make_stack(game)
        begin_walk(game.table, self._stack)

    @property
    def simulated(self) -> int:
        return self._simulated

    def simulate(self, count: int) -> None:
        game, end = self.game, self._simulated + count
        while True:
            done = external_walks(
                game.table, self._simulated, end - self._simulated, self.table, self._stack, self._rng
            )
            if done == BROKEN:
                raise broken_law(game)
            self._simulated += done
            if self._simulated == end:
                return
            self.table = enlarged(game.table, self.table, 1)


def average_policy(game: Game, table: Regrets, about: dict[str, Any]) -> TabularPolicy:
    """Return the average strategy of every row; uniform where nothing has been added yet."""
    labels, rows = table.labels, int(table.infosets.used[0])
    fact_offsets, action_offsets = labels.fact_offsets[: rows + 1].copy(), labels.action_offsets[: rows + 1].copy()
    counts = np.diff(action_offsets)
    # Row r has its regrets from 2 * action_offsets[r] on, then its averages.
    averages = table.entries[np.arange(action_offsets[-1]) + np.repeat(action_offsets[1:], counts)]
    return TabularPolicy(
        facts=labels.facts[: fact_offsets[-1]].astype(np.int64),
        fact_offsets=fact_offsets,
        actions=labels.actions[: action_offsets[-1]].astype(np.int64),
        probabilities=normalised(action_offsets[:-1], averages, np.repeat(1.0 / counts, counts)),
        action_offsets=action_offsets,
        about={"game": game.name, "facts": game.facts, "spec": game.spec or game.name, **about},
    )
