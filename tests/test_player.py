"""Kinds of players: their strings say all of their settings, and which files decide how they play."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

import forethought as ft
from forethought.player import (
    PLAYERS,
    PlayerKind,
    PlayerSettings,
    Policy,
    find_player,
    player_spec,
    read_player,
    uniform_policy,
)
from forethought.players.network import NetworkSettings
from forethought.players.random import RandomSettings
from forethought.players.tabular import PolicySettings
from forethought.runs import CONFIGURATION, WEIGHTS, numbered
from forethought.search.mcts.players import AzSettings, UctSettings
from forethought.search.oos.search import OosSettings
from forethought.settings import settings_of
from tests.settings_values import any_settings

KINDS = [kind for _, kind in PLAYERS]


def test_a_policy_says_the_probability_of_each_action() -> None:
    assert Policy((3, 1), (0.25, 0.75)).as_dict() == {3: 0.25, 1: 0.75}
    assert Policy((), ()).as_dict() == {}
    with pytest.raises(ValueError, match="zip"):
        Policy((3, 1), (1.0,)).as_dict()
    observation = ft.Observation(ft.load("kuhn", compiled=False), 0, (), (), (2, 5, 7))
    assert uniform_policy(observation).as_dict() == pytest.approx({2: 1 / 3, 5: 1 / 3, 7: 1 / 3})


# Strings.


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
@examples(max_examples=25)
@given(st.data())
def test_a_string_says_all_of_the_settings(kind: PlayerKind, data: st.DataObject) -> None:
    settings = data.draw(any_settings(kind.settings))
    spec = player_spec(settings)
    assert read_player(spec) == (kind, settings)
    assert read_player(f"  {spec} ") == (kind, settings)
    assert player_spec(find_player(spec)) == spec


@pytest.mark.parametrize(
    ("spec", "settings"),
    [
        ("random", RandomSettings()),
        ("random()", RandomSettings()),
        ("oos", OosSettings()),
        ("oos:500", OosSettings(simulations=500)),
        ("oos(500)", OosSettings(simulations=500)),
        ("oos( simulations = 500 , delta=0.5 )", OosSettings(simulations=500, delta=0.5)),
        ("oos:500,seconds=2", OosSettings(simulations=500, seconds=2.0)),
        ("uct(solve=true)", UctSettings(solve=True)),
        ("uct(solve=0)", UctSettings()),
        ("az:demo@3", AzSettings(run="demo@3")),
        ("az(demo, 100)", AzSettings(run="demo", simulations=100)),
        ("policy:C:\\solved\\leduc.policy", PolicySettings(file="C:\\solved\\leduc.policy")),
        ("net('my run')", NetworkSettings(run="my run")),
        ("net:my run", NetworkSettings(run="my run")),
        ('net(run="a, b = ""c"" (d)")', NetworkSettings(run='a, b = "c" (d)')),
        ('net:"a=1,b=2"', NetworkSettings(run="a=1,b=2")),
        ("net(run=it's)", NetworkSettings(run="it's")),
    ],
)
def test_strings_are_read(spec: str, settings: PlayerSettings) -> None:
    assert find_player(spec) == settings


@pytest.mark.parametrize(
    ("settings", "spec"),
    [
        (RandomSettings(), "random"),
        (OosSettings(), "oos"),
        (OosSettings(simulations=500, delta=0.5), "oos(simulations=500,delta=0.5)"),
        (OosSettings(net="demo@3"), "oos(net=demo@3)"),
        (UctSettings(solve=True), "uct(solve=True)"),
        (AzSettings(run="demo"), "az(run=demo)"),
        (NetworkSettings(run='a, "b"'), 'net(run="a, ""b""")'),
    ],
)
def test_strings_are_short(settings: PlayerSettings, spec: str) -> None:
    assert player_spec(settings) == spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "'' names nothing; write it as random or oos:10000."),
        ("(5)", "'(5)' names nothing; write it as random or oos:10000."),
        ("oos(5", "'oos(5' names nothing; write it as random or oos:10000."),
        (
            "oso",
            "There is no player 'oso'; did you mean oos? Players are alphabeta, alphago, az, biased, ismcts, linear, ",
        ),
        ("oso:5", "There is no player 'oso'; did you mean oos? Players are alphabeta, alphago, az, "),
        ("oso(simulations=5)", "There is no player 'oso'; did you mean oos? Players are alphabeta, alphago, az, "),
        ("stockfish", "There is no player 'stockfish'; players are alphabeta, alphago, az, "),
        ("random(5)", "random takes no parameters; '5' is one too many."),
        ("oos(5,simulations=6)", "oos: the parameter 'simulations' is given twice."),
        ("oos(simulation=5)", "oos has no parameter 'simulation'; it takes simulations=10000, seconds=0.0, "),
        ("uct(selection=puct)", "uct has no parameter 'selection'; it takes simulations=1600, "),
        ("az", "az needs a value for 'run': az(run=...)."),
        ("oos:many", "simulations must be a whole number at least 1, not 'many'."),
        ("oos:1e3", "simulations must be a whole number at least 1, not '1e3'."),
        (f"oos:{2**63}", f"simulations must be a whole number at least 1, not {2**63}."),
        ("oos(delta=nan)", "delta must be a number at least 0 and at most 1, not nan."),
        ("uct(solve=maybe)", "solve must be true or false, not 'maybe'."),
        ("uct(exploration=inf)", "exploration must be a number at least 0, not inf."),
    ],
)
def test_a_mistake_in_a_string_is_one_sentence(spec: str, message: str) -> None:
    with pytest.raises(ft.ForethoughtError) as refusal:
        find_player(spec)
    assert str(refusal.value).startswith(message)
    assert "\n" not in str(refusal.value)


