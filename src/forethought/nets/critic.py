"""Critics: networks that see the facts of all players, and expect what the player to move will win.

Only inside a simulation, or in self-play, is everything known that they ask for; nobody plays by them. In a zero-sum
game of two players the other wins what the player to move loses.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer
from forethought.game import Game, Table
from forethought.nets.mlp import Mlp, MlpScratch, mlp_of, propagate


class CriticQuestions(NamedTuple):
    """Positions, one per row, and what the player to move is expected to win there."""

    facts: Int64s  # [rows, facts of all players]
    known: Int64s  # [rows] number of facts
    values: Float64s  # [rows] the answers


def make_critic_questions(game: Game, rows: int) -> CriticQuestions:
    """Return room for `rows` questions about a game."""
    return CriticQuestions(
        np.zeros((rows, game.facts * game.players), np.int64), np.zeros(rows, np.int64), np.zeros(rows)
    )


def no_critic() -> Mlp:
    """Return what stands in the place of a critic where nobody asks one."""
    return mlp_of({"weight0": np.zeros((1, 1), np.float32), "bias0": np.zeros(1, np.float32)})


@inlined_kernel
def ask_critic(game: Table, s: int, mover: int, questions: CriticQuestions, row: int) -> None:
    """Write the facts of all players, those of the player to move first."""
    total = 0
    for k in range(game.players):
        seen = questions.facts[row][total:]
        count = game.facts(s, (mover + k) % game.players, pointer(seen))
        for i in range(count):
            seen[i] += k * game.fact_count
        total += count
    questions.known[row] = total


@kernel
def judge(critic: Mlp, questions: CriticQuestions, scratch: MlpScratch) -> None:
    """Answer all questions."""
    rows = len(questions.known)
    propagate(critic, questions.facts, questions.known, rows, scratch)
    for row in range(rows):
        questions.values[row] = scratch.here[row, 0]
