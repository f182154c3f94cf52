"""TD(lambda) on afterstates, online: after every action the network learns what the next one says of the last.

Values are of player 0 here, so that those of both players are comparable: the network's, from the view of who acted,
have their sign changed for player 1. A trace for each weight says how much it has had to do with the values so far; the
part that is older by one action counts lambda times as much (Sutton, 1988).
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.nets.afterstates import AfterstateNetwork, value_of
from forethought.players.afterstate import Valuation, afterstate_value, valuation_by, value_actions
from forethought.playouts import PlayMemory, make_play_memory
from forethought.randomness import Generator, below, uniform
from forethought.rollouts import draw_outcome, write_legal
from forethought.status import BROKEN, broken_law


class TemporalDifference(NamedTuple):
    """How it learns and plays."""

    rate: float
    trace_decay: float  # lambda
    epsilon: float  # share of random actions


class Differences(NamedTuple):
    """What games came to."""

    actions: int  # decisions made
    mean_squared_error: float  # of temporal differences


class TemporalMemory(NamedTuple):
    """The network that learns, and what playing and learning need, made once."""

    valuation: Valuation
    traces: AfterstateNetwork
    play: PlayMemory
    values: Float64s  # [choices] of actions


def learn_by_playing(
    game: Game, network: AfterstateNetwork, how: TemporalDifference, games: int, rng: Generator
) -> Differences:
    """Play games, one after another, and let the network learn in place."""
    traces = AfterstateNetwork._make(np.zeros_like(array) for array in network)
    memory = TemporalMemory(valuation_by(network, game), traces, make_play_memory(game), np.zeros(game.table.choices))
    sums = np.zeros(2)
    for _ in range(games):
        if play_and_learn(game.table, how, memory, sums, rng) == BROKEN:
            raise broken_law(game)
    return Differences(int(sums[0]), float(sums[1] / max(sums[0], 1.0)))


@kernel
def play_and_learn(game: Table, how: TemporalDifference, memory: TemporalMemory, sums: Float64s, rng: Generator) -> int:
    """Play a game and learn; add to `sums` how many actions there were, and the squares of differences."""
    state, s, choices = memory.play.state, pointer(memory.play.state), memory.play.choices
    state[:] = 0
    game.start(s)
    clear(memory.traces)
    before, is_traced = 0.0, False  # the value of the last afterstate, if there has been one
    for _ in range(game.plies):
        mover = game.player(s)
        if mover == TERMINAL:
            break
        count = write_legal(game, s, pointer(choices))
        if count == BROKEN:
            return BROKEN
        if mover == CHANCE:
            game.apply(s, choices[draw_outcome(game, s, memory.play.weights, count, rng)])
            continue
        game.apply(s, choices[chosen(game, how, memory, count, rng)])
        sign = 1.0 if mover == 0 else -1.0
        if is_traced:
            now = sign * afterstate_value(game, memory.valuation, state, mover)
            sums[1] += learn(memory, how.rate, now - before)
        sums[0] += 1
        is_traced = game.player(s) != TERMINAL
        if is_traced:
            valuation = memory.valuation
            known = game.facts(s, mover, pointer(valuation.facts))
            value = value_of(valuation.network, valuation.facts, known, valuation.hidden)
            before = sign * value  # by the weights as they are now
            trace(memory, known, sign * (1.0 - value * value), how.trace_decay)
    if game.player(s) != TERMINAL:
        return BROKEN
    if is_traced:  # chance has ended the game
        game.returns(s, pointer(memory.play.returns))
        sums[1] += learn(memory, how.rate, memory.play.returns[0] / memory.valuation.largest - before)
    return 0


@inlined_kernel
def chosen(game: Table, how: TemporalDifference, memory: TemporalMemory, count: int, rng: Generator) -> int:
    """Return the place of the best action, or sometimes of any."""
    if uniform(rng) < how.epsilon:
        return below(count, rng)
    return value_actions(game, memory.valuation, memory.play.state, memory.play.choices, count, memory.values)


@kernel
def clear(traces: AfterstateNetwork) -> None:
    traces.hidden_weights[:] = 0.0
    traces.hidden_biases[:] = 0.0
    traces.output_weights[:] = 0.0
    traces.output_bias[0] = 0.0


@kernel
def learn(memory: TemporalMemory, rate: float, difference: float) -> float:
    """Move every weight along its trace; return the square of the difference."""
    network, traces, step = memory.valuation.network, memory.traces, np.float32(rate * difference)
    for i in range(network.hidden_weights.shape[0]):
        row, traced = network.hidden_weights[i], traces.hidden_weights[i]
        for j in range(len(row)):
            row[j] += step * traced[j]
    for j in range(len(network.hidden_biases)):
        network.hidden_biases[j] += step * traces.hidden_biases[j]
        network.output_weights[j] += step * traces.output_weights[j]
    network.output_bias[0] += step * traces.output_bias[0]
    return difference * difference


@kernel
def trace(memory: TemporalMemory, known: int, slope: float, decay: float) -> None:
    """Let traces fade, and add the gradient of the value that was just computed, which is `slope` before the tanh."""
    valuation, traces, kept, rising = memory.valuation, memory.traces, np.float32(decay), np.float32(slope)
    for i in range(traces.hidden_weights.shape[0]):
        traced = traces.hidden_weights[i]
        for j in range(len(traced)):
            traced[j] *= kept
    for j in range(len(traces.hidden_biases)):
        unit = valuation.hidden[j]
        traces.output_weights[j] = kept * traces.output_weights[j] + rising * unit
        through = rising * valuation.network.output_weights[j] * unit * (np.float32(1.0) - unit)
        traces.hidden_biases[j] = kept * traces.hidden_biases[j] + through
        valuation.hidden[j] = through
    for i in range(known):
        traced = traces.hidden_weights[valuation.facts[i]]
        for j in range(len(traced)):
            traced[j] += valuation.hidden[j]
    traces.output_bias[0] = kept * traces.output_bias[0] + rising
