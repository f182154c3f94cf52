"""A rule that fails in machine code stops what runs it, with file, line, rule and the shortest play that shows it."""

import os
import subprocess
import sys
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
@pytest.mark.quick_cases(3)
def test_what_fails_is_told_with_its_line_and_the_shortest_play(fault: str, reason: str, tmp_path: Path) -> None:
    path = write_failing(tmp_path, apply=fault)
    message = failure(ft.load(str(path)))
    assert f"failing.py, line {line_of(path, fault)}, in the rule 'apply': " in message
    assert reason in message
    assert SIX_THREES in message


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("s.grid[0] = s.grid[s.left + 60]", "index 82 of the field 'grid' is not in 0..4"),
        ("s.grid[s.left * 1000] = 1", "index 22000 of the field 'grid' is not in 0..4"),
        ("s.grid[s.left - 23] = 1", "index -1 of the field 'grid' is not in 0..4"),
        ("s.grid[2:4][s.left] = 1", "index 22 of the field 'grid' is not in 0..1"),
        ("s.grid[0] = TABLE[s.left]", "index 22 is out of bounds for axis 0 with size 3"),
        ("s.grid[0] = 300 + s.left", "the field 'grid' (int8) cannot hold 322"),
        ("s.left = s.left + 300", "the field 'left' (int8) cannot hold 322"),
        ("s.left -= 200", "the field 'left' (int8) cannot hold -178"),
    ],
)
def test_indices_and_values_are_checked_as_the_interpreter_does(fault: str, reason: str, tmp_path: Path) -> None:
    path = write_failing(tmp_path, apply=fault)
    message = failure(ft.load(str(path)))
    assert f"line {line_of(path, fault)}, in the rule 'apply': {reason}, {SIX_THREES}" in message


def test_a_negative_index_of_a_constant_means_what_it_means_in_python(tmp_path: Path) -> None:
    game = ft.load(str(write_failing(tmp_path, apply="s.grid[0] = TABLE[s.threes - 7]")))
    assert playouts(game, GAMES, generator(0)).games == GAMES
    state = game.start()
    for _ in range(6):
        state.apply(2)
    assert state.view.grid[0] == 9


@pytest.mark.parametrize(
    ("rule", "fault", "reason"),
    [
        ("player", "return 7", "the rule 'player' names 7, but players are 0 to 1"),
        ("player", "return -5", "the rule 'player' names -5, but players are 0 to 1"),
        ("legal", "return 8", "the rule 'legal' says that it wrote 8 numbers; there is room for 3"),
        ("legal", "return -1", "the rule 'legal' says that it wrote -1 numbers; there is room for 3"),
        ("legal", "out[70] = 1", "place 70 of the answer is not in 0..2"),
        ("legal", "out[0] = -7; return 1", "the rule 'legal' writes -7, but declared are 0 to 2"),
    ],
)
def test_answers_are_in_range(rule: str, fault: str, reason: str, tmp_path: Path) -> None:
    message = failure(ft.load(str(write_failing(tmp_path, **{rule: fault}))))
    assert reason in message
    assert SIX_THREES in message


def test_facts_are_in_range(tmp_path: Path) -> None:
    state = ft.load(str(write_failing(tmp_path, facts="out[0] = 4000; return 1"))).start()
    for _ in range(6):
        state.apply(2)
    with pytest.raises(ft.ForethoughtError, match=r"the rule 'facts' writes 4000, but declared are 0 to 42"):
        state.facts(0)


@pytest.mark.parametrize(
    "loop",
    [
        "while s.left > 0: s.grid[0] = 1",
        "while True: s.grid[0] = 1 - s.grid[0]",
        "for i in range(10**15): s.grid[0] = (s.grid[0] + i) % 3",
    ],
)
@pytest.mark.quick_cases(1)
def test_a_loop_that_does_not_end_is_ended(loop: str, tmp_path: Path) -> None:
    path = write_failing(tmp_path, apply=loop)
    message = failure(ft.load(str(path)))
    assert f"line {line_of(path, loop)}, in the rule 'apply': it does not end, {SIX_THREES}" in message


def test_a_rehearsal_ends_a_loop_that_does_not(tmp_path: Path) -> None:
    path = tmp_path / "endless.py"
    text = write_failing(tmp_path, player="pass").read_text().replace("s.left = 40", "while True: s.left = 40")
    path.write_text(text)
    with pytest.raises(ft.ForethoughtError, match=r"endless\.py, line 11, in the rule 'start': it does not end\."):
        ft.load(str(path))


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


PRINTING = """
import forethought as ft
from forethought.playouts import playouts
from forethought.randomness import generator

playouts(ft.load({path!r}), 3, generator(0))
print("played")
"""


def test_a_rule_prints_values_in_the_first_run_and_in_the_next(tmp_path: Path) -> None:
    path = tmp_path / "failing.py"
    text = (
        write_failing(tmp_path).read_text().replace("s.turn = 1 - s.turn", "s.turn = 1 - s.turn; print('left', s.left)")
    )
    path.write_text(text)
    for _ in range(2):
        command = [sys.executable, "-c", PRINTING.format(path=str(path))]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "left 0" in run.stdout
        assert run.stdout.splitlines()[-1] == "played"


CRASHING = """
import ctypes, faulthandler
faulthandler.enable()
import forethought.compiler
ctypes.string_at(0)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_a_crash_tells_where_and_what_to_do() -> None:
    run = subprocess.run([sys.executable, "-c", CRASHING], capture_output=True, text=True, check=False)
    assert run.returncode < 0
    assert "run `forethought check`" in run.stderr
    assert "line 5 in <module>" in run.stderr


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
