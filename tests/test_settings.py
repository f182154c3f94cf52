"""Settings: their ranges, what is said of values outside them, and that each is declared once."""

import ast
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import forethought
from forethought.errors import ForethoughtError
from forethought.evaluate.lower_bound import RESPONSES
from forethought.learn.learner import LEARNERS
from forethought.learn.sweeps import MatchMeasure, SweepMeasures
from forethought.player import PLAYERS, find_player
from forethought.runtime.executor import EXECUTORS
from forethought.settings import (
    LARGEST,
    Declaration,
    Settings,
    changed,
    fixed,
    is_setting,
    read_value,
    setting,
    settings_from,
    settings_of,
    write_value,
)
from tests.settings_values import PRINTABLE, any_settings

SOURCES = sorted(Path(forethought.__file__).parent.rglob("*.py"))


@dataclass(frozen=True, kw_only=True)
class Searching(Settings):
    simulations: int = setting("simulations per decision", 100, low=1, high=1000)
    rate: float = setting("learning rate", 0.5, above=0.0, high=1.0)
    shift: float = setting("any number", 0.0)
    targeting: str = setting("what is aimed at", "infoset", words=("infoset", "public"))
    solve: bool = setting("whether it is solved", False)
    hidden: str = setting("hidden layers", "", example="128-64", pattern=r"[\d-]*")
    run: str = setting("the run", names="run")
    notes: list[str] = field(default_factory=list)  # no setting: anything may stand here


@dataclass(frozen=True, kw_only=True)
class Narrower(Searching):
    simulations: int = changed(Searching, "simulations", 20, high=50)
    rate: float = changed(Searching, "rate", 0.1)
    targeting: str = changed(Searching, "targeting", words=("infoset",))
    solve: bool = fixed(Searching, "solve", True)


# Ranges, and what is said of values outside them.


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"simulations": 0}, "simulations must be a whole number at least 1 and at most 1000, not 0."),
        ({"simulations": 1001}, "simulations must be a whole number at least 1 and at most 1000, not 1001."),
        ({"simulations": 2.0}, "simulations must be a whole number at least 1 and at most 1000, not 2.0."),
        ({"simulations": True}, "simulations must be a whole number at least 1 and at most 1000, not True."),
        ({"simulations": "2"}, "simulations must be a whole number at least 1 and at most 1000, not '2'."),
        ({"simulations": None}, "simulations must be a whole number at least 1 and at most 1000, not None."),
        ({"rate": 0.0}, "rate must be a number above 0 and at most 1, not 0.0."),
        ({"rate": 1.5}, "rate must be a number above 0 and at most 1, not 1.5."),
        ({"rate": float("nan")}, "rate must be a number above 0 and at most 1, not nan."),
        ({"shift": float("inf")}, "shift must be a number, not inf."),
        ({"shift": float("-inf")}, "shift must be a number, not -inf."),
        ({"shift": False}, "shift must be a number, not False."),
        ({"targeting": "all"}, "targeting must be one of infoset, public, not 'all'."),
        ({"targeting": 3}, "targeting must be one of infoset, public, not 3."),
        ({"solve": 1}, "solve must be true or false, not 1."),
        ({"solve": "true"}, "solve must be true or false, not 'true'."),
        ({"hidden": "wide"}, "hidden must be a text such as 128-64, not 'wide'."),
        ({"run": "two\nlines"}, "run must be a text, not 'two\\nlines'."),
        ({"run": 3.5}, "run must be a text, not 3.5."),
    ],
)
def test_what_is_outside_a_range_is_refused_in_one_sentence(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ForethoughtError) as refusal:
        Searching(**{"run": "demo"} | given)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("simulations", [1, 1000]),
        ("rate", [5e-324, 1.0]),
        ("shift", [-1e300, 0.0, 1e18]),
        ("targeting", ["infoset", "public"]),
        ("solve", [True, False]),
        ("hidden", ["", "1", "128-64"]),
        ("run", ["", "demo@3", "a, b = (c)", "Läufe/1"]),
    ],
)
def test_the_ends_of_a_range_belong_to_it(name: str, values: list[Any]) -> None:
    for value in values:
        assert getattr(Searching(**{"run": "demo"} | {name: value}), name) == value


