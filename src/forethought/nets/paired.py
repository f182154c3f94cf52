"""Two evaluators as one, as in AlphaGo: one gives the policies, the other the values."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.compiler import kernel
from forethought.errors import ForethoughtError
from forethought.nets.evaluator import Evaluator, answer, is_compiled
from forethought.nets.questions import Questions


class PairScratch(NamedTuple):
    """What each of the two works in, and the values of which the first is not asked."""

    policy: Any
    value: Any
    no_values: Float64s  # [rows, 0]


class CompiledPair(NamedTuple):
    """Two compiled evaluators, for kernels."""

    policy: Any
    value: Any

    @property
    def facts(self) -> int:
        return int(self.policy.facts)

    @property
    def actions(self) -> int:
        return int(self.policy.actions)

    @property
    def values(self) -> int:
        return int(self.value.values)

    def scratch(self, rows: int) -> PairScratch:
        return pair_scratch(self.policy, self.value, rows)

    def answer(self, questions: Questions, rows: int, scratch: PairScratch) -> None:
        answer(self, questions, rows, scratch)


@answer.register(CompiledPair)
@kernel
def answer_by_pair(pair: CompiledPair, questions: Questions, rows: int, scratch: PairScratch) -> None:
    """Ask for the values first: the other's policies then replace those that come with them."""
    answer(pair.value, questions, rows, scratch.value)
    asked = Questions(
        questions.states,
        questions.facts,
        questions.known,
        questions.keys,
        questions.actions,
        questions.counts,
        questions.policies,
        scratch.no_values,
    )
    answer(pair.policy, asked, rows, scratch.policy)


@dataclass(frozen=True)
class CalledPair:
    """Two evaluators that are called from Python, or one of which is."""

    policy: Evaluator
    value: Evaluator

    @property
    def facts(self) -> int:
        return self.policy.facts

    @property
    def actions(self) -> int:
        return self.policy.actions

    @property
    def values(self) -> int:
        return self.value.values

    def scratch(self, rows: int) -> PairScratch:
        return pair_scratch(self.policy, self.value, rows)

    def answer(self, questions: Questions, rows: int, scratch: PairScratch) -> None:
        self.value.answer(questions, rows, scratch.value)
        self.policy.answer(questions._replace(values=scratch.no_values), rows, scratch.policy)


def pair_scratch(policy: Evaluator, value: Evaluator, rows: int) -> PairScratch:
    return PairScratch(policy.scratch(rows), value.scratch(rows), np.zeros((rows, 0)))


def paired(policy: Evaluator, value: Evaluator) -> Evaluator:
    """Return an evaluator with the policies of one and the values of another; inside kernels if both are."""
    if (policy.facts, policy.actions) != (value.facts, value.actions):
        raise ForethoughtError("Two evaluators of different games cannot answer as one.")
    if is_compiled(policy) and is_compiled(value):
        return CompiledPair(policy, value)
    return CalledPair(policy, value)
