"""Neural Fictitious Self-Play in plain Python: one game at a time, one row at a time."""

import math

import numpy as np

import forethought as ft
from forethought.learn.fictitious_play import FictitiousPlayers
from forethought.nets.evaluator import policy_of
from forethought.randomness import Generator, below, choose, uniform
from tests.naive.policy_gradient import outputs_of


def one_game(game: ft.Game, players: FictitiousPlayers, rng: Generator) -> tuple[list[dict], list[float]]:
    """The decisions of one game, and its returns."""
    responding = [uniform(rng) < players.anticipation for _ in range(game.players)]
    s, found = game.start(), []
    while not s.is_terminal:
        legal = s.legal_actions()
        if s.is_chance:
            s.apply(legal[choose(np.array(s.chance()), len(legal), rng)])
        elif len(legal) == 1:
            s.apply(legal[0])
        else:
            facts, explores = s.facts(s.player), False
            if not responding[s.player]:
                action = legal[choose(policy_of(players.average, facts, legal), len(legal), rng)]
            elif uniform(rng) < players.epsilon:
                action, explores = legal[below(len(legal), rng)], True
            else:
                values = outputs_of(players.response, facts)
                action = max(legal, key=lambda a: values[a])
            imitated = responding[s.player] and not explores
            found.append({"state": s.clone(), "player": s.player, "action": action, "imitated": imitated})
            s.apply(action)
    return found, s.returns()


def transitions(decisions: list[dict], returns: list[float], unit: float) -> list[tuple]:
    """Each decision with what it led to: a reward and no next decision, or the next of the same player."""
    found = []
    for place, one in enumerate(decisions):
        later = [other for other in decisions[place + 1 :] if other["player"] == one["player"]]
        reward = 0.0 if later else returns[one["player"]] / unit
        following = later[0]["state"].memory.tobytes() if later else None
        found.append((one["state"].memory.tobytes(), one["player"], one["action"], reward, following))
    return found


def q_target(game: ft.Game, reward: float, following: ft.State | None, values: np.ndarray) -> float:
    """What an action value should be, given the target network's values at the next decision."""
    return reward if following is None else reward + max(float(values[a]) for a in following.legal_actions())


def cross_entropy(s: ft.State, logits: np.ndarray, action: int) -> float:
    legal = s.legal_actions()
    return math.log(sum(math.exp(logits[a]) for a in legal)) - float(logits[action])