def test_a_whole_number_stands_for_a_number_and_becomes_one() -> None:
    made = Searching(run="demo", rate=1, shift=-3)
    assert (type(made.rate), type(made.shift)) == (float, float)
    assert made == Searching(run="demo", rate=1.0, shift=-3.0)


def test_settings_are_frozen_and_checked_when_they_are_replaced() -> None:
    made = Searching(run="demo")
    with pytest.raises(FrozenInstanceError):
        made.simulations = 3  # type: ignore[misc]
    assert replace(made, simulations=3).simulations == 3
    with pytest.raises(ForethoughtError, match="simulations must be"):
        replace(made, simulations=0)


def test_what_is_no_setting_is_not_checked_and_not_asked_for() -> None:
    assert Searching(run="demo", notes=["anything"]).notes == ["anything"]
    assert list(settings_of(Searching)) == ["run", "simulations", "rate", "shift", "targeting", "solve", "hidden"]


# Classes that derive from others.


def declared(kind: type[Settings], name: str) -> Declaration:
    return next(one for one in fields(kind) if one.name == name).metadata["declared"]


def test_a_changed_setting_keeps_its_declaration() -> None:
    made = Narrower(run="demo")
    assert (made.simulations, made.rate, made.targeting) == (20, 0.1, "infoset")
    assert all(declared(Narrower, name) is declared(Searching, name) for name in ("simulations", "rate", "solve"))
    with pytest.raises(ForethoughtError, match="simulations must be a whole number at least 1 and at most 50, not 51"):
        Narrower(run="demo", simulations=51)
    with pytest.raises(ForethoughtError, match="targeting must be one of infoset, not 'public'"):
        Narrower(run="demo", targeting="public")
    assert Searching(run="demo", simulations=51, targeting="public").simulations == 51


def test_a_fixed_setting_has_its_value_and_nobody_is_asked_for_it() -> None:
    assert Narrower(run="demo").solve is True
    assert "solve" not in settings_of(Narrower)
    with pytest.raises(TypeError, match="unexpected keyword argument 'solve'"):
        Narrower(run="demo", solve=False)
    with pytest.raises(ValueError, match="solve"):
        replace(Narrower(run="demo"), solve=False)


def test_what_was_fixed_can_be_opened_again() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Opened(Narrower):
        solve: bool = changed(Narrower, "solve", False)

    assert "solve" in settings_of(Opened)
    assert [Opened(run="demo").solve, Opened(run="demo", solve=True).solve] == [False, True]


def test_only_settings_that_exist_can_be_changed_or_fixed() -> None:
    for derive in (changed, fixed):
        with pytest.raises(AttributeError, match="Searching has no setting 'width'"):
            derive(Searching, "width", 1)


def test_settings_are_taken_from_others_where_both_have_them() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Playing(Settings):
        simulations: int = changed(Searching, "simulations", 5)
        rate: float = changed(Searching, "rate")
        solve: bool = fixed(Searching, "solve", False)

    other = Searching(run="demo", simulations=7, rate=0.25, solve=True)
    assert settings_from(Playing, other) == Playing(simulations=7, rate=0.25)
    assert settings_from(Playing, other, simulations=8) == Playing(simulations=8, rate=0.25)
    assert settings_from(Searching, Playing(), run="demo") == Searching(run="demo", simulations=5)
    with pytest.raises(ForethoughtError, match="simulations must be a whole number at least 1 and at most 50, not 51"):
        settings_from(Narrower, Searching(run="demo", simulations=51))


# As text.


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("simulations", "1_000", 1000),
        ("rate", "1", 1.0),
        ("rate", "1e-3", 0.001),
        ("solve", "True", True),
        ("solve", "false", False),
        ("targeting", "public", "public"),
        ("run", "12", "12"),
    ],
)
def test_values_are_read_by_their_types(name: str, text: str, value: Any) -> None:
    found = read_value(name, settings_of(Searching)[name], text)
    assert (found, type(found)) == (value, type(value))


