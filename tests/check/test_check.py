"""Each law is executed: broken games are caught with the right law named, lawful ones pass."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

import forethought as ft
from forethought.api.arguments import quiet
from forethought.check import check_game
from forethought.check.budget import TimeBudget
from forethought.check.checker import Checker
from forethought.check.laws import MOST_TRIED, some_of
from forethought.game import Game
from forethought.games import GAMES
from tests.check.variants import BROKEN, lawful
from tests.tiers import others_slow

# Those without a board; games with one are checked in tests/games/test_board_games.py.
LAWFUL = [
    "kuhn",
    "leduc",
    "generic_poker",
    "goofspiel(cards=3)",
    "goofspiel(cards=13)",
    "liars_dice(dice=2)",
    "backgammon",
]


def test_the_unbroken_game_keeps_every_law_on_all_its_histories() -> None:
    report = ft.check(lawful(), plies=2_000)
    assert report.ok, report.violation
    assert report.exhaustive
    assert report.positions == report.compared == 1 + 3 + 9 + 18 + 36
    assert report.plies == 0  # nothing is left for random games
    assert report.verdict == "no law broken in 67 positions, all there are"


@pytest.mark.parametrize("make", BROKEN, ids=lambda make: make.__name__)
def test_a_broken_game_is_caught_with_the_right_law_named(make) -> None:
    report = ft.check(make(), plies=2_000)
    assert not report.ok
    assert report.violation.law == BROKEN[make], report.violation
    assert len(report.violation.drawings) == len(report.violation.histories)


@pytest.mark.parametrize("spec", others_slow(LAWFUL, ("kuhn", "goofspiel(cards=3)")))
def test_built_in_games_keep_every_law(spec: str) -> None:
    report = ft.check(ft.load(spec, compiled=False), histories=1_000, plies=3_000)
    assert report.ok, report.violation


@pytest.mark.parametrize("path", sorted(Path("tests/userfiles").glob("*.py")), ids=lambda path: path.stem)
@pytest.mark.quick_cases(3)
def test_games_that_other_tests_use_keep_every_law(path: Path) -> None:
    report = ft.check(str(path), histories=200, plies=200, seconds=1e9)
    assert report.ok, report.violation


def test_the_name_of_what_one_is_told_must_not_tell_more() -> None:
    """In Leduc poker one is told the rank of one's card: a name with its suit would be a leak."""
    game = ft.load("leduc", compiled=False)

    def action_name(s, action, observer):
        return str(action)

    leaking = replace(game, rules=[*(rule for rule in game.rules if rule.__name__ != "action_name"), action_name])
    report = ft.check(leaking, histories=200, plies=200)
    assert report.violation.law == "drawing"
    assert "told of an action has different names" in report.violation.message


@pytest.mark.parametrize(
    "wrong", [{"seconds": 0.0}, {"seconds": float("nan")}, {"histories": 0}, {"plies": -1}], ids=str
)
def test_a_check_without_a_budget_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ft.ForethoughtError, match="must be above 0"):
        ft.check("kuhn", **wrong)


@pytest.mark.parametrize("check", [ft.check, check_game])
def test_a_game_may_be_given_by_its_string(check) -> None:
    report = check("docs/games/doubt.py(faces=4)", plies=100)
    assert (report.ok, report.game) == (True, "docs/games/doubt.py(faces=4)")


def test_no_built_in_game_without_a_board_is_forgotten() -> None:
    made = [ft.load(name, compiled=False) for name in GAMES.names()]
    assert {game.name for game in made if not game.board} == {spec.partition("(")[0] for spec in LAWFUL}


@pytest.mark.parametrize(("histories", "exhaustive"), [(66, False), (67, True), (68, True)])
def test_a_check_is_exhaustive_if_no_history_is_left(histories: int, exhaustive: bool) -> None:
    report = ft.check(lawful(), histories=histories, plies=10)
    assert report.exhaustive == exhaustive
    assert (report.plies > 0) != exhaustive


def test_no_more_positions_are_made_than_are_checked() -> None:
    """Gomoku has 225 moves: to look at what follows upon a few positions would take long."""
    game, played = ft.load("gomoku(size=5)", compiled=False), []

    def apply(s, action):
        played.append(action)
        game.source["apply"](s, action)

    counted = replace(game, rules=[apply if rule.__name__ == "apply" else rule for rule in game.rules])
    checker = Checker(counted, 0, TimeBudget(100.0, quiet))
    checker.explore(3)
    made = 3  # the second, the third, and the one that shows that there are more
    tried = sum(len(some_of(range(legal), MOST_TRIED, ply)) for legal, ply in ((25, 0), (24, 1), (24, 1)))
    replayed = 0 + 1 + 1  # and as often for each symmetry but the identity
    assert len(checker.explored) == 3
    assert len(played) == 2 * (made + tried) + 8 * replayed


def test_time_ends_a_check_of_what_would_take_long() -> None:
    report = ft.check(ft.load("tic_tac_toe"), seconds=1e-9)
    assert report.ok
    assert (report.positions, report.exhaustive, report.plies, report.compared) == (0, False, 0, 0)


def test_the_witness_is_the_shortest_there_is() -> None:
    """The leak shows as soon as player 0 holds a two: compare with a search through all pairs of histories."""
    make = next(make for make in BROKEN if make.__name__ == "leaks_the_other_card")
    violation = ft.check(make(), plies=100).violation
    assert sum(map(len, violation.histories)) == shortest_leak(make())


def shortest_leak(game: Game) -> int:
    """Length of the shortest pair of histories in which player 1 saw and did the same but knows different facts."""
    histories = [
        history
        for length in range(4)
        for history in itertools.product(*([range(3)] * min(length, 2) + [range(2)] * max(0, length - 2)))
    ]
    known = {history: (seen_by_one(history), facts_of_one(game, history)) for history in histories}
    return min(
        len(first) + len(second)
        for first, second in itertools.combinations(histories, 2)
        if known[first][0] == known[second][0] and known[first][1] != known[second][1]
    )


def seen_by_one(history: tuple[int, ...]) -> tuple[int, ...]:
    return history[1:]


def facts_of_one(game: Game, history: tuple[int, ...]) -> list[int]:
    state = game.start()
    for action in history:
        state.apply(action)
    return state.facts(1)


def test_a_deep_violation_is_found_by_random_play_and_shortened() -> None:
    """With a budget of 10 histories only random games reach the end, where returns are wrong."""
    make = next(make for make in BROKEN if make.__name__ == "not_zero_sum")
    report = ft.check(make(), histories=10, plies=2_000)
    assert report.violation.law == "returns"
    assert len(report.violation.histories[0]) == 4


def test_the_same_seed_gives_the_same_report() -> None:
    reports = [ft.check(ft.load("leduc"), histories=50, plies=500, seconds=1e9, seed=7) for _ in range(2)]
    assert replace(reports[0], seconds=0.0) == replace(reports[1], seconds=0.0)
