"""Configurations: exact round trips, every mistake one sentence."""

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.learn.configuration import (
    ALGORITHMS,
    AlphaZeroConfiguration,
    Configuration,
    ExitOosConfiguration,
    TspgConfiguration,
    algorithm_for,
    configuration_from,
    configuration_of,
    from_toml,
    keys_of,
    to_toml,
)
from forethought.learn.sections import LearningConfiguration, SearchConfiguration, layers_of
from forethought.search.oos.search import TARGETINGS, WEIGHTINGS, OosSettings

unit = st.floats(0.0, 1.0)


def test_the_defaults_are_the_papers() -> None:
    made = ExitOosConfiguration("leduc", 1)
    assert (made.games, made.learning.steps, made.learning.rate) == (32, 128, 1e-3)
    assert (made.memory.capacity, made.memory.beta) == (32_000, 2.0)
    assert (made.search.epsilon, made.search.delta, made.search.gamma, made.search.decay) == (0.4, 0.9, 0.01, 0.99)
    assert (made.play.exploration, made.play.aside) == (0.0, 0)


def test_the_search_is_configured_as_it_is_alone() -> None:
    alone, here = OosSettings(), SearchConfiguration()
    for one in fields(OosSettings):
        assert getattr(here, one.name) == getattr(alone, one.name)
    for name, words in (("targeting", TARGETINGS), ("weighting", WEIGHTINGS)):
        for word in words:
            assert getattr(SearchConfiguration(**{name: word}), name) == word


@pytest.mark.parametrize("kind", ALGORITHMS.values())
def test_a_configuration_is_frozen_and_every_setting_has_its_comment(kind: type[Configuration]) -> None:
    made = kind("leduc", 1)
    with pytest.raises(FrozenInstanceError):
        made.seed = 2  # type: ignore[misc]
    written = to_toml(made)
    assert written.count("  # ") == len(keys_of(kind))


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1),
    st.integers(0, 2**63 - 1),
    st.floats(0.0, 1e15),
    unit,
    st.floats(0.0, 1.0, exclude_min=True),
    st.lists(st.integers(1, 9999), max_size=4),
)
def test_what_is_written_is_read_back_exactly(game, seed, minutes, delta, rate, hidden) -> None:
    values = {"game": game, "seed": seed, "minutes": minutes, "search.delta": delta, "learning.rate": rate}
    made = configuration_of(values | {"learning.hidden": "-".join(map(str, hidden))})
    assert from_toml(to_toml(made)) == made
    assert layers_of(made.learning.hidden) == tuple(hidden)


def test_each_algorithm_has_its_own_settings() -> None:
    hidden, open_ = (load(game, compiled=False) for game in ("leduc", "tic_tac_toe"))
    assert [algorithm_for(game) for game in (hidden, open_)] == ["exit-oos", "alphazero"]
    values = {"game": "tic_tac_toe", "seed": 1, "algorithm": "alphazero", "search.solve": True, "gate.games": 40}
    made = configuration_of(values)
    assert isinstance(made, AlphaZeroConfiguration)
    assert (made.search.solve, made.gate.games, made.games) == (True, 40, 64)
    assert from_toml(to_toml(made)) == made
    assert configuration_from("tic_tac_toe", None, ["search.solve=true"], "alphazero", seed=1).search.solve
    with pytest.raises(ForethoughtError, match=r"There is no setting 'search\.targeting'"):
        configuration_from("tic_tac_toe", None, ["search.targeting=none"], "alphazero")
    with pytest.raises(ForethoughtError, match=r"There is no setting 'gate\.games'"):
        configuration_from("leduc", None, ["gate.games=3"])
    with pytest.raises(ForethoughtError, match="algorithm must be one of exit-oos, alphazero, tspg, not 'muzero'"):
        configuration_from("leduc", None, ["algorithm=muzero"])
    with pytest.raises(ForethoughtError, match=r"search\.solve must be true or false, not 'maybe'"):
        configuration_from("tic_tac_toe", None, ["search.solve=maybe"], "alphazero")


def test_games_of_tspg_are_its_iterations() -> None:
    made = configuration_from("connect_four", None, ["algorithm=tspg", "evaluation.games=9"], games=40, seed=1)
    assert isinstance(made, TspgConfiguration)
    assert (made.iterations, made.games, made.evaluation.games, made.evaluation.every) == (40, 1, 9, 25)
    with pytest.raises(ForethoughtError, match="give --games or --iterations, not both"):
        configuration_from("connect_four", None, [], "tspg", games=40, iterations=40)
    assert configuration_from("connect_four", None, [], "alphazero", games=40, iterations=3).games == 40


