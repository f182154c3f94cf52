"""Online Outcome Sampling (Lisy, Lanctot and Bowling, 2015): planning where information is hidden.

Each simulation (a *walk*, see `search/online.py`) samples one play of the game and updates the regrets of one player;
players alternate. With probability delta a walk is *targeted*: it samples only actions that can lead to the current
position. All walks are weighted by the overall probability of sampling the play, so that every increment is unbiased
for the whole game, and the average strategy converges to equilibrium everywhere, fastest at the current position.

Let a walk update player i, who wins u at its end z. Let p(h) be the probability of i's own actions on the way to h as
sampled, exploration included; t(h) that of i's actions from h to where the tree ends, under its current strategy; and
m(h) = delta s1(h) / s2(h) + 1 - delta, where s1 and s2 are the probabilities of h in a targeted and in an untargeted
walk. What others and chance do has the same probability in play and in untargeted sampling, and cancels; so does all of
the roll-out. With the scale w, at an information set of i where a was sampled, and at one of another player j,

    regret[b] -= w u t(h) / (p(z) m(z))  for all b,        regret[a] += w u t(ha) / (p(z) m(z)),
    average[b] += w s[b] / (m(h) (sampling probability of the actions of all players but j on the way to h)).

Choices, where the papers or the public implementations differ:

- Exploration (epsilon) is only in the sampling of the updated player, mistakes (gamma) only in the play of the others:
  they change the opponents that regrets are computed against, and are not part of the average strategy.
- The new information set of a walk is left by a uniform action, and what follows is a roll-out; neither is targeted.
- The scenario is drawn once per walk. Chance is targeted like players. Targeting is strict; where no action is in
  target, both scenarios continue untargeted with the ratio s1 / s2 unchanged, which keeps updates unbiased.
- Once the observer knows the whole target, every action is in target.
- The scale w gives walks of a later, more heavily targeted search the weight that they would have without targeting.
  `ema` estimates the probability h0 that an untargeted walk stays in target by a moving average of s2 / s1 over
  targeted walks, which is kept from target to target, and uses w = 1 - delta + delta / h0. This is what ExIt-OOS means
  by its moving average, whose printed formula has the inverse. `exact` computes the same constant once per position on
  the tree in memory; `none` uses 1.
"""

from dataclasses import dataclass

import numpy as np

from forethought.arrays import Float64s
from forethought.errors import ForethoughtError
from forethought.game import PUBLIC, Game, Observation
from forethought.nets.backends import BACKENDS, BackendSettings
from forethought.nets.critic import judge, no_critic
from forethought.nets.evaluator import Evaluator, check_sizes, is_compiled
from forethought.nets.formats import load_weights
from forethought.nets.mlp import Mlp
from forethought.player import register_player
from forethought.playouts import largest_return
from forethought.randomness import Generator
from forethought.runs import weights_of
from forethought.search.infosets import NO_ROW
from forethought.search.online import InfosetSearch, key_of_facts
from forethought.search.oos.kernels import walk_alone, walk_together, walk_with_evaluator
from forethought.search.oos.memory import OosAim, make_walks
from forethought.search.oos.targeting import make_target, no_target
from forethought.search.oos.weighting import hit_probability
from forethought.search.player import InfosetSettings, NewSearch
from forethought.search.regret import averages_of, make_regrets, matched
from forethought.settings import changed, setting
from forethought.thresholds import ThresholdSettings, thresholded

ROLLOUT_WEIGHTS = {"rollout": 1.0, "value": 0.0, "mix": 0.5}  # of a roll-out's return, by the setting `leaf`


