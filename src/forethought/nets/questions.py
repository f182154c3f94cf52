"""What searches ask evaluators: the position and the legal actions of each simulation, with room for the answers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s, UInt64s
from forethought.game import Game


class Questions(NamedTuple):
    """A batch with one question per row; only the first `known` facts and `counts` actions of a row are valid."""

    states: Bytes  # [rows, state_bytes]
    facts: Int64s  # [rows, fact_count] of the player to move
    known: Int64s  # [rows] number of facts
    keys: UInt64s  # [rows] hashes of the facts, if the search has computed them
    actions: Int64s  # [rows, choices] the legal ones
    counts: Int64s  # [rows] number of legal actions
    policies: Float64s  # [rows, choices] answer: a probability for each legal action
    values: Float64s  # [rows, columns] answer: values as in `values.py`; no columns if they are not asked for


def make_questions(game: Game, rows: int, columns: int = 0) -> Questions:
    """Return room for `rows` questions about a game, with `columns` values each."""
    return _room(rows, game.table.state_bytes, game.facts, game.table.choices, columns)


def one_question(facts: Sequence[int], actions: Sequence[int], columns: int) -> Questions:
    """Return a batch of one question, about a position that is given by its facts."""
    questions = _room(1, 0, len(facts), len(actions), columns)
    write_question(questions, 0, facts, actions)
    return questions


def write_question(questions: Questions, row: int, facts: Sequence[int], actions: Sequence[int]) -> None:
    """Ask about a position by its facts and legal actions."""
    questions.facts[row, : len(facts)], questions.known[row] = facts, len(facts)
    questions.actions[row, : len(actions)], questions.counts[row] = actions, len(actions)


def _room(rows: int, state_bytes: int, facts: int, choices: int, columns: int) -> Questions:
    return Questions(
        np.zeros((rows, state_bytes), np.uint8),
        np.zeros((rows, facts), np.int64),
        np.zeros(rows, np.int64),
        np.zeros(rows, np.uint64),
        np.zeros((rows, choices), np.int64),
        np.zeros(rows, np.int64),
        np.zeros((rows, choices)),
        np.zeros((rows, columns)),
    )
