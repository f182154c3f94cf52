"""Exact values of policies, by walking every history through the Python face.

A policy says for the facts of the player to move which actions there are and how probable each is; where it says
nothing, play is uniform. Games must have perfect recall.
"""

from collections import defaultdict

import forethought as ft

Policy = dict[tuple[int, ...], tuple[tuple[int, ...], tuple[float, ...]]]
Histories = list[tuple[ft.State, float]]  # and how probable each is, apart from the best responder's own actions


def expected_returns(game: ft.Game, policy: Policy) -> list[float]:
    """What each player wins on average if all follow the policy."""
    return _expected(game.start(), policy)


def _expected(s: ft.State, policy: Policy) -> list[float]:
    if s.is_terminal:
        return s.returns()
    totals = [0.0] * s.game.players
    for child, probability in children(s, policy):
        totals = [total + probability * won for total, won in zip(totals, _expected(child, policy), strict=True)]
    return totals


def best_response_value(game: ft.Game, policy: Policy, player: int) -> float:
    """What a player wins on average by its best play against the others, who follow the policy."""
    return _best([(game.start(), 1.0)], policy, player)


def nash_conv(game: ft.Game, policy: Policy) -> float:
    """How much the players could gain, added up, if each alone changed to its best response."""
    gains = expected_returns(game, policy)
    return sum(best_response_value(game, policy, player) - gains[player] for player in range(game.players))


def _best(histories: Histories, policy: Policy, player: int) -> float:
    """The best value of these histories together; the player chooses one action for each of its information sets."""
    value = 0.0
    infosets: dict[tuple[int, ...], Histories] = defaultdict(list)
    for history in histories:
        for s, probability in played_on(history, policy, player):
            if s.is_terminal:
                value += probability * s.returns()[player]
            else:
                infosets[tuple(s.facts(player))].append((s, probability))
    for members in infosets.values():
        actions = members[0][0].legal_actions()
        value += max(_best([(after(s, a), p) for s, p in members], policy, player) for a in actions)
    return value


def played_on(history: tuple[ft.State, float], policy: Policy, player: int) -> Histories:
    """All histories that follow without the player: each is at its end, or at the player's next decision."""
    s, probability = history
    if s.is_terminal or s.player == player:
        return [history]
    return [end for child, p in children(s, policy) for end in played_on((child, probability * p), policy, player)]


def children(s: ft.State, policy: Policy) -> Histories:
    """What can follow a state, and how probable it is."""
    actions = s.legal_actions()
    probabilities = s.chance() if s.is_chance else strategy(s, policy)
    return [(after(s, action), p) for action, p in zip(actions, probabilities, strict=True) if p > 0.0]


def strategy(s: ft.State, policy: Policy) -> list[float]:
    """The probability of each legal action."""
    legal = s.legal_actions()
    facts = tuple(s.facts(s.player))
    if facts not in policy:
        return [1.0 / len(legal)] * len(legal)
    actions, probabilities = policy[facts]
    assert list(actions) == legal
    return list(probabilities)


def after(s: ft.State, action: int) -> ft.State:
    child = s.clone()
    child.apply(action)
    return child