@register_player(
    "oos",
    label="Online Outcome Sampling",
    suits=lambda game: game.hidden,
    thinks="oos(simulations={simulations},targeting=public)",  # a person should see the strategy of all hands
    reviews="oos(simulations=20000,targeting=public)",  # so are the costs of moves
)
@dataclass(frozen=True, kw_only=True)
class OosSettings(InfosetSettings):
    """Plans by Online Outcome Sampling at every decision; with net=RUN, from what that run learned."""

    targeting: str = setting("what simulations are aimed at", "infoset", words=("infoset", "public", "none"))
    delta: float = setting("probability that a simulation is targeted", 0.9, low=0.0, high=1.0)
    epsilon: float = setting("exploration of the player that is updated", 0.4, above=0.0, high=1.0)
    gamma: float = setting("probability of a uniformly random action of the other players", 0.01, low=0.0, high=1.0)
    linear: bool = setting("whether the update of simulation t has the weight t", False)
    baseline_rate: float = setting(
        "rate of the moving averages of returns that serve as baselines of actions; 0: none", 0.0, low=0.0, high=1.0
    )
    weighting: str = setting("weights of targeted updates", "ema", words=("ema", "exact", "none"))
    ema_decay: float = setting("decay of the moving average, if the weighting is ema", 0.99, low=0.0, high=1.0)
    parallel_simulations: int = setting(
        "simulations at once, whose questions to the network form one batch", 20, low=1, served=64
    )
    net: str = setting("the run whose network guides the search; empty: none, uniform roll-outs", "", names="run")
    prior: float = setting(
        "weight of the network's policy where a simulation adds an information set, as a share of the largest return "
        "times the weights of a decision's simulations; 0: the network only plays roll-outs",
        10.0,
        low=0.0,
    )
    leaf: str = setting(
        "what a leaf is worth: the return of a roll-out, what the network's critic expects, or their mean",
        "rollout",
        words=tuple(ROLLOUT_WEIGHTS),
    )
    threshold: float = changed(ThresholdSettings, "threshold")
    backend: str = changed(BackendSettings, "backend")

    def new_search(self, game: Game) -> NewSearch:
        if not self.net:
            if self.leaf != "rollout":
                raise ForethoughtError(f"oos: leaf={self.leaf} asks the critic of a network; add net=RUN.")
            return lambda rng: OnlineOutcomeSampling(game, self, rng)
        weights = load_weights(weights_of(self.net), game)
        network = BACKENDS.find(self.backend)(weights)
        return lambda rng: OnlineOutcomeSampling(game, self, rng, network, critic=weights.critic)


