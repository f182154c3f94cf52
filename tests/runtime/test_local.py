"""Values that stay where they were made."""

import pickle
from typing import Any

from forethought.runtime.local import KEPT, Local


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 (its own bytes)


def test_a_value_is_made_once_and_shared() -> None:
    local, made = Local[list[int]](), []
    assert local.get(lambda: [1]) is local.get(lambda: made.append(1) or [2])
    assert made == []


def test_what_is_sent_is_made_again_once_for_all_jobs_that_share_it() -> None:
    here = Local([1])
    first, second = sent((here, "a job")), sent((here, "another"))
    assert first[0].get(lambda: [2]) == [2]
    assert second[0].get(lambda: [3]) == [2]
    assert here.get(lambda: [4]) == [1]
    assert sent(Local([1])).get(lambda: [5]) == [5]


def test_it_forgets_the_oldest() -> None:
    locals_ = [Local[int]() for _ in range(KEPT + 1)]
    for number, local in enumerate(locals_):
        sent(local).get(lambda number=number: number)
    assert sent(locals_[-1]).get(lambda: -1) == KEPT
    assert sent(locals_[0]).get(lambda: -1) == -1