# Kinds.


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_says_what_it_is(kind: PlayerKind) -> None:
    assert kind.label
    assert (kind.settings.__doc__ or "").strip().endswith(".")
    assert kind.searches == ("simulations" in settings_of(kind.settings))
    for text in filter(None, (kind.thinks.format(simulations=7), kind.reviews)):
        assert read_player(text)[0] == kind
        assert kind.searches
    if kind.thinks:
        assert find_player(kind.thinks.format(simulations=7)).simulations == 7


def test_some_kinds_are_what_a_run_has_learned() -> None:
    assert {kind.name for kind in KINDS if kind.needs_run} == {"alphago", "az", "biased", "linear", "net", "td"}
    assert {kind.name for kind in KINDS if kind.searches} == {"alphago", "az", "biased", "ismcts", "oos", "uct"}


@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("leduc", {"ismcts", "mccfr", "net", "oos", "policy", "random"}),
        (
            "connect_four",
            {"alphabeta", "alphago", "az", "biased", "linear", "mccfr", "net", "policy", "random", "td", "uct"},
        ),
        ("tests/userfiles/take_away.py", {"alphago", "az", "mccfr", "net", "policy", "random", "uct"}),
    ],
)
def test_kinds_suit_games(game: str, kinds: set[str]) -> None:
    loaded = ft.load(game, compiled=False)
    assert {kind.name for kind in KINDS if kind.suits(loaded)} == kinds


# Files.


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory of a run's weights after iterations 1 and 2."""
    directory = tmp_path / "demo"
    (directory / WEIGHTS).mkdir(parents=True)
    (directory / CONFIGURATION).touch()
    for iteration in (1, 2):
        numbered(directory / WEIGHTS, iteration).touch()
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return directory / WEIGHTS


@pytest.mark.parametrize(
    ("spec", "iterations"),
    [
        ("random", []),
        ("oos", []),
        ("oos(net=demo)", [2]),
        ("oos(net=demo@1)", [1]),
        ("net:demo", [2]),
        ("az:demo@1", [1]),
        ("linear:demo", [2]),
        ("biased(run=demo@2)", [2]),
        ("mccfr:10", []),
    ],
)
def test_the_weights_of_runs_decide_how_players_play(weights: Path, spec: str, iterations: list[int]) -> None:
    assert find_player(spec).files() == [numbered(weights, iteration) for iteration in iterations]


def test_files_that_settings_name_decide_how_players_play() -> None:
    assert find_player("policy:solved/leduc.policy").files() == [Path("solved/leduc.policy")]


@pytest.mark.usefixtures("weights")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("net:dmo", "There is no run 'dmo'; did you mean demo?"),
        ("az:demo@3", "has no weights of iteration 3, only of 1, 2"),
    ],
)
def test_a_run_that_is_not_there_is_said_when_its_files_are_asked_for(spec: str, message: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=message):
        find_player(spec).files()
