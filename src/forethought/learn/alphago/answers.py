"""What a network answers to rows of samples, and how good its answers are."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float32s, Float64s
from forethought.game import Game
from forethought.learn.alphago.stage import parts_of_rows
from forethought.learn.samples import Samples
from forethought.nets.questions import Questions, make_questions

AT_ONCE = 256  # questions
SMALLEST = 1e-30  # probability whose logarithm is taken
TOP = 5


class MoveAccuracy(NamedTuple):
    """How well a policy predicts moves: means over rows."""

    top1: float  # the move is the most probable
    top5: float  # it is among the five most probable
    log_loss: float  # in nats


def accuracy(evaluator: Any, game: Game, samples: Samples) -> MoveAccuracy:
    """Compare a policy with targets; the move is the one of largest target. A tie counts against the policy."""
    ranks, losses = list[int](), list[float]()
    for part, questions in _answered(evaluator, game, samples):
        policies = questions.policies[: part.rows, : part.targets.shape[1]]
        policies = np.where(np.arange(policies.shape[1]) < part.counts[:, None], policies, 0.0)
        moves = part.targets.argmax(1)
        chances = np.take_along_axis(policies, moves[:, None], 1)
        ranks += ((policies >= chances) & (np.arange(policies.shape[1]) < part.counts[:, None])).sum(1).tolist()
        losses += (-(part.targets * np.log(np.maximum(policies, SMALLEST))).sum(1)).tolist()
    found = np.array(ranks)
    return MoveAccuracy(float((found <= 1).mean()), float((found <= TOP).mean()), float(np.mean(losses)))


def values_of(evaluator: Any, game: Game, samples: Samples) -> Float32s:
    """Return what the mover is expected to win, from -1 to 1, for each row."""
    found = [questions.values[: part.rows, 0] for part, questions in _answered(evaluator, game, samples)]
    return np.concatenate([np.zeros(0), *found]).astype(np.float32)


def squared_error(evaluator: Any, game: Game, samples: Samples) -> float:
    """Return the mean squared error of the values."""
    errors: Float64s = values_of(evaluator, game, samples).astype(np.float64) - samples.values[:, 0]
    return float((errors**2).mean())


def _answered(evaluator: Any, game: Game, samples: Samples) -> Iterator[tuple[Samples, Questions]]:
    """Yield the rows part by part, each with questions that are answered."""
    scratch = evaluator.scratch(AT_ONCE)
    for part in parts_of_rows(samples, AT_ONCE):
        questions = make_questions(game, part.rows, evaluator.values)
        questions.facts[:, : part.facts.shape[1]], questions.known[:] = part.facts, part.known
        questions.actions[:, : part.actions.shape[1]], questions.counts[:] = part.actions, part.counts
        evaluator.answer(questions, part.rows, scratch)
        yield part, questions
