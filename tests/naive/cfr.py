"""Counterfactual regret minimisation as in its definition: recursion over histories, dictionaries over facts."""

from collections import defaultdict

import forethought as ft
from forethought.solve.cfr import CfrWeights


class NaiveCFR:
    """One game, players updated in turn, weighed by a function of the iteration."""

    def __init__(self, game: ft.Game, variant) -> None:
        self.game, self.variant, self.t = game, variant, 0
        self.regret = defaultdict(lambda: defaultdict(float))
        self.instant = defaultdict(lambda: defaultdict(float))
        self.strategy = {}
        self.average = defaultdict(lambda: defaultdict(float))

    def iterate(self) -> None:
        self.t += 1
        weights: CfrWeights = self.variant(self.t)
        for player in range(self.game.players):
            self.instant.clear()
            self.walk(self.game.start(), player, 1.0, 1.0, weights.average)
            for facts, regrets in self.instant.items():
                self.update(facts, regrets, weights)

    def current(self, facts, legal) -> list[float]:
        return self.strategy.get(facts, [1 / len(legal)] * len(legal))

    def walk(self, s: ft.State, player: int, own: float, others: float, weight: float) -> float:
        """Return the value to the player; collect its regrets and its average strategy on the way."""
        if s.is_terminal:
            return s.returns()[player]
        legal = s.legal_actions()
        facts = None if s.is_chance else (s.player, tuple(s.facts(s.player)))
        chosen = s.chance() if s.is_chance else self.current(facts, legal)
        mine = s.player == player
        values = []
        for action, p in zip(legal, chosen, strict=True):
            child = s.clone()
            child.apply(action)
            values.append(self.walk(child, player, own * p if mine else own, others if mine else others * p, weight))
        value = sum(p * v for p, v in zip(chosen, values, strict=True))
        if mine:
            for action, p, v in zip(legal, chosen, values, strict=True):
                self.instant[facts][action] += others * (v - value)
                self.average[facts][action] += weight * own * p
        return value

    def update(self, facts, regrets, weights: CfrWeights) -> None:
        for action, regret in regrets.items():
            old = self.regret[facts][action]
            kept = weights.positive if old > 0 else weights.negative
            self.regret[facts][action] = max(old * kept + regret, weights.floor)
        hoped = [max(self.regret[facts][a] + weights.prediction * r, 0.0) for a, r in regrets.items()]
        total = sum(hoped)
        self.strategy[facts] = [h / total if total > 0 else 1 / len(hoped) for h in hoped]
