"""A rule that cannot run or compile comes back as one sentence with file, line and rule."""

import re
from pathlib import Path

import pytest

import forethought as ft

GAME = """
from numpy import int8
from forethought import TERMINAL, Game, record

class Thing:
    pass

LIST, DICTIONARY, SET, LISTS = [1, 2], {{0: 1}}, {{0, 1}}, ([1, 2], [3, 4])
RAGGED, MIXED = ((1, 2), (3,)), (1, 2.5)
COUNT = 0

def look_up(place):
    return LIST[place]

def by_name(a, *, b=1):
    return a + b

def countdown(n):
    return 0 if n == 0 else countdown(n - 1)

def mine() -> Game:
    state = record(done=int8, grid=(int8, 3))
    inner = [1, 2]

    def start(s):
        pass

    def player(s):
        {player}
        return TERMINAL if s.done else 0

    def legal(s, out):
        out[0] = 0
        {legal}
        return 1

    def apply(s, action):
        s.done = 1

    def returns(s, out):
        out[0] = 0

    def facts(s, observer, out):
        out[0] = s.done
        return 1

    return Game(name="mine", players=1, actions=1, facts=2, plies=1, record=state, hidden=False,
                rules=[start, player, legal, apply, returns, facts])
"""


PLAYER_LINE = 1 + GAME[: GAME.index("{player}")].count("\n")
LEGAL_LINE = 1 + GAME[: GAME.index("{legal}")].count("\n")


def load(directory: Path, player: str = "pass", legal: str = "pass") -> ft.Game:
    path = directory / "mine.py"
    path.write_text(GAME.format(player=player, legal=legal))
    return ft.load(str(path))


def complaint(directory: Path, **rules: str) -> str:
    with pytest.raises(ft.ForethoughtError) as caught:
        load(directory, **rules)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_template_itself_loads(tmp_path: Path) -> None:
    assert load(tmp_path).start().legal_actions() == [0]


@pytest.mark.parametrize(
    ("legal", "said"),
    [
        (
            "s.grd[0] = 1",
            "mine.py, line {line}, in the rule 'legal': the record has no field 'grd'; it has done, grid.",
        ),
        ("s.grid[3] = 1", "mine.py, line {line}, in the rule 'legal': index 3 of the field 'grid' is not in 0..2."),
        (
            "s.grid[0] = 4 / 2",
            "the field 'grid' (int8) cannot hold 2.0, a fraction: use //, which divides whole numbers.",
        ),
        (
            "out[0] = 0 / 2",
            "a whole number, or any number for chance and returns, is wanted, not 0.0, a fraction: use //",
        ),
        ("s.grid[0] = 200", "mine.py, line {line}, in the rule 'legal': the field 'grid' (int8) cannot hold 200."),
        ("out[1] = 0", "mine.py, line {line}, in the rule 'legal': place 1 of the answer is not in 0..0"),
        ("return 0.5", "mine: the rule 'legal' must return a whole number, not 0.5."),
        ("return", "the rule 'legal' must return a whole number, not None"),
        ("undefined(s)", "mine.py, line {line}, in the rule 'legal': name 'undefined' is not defined."),
        ("return 0", "mine: the rule 'legal' finds no action although the game is not over."),
        ("return 5", "mine: the rule 'legal' says that it wrote 5 numbers; there is room for 1."),
    ],
)
def test_a_rule_that_fails_is_named_before_it_is_compiled(tmp_path: Path, legal: str, said: str) -> None:
    assert said.replace("{line}", str(LEGAL_LINE)) in complaint(tmp_path, legal=legal)


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (
            "x = 'a' if s.done else 1",
            "mine.py, line {line}, in the rule 'player': a value is sometimes (text|a whole number) and sometimes",
        ),
        ("Thing()", "mine.py, line {line}, in the rule 'player': 'Thing' cannot be compiled"),
        ("countdown(2)", "'countdown' calls itself; write a loop instead"),
        (
            "x = f'{s.done:>3}'",
            "mine.py, line {line}, in the rule 'player': (format spec in f-strings|this Python construct)",
        ),
    ],
)
def test_a_rule_that_does_not_compile_is_named_with_its_line(tmp_path: Path, player: str, said: str) -> None:
    """Numba's words differ with the version of Python, whose bytecode it reads; file, line, rule and kind do not."""
    assert re.search(said.replace("{line}", str(PLAYER_LINE)), complaint(tmp_path, player=player))


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("x = LIST[s.done]", "line {line}, in the rule 'player': 'LIST' is a list: make it a tuple"),
        ("x = look_up(s.done)", "line 13, in the rule 'player': 'LIST' is a list: make it a tuple"),
        ("x = inner[s.done]", "line {line}, in the rule 'player': 'inner' is a list: make it a tuple"),
        ("x = DICTIONARY[0]", "'DICTIONARY' is a dictionary: make it a tuple or an array"),
        ("x = s.done in SET", "'SET' is a set: make it a tuple"),
        ("x = LISTS[s.done][0]", "'LISTS' is a tuple with lists in it: make them tuples, too"),
        ("x = RAGGED[s.done][0]", "line {line}, in the rule 'player': the parts of 'RAGGED' differ in length or type"),
        ("x = MIXED[s.done]", "the parts of 'MIXED' differ in length or type"),
        (
            "try:\n            x = 1\n        except ValueError:\n            x = 2",
            "a rule cannot catch exceptions: instead of `try`, test beforehand what could fail",
        ),
        (
            "x = (y := s.done) + y",
            "line {line}, in the rule 'player': `:=` cannot be compiled: assign on a line of its own",
        ),
        ("if (y := s.done) > 3: pass", "`:=` cannot be compiled"),
        ("x = any(s.grid[i] for i in range(3))", "a generator cannot be compiled: write a loop"),
        ("import math", "a rule cannot import: import at the top of the file"),
        ("global COUNT\n        COUNT += 1", "a rule cannot change a global variable"),
        ("x, *y = (1, 2, 3)", "`*` before a name cannot be compiled"),
        ("x = len(range(9)[1 : s.done])", "'getitem' cannot be compiled for these values"),
        (
            "if s.done == 7: raise SystemExit",
            "what it raises cannot be compiled: raise an exception such as ValueError",
        ),
        ("x = by_name(s.done, b=2)", "a helper is called otherwise than by its signature (a, *, b)"),
    ],
)
def test_what_an_author_wrote_is_named_rather_than_what_numba_found(tmp_path: Path, player: str, said: str) -> None:
    message = complaint(tmp_path, player=player)
    assert said.replace("{line}", str(PLAYER_LINE)) in message
    assert " at 0x" not in message


def test_helpers_defined_anywhere_compile_with_their_rule(tmp_path: Path) -> None:
    """A helper of a helper, in the module and in the factory, with a default and a constant."""
    text = GAME.format(player="pass", legal="s.grid[0] = twice(s.grid[1]) + FIVE * 0")
    text = text.replace("class Thing:", "FIVE = 5\ndef once(x, step=1):\n    return x + step\n\nclass Thing:")
    text = text.replace("    def start(s):", "    def twice(x):\n        return once(once(x))\n\n    def start(s):")
    path = tmp_path / "mine.py"
    path.write_text(text)
    state = ft.load(str(path)).start()
    state.legal_actions()
    assert state.view.grid[0] == 2
