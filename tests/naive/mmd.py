"""Magnetic mirror descent as in its definition: recursion over histories, dictionaries over facts, no logarithms."""

import math
from collections import defaultdict

import forethought as ft

Rows = dict[tuple[int, tuple[int, ...]], list[float]]


class NaiveMMD:
    """One game, players updated in turn; the magnet is uniform."""

    def __init__(self, game: ft.Game) -> None:
        self.game, self.policy = game, Rows()

    def iterate(self, temperature: float, step: float) -> None:
        for player in range(self.game.players):
            for row, values in action_values(self.game, self.policy, player).items():
                self.policy[row] = moved(self.current(row, len(values)), values, temperature, step)

    def current(self, row, count: int) -> list[float]:
        return self.policy.get(row, [1 / count] * count)


def moved(policy: list[float], values: list[float], temperature: float, step: float) -> list[float]:
    """The policy that maximises <pi, q> - temperature KL(pi, magnet) - KL(pi, policy) / step."""
    magnet = 1 / len(policy)
    power = 1 / (1 + temperature * step)
    weights = [
        (p * magnet ** (temperature * step) * math.exp(step * q)) ** power for p, q in zip(policy, values, strict=True)
    ]
    return [weight / sum(weights) for weight in weights]


def action_values(game: ft.Game, policy: Rows, player: int) -> Rows:
    """What each action of a player is worth, given its information set and that everybody plays the policy."""
    reach, totals = defaultdict(float), defaultdict(lambda: defaultdict(float))

    def walk(s: ft.State, others: float) -> float:
        if s.is_terminal:
            return s.returns()[player]
        legal = s.legal_actions()
        row = None if s.is_chance else (s.player, tuple(s.facts(s.player)))
        chosen = s.chance() if s.is_chance else policy.get(row, [1 / len(legal)] * len(legal))
        values = []
        for action, p in zip(legal, chosen, strict=True):
            child = s.clone()
            child.apply(action)
            values.append(walk(child, others if s.player == player else others * p))
        if s.player == player:
            reach[row] += others
            for action, value in zip(legal, values, strict=True):
                totals[row][action] += others * value
        return sum(p * v for p, v in zip(chosen, values, strict=True))

    walk(game.start(), 1.0)
    return {row: [total / reach[row] for total in of_actions.values()] for row, of_actions in totals.items()}