def test_what_comes_later_counts(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "kuhn"\nseed = 7\niterations = 3\n[search]\nsimulations = 10\ndelta = 1\n')
    made = configuration_from(
        "leduc", file, ["search.simulations=1_000"], iterations=4, minutes=None, **{"search.simulations": 30}
    )
    assert (made.game, made.seed, made.iterations, made.minutes) == ("leduc", 7, 4, 0.0)
    assert (made.search.simulations, made.search.epsilon) == (1000, 0.4)
    assert type(made.search.delta) is float


def test_a_seed_that_nobody_gives_is_drawn() -> None:
    assert configuration_from("leduc", None, ()).seed != configuration_from("leduc", None, ()).seed
    assert configuration_from("leduc", None, (), seed=0).seed == 0


def test_zero_stands_for_what_the_game_and_the_machine_suggest() -> None:
    goofspiel = load("goofspiel(cards=6)", compiled=False)
    assert LearningConfiguration().batch_for(goofspiel) == 32 * 6
    assert LearningConfiguration(batch=10).batch_for(goofspiel) == 10
    assert layers_of("") == ()
    assert Configuration("leduc", 0).threads >= 1
    assert Configuration("leduc", 0, workers=3).threads == 3


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("delta=1", "There is no setting 'delta'; did you mean search.delta?"),
        ("serch.simulation=1", "There is no setting 'serch.simulation'; did you mean search.simulations?"),
        ("xyz=1", "There is no setting 'xyz'; settings are game, seed, .*"),
        ("memory=1", "There is no setting 'memory'; did you mean memory.beta?"),
        ("memory.capacity", "'memory.capacity' sets nothing; write it as memory.capacity=1000."),
        ("memory.capacity=", "memory.capacity must be a whole number at least 1, not ''."),
        ("memory.capacity=many", "memory.capacity must be a whole number at least 1, not 'many'."),
        ("memory.capacity=1.5", "memory.capacity must be a whole number at least 1, not '1.5'."),
        ("memory.capacity=0", "memory.capacity must be a whole number at least 1, not 0."),
        (f"memory.capacity={10**400}", "memory.capacity must be a whole number at least 1, not 10+."),
        ("search.delta=1.5", "search.delta must be a number at least 0 and at most 1, not 1.5."),
        ("search.epsilon=0", "search.epsilon must be a number above 0 and at most 1, not 0.0."),
        ("minutes=nan", "minutes must be a number at least 0, not nan."),
        ("minutes=inf", "minutes must be a number at least 0, not inf."),
        ("search.targeting=all", "search.targeting must be one of infoset, public, none, not 'all'."),
        ("learning.hidden=128,64", "learning.hidden must be a text such as 128-64, not '128,64'."),
        ("evaluation.against=", "evaluation.against must be a text such as random, not ''."),
    ],
)
def test_a_wrong_setting_is_one_sentence(setting: str, complaint: str) -> None:
    with pytest.raises(ForethoughtError, match=f"^(?:{complaint.replace('?', '[?]')})$"):
        configuration_from("leduc", None, [setting])


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(ForethoughtError, match="'minutes' is given twice"):
        configuration_from("leduc", None, ["minutes=1", "minutes=2"])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("games = ", "is not TOML: "),
        ("gmaes = 3", "There is no setting 'gmaes'; did you mean games?"),
        ("[memory]\nsize = 3", "There is no setting 'memory.size'; "),
        ("[memory.capacity]\nx = 3", "memory.capacity must be a whole number at least 1, not {'x': 3}."),
        ("memory = 3", "There is no setting 'memory'; "),
        ("games = true", "games must be a whole number at least 1, not True."),
        ("games = 1.0", "games must be a whole number at least 1, not 1.0."),
        ('games = "32"', "games must be a whole number at least 1, not '32'."),
        ("minutes = 1" + "0" * 400, "minutes must be a number at least 0, not 10+"),
        ("search.against = 1", "There is no setting 'search.against'; did you mean evaluation.against?"),
    ],
)
def test_a_wrong_file_is_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ForethoughtError, match=complaint.replace("?", r"\?")):
        configuration_from("leduc", file, ())


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for path, complaint in (
        (tmp_path, "Is a directory"),
        (tmp_path / "none", "No such file"),
        (tmp_path / "bytes.toml", "not text"),
    ):
        with pytest.raises(ForethoughtError, match=f"cannot be read: .*{complaint}"):
            configuration_from("leduc", path, ())


def test_a_text_that_no_file_could_keep_is_refused() -> None:
    for game in ("a\nb", "\udcff", "\x7f", ""):
        with pytest.raises(ForethoughtError, match="game must be a text such as leduc"):
            Configuration(game, 1)
    with pytest.raises(ForethoughtError, match="needs a value for 'seed'"):
        from_toml('game = "leduc"')
