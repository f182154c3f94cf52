"""Filling the cache: jobs in several processes leave nothing to compile."""

from pathlib import Path

import pytest

from forethought.api.warming import common_jobs, information_set_search, rules, warm_up
from forethought.errors import ForethoughtError
from forethought.games import GAMES


@pytest.mark.slow
def test_what_was_compiled_for_a_job_is_not_compiled_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path))
    jobs = [(information_set_search, "kuhn"), (rules, "tic_tac_toe")]
    first, second = (list(warm_up(jobs, workers=2)) for _ in range(2))
    assert min(functions for functions, _ in first) >= 8  # the rules; either may compile what both need
    assert [part for _, part in first] == [0.5, 1.0]
    assert sum(functions for functions, _ in second) == 0


def test_a_job_that_fails_says_why() -> None:
    with pytest.raises(ForethoughtError, match="There is no game 'chess'"):
        list(warm_up([(rules, "chess")], workers=1))


def test_the_rules_of_all_games_are_commonly_needed() -> None:
    assert {game for recipe, game in common_jobs() if recipe is rules} == set(GAMES.names())
