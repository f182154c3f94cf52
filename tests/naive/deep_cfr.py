"""Deep CFR in plain Python: exact counterfactual regrets, all sampled games with their probabilities, and estimates."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

import forethought as ft
from forethought.learn.outcome_traversals import TraversalNetworks
from tests.naive.policy_gradient import outputs_of, seen_by_critic


class Decision(NamedTuple):
    """One decision of a sampled game."""

    state: ft.State
    strategy: list[float]
    baseline: list[float]  # what the mover is expected to win
    choice: int
    probability: float  # of the choice, when sampled
    reach: float  # product of those of the traverser's earlier choices


class Sampled(NamedTuple):
    """A game that may be sampled."""

    decisions: list[Decision]
    probability: float
    returns: list[float]


def matched(advantages: list[float]) -> list[float]:
    positive = [max(advantage, 0.0) for advantage in advantages]
    if sum(positive) > 0.0:
        return [one / sum(positive) for one in positive]
    return [float(k == advantages.index(max(advantages))) for k in range(len(advantages))]


def strategy_at(networks: TraversalNetworks, s: ft.State) -> list[float]:
    outputs = outputs_of(networks.advantages, s.facts(s.player))
    return matched([float(outputs[action]) for action in s.legal_actions()])


def baseline_at(networks: TraversalNetworks, s: ft.State) -> list[float]:
    outputs = outputs_of(networks.baseline, seen_by_critic(s, whole=True))
    return [float(outputs[action]) for action in s.legal_actions()]


def after(s: ft.State, action: int) -> ft.State:
    child = s.clone()
    child.apply(action)
    return child


def policy_at(networks: TraversalNetworks, s: ft.State) -> list[float]:
    return list(s.chance()) if s.is_chance else strategy_at(networks, s)


def value_of(networks: TraversalNetworks, s: ft.State, player: int) -> float:
    """What a player wins from here on, if all play their strategies."""
    if s.is_terminal:
        return s.returns()[player]
    return float(np.dot(policy_at(networks, s), values_of(networks, s, player)))


def values_of(networks: TraversalNetworks, s: ft.State, player: int) -> list[float]:
    """What each action is worth to a player."""
    return [value_of(networks, after(s, action), player) for action in s.legal_actions()]


def exact_regrets(networks: TraversalNetworks, s: ft.State, player: int) -> dict[tuple, np.ndarray]:
    """Counterfactual regrets of a player's actions, by its facts."""
    found: dict[tuple, np.ndarray] = defaultdict(lambda: np.zeros(s.game.actions))

    def walk(here: ft.State, others: float) -> None:
        if here.is_terminal:
            return
        policy, mine = policy_at(networks, here), here.player == player
        if mine:
            values = values_of(networks, here, player)
            for action, value in zip(here.legal_actions(), values, strict=True):
                found[tuple(here.facts(player))][action] += others * (value - np.dot(policy, values))
        for action, p in zip(here.legal_actions(), policy, strict=True):
            walk(after(here, action), others if mine else others * p)

    walk(s, 1.0)
    return found


def exact_strategy_weights(networks: TraversalNetworks, s: ft.State, player: int) -> dict[tuple, np.ndarray]:
    """What the average strategy sums up: the strategy, weighed by how chance and the player itself come there."""
    found: dict[tuple, np.ndarray] = defaultdict(lambda: np.zeros(s.game.actions))

    def walk(here: ft.State, own: float) -> None:
        if here.is_terminal:
            return
        policy, mine = policy_at(networks, here), here.player == player
        for action, p in zip(here.legal_actions(), policy, strict=True):
            if mine:
                found[tuple(here.facts(player))][action] += own * p
            walk(after(here, action), own * p if mine or here.is_chance else own)

    walk(s, 1.0)
    return found


def all_games(networks: TraversalNetworks, s: ft.State, traverser: int, exploration: float) -> Iterator[Sampled]:
    """All games that may be sampled."""

    def walk(here: ft.State, decisions: list[Decision], probability: float, reach: float) -> Iterator[Sampled]:
        if probability == 0.0:
            return
        if here.is_terminal:
            yield Sampled(decisions, probability, here.returns())
            return
        policy = policy_at(networks, here)
        mine, count = here.player == traverser, len(policy)
        for k, action in enumerate(here.legal_actions()):
            p = exploration / count + (1.0 - exploration) * policy[k] if mine else policy[k]
            noted = decisions
            if not here.is_chance and count > 1:
                noted = [*decisions, Decision(here, policy, baseline_at(networks, here), k, p, reach)]
            yield from walk(after(here, action), noted, probability * p, reach * p if mine else reach)

    return walk(s, [], 1.0, 1.0)


def estimates(decisions: list[Decision], traverser: int, won: float, sign: float = 1.0) -> list[list[float]]:
    """Sampled advantages to the traverser at each decision; a sign of -1 is a fault, planted."""
    value, found = won, []
    for one in reversed(decisions):
        view = 1.0 if one.state.player == traverser else -1.0
        worth = [view * b for b in one.baseline]
        worth[one.choice] += (value - sign * worth[one.choice]) / one.probability
        value = float(np.dot(one.strategy, worth))
        found.append([each - value for each in worth])
    return found[::-1]


def sarsa_target(networks: TraversalNetworks, player: int, reward: float, following: ft.State | None) -> float:
    """What the baseline should say of an action, given the next decision."""
    if following is None:
        return reward
    expected = float(np.dot(strategy_at(networks, following), baseline_at(networks, following)))
    return reward + (expected if following.player == player else -expected)
