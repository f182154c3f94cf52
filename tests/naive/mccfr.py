"""Monte Carlo CFR by recursion through the Python face, with the formulas of Lanctot's thesis written out in full."""

from math import prod

import forethought as ft
from tests.naive import xoshiro

Sums = dict[tuple[int, ...], list[float]]


class Tables:
    """Regrets and averages by facts; both are added only where a walk comes by."""

    def __init__(self, seed_words: list[int]) -> None:
        self.regrets: Sums = {}
        self.averages: Sums = {}
        self.words = seed_words

    def meet(self, s: ft.State) -> tuple[tuple[int, ...], list[float]]:
        """The facts of the player to move and its current strategy."""
        facts, count = tuple(s.facts(s.player)), len(s.legal_actions())
        regrets = self.regrets.setdefault(facts, [0.0] * count)
        self.averages.setdefault(facts, [0.0] * count)
        return facts, matched(regrets)


def matched(regrets: list[float]) -> list[float]:
    positive = [max(regret, 0.0) for regret in regrets]
    total = sum(positive)
    return [regret / total for regret in positive] if total > 0 else [1 / len(regrets)] * len(regrets)


def outcome_walk(tables: Tables, s: ft.State, updated: int, epsilon: float) -> None:
    reaches = dict.fromkeys((ft.CHANCE, *range(s.game.players)), 1.0)
    _outcome(tables, s, updated, epsilon, reaches, 1.0)


def _outcome(
    tables: Tables, s: ft.State, updated: int, epsilon: float, reaches: dict[int, float], sampled: float
) -> tuple[float, float, float]:
    """Return what the updated player won, the probability of the tail as played, and that of sampling all of it.

    `reaches` is the probability of each player's actions so far as played, `sampled` that of the history as sampled.
    """
    if s.is_terminal:
        return s.returns()[updated], 1.0, sampled
    owner, legal = s.player, s.legal_actions()
    facts, strategy = ((), s.chance()) if s.is_chance else tables.meet(s)
    sampling = strategy
    if owner == updated:
        sampling = [epsilon / len(legal) + (1 - epsilon) * p for p in strategy]
    elif not s.is_chance:
        weight = reaches[owner] * reaches[ft.CHANCE] / sampled
        tables.averages[facts] = [a + weight * p for a, p in zip(tables.averages[facts], strategy, strict=True)]
    choice = xoshiro.choose(sampling, tables.words)
    s.apply(legal[choice])
    further = {**reaches, owner: reaches[owner] * strategy[choice]}
    won, tail_after, whole = _outcome(tables, s, updated, epsilon, further, sampled * sampling[choice])
    tail = tail_after * strategy[choice]
    if owner == updated:
        others = prod(reach for player, reach in reaches.items() if player != updated)
        weight = won * others / whole
        for i in range(len(legal)):
            tables.regrets[facts][i] += weight * ((tail_after if i == choice else 0.0) - tail)
    return won, tail, whole


def external_walk(tables: Tables, s: ft.State, updated: int) -> float:
    """Return the value of the state for the updated player, as sampled."""
    if s.is_terminal:
        return s.returns()[updated]
    legal = s.legal_actions()
    if s.is_chance:
        s.apply(legal[xoshiro.choose(s.chance(), tables.words)])
        return external_walk(tables, s, updated)
    owner = s.player
    facts, strategy = tables.meet(s)
    if owner != updated:
        tables.averages[facts] = [a + p for a, p in zip(tables.averages[facts], strategy, strict=True)]
        s.apply(legal[xoshiro.choose(strategy, tables.words)])
        return external_walk(tables, s, updated)
    values = []
    for action in legal:
        child = s.clone()
        child.apply(action)
        values.append(external_walk(tables, child, updated))
    value = sum(p * v for p, v in zip(strategy, values, strict=True))
    tables.regrets[facts] = [r + v - value for r, v in zip(tables.regrets[facts], values, strict=True)]
    return value


def counterfactual_regrets(s: ft.State, policy: dict[tuple[int, ...], list[float]]) -> tuple[Sums, Sums]:
    """Exact regrets of all infosets under a policy; and its strategies, weighted by own reach and that of chance."""
    regrets: Sums = {}
    weighted: Sums = {}
    _exact(s, policy, dict.fromkeys((ft.CHANCE, *range(s.game.players)), 1.0), regrets, weighted)
    return regrets, weighted


def _exact(
    s: ft.State, policy: dict[tuple[int, ...], list[float]], reaches: dict[int, float], regrets: Sums, weighted: Sums
) -> list[float]:
    if s.is_terminal:
        return s.returns()
    owner, legal = s.player, s.legal_actions()
    facts = () if s.is_chance else tuple(s.facts(owner))
    strategy = s.chance() or policy.get(facts, [1 / len(legal)] * len(legal))
    values = []
    for action, p in zip(legal, strategy, strict=True):
        child = s.clone()
        child.apply(action)
        values.append(_exact(child, policy, {**reaches, owner: reaches[owner] * p}, regrets, weighted))
    mean = [sum(p * v[i] for p, v in zip(strategy, values, strict=True)) for i in range(s.game.players)]
    if not s.is_chance:
        others = prod(reach for player, reach in reaches.items() if player != owner)
        own = reaches[owner] * reaches[ft.CHANCE]
        so_far, so_far_weighted = regrets.get(facts, [0.0] * len(legal)), weighted.get(facts, [0.0] * len(legal))
        regrets[facts] = [r + others * (v[owner] - mean[owner]) for r, v in zip(so_far, values, strict=True)]
        weighted[facts] = [w + own * p for w, p in zip(so_far_weighted, strategy, strict=True)]
    return mean
