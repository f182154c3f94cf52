"""Critics: networks that see the facts of all players, and expect what the player to move will win.

Only inside a simulation, or in self-play, is everything known that they ask for; nobody plays by them. In a zero-sum
game of two players the other wins what the player to move loses.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import Table
from forethought.nets.mlp import Mlp, MlpScratch, mlp_of, propagate


class CriticQuestions(NamedTuple):
    """Positions, one per row, and what the player to move is expected to win there."""

    facts: Int64s  # [rows, facts of all players]
    known: Int64s  # [rows] number of facts
    values: Float64s  # [rows] the answers


def make_critic_questions(rows: int, facts: int) -> CriticQuestions:
    """Return room for `rows` questions to a critic with inputs for so many facts: those of all players, or of some."""
    return CriticQuestions(np.zeros((rows, facts), np.int64), np.zeros(rows, np.int64), np.zeros(rows))


def no_critic() -> Mlp:
    """Return what stands in the place of a critic where nobody asks one."""
    return mlp_of({"weight0": np.zeros((1, 1), np.float32), "bias0": np.zeros(1, np.float32)})


@inlined_kernel
def ask_critic(game: Table, s: int, mover: int, questions: CriticQuestions, row: int) -> None:
    """Write the facts of the player to move and, as far as there is room, those of the players after it."""
    total = 0
    for k in range(questions.facts.shape[1] // game.fact_count):
        seen = questions.facts[row][total:]
        count = game.facts(s, (mover + k) % game.players, pointer(seen))
        for i in range(count):
            seen[i] += k * game.fact_count
        total += count
    questions.known[row] = total


@kernel
def judge(critic: Mlp, questions: CriticQuestions, rows: int, scratch: MlpScratch) -> None:
    """Answer the first `rows` questions."""
    propagate(critic, questions.facts, questions.known, rows, scratch)
    for row in range(rows):
        questions.values[row] = scratch.here[row, 0]
