"""Cases of a parametrised test: some belong to `make test`, all of them to `make test-all`."""

from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from typing import Any

import pytest


def others_slow(values: Iterable[Any], quick: Container[Any]) -> list[Any]:
    """Mark all values as slow but the quick ones, which check the same in one case, or a few."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]


def mark_further_cases_slow(items: Iterable[pytest.Item]) -> None:
    """Mark all cases of a test as slow but as many as its mark `quick_cases` says."""
    tests: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("quick_cases") and not item.get_closest_marker("slow"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for cases in tests.values():
        mark = cases[0].get_closest_marker("quick_cases")
        assert mark is not None
        quick = of_different_values(cases, mark.args[0])
        for case in cases:
            if case not in quick:
                case.add_marker(pytest.mark.slow)


def of_different_values(cases: Sequence[Any], count: int) -> list[Any]:
    """Choose some cases one after another, each with as many values as possible that no case before it has."""
    others, chosen, seen = list(cases), [], set[str]()
    while others and len(chosen) < count:
        best = max(others, key=lambda case: len(values_of(case) - seen))
        if values_of(best) <= seen:  # all values have occurred: once more
            seen.clear()
        others.remove(best)
        chosen.append(best)
        seen |= values_of(best)
    return chosen


def values_of(case: Any) -> set[str]:
    return {f"{name}={value!r}" for name, value in case.callspec.params.items()}
