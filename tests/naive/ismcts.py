"""Information Set MCTS through the Python face, recursive, with dictionaries for a tree."""

import math
import sys
from dataclasses import dataclass, field
from typing import Protocol

import forethought as ft
from tests.naive import xoshiro
from tests.naive.oos import Facts, in_target

Statistics = dict[Facts, tuple[list[float], list[float]]]  # two numbers of each action: visits and what it has won


class Rule(Protocol):
    """How an action is chosen, and what is learned from what it has won."""

    def select(self, first: list[float], second: list[float], largest: float, words: list[int]) -> int: ...

    def learn(self, first: list[float], second: list[float], choice: int, won: float) -> None: ...


@dataclass
class Ucb:
    exploration: float = 2.0

    def select(self, visits: list[float], totals: list[float], largest: float, words: list[int]) -> int:
        untried = [i for i, n in enumerate(visits) if n == 0]
        if untried:
            return untried[xoshiro.below(len(untried), words)]
        bonus, every = self.exploration * largest, math.log(sum(visits))
        values = [total / n + bonus * math.sqrt(every / n) for n, total in zip(visits, totals, strict=True)]
        return values.index(max(values))

    def learn(self, visits: list[float], totals: list[float], choice: int, won: float) -> None:
        visits[choice] += 1
        totals[choice] += won


@dataclass
class Smooth(Ucb):
    eta: float = 0.9
    least: float = 0.1
    decay: float = 0.002

    def select(self, visits: list[float], totals: list[float], largest: float, words: list[int]) -> int:
        plays = sum(visits)
        eta = max(self.least, self.eta / (1 + self.decay * math.sqrt(plays)))
        if plays and xoshiro.uniform(words) >= eta:
            return xoshiro.choose([n / plays for n in visits], words)
        return super().select(visits, totals, largest, words)


@dataclass
class RegretMatching:
    gamma: float = 0.2

    def strategy(self, regrets: list[float]) -> list[float]:
        positive = [max(regret, 0.0) for regret in regrets]
        return [r / sum(positive) if sum(positive) > 0 else 1 / len(regrets) for r in positive]

    def drawn_by(self, scores: list[float]) -> list[float]:
        return [self.gamma / len(scores) + (1 - self.gamma) * p for p in self.strategy(scores)]

    def select(self, scores: list[float], sums: list[float], _largest: float, words: list[int]) -> int:
        for i, p in enumerate(self.strategy(scores)):
            sums[i] += p
        return xoshiro.choose(self.drawn_by(scores), words)

    def learn(self, regrets: list[float], _sums: list[float], choice: int, won: float) -> None:
        counterfactual = [won / self.drawn_by(regrets)[choice] if i == choice else 0.0 for i in range(len(regrets))]
        regrets[:] = [regret + value - won for regret, value in zip(regrets, counterfactual, strict=True)]


@dataclass
class Exp3(RegretMatching):
    largest: float = 1.0

    def strategy(self, gains: list[float]) -> list[float]:
        weights = [math.exp(self.gamma / len(gains) * (gain - max(gains))) for gain in gains]
        return [weight / sum(weights) for weight in weights]

    def learn(self, gains: list[float], _sums: list[float], choice: int, won: float) -> None:
        gains[choice] += (1 + won / self.largest) / 2 / self.drawn_by(gains)[choice]


@dataclass
class Search:
    words: list[int]  # of the generator
    origin: ft.State
    rule: Rule = field(default_factory=Ucb)
    observer: int = ft.PUBLIC  # PUBLIC: nothing is hidden, walks begin where they are
    target: Facts = ()
    max_infosets: int = 1_000_000
    largest: float = sys.float_info.min
    tree: Statistics = field(default_factory=dict)

    def walk(self) -> None:
        s = self.determinised()
        if s is not None:
            self._step(s, True)

    def determinised(self) -> ft.State | None:
        for _ in range(1000):
            s = self._guess(self.origin.clone())
            if s is not None:
                return s
        return None

    def _guess(self, s: ft.State) -> ft.State | None:
        if self.observer == ft.PUBLIC or (s.player == self.observer and tuple(s.facts(s.player)) == self.target):
            return s
        legal = s.legal_actions()
        weights = s.chance() or [1.0] * len(legal)
        kept = [w if in_target(s, a, self.observer, self.target) else 0.0 for a, w in zip(legal, weights, strict=True)]
        total = sum(kept)
        if total == 0:
            return None
        s.apply(legal[xoshiro.choose([w / total for w in kept], self.words)])
        return self._guess(s)

    def _step(self, s: ft.State, in_tree: bool) -> list[float]:
        """Play on to the end, and return what each player has won."""
        if s.is_terminal:
            returns = s.returns()
            self.largest = max(self.largest, *(abs(value) for value in returns))
            return returns
        legal, player = s.legal_actions(), s.player
        if s.is_chance:
            s.apply(legal[xoshiro.choose(s.chance(), self.words)])
            return self._step(s, in_tree)
        facts = tuple(s.facts(player))
        stays = in_tree and facts in self.tree
        if in_tree and not stays and len(self.tree) < self.max_infosets:
            self.tree[facts] = ([0.0] * len(legal), [0.0] * len(legal))
        row = self.tree.get(facts) if in_tree else None
        choice = self.rule.select(*row, self.largest, self.words) if row else xoshiro.below(len(legal), self.words)
        s.apply(legal[choice])
        returns = self._step(s, stays)
        if row:
            self.rule.learn(*row, choice, returns[player])
        return returns
