"""Random games find what a check of all positions finds: measured on valid games with one small fault each."""

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest

from forethought.check import budget
from tests.check.mutants import BASES, Outcome, all_mutants, tried

SECONDS = 30.0  # of the processor, for the random games of one mutant
FEW, MANY = 5, 400  # mutants of all that can be made
SHARE = 0.9  # of the mutants that a check of all positions convicts, those that random games find


@pytest.fixture(autouse=True)
def _short_of_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some mutants do not end."""
    monkeypatch.setattr(budget, "MOST_SECONDS", 1.0)


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_most_mutants_are_caught(count: int) -> None:
    """What it prints for many stands in docs/checking.md."""
    mutants = list(all_mutants())
    Random(5).shuffle(mutants)  # noqa: S311
    found = [tried(mutant, SECONDS) for mutant in mutants[:count]]
    for line in figures(found):
        print(line)  # noqa: T201
    assert share_caught(found) >= SHARE, missed(found)


def test_mutants_are_games_with_one_fault() -> None:
    """Most can be told apart by what is changed and where, and a wrong sign is found in returns."""
    mutants = all_mutants()
    assert len(set(map(str, mutants))) > 0.9 * len(mutants)
    assert Counter(mutant.base for mutant in mutants).keys() == set(BASES)
    sign = next(
        one for one in mutants if one.base.factory == "kuhn" and "returns" in str(one) and "the sign" in str(one)
    )
    assert tried(sign, SECONDS).convicted == "returns"


def convicted(found: Iterable[Outcome]) -> list[Outcome]:
    return [one for one in found if one.convicted]


def missed(found: Iterable[Outcome]) -> list[str]:
    return [f"{one.mutant} ({one.convicted})" for one in convicted(found) if not one.caught]


def share_caught(found: list[Outcome]) -> float:
    guilty = convicted(found)
    return sum(one.caught is not None for one in guilty) / len(guilty)


def figures(found: list[Outcome]) -> list[str]:
    guilty = convicted(found)
    caught = [one for one in guilty if one.caught]
    seconds = sorted(one.seconds for one in caught)
    laws = ", ".join(f"{law} {count}" for law, count in Counter(one.convicted for one in guilty).most_common())
    return [
        f"{len(found)} mutants of {len(all_mutants())}, {len(guilty)} convicted ({laws})",
        f"{len(caught)} of these caught by random games, {share_caught(found):.1%}",
        f"{seconds[int(0.95 * len(seconds))]:.1f} s in 95 % of the cases, {seconds[-1]:.1f} s at most",
        *missed(found),
    ]