def test_an_alias_names_a_setting_in_strings_too() -> None:
    """`lambda` cannot be the name of a field."""
    for spec in ("uct(simulations=5)", "az(run=a,lambda=0.25)", "az(run=a,rollout_weight=0.25)"):
        found = find_player(spec)
        assert find_player(str(found)) == found
    assert find_player("az(run=a,lambda=0.25)") == find_player("az(run=a,rollout_weight=0.25)")
    with pytest.raises(ForethoughtError, match="uct has no parameter 'lambda'"):  # there it is fixed
        find_player("uct(lambda=0.5)")
    with pytest.raises(ForethoughtError, match="rollout_weight must be a number at least 0 and at most 1, not 2"):
        find_player("az(run=a,lambda=2)")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("simulations", "many", "simulations must be a whole number at least 1 and at most 1000, not 'many'."),
        ("simulations", "1.5", "simulations must be a whole number at least 1 and at most 1000, not '1.5'."),
        ("rate", "", "rate must be a number above 0 and at most 1, not ''."),
        ("solve", "maybe", "solve must be true or false, not 'maybe'."),
    ],
)
def test_text_of_another_type_is_refused_by_the_same_sentence(name: str, text: str, message: str) -> None:
    with pytest.raises(ForethoughtError) as refusal:
        read_value(name, settings_of(Searching)[name], text)
    assert str(refusal.value) == message


@given(st.one_of(PRINTABLE, st.booleans(), st.integers(-LARGEST, LARGEST), st.floats(-1e300, 1e300)))
def test_what_is_written_is_toml(value: Any) -> None:
    found = tomllib.loads(f"key = {write_value(value)}  # comment")["key"]
    assert (found, type(found)) == (value, type(value))


# Each setting stands once.


def registered() -> list[type[Settings]]:
    """The settings of all that is registered, the sections of configurations, and what sweeps measure."""
    kinds: list[type[Settings]] = [MatchMeasure, SweepMeasures]
    kinds += [kind.settings for _, kind in PLAYERS]
    kinds += [kind for _, kind in EXECUTORS]
    kinds += [kind for _, kind in RESPONSES]
    kinds += [kind.configuration for _, kind in LEARNERS]
    for kind in kinds:
        kinds += [one.type for one in fields(kind) if isinstance(one.type, type) and issubclass(one.type, Settings)]
    return list(dict.fromkeys(kinds))


def all_declared() -> Iterator[tuple[str, Declaration]]:
    for kind in registered():
        for one in filter(is_setting, fields(kind)):
            yield one.name, one.metadata["declared"]


def test_registries_and_configurations_declare_no_setting_twice() -> None:
    once = set(all_declared())
    counted = Counter((name, declaration.about) for name, declaration in once)
    assert len(counted) > 50
    assert [what for what, times in counted.items() if times > 1] == []


def texts_of_settings(source: str) -> Iterator[str]:
    """The texts with which a file declares settings."""
    for call in ast.walk(ast.parse(source)):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "setting":
            assert isinstance(call.args[0], ast.Constant), f"line {call.lineno}: a text should stand in its declaration"
            yield call.args[0].value


def test_no_text_of_a_setting_stands_twice_in_the_sources() -> None:
    counted = Counter(text for file in SOURCES for text in texts_of_settings(file.read_text()))
    known = {declaration.about for _, declaration in all_declared()}
    assert known <= counted.keys()
    assert [text for text, times in counted.items() if times > 1] == []


def test_every_declared_setting_is_registered() -> None:
    """A setting that nobody reads, or a class that no registry knows, would be missed above."""
    known = {declaration.about for _, declaration in all_declared()}
    assert {text for file in SOURCES for text in texts_of_settings(file.read_text())} - known == set()


@pytest.mark.parametrize("kind", registered(), ids=lambda kind: kind.__name__)
@examples(max_examples=10)
@given(st.data())
def test_every_class_takes_its_defaults_and_any_value_in_its_ranges(kind: type[Settings], data: st.DataObject) -> None:
    made = data.draw(any_settings(kind))
    for name, one in settings_of(kind).items():
        assert one.metadata["range"].admits(getattr(made, name))


def test_texts_are_one_line_without_a_full_stop() -> None:
    texts = {declaration.about for _, declaration in all_declared()}
    assert [text for text in texts if not text or "\n" in text or text.endswith(".")] == []
