"""Evaluators answer questions about positions with policies and values.

An evaluator declares its sizes, makes the memory that it works in, and answers batches of questions. Any object with
these members can guide a search. It is called from Python, once per batch.

A *compiled* evaluator is a named tuple of arrays with a kernel that answers, registered for its class:

    @answer.register(Mlp)
    @kernel
    def answer_by_mlp(net, questions, rows, scratch): ...

The kernels of searches then call `answer` themselves, without returning to Python between simulations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from forethought.arrays import Float64s
from forethought.compiler import dispatched
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.questions import Questions, make_questions, one_question, write_question
from forethought.nets.values import value_columns

# answer(evaluator, questions, rows, scratch), for kernels
answer = dispatched("answer")


class Evaluator(Protocol):
    """What searches need of an evaluator."""

    @property
    def facts(self) -> int:
        """Number of facts: it accepts facts 0 to facts - 1."""

    @property
    def actions(self) -> int:
        """Number of actions: it accepts actions 0 to actions - 1."""

    @property
    def values(self) -> int:
        """Number of values per position (`values.py`); 0 if it gives policies only."""

    def scratch(self, rows: int) -> Any:
        """Return the memory for answering batches of up to `rows` rows; for a kernel, named tuples of arrays.

        Every search has its own, because several may ask at the same time from different threads.
        """

    def answer(self, questions: Questions, rows: int, scratch: Any) -> None:
        """Answer the first `rows` questions, in place.

        Write to each row of `questions.policies` the probabilities of its legal actions, in their order, and to
        `questions.values`, if it has columns, what the players are expected to win, from -1 to 1. The answer of a row
        must not depend on other rows: otherwise results would depend on which simulations are batched together.
        """


def is_compiled(evaluator: Evaluator) -> bool:
    """Whether an evaluator answers inside kernels."""
    return answer.implements(type(evaluator))


@dataclass(frozen=True)
class FunctionEvaluator:
    """Answers by a function of Python: `answers(questions, rows)` writes policies and values to the first rows."""

    facts: int
    actions: int
    values: int
    answers: Callable[[Questions, int], None]

    def scratch(self, rows: int) -> None:
        """Return nothing: the function has its own memory."""

    def answer(self, questions: Questions, rows: int, scratch: Any) -> None:  # noqa: ARG002
        self.answers(questions, rows)


def evaluator_of(game: Game, answers: Callable[[Questions, int], None]) -> FunctionEvaluator:
    """Return a function as an evaluator that gives policies and values of a game."""
    return FunctionEvaluator(game.facts, game.actions, value_columns(game), answers)


def check_sizes(evaluator: Evaluator, game: Game) -> None:
    """Refuse an evaluator of another game: kernels check no bounds."""
    sizes, wanted = (evaluator.facts, evaluator.actions), (game.facts, game.actions)
    if sizes != wanted:
        raise game.mistake(
            "the evaluator is for {} facts and {} actions, and the game has {} and {}".format(*sizes, *wanted)
        )


class QuestionBatch:
    """Asks an evaluator about positions of one game, in batches of up to `rows`; from one thread at a time."""

    def __init__(self, evaluator: Evaluator, game: Game, rows: int) -> None:
        check_sizes(evaluator, game)
        self._evaluator, self._rows = evaluator, rows
        self._questions, self._scratch = make_questions(game, rows, evaluator.values), evaluator.scratch(rows)

    def policies(self, asked: Sequence[tuple[Sequence[int], Sequence[int]]]) -> list[Float64s]:
        """Return the policy over the legal actions for each (facts, legal actions)."""
        found: list[Float64s] = []
        for begin in range(0, len(asked), self._rows):
            part = asked[begin : begin + self._rows]
            for row, position in enumerate(part):
                write_question(self._questions, row, *position)
            self._evaluator.answer(self._questions, len(part), self._scratch)
            found += [self._questions.policies[row, : len(actions)].copy() for row, (_, actions) in enumerate(part)]
        return found


def answer_of(evaluator: Evaluator, facts: Sequence[int], actions: Sequence[int]) -> tuple[Float64s, Float64s]:
    """Return the probability of each of the legal actions of one position, and its values."""
    for numbers, limit, what in ((facts, evaluator.facts, "fact"), (actions, evaluator.actions, "action")):
        wrong = [number for number in numbers if not 0 <= number < limit]
        if wrong:
            raise ForethoughtError(f"The evaluator has no {what} {wrong[0]}; is it for another game?")
    questions = one_question(facts, actions, evaluator.values)
    evaluator.answer(questions, 1, evaluator.scratch(1))
    return questions.policies[0], questions.values[0]


def policy_of(evaluator: Evaluator, facts: Sequence[int], actions: Sequence[int]) -> Float64s:
    """Return the probability of each of the legal actions of one position."""
    return answer_of(evaluator, facts, actions)[0]
