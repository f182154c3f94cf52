"""TD(lambda) on afterstates by its definition: all gradients are kept, and weighted anew at every step."""

import numpy as np

from forethought.arrays import Float64s
from forethought.game import State
from forethought.learn.temporal_difference import TemporalDifference
from forethought.randomness import Generator, below, choose, uniform

Weights = dict[str, Float64s]


def value_and_gradient(weights: Weights, facts: list[int]) -> tuple[float, Weights]:
    """The value of an afterstate for who acted, and its derivative by every weight."""
    inputs = np.zeros(len(weights["hidden_weights"]))
    inputs[facts] = 1.0
    hidden = 1.0 / (1.0 + np.exp(-(weights["hidden_biases"] + inputs @ weights["hidden_weights"])))
    value = np.tanh(weights["output_bias"][0] + weights["output_weights"] @ hidden)
    slope = 1.0 - value**2
    through = slope * weights["output_weights"] * hidden * (1.0 - hidden)
    gradient = {
        "hidden_weights": np.outer(inputs, through),
        "hidden_biases": through,
        "output_weights": slope * hidden,
        "output_bias": np.array([slope]),
    }
    return float(value), gradient


def value_after(weights: Weights, state: State, mover: int, largest: float) -> float:
    if state.is_terminal:
        return state.returns()[mover] / largest
    return value_and_gradient(weights, state.facts(mover))[0]


def play_and_learn(weights: Weights, state: State, how: TemporalDifference, largest: float, rng: Generator) -> None:
    """Play a game from its start, and change the weights after every action."""
    gradients: list[Weights] = []  # of the values of player 0, action by action
    before = 0.0

    def learn(now: float) -> None:
        for age, gradient in enumerate(reversed(gradients)):
            for name, array in gradient.items():
                weights[name] += how.rate * (now - before) * how.trace_decay**age * array

    while not state.is_terminal:
        actions = state.legal_actions()
        if state.is_chance:
            state.apply(actions[choose(np.array(state.chance()), len(actions), rng)])
            continue
        mover = state.player
        if uniform(rng) < how.epsilon:
            action = actions[below(len(actions), rng)]
        else:
            following = [state.clone() for _ in actions]
            for one, action in zip(following, actions, strict=True):
                one.apply(action)
            action = actions[int(np.argmax([value_after(weights, one, mover, largest) for one in following]))]
        state.apply(action)
        sign = 1.0 if mover == 0 else -1.0
        if gradients:
            learn(sign * value_after(weights, state, mover, largest))
        if state.is_terminal:
            return
        value, gradient = value_and_gradient(weights, state.facts(mover))
        before = sign * value
        gradients.append({name: sign * array for name, array in gradient.items()})
    learn(state.returns()[0] / largest)
