"""The walks of external sampling: all actions of one player, one sampled action of all others.

Only decisions of the updated player branch, so only they are kept on the stack.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s, Int64s
from forethought.compiler import kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.playouts import PlayMemory, make_play_memory
from forethought.randomness import Generator, choose
from forethought.rollouts import draw_outcome, write_legal
from forethought.search.infosets import NO_ROW, find_row, key_of
from forethought.search.regret import Regrets, add_entry, add_to_average, has_room, match_regrets
from forethought.status import BROKEN


class ExternalStack(NamedTuple):
    """The memory of one walk that tries several actions; all but the first four describe each open decision."""

    play: PlayMemory
    facts: Int64s  # [fact_count]
    strategy: Float64s  # [choices]
    reached: Int64s  # [2] number of open decisions, and of plies played
    states: npt.NDArray[np.uint8]  # [plies, state_bytes]
    plies: Int64s  # [plies]
    firsts: Int64s  # [plies] offset of its regrets, or NO_ROW
    counts: Int64s  # [plies]
    tried: Int64s  # [plies] number of actions that have values
    actions: Int64s  # [plies, choices]
    strategies: Float64s  # [plies, choices]
    values: Float64s  # [plies, choices]


OPEN, PLIES = 0, 1  # in ExternalStack.reached


def make_stack(game: Game) -> ExternalStack:
    plies, choices = game.plies, game.table.choices
    return ExternalStack(
        make_play_memory(game),
        facts=np.zeros(game.facts, np.int64),
        strategy=np.zeros(choices),
        reached=np.zeros(2, np.int64),
        states=np.zeros((plies, game.table.state_bytes), np.uint8),
        plies=np.zeros(plies, np.int64),
        firsts=np.zeros(plies, np.int64),
        counts=np.zeros(plies, np.int64),
        tried=np.zeros(plies, np.int64),
        actions=np.zeros((plies, choices), np.int64),
        strategies=np.zeros((plies, choices)),
        values=np.zeros((plies, choices)),
    )


@kernel
def external_walks(game: Table, walked: int, walks: int, table: Regrets, stack: ExternalStack, rng: Generator) -> int:
    """Run walks; return how many are finished when room runs out, or BROKEN.

    A walk may need room for any number of rows, so it stops where there is none left; the next call continues there.
    """
    play, strategy, reached = stack.play, stack.strategy, stack.reached
    s = pointer(play.state)
    done = 0
    while done < walks:
        updated = (walked + done) % game.players
        player = game.player(s)
        if player == TERMINAL:
            game.returns(s, pointer(play.returns))
            back_up(table.entries, stack, play.returns[updated])
            if reached[OPEN] > 0:
                try_next_action(game, stack)
            else:
                begin_walk(game, stack)
                done += 1
            continue
        count = write_legal(game, s, pointer(play.choices))
        if count == BROKEN or reached[PLIES] == game.plies:
            return BROKEN
        if player == CHANCE:
            choice = draw_outcome(game, s, play.weights, count, rng)
        else:
            if not has_room(game, table, 1):
                return done
            known = game.facts(s, player, pointer(stack.facts))
            key = key_of(stack.facts, known)
            first = find_row(table.infosets, key)
            if first == NO_ROW:
                first = add_entry(table, key, stack.facts, known, play.choices, count)
            match_regrets(table, first, count, strategy)
            if player == updated:
                open_decision(stack, first, count)
                choice = 0
            else:
                add_to_average(table, first, count, strategy, 1.0)
                choice = choose(strategy, count, rng)
        game.apply(s, play.choices[choice])
        reached[PLIES] += 1
    return done


@kernel
def begin_walk(game: Table, stack: ExternalStack) -> None:
    stack.play.state[:] = 0
    game.start(pointer(stack.play.state))
    stack.reached[:] = 0


@kernel
def open_decision(stack: ExternalStack, first: int, count: int) -> None:
    """Push a decision of the updated player, to return to it for each of its actions."""
    top = stack.reached[OPEN]
    for i in range(len(stack.play.state)):
        stack.states[top, i] = stack.play.state[i]
    stack.plies[top] = stack.reached[PLIES]
    stack.firsts[top], stack.counts[top], stack.tried[top] = first, count, 0
    for i in range(count):
        stack.actions[top, i] = stack.play.choices[i]
        stack.strategies[top, i] = stack.strategy[i]
    stack.reached[OPEN] += 1


@kernel
def try_next_action(game: Table, stack: ExternalStack) -> None:
    """Return to the last open decision, and play its first untried action."""
    top = stack.reached[OPEN] - 1
    for i in range(len(stack.play.state)):
        stack.play.state[i] = stack.states[top, i]
    stack.reached[PLIES] = stack.plies[top] + 1
    game.apply(pointer(stack.play.state), stack.actions[top, stack.tried[top]])


@kernel
def back_up(entries: Float64s, stack: ExternalStack, value: float) -> None:
    """Store the value of the last action; close each decision whose actions all have values."""
    top = stack.reached[OPEN] - 1
    while top >= 0:
        stack.values[top, stack.tried[top]] = value
        stack.tried[top] += 1
        if stack.tried[top] < stack.counts[top]:
            break
        value = learn_from(entries, stack, top)
        top -= 1
    stack.reached[OPEN] = top + 1


@kernel
def learn_from(entries: Float64s, stack: ExternalStack, top: int) -> float:
    """Update the regrets of a decision by the values of its actions; return the value of the strategy."""
    value = 0.0
    for i in range(stack.counts[top]):
        value += stack.strategies[top, i] * stack.values[top, i]
    first = stack.firsts[top]
    if first != NO_ROW:
        for i in range(stack.counts[top]):
            entries[first + i] += stack.values[top, i] - value
    return value
