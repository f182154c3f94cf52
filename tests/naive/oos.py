"""Online Outcome Sampling by recursion through the Python face, with all probabilities written out in full.

s1 and s2 are the probabilities of a history in a targeted and in an untargeted walk, q that of sampling it at all,
`reaches` the probability of each player's actions, and of chance's, as played; a tail is what follows a history.
"""

from dataclasses import dataclass, field
from math import prod

import forethought as ft
from tests.naive import xoshiro
from tests.naive.mccfr import Sums, counterfactual_regrets, matched

Facts = tuple[int, ...]
Reaches = dict[int, float]
Tail = tuple[float, float, float]  # its probability as played, that of sampling all of the walk, and what was won


@dataclass
class Draws:
    """Where choices come from: here, the generator of the library."""

    words: list[int]

    def coin(self, probability: float) -> bool:
        return xoshiro.uniform(self.words) < probability

    def choose(self, weights: list[float]) -> int:
        return xoshiro.choose(weights, self.words)

    def below(self, count: int) -> int:
        return xoshiro.below(count, self.words)


@dataclass
class Search:
    draws: Draws
    delta: float = 0.9
    epsilon: float = 0.4
    gamma: float = 0.01
    observer: int = ft.PUBLIC
    target: Facts = ()
    decay: float = 1.0
    hit: float = 1.0
    regrets: Sums = field(default_factory=dict)
    averages: Sums = field(default_factory=dict)
    targeted: bool = False
    updated: int = 0
    sampled: tuple[float, float] = (1.0, 1.0)  # s1 and s2 where the walk has left the tree

    def walk(self, root: ft.State, updated: int) -> None:
        delta = self.delta if self.target else 0.0
        self.updated = updated
        self.targeted = bool(self.target) and self.draws.coin(delta)
        weight = (1 - delta) + delta / self.hit
        reaches = dict.fromkeys((ft.CHANCE, *range(root.game.players)), 1.0)
        self._step(root, reaches, 1 / weight, 1 / weight, not self.target)
        if self.targeted:
            self.hit = self.decay * self.hit + (1 - self.decay) * self.sampled[1] / self.sampled[0]

    def q(self, s1: float, s2: float) -> float:
        delta = self.delta if self.target else 0.0
        return delta * s1 + (1 - delta) * s2

    def _step(self, s: ft.State, reaches: Reaches, s1: float, s2: float, free: bool) -> Tail:
        """`free` says that targeting is over: the target is reached or missed, or no action led there."""
        self.sampled = (s1, s2)
        q = self.q(s1, s2)
        if s.is_terminal:
            return 1.0, q, s.returns()[self.updated]
        legal, owner = s.legal_actions(), s.player
        facts = () if s.is_chance else tuple(s.facts(owner))
        if not s.is_chance and facts not in self.regrets:
            return self._new(s, facts, reaches, q)
        plain = s.chance() if s.is_chance else matched(self.regrets[facts])
        played, sampling = plain, plain
        if owner == self.updated:
            sampling = mixed(plain, self.epsilon)
        elif not s.is_chance:
            played = sampling = mixed(plain, self.gamma)
        inside = [i for i in range(len(legal)) if not free and in_target(s, legal[i], self.observer, self.target)]
        total = sum(sampling[i] for i in inside)
        free = free or total == 0
        aimed = sampling if free else [p / total if i in inside else 0.0 for i, p in enumerate(sampling)]
        choice = self.draws.choose(aimed if self.targeted else sampling)
        child = s.clone()
        child.apply(legal[choice])
        down = self._step(
            child,
            {**reaches, owner: reaches[owner] * played[choice]},
            s1 * aimed[choice],
            s2 * sampling[choice],
            free or aimed[choice] == 0 or set(self.target) <= set(child.facts(self.observer)),
        )
        if owner == ft.CHANCE:
            return down[0] * played[choice], down[1], down[2]
        return self._learn(facts, plain, choice, played[choice], reaches, q, down, owner)

    def _new(self, s: ft.State, facts: Facts, reaches: Reaches, q: float) -> Tail:
        """Add an information set, leave it by a uniform action, and play on at random."""
        legal, owner = s.legal_actions(), s.player
        self.regrets[facts], self.averages[facts] = [0.0] * len(legal), [0.0] * len(legal)
        even = [1 / len(legal)] * len(legal)
        choice = self.draws.choose(even)
        child = s.clone()
        child.apply(legal[choice])
        down = roll_out(child, q / len(legal), self.draws, self.updated)
        return self._learn(facts, even, choice, even[choice], reaches, q, down, owner)

    def _learn(  # noqa: PLR0917
        self,
        facts: Facts,
        plain: list[float],
        choice: int,
        played: float,
        reaches: Reaches,
        q: float,
        down: Tail,
        owner: int,
    ) -> Tail:
        """Add to the regrets of the updated player, or to the average of another."""
        after, whole, won = down
        tail = after * played
        if owner == self.updated:
            weight = won * prod(reach for player, reach in reaches.items() if player != owner) / whole
            for i in range(len(plain)):
                self.regrets[facts][i] += weight * ((after if i == choice else 0.0) - tail)
        else:
            weight = reaches[owner] * reaches[ft.CHANCE] / q
            self.averages[facts] = [a + weight * p for a, p in zip(self.averages[facts], plain, strict=True)]
        return tail, whole, won


def mixed(strategy: list[float], share: float) -> list[float]:
    return [share / len(strategy) + (1 - share) * p for p in strategy]


def roll_out(s: ft.State, q: float, draws: Draws, updated: int) -> Tail:
    """Play at random to the end; the tail has the same probability as played and as sampled."""
    probability = 1.0
    while not s.is_terminal:
        legal = s.legal_actions()
        choice = draws.choose(s.chance()) if s.is_chance else draws.below(len(legal))
        probability *= s.chance()[choice] if s.is_chance else 1 / len(legal)
        s.apply(legal[choice])
    return probability, q * probability, s.returns()[updated]


def in_target(s: ft.State, action: int, observer: int, target: Facts) -> bool:
    """By the game's own rule (tests/games compare it with brute force), else by comparing facts."""
    if "reaches" in s.game.source:
        return bool(s.game.source["reaches"](s.view, action, observer, target, len(target)))
    child = s.clone()
    child.apply(action)
    known = set(child.facts(observer))
    return known <= set(target) or known >= set(target)


def exact_increments(root: ft.State, policy: Sums, owners: dict[Facts, int], gamma: float) -> tuple[Sums, Sums]:
    """What a walk for every player adds on average: regrets and averages, if all others make mistakes.

    Regrets are against them; an average takes the strategy without mistakes, as often as its owner comes by with them,
    in the walk of every other player.
    """
    erring = {facts: mixed(strategy, gamma) for facts, strategy in policy.items()}
    regrets: Sums = {}
    for player in range(root.game.players):
        against = {facts: policy[facts] if owners[facts] == player else erring[facts] for facts in policy}
        regrets |= {f: r for f, r in counterfactual_regrets(root, against)[0].items() if owners[f] == player}
    _, weighted = counterfactual_regrets(root, erring)
    times = root.game.players - 1
    return regrets, {facts: [times * sum(weighted[facts]) * p for p in policy[facts]] for facts in policy}
