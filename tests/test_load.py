"""Finding a game by a string: parameters by name, place and type; files; mistakes answered with a sentence."""

import re
import sys
from pathlib import Path

import pytest

import forethought as ft
from forethought.games import GAMES


@pytest.mark.parametrize(
    ("spec", "actions"),
    [
        ("goofspiel", 13),
        ("goofspiel(cards=4)", 4),
        (" goofspiel( cards = 4 , payoff=points ) ", 4),
        ("goofspiel(5)", 5),
        ("goofspiel(5, 'points')", 5),
        ("liars_dice(dice=2)", 25),
    ],
)
def test_parameters_are_read_by_name_or_place(spec: str, actions: int) -> None:
    assert ft.load(spec, compiled=False).actions == actions


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ledux", "There is no game 'ledux'; did you mean leduc?"),
        ("chess", "There is no game 'chess'; games are backgammon, breakthrough, connect_four, fanorona"),
        ("", "names nothing"),
        ("leduc)", "names nothing"),
        ("goofspiel(crads=4)", "has no parameter 'crads'; it takes cards=13, payoff=win. Did you mean cards?"),
        ("goofspiel(cards=four)", "cards must be a whole number, not 'four'"),
        ("goofspiel(cards=1)", "cards must be from 2 to 30, not 1"),
        ("goofspiel(payoff=money)", "payoff must be win or points, not money"),
        ("goofspiel(4, win, 3)", "'3' is one too many"),
        ("goofspiel(cards=4, cards=5)", "'cards' is given twice"),
        ("leduc(suits=2)", "it takes no parameters"),
        ("no/such/game.py", "There is no file 'no/such/game.py'"),
        ("tests/userfiles/kuhn4.py", "did you mean tests/userfiles/kuhn3.py"),
        ("tests/userfiles/kuhn3.py:kuhn", "has no function 'kuhn'; it has kuhn3"),
    ],
)
def test_a_mistaken_name_gets_a_sentence_with_the_nearest_one(spec: str, said: str) -> None:
    with pytest.raises(ft.ForethoughtError) as caught:
        ft.load(spec)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["docs/games/doubt.py", "docs/games/doubt.py:doubt", "docs/games/doubt.py(faces=6)"])
def test_a_file_is_a_game_wherever_one_is_named(spec: str) -> None:
    assert ft.load(spec, compiled=False).outcomes == 6


def test_a_file_takes_parameters() -> None:
    game = ft.load("docs/games/doubt.py:doubt(faces=4)")
    assert game.start().legal_actions() == [0, 1, 2, 3]
    assert game.spec == "docs/games/doubt.py:doubt(faces=4)"


def test_an_edited_file_is_run_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if Python keeps what it compiled, and as many bytes were written within the same second."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "doubt.py"
    text = Path("docs/games/doubt.py").read_text()
    path.write_text(text)
    assert ft.load(str(path), compiled=False).outcomes == 6
    path.write_text(text.replace("faces: int = 6", "faces: int = 5"))
    assert ft.load(str(path), compiled=False).outcomes == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def broken(:\n", "mine.py, line 1: invalid syntax"),
        ("import no_such_module\n", "mine.py, line 1: No module named 'no_such_module'"),
        ("x = 1\ny = {}['a']\n", "mine.py, line 2: KeyError: 'a'."),
        ("x = 1\nraise SystemExit\n", "mine.py, line 2: SystemExit."),
        ("def mine():\n    return {}['a']\n", "mine.py, line 2: KeyError: 'a'."),
        ("def mine():\n    return ()[1]\n", "mine.py, line 2: tuple index out of range."),
        ("def mine():\n    return nothing\n", "mine.py, line 2: name 'nothing' is not defined."),
        (
            "def mine(size: int = 3):\n    raise ValueError('size must be even')\n",
            "mine.py, line 2: size must be even.",
        ),
        ("def mine():\n    assert False\n", "mine.py, line 2: AssertionError."),
        (
            "from forethought import record\ndef mine():\n    return record(board=float, name=str)\n",
            "mine.py, line 3: the record's field 'name' must hold numbers such as int8, not <U0.",
        ),
        (
            "from forethought import record\ndef mine():\n    return record(board=(float, 10**15))\n",
            "mine.py, line 3: the record's field 'board' cannot have the shape 1000000000000000.",
        ),
        ("def a(): pass\n", "must say which function makes the game"),
        ("def mine():\n    return 3\n", "the function makes int, not a Game"),
        ("def mine(size: int):\n    return 3\n", "needs a value for 'size'"),
    ],
)
def test_a_file_that_makes_no_game_is_refused_with_a_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "mine.py"
    path.write_text(text)
    with pytest.raises(ft.ForethoughtError, match=re.escape(said)):
        ft.load(str(path))


def test_every_listed_game_loads_interpreted() -> None:
    for name in GAMES.names():
        assert ft.load(name, compiled=False).name == name


def test_a_game_object_can_be_loaded_itself() -> None:
    game = ft.load(ft.load("kuhn", compiled=False))
    assert game.machine is not None
    assert ft.load(game, compiled=False).machine is None