class OnlineOutcomeSampling(InfosetSearch):
    """One search, kept during a whole game: every walk updates all information sets on its path."""

    def __init__(
        self,
        game: Game,
        settings: OosSettings,
        rng: Generator,
        evaluator: Evaluator | None = None,
        labelled: bool = False,
        prior: Evaluator | None = None,
        critic: Mlp | None = None,
    ) -> None:
        """Search with roll-outs by the policy of an evaluator; without one, with uniform roll-outs.

        Information sets begin with the policy of `prior`, another evaluator of the same kind and sizes; if none is
        given, with that of the evaluator.
        """
        self.settings, self.evaluator, self._prior_evaluator = settings, evaluator, prior or evaluator
        slots = 1 if evaluator is None else settings.parallel_simulations
        baselines, priors = settings.baseline_rate > 0.0, settings.prior > 0.0 and evaluator is not None
        judged = self._needs_critic(game, critic)
        super().__init__(game, make_regrets(settings.max_infosets, labelled, baselines=baselines), slots)
        self._walks, self._rng = make_walks(game, slots, baselines, priors, judged), rng
        for asked in (evaluator, prior):
            if asked is not None:
                check_sizes(asked, game)
        self._scratch = evaluator.scratch(slots) if evaluator is not None else None
        self._critic = critic if judged and critic is not None else no_critic()
        self._critic_scratch = self._critic.scratch(2 * slots)
        self._hit, self._prior = np.ones(1), self._prior_regrets() if priors else 0.0
        self.aim_at(None)

    def _needs_critic(self, game: Game, critic: Mlp | None) -> bool:
        """Whether leaves are worth what a critic expects; refuse what has none."""
        leaf = self.settings.leaf
        if ROLLOUT_WEIGHTS[leaf] == 1.0:
            return False
        if not _opposed(game):
            raise game.mistake(f"leaf={leaf} needs two players and a zero sum; use leaf=rollout")
        if critic is None:
            raise ForethoughtError(
                f"oos: leaf={leaf} needs a network with a critic, as `train --algorithm mmd` makes; use leaf=rollout."
            )
        return True

    def aim_at(self, observation: Observation | None) -> None:
        game, settings = self.game, self.settings
        targeting = settings.targeting if game.hidden else "none"  # where nothing is hidden, facts need not grow
        watched, target = np.uint64(0), no_target(game)
        if observation is not None:
            watched = key_of_facts(observation.facts)
            if targeting == "infoset":
                target = make_target(game, observation.player, observation.facts)
            elif targeting == "public":
                target = make_target(game, PUBLIC, observation.public_facts)
        self.aim = OosAim(
            delta=settings.delta if target.known > 0 else 0.0,
            epsilon=settings.epsilon,
            gamma=settings.gamma,
            linear=settings.linear,
            baseline_rate=settings.baseline_rate,
            opposed=_opposed(game),
            prior=self._prior,
            rollout_weight=ROLLOUT_WEIGHTS[settings.leaf],
            decay=settings.ema_decay if settings.weighting == "ema" else 1.0,
            hit=self._hit,
            target=target,
            watched=watched,
            visits=np.zeros(game.table.choices, np.int64),
            tally=np.zeros(4, np.int64),
        )
        if settings.weighting == "exact":
            self._hit[0] = hit_probability(game, self.table, target)

    def _prior_regrets(self) -> float:
        """Return the sum of the regrets with which an information set begins, in the units of walks' updates."""
        simulations = self.settings.simulations
        weights = simulations * (simulations + 1) / 2 if self.settings.linear else simulations
        return self.settings.prior * largest_return(self.game) * weights

    def _advance(self) -> int:
        search, evaluator = (self.game.table, self.aim, self.table, self._walks, self._turns), self.evaluator
        if evaluator is None:
            return walk_alone(*search, self._rng)
        if is_compiled(evaluator):
            guides = evaluator, self._scratch, self._prior_evaluator, self._critic, self._critic_scratch
            return walk_with_evaluator(*search, *guides, self._rng)
        return walk_together(*search, self._rng)

    def _answer(self) -> None:
        if self.evaluator is None or self._prior_evaluator is None:
            return
        walks, slots = self._walks, len(self._turns.waiting)
        self.evaluator.answer(walks.questions, slots, self._scratch)  # also the rows of walks that do not wait
        if self._prior > 0.0:
            self._prior_evaluator.answer(walks.entering, slots, self._scratch)
        judge(self._critic, walks.critic, len(walks.critic.known), self._critic_scratch)

    def policy(self, observation: Observation) -> Float64s:
        """Return the average strategy of an information set, without improbable actions if settings say so."""
        count, first = len(observation.legal_actions), self._first(observation)
        sums = averages_of(self.table, first, count) if first != NO_ROW else np.zeros(count)
        if self._prior > 0.0 and not sums.any():
            sums = np.maximum(self.regrets(observation), 0.0)  # the network's, where no simulation has played
        total = sums.sum()
        return thresholded(sums / total, self.settings.threshold) if total > 0.0 else np.full(count, 1.0 / count)

    def current_policy(self, observation: Observation) -> Float64s:
        """Return the policy that further simulations would begin with; the average is what to play."""
        return matched(self.regrets(observation))

    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        visits = self.aim.visits[: len(observation.legal_actions)]
        return {"regret": self.regrets(observation), "visits": visits.astype(np.float64)}

    def regrets(self, observation: Observation) -> Float64s:
        """Return the regrets of an information set; zero if it is not in memory."""
        count, first = len(observation.legal_actions), self._first(observation)
        return self.table.entries[first : first + count].copy() if first != NO_ROW else np.zeros(count)


def _opposed(game: Game) -> bool:
    """Whether what one player wins the other loses."""
    return game.players == 2 and game.zero_sum
