"""What walks ask evaluators: where each of them is, what may be done there; the answers are policies and values."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.game import Game


class Questions(NamedTuple):
    """One row for each walk."""

    states: Bytes  # [slots, state_bytes]
    facts: Int64s  # [slots, fact_count] of the player to move
    known: Int64s  # [slots]
    keys: npt.NDArray[np.uint64]  # [slots] of the facts
    actions: Int64s  # [slots, choices]
    counts: Int64s  # [slots]
    policies: Float64s  # [slots, choices]
    values: Float64s  # [slots, columns] as `nets/values.py` says; no columns where nobody wants them


# Answers the first so many questions: writes a policy over each row's actions, and its values if there are columns.
Evaluator = Callable[[Questions, int], None]


def make_questions(game: Game, slots: int, columns: int = 0) -> Questions:
    choices = game.table.choices
    return Questions(
        np.zeros((slots, game.table.state_bytes), np.uint8),
        np.zeros((slots, game.facts), np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.uint64),
        np.zeros((slots, choices), np.int64),
        np.zeros(slots, np.int64),
        np.zeros((slots, choices)),
        np.zeros((slots, columns)),
    )
