"""Who moves the walks of a search: one after another with uniform roll-outs, or many at once that ask a network.

The only bridge from searches to networks: a compiled one answers inside the kernel, any other evaluator from Python.

Many walks advance until each waits for a policy; then all questions are answered as one batch. Walks that wait do not
see what the others have learnt meanwhile, which costs a little freshness and no correctness: each keeps the
probabilities it was sampled with.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.game import CHANCE, Table
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions
from forethought.randomness import Generator, below, choose
from forethought.rollouts import draw_outcome
from forethought.search.oos.walks import OosAim, Walks, back_up, descend, move
from forethought.search.regret import Regrets, has_room
from forethought.status import BROKEN, DONE, NO_ROOM


class Turns(NamedTuple):
    """Whose turn it is among concurrent walks."""

    waiting: npt.NDArray[np.uint8]  # [slots]
    begun: Int64s  # [1] walks, of all that this search has ever done
    end: Int64s  # [1] how many there shall be


def make_turns(slots: int) -> Turns:
    return Turns(np.zeros(slots, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))


@kernel
def walk_alone(game: Table, aim: OosAim, table: Regrets, walks: Walks, turns: Turns, rng: Generator) -> int:
    """Walk one after another, with uniform roll-outs; return DONE, NO_ROOM or BROKEN."""
    begun, questions = turns.begun, walks.questions
    while begun[0] < turns.end[0]:
        if not has_room(game, table, 1):
            return NO_ROOM
        walks.path.updated[0] = begun[0] % game.players
        begun[0] += 1
        player = descend(game, aim, table, walks, 0, rng)
        while player >= CHANCE:
            choice = chance_choice(game, walks, 0, rng) if player == CHANCE else below(questions.counts[0], rng)
            player = move(game, walks, 0, choice)
        if player == BROKEN:
            return BROKEN
        back_up(game, table, walks, 0)
    return DONE


@kernel
def walk_together(game: Table, aim: OosAim, table: Regrets, walks: Walks, turns: Turns, rng: Generator) -> int:
    """Take every walk to its next question, through the answer to its last; return how many wait, NO_ROOM or BROKEN."""
    if not has_room(game, table, 1):
        return NO_ROOM  # before any answer is used
    waiting = 0
    for slot in range(len(turns.waiting)):
        while turns.waiting[slot] == 1 or (turns.begun[0] < turns.end[0] and has_room(game, table, 1)):
            if turns.waiting[slot] == 1:
                choice = choose(walks.questions.policies[slot], walks.questions.counts[slot], rng)
                player = move(game, walks, slot, choice)
            else:
                walks.path.updated[slot] = turns.begun[0] % game.players
                turns.begun[0] += 1
                player = descend(game, aim, table, walks, slot, rng)
            while player == CHANCE:
                player = move(game, walks, slot, chance_choice(game, walks, slot, rng))
            if player == BROKEN:
                return BROKEN
            turns.waiting[slot] = player >= 0
            if player >= 0:
                ask(game, walks.questions, slot, player)
                break
            back_up(game, table, walks, slot)
        waiting += turns.waiting[slot]
    if waiting == 0 and turns.begun[0] < turns.end[0]:
        return NO_ROOM
    return waiting


@kernel
def walk_with_evaluator(
    game: Table, aim: OosAim, table: Regrets, walks: Walks, turns: Turns, evaluator: Any, scratch: Any, rng: Generator
) -> int:
    """Walk together, a compiled evaluator answering; return DONE, NO_ROOM or BROKEN."""
    while True:
        result = walk_together(game, aim, table, walks, turns, rng)
        if result <= 0:
            return result
        answer(evaluator, walks.questions, len(turns.waiting), scratch)


@inlined_kernel
def ask(game: Table, questions: Questions, slot: int, player: int) -> None:
    """Write what the player to move knows; what it may do has been written already."""
    state, facts = questions.states[slot], questions.facts[slot]
    questions.known[slot] = game.facts(pointer(state), player, pointer(facts))


@inlined_kernel
def chance_choice(game: Table, walks: Walks, slot: int, rng: Generator) -> int:
    questions = walks.questions
    return draw_outcome(game, row_pointer(questions.states, slot), walks.sampling, questions.counts[slot], rng)
