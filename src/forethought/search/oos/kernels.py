"""How the walks of a search are run: one after another with uniform roll-outs, or many at once that ask an evaluator.

A compiled evaluator answers inside the kernel, any other from Python.

Many walks advance until each waits for a policy; then all questions are answered as one batch. Waiting walks do not use
what others have added to the tree meanwhile. Updates stay unbiased: each walk keeps the probabilities with which it was
sampled.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.game import CHANCE, TERMINAL, Table
from forethought.nets.critic import judge
from forethought.nets.evaluator import answer
from forethought.nets.mlp import Mlp, MlpScratch
from forethought.randomness import Generator, below, choose
from forethought.rollouts import draw_outcome
from forethought.search.infosets import NO_ROW
from forethought.search.oos.memory import ANSWERED, ASKED, OosAim, Walks
from forethought.search.oos.walks import add_priors, ask_about_leaf, back_up, descend, has_critic, move
from forethought.search.regret import Regrets, has_room
from forethought.status import BROKEN, DONE, NO_ROOM


class Turns(NamedTuple):
    """The progress of concurrent walks."""

    waiting: npt.NDArray[np.uint8]  # [slots]
    begun: Int64s  # [1] walks of this search, over all targets
    end: Int64s  # [1] number of walks to reach


def make_turns(slots: int) -> Turns:
    return Turns(np.zeros(slots, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))


@kernel
def walk_alone(game: Table, aim: OosAim, table: Regrets, walks: Walks, turns: Turns, rng: Generator) -> int:
    """Run walks one after another, with uniform roll-outs; return DONE, NO_ROOM or BROKEN."""
    begun, questions = turns.begun, walks.questions
    while begun[0] < turns.end[0]:
        if not has_room(game, table, 1):
            return NO_ROOM
        walks.path.updated[0] = begun[0] % game.players
        begun[0] += 1
        player = descend(game, aim, table, walks, 0, begun[0], rng)
        while player >= CHANCE:
            choice = chance_choice(game, walks, 0, rng) if player == CHANCE else below(questions.counts[0], rng)
            player = move(game, walks, 0, choice)
        if player == BROKEN:
            return BROKEN
        back_up(game, aim, table, walks, 0)
    return DONE


@kernel
def walk_together(game: Table, aim: OosAim, table: Regrets, walks: Walks, turns: Turns, rng: Generator) -> int:
    """Advance every walk from its last answer to its next question; return how many wait, NO_ROOM or BROKEN."""
    if not has_room(game, table, 1):
        return NO_ROOM  # before any answer is used
    add_priors(aim, table, walks)
    waiting = 0
    for slot in range(len(turns.waiting)):
        while turns.waiting[slot] == 1 or may_begin(game, table, walks, turns, slot):
            begins = turns.waiting[slot] == 0
            if begins:
                walks.path.updated[slot] = turns.begun[0] % game.players
                turns.begun[0] += 1
                player = descend(game, aim, table, walks, slot, turns.begun[0], rng)
            elif take_judgement(aim, walks, slot):
                player = TERMINAL  # as far as this walk is concerned
            else:
                choice = choose(walks.questions.policies[slot], walks.questions.counts[slot], rng)
                player = move(game, walks, slot, choice)
            while player == CHANCE:
                player = move(game, walks, slot, chance_choice(game, walks, slot, rng))
            if player == BROKEN:
                return BROKEN
            turns.waiting[slot] = player >= 0
            if player >= 0:
                ask(game, aim, walks, slot, player, begins)
                break
            back_up(game, aim, table, walks, slot)
        waiting += turns.waiting[slot] == 1 or walks.newest[slot] != NO_ROW
    if waiting == 0 and turns.begun[0] < turns.end[0]:
        return NO_ROOM
    return waiting


@inlined_kernel
def take_judgement(aim: OosAim, walks: Walks, slot: int) -> bool:
    """Note that a critic has answered, if it was asked; return whether that ends the walk."""
    if walks.judged[slot] != ASKED:
        return False
    walks.judged[slot] = ANSWERED
    return aim.rollout_weight == 0.0


@kernel
def walk_with_evaluator(
    game: Table,
    aim: OosAim,
    table: Regrets,
    walks: Walks,
    turns: Turns,
    evaluator: Any,
    scratch: Any,
    prior: Any,
    critic: Mlp,
    critic_scratch: MlpScratch,
    rng: Generator,
) -> int:
    """Run concurrent walks whose questions compiled evaluators answer; return DONE, NO_ROOM or BROKEN.

    The evaluator plays the roll-outs; the prior, of the same kind and sizes, is asked about new information sets.
    """
    slots = len(turns.waiting)
    while True:
        result = walk_together(game, aim, table, walks, turns, rng)
        if result <= 0:
            return result
        if aim.rollout_weight > 0.0:
            answer(evaluator, walks.questions, slots, scratch)
        if aim.prior > 0.0:
            answer(prior, walks.entering, slots, scratch)
        if has_critic(aim):
            judge(critic, walks.critic, 2 * slots, critic_scratch)


@inlined_kernel
def may_begin(game: Table, table: Regrets, walks: Walks, turns: Turns, slot: int) -> bool:
    """Whether a walk may begin: there are some left, there is room, and the one before has its prior."""
    return bool(turns.begun[0] < turns.end[0] and walks.newest[slot] == NO_ROW and has_room(game, table, 1))


@inlined_kernel
def ask(game: Table, aim: OosAim, walks: Walks, slot: int, player: int, at_leaf: bool) -> None:
    """Write the facts of the player to move; its legal actions have been written already. At a leaf, ask a critic."""
    questions = walks.questions
    state, facts = questions.states[slot], questions.facts[slot]
    questions.known[slot] = game.facts(pointer(state), player, pointer(facts))
    if at_leaf and has_critic(aim):
        ask_about_leaf(game, walks, slot, player)


@inlined_kernel
def chance_choice(game: Table, walks: Walks, slot: int, rng: Generator) -> int:
    questions = walks.questions
    return draw_outcome(game, row_pointer(questions.states, slot), walks.sampling, questions.counts[slot], rng)
