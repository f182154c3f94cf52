"""Self-play and the losses of regularised policy gradients in plain Python: one game, one row at a time."""

import math

import numpy as np

import forethought as ft
from forethought.nets.evaluator import policy_of
from forethought.nets.mlp import Mlp, parameters_of
from forethought.randomness import choose


def outputs_of(net: Mlp, facts: list[int]) -> np.ndarray:
    """The outputs of a network for the facts that hold."""
    parameters = parameters_of(net)
    inputs = np.zeros(net.facts)
    inputs[facts] = 1.0
    for layer in range(len(parameters) // 2):
        outputs = inputs @ parameters[f"weight{layer}"] + parameters[f"bias{layer}"]
        inputs = np.maximum(outputs, 0.0)
    return outputs


def seen_by_critic(state: ft.State, whole: bool) -> list[int]:
    """The facts of the mover, then those of the players after it."""
    game, facts = state.game, []
    for k in range(game.players if whole else 1):
        facts += [k * game.facts + fact for fact in state.facts((state.player + k) % game.players)]
    return facts


def one_game(game: ft.Game, actor: Mlp, magnet: Mlp, critic: Mlp, rng) -> tuple[list[dict], list[float]]:
    """The decisions of one game, and its returns."""
    state, decisions = game.start(), []
    while not state.is_terminal:
        legal = state.legal_actions()
        if state.is_chance:
            state.apply(legal[choose(np.array(state.chance()), len(legal), rng)])
        elif len(legal) == 1:
            state.apply(legal[0])
        else:
            facts, policy = state.facts(state.player), policy_of(actor, state.facts(state.player), legal)
            choice = choose(policy, len(legal), rng)
            decisions.append(
                {
                    "state": state.memory.copy(),
                    "player": state.player,
                    "actions": legal,
                    "choice": choice,
                    "policy": policy,
                    "magnet": policy_of(magnet, facts, legal),
                    "value": outputs_of(critic, seen_by_critic(state, critic.facts > game.facts))[0],
                }
            )
            state.apply(legal[choice])
    return decisions, state.returns()


def advantages(decisions: list[dict], returns: list[float], unit: float, gae_lambda: float) -> list[float]:
    """Sums of all later errors of the critic at the same player's decisions, each faded once more."""
    found = []
    for place, decision in enumerate(decisions):
        mine = [one for one in decisions[place:] if one["player"] == decision["player"]]
        values = [one["value"] for one in mine] + [returns[decision["player"]] / unit]
        found.append(sum(gae_lambda**k * (values[k + 1] - values[k]) for k in range(len(mine))))
    return found


def row_loss(
    logits: np.ndarray, played: int, advantage: float, old: list[float], magnet: list[float], weights
) -> float:
    """The loss of one decision, by its definition; logits are those of the legal actions."""
    pi = np.exp(logits - logits.max())
    pi /= pi.sum()
    ratio = pi[played] / old[played]
    surrogate = min(ratio * advantage, min(max(ratio, 1 - weights.clip), 1 + weights.clip) * advantage)
    return (
        -surrogate
        - weights.temperature * -sum(p * math.log(p) for p in pi)
        + weights.magnet_weight * sum(p * math.log(p / m) for p, m in zip(pi, magnet, strict=True))
        + weights.proximal_weight * sum(p * math.log(p / o) for p, o in zip(pi, old, strict=True))
    )
