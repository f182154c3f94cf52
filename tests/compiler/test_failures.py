"""A rule that fails in machine code stops what runs it, with file, line, rule and the shortest play that shows it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import forethought as ft
from forethought.cli import main
from forethought.playouts import playouts
from forethought.randomness import generator
from tests.compiler.failing import line_of, write_failing

GAMES = 5_000
SIX_THREES = "after [2, 2, 2, 2, 2, 2]"
DIVISION = "s.grid[0] = 7 // (s.threes - 6)"


def failure(game: ft.Game) -> str:
    with pytest.raises(ft.ForethoughtError) as caught:
        playouts(game, GAMES, generator(0))
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (DIVISION, "division or modulo by zero"),
        ("s.grid[0] = 7 % (s.threes - 6)", "modulo by zero"),
        ("s.grid[0] = int(7.0 / (s.threes - 6))", "float division by zero"),
        ("assert s.left > 100, 'few are left'", "few are left"),
        ("raise ValueError('few are left')", "few are left"),
        ("raise KeyError", "KeyError"),
    ],
)
def test_what_fails_is_told_with_its_line_and_the_shortest_play(fault: str, reason: str, tmp_path: Path) -> None:
    path = write_failing(tmp_path, apply=fault)
    message = failure(ft.load(str(path)))
    assert f"failing.py, line {line_of(path, fault)}, in the rule 'apply': " in message
    assert reason in message
    assert SIX_THREES in message


@pytest.mark.parametrize("rule", ["player", "legal"])
def test_any_rule_may_fail(rule: str, tmp_path: Path) -> None:
    path = write_failing(tmp_path, **{rule: DIVISION})
    message = failure(ft.load(str(path)))
    assert f"line {line_of(path, DIVISION)}, in the rule '{rule}'" in message
    assert SIX_THREES in message


def test_a_state_tells_the_same(tmp_path: Path) -> None:
    state = ft.load(str(write_failing(tmp_path, facts=DIVISION))).start()
    for _ in range(6):
        state.apply(2)
    assert state.legal_actions() == [0, 1, 2]
    with pytest.raises(ft.ForethoughtError, match=r"in the rule 'facts'.*after \[2, 2, 2, 2, 2, 2\]"):
        state.facts(0)


def test_a_failure_that_no_short_play_shows_comes_with_its_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forethought.diagnosis.SECONDS", 0.0)
    message = failure(ft.load(str(write_failing(tmp_path, player=DIVISION))))
    assert "in the rule 'player'" in message
    assert "in the position" in message
    assert "threes=6" in message


def test_a_failure_belongs_to_its_thread_and_ends_there(tmp_path: Path) -> None:
    failing, sound = ft.load(str(write_failing(tmp_path, apply=DIVISION))), ft.load("tic_tac_toe")

    def outcome(game: ft.Game) -> str | list[float]:
        try:
            return playouts(game, GAMES, generator(0)).mean_returns
        except ft.ForethoughtError as error:
            return str(error)

    expected = outcome(sound)
    with ThreadPoolExecutor(4) as threads:
        outcomes = list(threads.map(outcome, [failing, sound] * 6))
    assert all(SIX_THREES in str(one) for one in outcomes[::2])
    assert outcomes[1::2] == [expected] * 6


@pytest.mark.parametrize(
    "verb",
    [
        ["match", "{}", "random", "random", "--games", "3000"],
        ["match", "{}", "uct:2000", "random", "--games", "2"],
        ["think", "{}", "--player", "uct:20000"],
        ["exploit", "{}", "random"],
    ],
)
def test_verbs_stop_with_a_sentence(
    verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = write_failing(tmp_path, apply=DIVISION)
    monkeypatch.setattr("sys.argv", ["forethought", *(word.format(path) for word in verb)])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    shown = capsys.readouterr().err
    assert f"line {line_of(path, DIVISION)}, in the rule 'apply'" in shown
    assert "Traceback" not in shown
