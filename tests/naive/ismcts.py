"""Information Set MCTS through the Python face, recursive, with dictionaries for a tree."""

import math
import sys
from dataclasses import dataclass, field

import forethought as ft
from tests.naive import xoshiro
from tests.naive.oos import Facts, in_target

Statistics = dict[Facts, tuple[list[int], list[float]]]  # visits of each action, and what it has won


@dataclass
class Search:
    words: list[int]  # of the generator
    origin: ft.State
    exploration: float = 2.0
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
            self.tree[facts] = ([0] * len(legal), [0.0] * len(legal))
        row = self.tree.get(facts) if in_tree else None
        choice = self._select(*row) if row else xoshiro.below(len(legal), self.words)
        s.apply(legal[choice])
        returns = self._step(s, stays)
        if row:
            row[0][choice] += 1
            row[1][choice] += returns[player]
        return returns

    def _select(self, visits: list[int], totals: list[float]) -> int:
        untried = [i for i, n in enumerate(visits) if n == 0]
        if untried:
            return untried[xoshiro.below(len(untried), self.words)]
        bonus, every = self.exploration * self.largest, math.log(sum(visits))
        values = [total / n + bonus * math.sqrt(every / n) for n, total in zip(visits, totals, strict=True)]
        return values.index(max(values))
