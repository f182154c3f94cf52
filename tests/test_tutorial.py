"""The tutorial is true: its steps are its finished file, which is lawful, and its messages are what one gets."""

import re
from pathlib import Path

import pytest

import forethought as ft

TUTORIAL = Path("docs/tutorial-your-own-game.md").read_text()
FINISHED = Path("docs/games/doubt.py").read_text()


def code_lines(text: str) -> list[str]:
    """Lines that say something, without comments and documentation."""
    lines = [re.sub(r"\s+#.*", "", line.rstrip()) for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith('"""')]


def test_the_steps_put_together_are_the_finished_file() -> None:
    blocks = re.findall(r"```python\n(.*?)```", TUTORIAL, re.DOTALL)
    steps = [block for block in blocks if "ft." not in block and "--8<--" not in block]
    assert code_lines("\n".join(steps)) == code_lines(FINISHED)


def test_the_finished_game_keeps_every_law() -> None:
    report = ft.check(ft.load("docs/games/doubt.py", compiled=False), plies=2_000)
    assert report.ok
    assert (report.positions, report.exhaustive) == (31, True)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["phantom", "shelves"])
@pytest.mark.quick_cases(1)
def test_the_other_finished_games_keep_every_law(game: str) -> None:
    report = ft.check(ft.load(f"docs/games/{game}.py", compiled=False), histories=300, plies=1_000)
    assert report.ok, report.violation


def test_a_failed_try_is_known_to_who_tried_alone() -> None:
    """Player 1 tries the cell that player 0 has marked; then both know what they should, and the page no more."""
    state = ft.load("docs/games/phantom.py").start()
    state.apply(4)
    before = state.facts(0)
    state.apply(4)
    assert state.player == 1
    assert state.facts(0) == before
    assert state.facts(1) == [1, 2 + 2 * 4]
    assert (state.show(0), state.show(1)) == ("? ? ?\n? X ?\n? ? ?", "? ? ?\n? X ?\n? ? ?")
    assert state.legal_actions() == [0, 1, 2, 3, 5, 6, 7, 8]


def test_legal_actions_that_tell_of_a_secret_are_found_as_told(tmp_path: Path) -> None:
    path = tmp_path / "phantom.py"
    text = Path("docs/games/phantom.py").read_text()
    path.write_text(text.replace("known = False", "known = s.owner[cell] == 1 - s.turn"))
    assert ft.check(str(path), histories=300, plies=1_000).violation.law == "decisions"


def test_shelves_keep_four_of_eight_symmetries() -> None:
    game = ft.load("docs/games/shelves.py", compiled=False)
    assert (len(game.board.grid.foldings), len(game.board.symmetries)) == (8, 4)


@pytest.mark.slow
def test_symmetries_that_the_rules_have_not_are_found_as_told(tmp_path: Path) -> None:
    path = tmp_path / "shelves.py"
    path.write_text(Path("docs/games/shelves.py").read_text().replace(", keeps=keeps_shelves", ""))
    assert ft.check(str(path), histories=200, plies=200).violation.law == "symmetries"


def test_the_leak_of_the_tutorial_is_found_as_told(tmp_path: Path) -> None:
    path = tmp_path / "doubt.py"
    path.write_text(FINISHED.replace("if observer == 0 and s.roll >= 0:", "if s.roll >= 0:"))
    violation = ft.check(ft.load(str(path), compiled=False), plies=100).violation
    assert violation.law == "secrets"
    assert violation.message in TUTORIAL
    assert violation.histories == [[], [0]]
    for drawing in violation.drawings:
        assert drawing in TUTORIAL


def test_the_mistake_of_the_tutorial_is_named_as_told(tmp_path: Path) -> None:
    path = tmp_path / "doubt.py"
    path.write_text(FINISHED.replace("elif s.acts[1] == BELIEVE", "elif s.acts[2] == BELIEVE"))
    with pytest.raises(ft.ForethoughtError) as caught:
        ft.load(str(path))
    assert str(caught.value) in TUTORIAL.replace("\n", " ")


def test_the_equilibrium_of_the_tutorial_is_one() -> None:
    """Neither player can do better against the other's strategy: every action it uses is worth the same to it."""
    game = ft.load("docs/games/doubt.py")
    bluff, doubting = 1 / 3, 2 / 3

    def worth(roll: int, act: int, answer: int) -> float:
        s = game.start()
        for action in (roll, act, answer):
            if not s.is_terminal:
                s.apply(action)
        return s.returns()[0]

    for roll in range(6):
        claim = doubting * worth(roll, 1, 1) + (1 - doubting) * worth(roll, 1, 0)
        assert claim == pytest.approx(5 / 3 if roll >= 3 else -1)  # with a low roll, just what passing costs
    weights = [1.0 if roll >= 3 else bluff for roll in range(6)]
    believe, doubt = (sum(w * worth(roll, 1, a) for roll, w in enumerate(weights)) / sum(weights) for a in (0, 1))
    assert believe == pytest.approx(doubt)
    value = sum((5 / 3 if roll >= 3 else -1) / 6 for roll in range(6))
    assert value == pytest.approx(1 / 3)
