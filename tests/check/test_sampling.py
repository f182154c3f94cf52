"""What random games find, within their budget: laws that break only deep in a game, or in rare ones."""

from collections import Counter
from dataclasses import replace
from itertools import count
from random import Random

import pytest
from numpy import int8, int16

import forethought as ft
from forethought.api.arguments import quiet
from forethought.check import budget
from forethought.check.budget import TimeBudget
from forethought.check.checker import Checker
from forethought.check.event_sequences import EventSequence
from forethought.check.plays import taste
from forethought.check.positions import LawBrokenError, first_position, next_position
from forethought.game import TERMINAL, Game, record


def counting(plies: int, forbidden: int = -1) -> Game:
    """Each ply adds a one or not; where so many were added, the rule 'returns' fails."""

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.ply == plies else s.ply % 2

    def legal(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, action):
        s.ply += 1
        s.ones += action

    def returns(s, out):
        if s.ones == forbidden:
            raise ValueError("so many are too many")
        out[0] = out[1] = 0.0

    def facts(s, observer, out):
        out[0], out[1] = s.ply, plies + 1 + s.ones
        return 2

    return Game(
        name="counting",
        players=2,
        actions=2,
        facts=2 * plies + 2,
        plies=plies,
        record=record(ply=int16, ones=int16),
        hidden=False,
        rules=[start, player, legal, apply, returns, facts],
    )


def with_reaches(game: Game) -> Game:
    def reaches(s, action, observer, target, known):
        return True

    return replace(game, rules=[*game.rules, reaches])


def test_random_games_are_as_many_as_asked_for() -> None:
    report = ft.check(counting(20), histories=10, plies=5_000, seconds=1e9)
    assert report.ok
    assert 5_000 <= report.plies < 5_000 + 2 * 20
    assert report.positions == report.compared <= 1 + 20 * 21 / 2 + 20
    assert not report.exhaustive


def test_a_rule_that_fails_in_rare_games_is_found_and_told() -> None:
    """Only one game in 5,000 of players without a taste adds so many."""
    report = ft.check(counting(20, forbidden=18), histories=10, plies=20_000, seconds=1e9)
    assert report.violation.law == "runs"
    assert "test_sampling.py" in report.violation.message
    assert "so many are too many" in report.violation.message
    assert sum(report.violation.histories[0]) == 18


def test_long_games_are_checked() -> None:
    report = ft.check(with_reaches(counting(1_100)), histories=10, plies=1_101, seconds=1e9)
    assert report.ok
    assert report.plies >= 1_100


def test_time_ends_a_game_that_is_being_checked() -> None:
    ticks = count()
    checker = Checker(counting(1_000), 0, TimeBudget(100.0, quiet, clock=lambda: float(next(ticks))))
    checker.sample(1_000_000)
    assert 0 < checker.plies <= 100


def test_time_does_not_pass_while_it_is_stopped() -> None:
    ticks = count()
    budget = TimeBudget(100.0, quiet, clock=lambda: float(next(ticks)))
    with budget.stopped():
        for _ in range(1_000):
            next(ticks)
    assert budget.used < 0.1


def test_progress_tells_the_part_of_the_whole_check() -> None:
    """A forecast that is made of it would be wrong if each stage began at nothing."""
    told: list[tuple[str, float]] = []
    ft.check(counting(20), histories=50, plies=1_500, seconds=1e9, progress=lambda *said: told.append(said))
    parts = [part for _, part in told]
    assert parts == sorted(parts)
    assert parts[-1] == 1.0
    assert {what for what, _ in told} == {"all short histories", "random games", "machine code"}


def test_all_laws_are_executed_in_every_position_of_random_games() -> None:
    """A name that is empty from the tenth ply on: no history explored is so long."""
    game = counting(20)

    def action_name(s, action):
        return str(action) if s.ply < 10 else ""

    report = ft.check(replace(game, rules=[*game.rules, action_name]), histories=10, plies=100, seconds=1e9)
    assert report.violation.law == "named"
    assert len(report.violation.histories[0]) == 10


def test_why_rules_cannot_be_compiled_is_told_by_what_fails_in_random_games() -> None:
    """Rules are rehearsed before they are compiled; what fails there breaks a law of its own."""
    report = ft.check(counting(20, forbidden=10), histories=10, plies=5_000, seconds=1e9)
    assert report.violation.law == "runs"


def test_a_proof_is_shortened() -> None:
    """With two or more ones in the end the rule fails: the first game that does so has more actions of one."""
    game = counting(6)

    def player(s):
        return TERMINAL if s.ply == 6 or s.ones == 2 else s.ply % 2

    def returns(s, out):
        out[0] = out[1] = float(s.ones == 2)

    changed = {"player": player, "returns": returns}
    broken = replace(game, rules=[changed.get(rule.__name__, rule) for rule in game.rules])
    checker = Checker(broken, 0, TimeBudget(1e9, quiet))
    with pytest.raises(LawBrokenError) as caught:
        checker.sample(10_000)
    assert caught.value.histories == [(1, 1)]


def test_tastes_differ_from_game_to_game() -> None:
    """Some players do nearly always the same; without tastes all games would have about ten ones."""
    rng, ones = Random(1), Counter()  # noqa: S311
    game = ft.load(counting(20), compiled=False)
    for _ in range(200):
        position, chosen = first_position(game), taste(game, rng)
        while position.answers.player != TERMINAL:
            position = next_position(position, chosen(position))
        ones[position.state.view.ones] += 1
    assert ones[0] > 0
    assert ones[20] > 0


def test_equal_sequences_are_one_object() -> None:
    start = EventSequence()
    assert start.then(1).then(2) is start.then(1).then(2)
    assert start.then(1).then(2) is not start.then(2).then(1)
    assert (tuple(start.then(1).then(2)), len(start.then(1).then(2)), len(start)) == ((1, 2), 2, 0)


def test_a_glimpse_is_a_number_of_pythons_own() -> None:
    """One of NumPy's kind, or its True, would not count as seen in play."""
    game = ft.load("kuhn", compiled=False)

    def sees(s, action, observer):
        return int8(1)

    rules = [sees if rule.__name__ == "sees" else rule for rule in game.rules]
    report = ft.check(replace(game, rules=rules), plies=10)
    assert report.violation.law == "runs"
    assert "True, False or a whole number" in report.violation.message


@pytest.mark.parametrize("histories", [1_000, 1], ids=["short histories", "random games"])
def test_a_rule_that_does_not_end_is_interrupted(histories: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_SECONDS", 0.3)
    game = counting(6)

    def legal(s, out):
        n = 0
        while n != 2 + s.ply // 4:  # from the fourth ply on, two steps never come to three
            out[0], out[1] = 0, 1
            n += 2
        return n

    report = ft.check(
        replace(game, rules=[legal if rule.__name__ == "legal" else rule for rule in game.rules]),
        histories=histories,
        seconds=1e9,
    )
    assert report.violation.law == "runs"
    assert "in the rule 'legal': it does not end" in report.violation.message
    assert len(report.violation.histories[0]) == 4


@pytest.mark.slow
def test_what_cannot_be_drawn_because_it_does_not_end_is_told_without_a_drawing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "MOST_SECONDS", 0.3)

    def show(s):
        while True:
            pass

    game = counting(6)
    report = ft.check(replace(game, rules=[*game.rules, show]), seconds=1e9)
    assert report.violation.law == "runs"
    [drawing] = report.violation.drawings
    assert drawing.startswith("(cannot be drawn: test_sampling.py, line ")
    assert drawing.endswith("in the rule 'show': it does not end.)")
