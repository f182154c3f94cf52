"""Configurations: exact round trips, every mistake one sentence."""

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.learn.algorithms.alphazero import AlphaZeroConfiguration
from forethought.learn.algorithms.exit_oos import ExitOos, ExitOosConfiguration
from forethought.learn.algorithms.mmd import MmdConfiguration, MmdLearning
from forethought.learn.algorithms.tspg import TspgConfiguration
from forethought.learn.configuration import (
    Configuration,
    configuration_from,
    configuration_of,
    from_toml,
    keys_of,
    sections_of,
    to_toml,
)
from forethought.learn.learner import LEARNERS, recommended_learner, usual_presets
from forethought.learn.sections import layers_of
from forethought.search.mcts.players import BiasedSettings, PuctSettings
from forethought.search.oos.search import OosSettings
from forethought.settings import Settings, settings_of

CONFIGURATIONS = [kind.configuration for _, kind in LEARNERS]
unit = st.floats(0.0, 1.0)


def no_preset(_algorithm: str) -> str:
    return ""


def exit_oos(*settings: str, game: str = "leduc", file: Path | None = None, **flags: object) -> ExitOosConfiguration:
    """The configuration of ExIt-OOS that a file, flags and settings give."""
    made = configuration_from(game, file, settings, "exit-oos", no_preset, **flags)
    assert isinstance(made, ExitOosConfiguration)
    return made


def test_the_preset_paper_is_the_papers() -> None:
    made = exit_oos(preset="paper")
    assert made.preset == "paper"
    assert (made.search.prior, made.search.linear, made.search.baseline_rate) == (0.0, False, 0.0)
    assert (made.search.targeting, made.learning.batch, made.learning.hidden) == ("infoset", 0, "")
    assert (made.games, made.learning.steps, made.learning.rate) == (32, 128, 1e-3)
    assert (made.memory.capacity, made.memory.beta) == (32_000, 2.0)
    assert (made.search.epsilon, made.search.delta, made.search.gamma, made.search.ema_decay) == (0.4, 0.9, 0.01, 0.99)
    assert (made.play.exploration, made.play.extra_samples) == (0.0, 0)


@pytest.mark.parametrize(
    ("configuration", "alone"),
    [(ExitOosConfiguration, OosSettings), (AlphaZeroConfiguration, PuctSettings), (TspgConfiguration, BiasedSettings)],
)
def test_the_search_is_configured_by_the_settings_of_its_player(
    configuration: type[Configuration], alone: type[Settings]
) -> None:
    """The text and range of each are the same object: it is declared once."""
    here, there = settings_of(sections_of(configuration)["search"]), settings_of(alone)
    shared = here.keys() & there.keys()
    assert {"simulations"} < shared
    assert all(here[name].metadata["declared"] is there[name].metadata["declared"] for name in shared)


def test_every_default_of_the_expert_is_that_of_the_player() -> None:
    """In the published setting; what goes beyond it was measured for learning."""
    expert, alone = exit_oos(preset="paper").search, OosSettings()
    for name in settings_of(OosSettings).keys() - {"seconds", "net", "prior"}:
        assert getattr(expert, name) == getattr(alone, name)


def test_what_is_given_counts_before_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('preset = "paper"\n[learning]\nsteps = 7\n')
    made = exit_oos("search.epsilon=0.3", file=file, games=5)
    assert (made.preset, made.games, made.learning.steps, made.search.epsilon) == ("paper", 5, 7, 0.3)
    assert made.memory.beta == 2.0
    assert from_toml(to_toml(made)) == made


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(ForethoughtError, match=r"no preset 'papper' of exit-oos; its presets are paper\."):
        exit_oos(preset="papper")


@pytest.mark.parametrize("algorithm", LEARNERS.names())
def test_every_preset_is_a_configuration(algorithm: str) -> None:
    for preset, values in LEARNERS.find(algorithm).presets.items():
        made = configuration_from("leduc", None, [], algorithm, no_preset, preset=preset, seed=1)
        for key, value in values.items():
            section, _, name = key.rpartition(".")
            assert getattr(getattr(made, section) if section else made, name) == value


def test_trainings_begin_from_the_usual_preset_if_none_is_named() -> None:
    def weight_of(*settings: str, **flags: str) -> tuple[str, float]:
        made = configuration_from("kuhn", None, settings, "mmd", {"mmd": "nashpg"}.get, **flags)
        assert isinstance(made, MmdConfiguration)
        return made.preset, made.learning.temperature

    assert weight_of() == ("nashpg", 0.1)
    assert weight_of(preset="ppo") == weight_of("preset=ppo") == ("ppo", 0.05)
    assert weight_of(preset="") == ("", MmdLearning().temperature) != ("", 0.1)
    assert weight_of("learning.temperature=0.3") == ("nashpg", 0.3)


def test_only_large_games_with_hidden_information_have_a_usual_preset() -> None:
    specs = ("leduc", "goofspiel(cards=6)", "goofspiel(cards=13)", "connect_four")
    assert [usual_presets(load(spec, compiled=False))("mmd") for spec in specs] == ["", "", "large", ""]
    assert usual_presets(load("goofspiel(cards=13)", compiled=False))("exit-oos") == ""


def test_minutes_decide_where_no_iterations_are_given() -> None:
    assert exit_oos(minutes=2.0).is_limited_by_time
    assert exit_oos(minutes=2.0, iterations=7).iterations == 7
    assert exit_oos("iterations=8", minutes=2.0).iterations == 8
    assert not exit_oos().is_limited_by_time


@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_a_configuration_is_frozen_and_every_setting_has_its_comment(kind: type[Configuration]) -> None:
    made = kind(game="leduc", seed=1)
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
    values = {"game": game, "seed": seed, "algorithm": "exit-oos", "minutes": minutes}
    values |= {"search.delta": delta, "learning.rate": rate}
    made = configuration_of(values | {"learning.hidden": "-".join(map(str, hidden))})
    assert from_toml(to_toml(made)) == made
    assert layers_of(made.learning.hidden) == tuple(hidden)


def test_each_algorithm_has_its_own_settings() -> None:
    hidden, open_ = (load(game, compiled=False) for game in ("leduc", "tic_tac_toe"))
    assert [recommended_learner(game) for game in (hidden, open_)] == ["exit-oos", "alphazero"]
    values = {"game": "tic_tac_toe", "seed": 1, "algorithm": "alphazero", "search.solve": True, "gate.games": 40}
    made = configuration_of(values)
    assert isinstance(made, AlphaZeroConfiguration)
    assert (made.search.solve, made.gate.games, made.games) == (True, 40, 64)
    assert from_toml(to_toml(made)) == made
    assert configuration_from("tic_tac_toe", None, ["search.solve=true"], "alphazero", no_preset, seed=1).search.solve
    with pytest.raises(ForethoughtError, match=r"There is no setting 'search\.targeting'"):
        configuration_from("tic_tac_toe", None, ["search.targeting=none"], "alphazero", no_preset)
    with pytest.raises(ForethoughtError, match=r"There is no setting 'gate\.games'"):
        exit_oos("gate.games=3")
    with pytest.raises(
        ForethoughtError,
        match="There is no algorithm 'muzero'; "
        "algorithms are alphago, alphazero, deep-cfr, exit-oos, mmd, nfsp, search-fictitious-play, td-lambda, tspg",
    ):
        exit_oos("algorithm=muzero")
    with pytest.raises(ForethoughtError, match=r"search\.solve must be true or false, not 'maybe'"):
        configuration_from("tic_tac_toe", None, ["search.solve=maybe"], "alphazero", no_preset)


def test_games_of_tspg_are_its_iterations() -> None:
    made = configuration_from(
        "connect_four", None, ["algorithm=tspg", "evaluation.games=9"], "alphazero", no_preset, games=40, seed=1
    )
    assert isinstance(made, TspgConfiguration)
    assert (made.iterations, made.games, made.evaluation.games, made.evaluation.every) == (40, 1, 9, 25)
    with pytest.raises(ForethoughtError, match="give --games or --iterations, not both"):
        configuration_from("connect_four", None, [], "tspg", no_preset, games=40, iterations=40)
    assert configuration_from("connect_four", None, [], "alphazero", no_preset, games=40, iterations=3).games == 40


def test_what_comes_later_counts(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('game = "kuhn"\nseed = 7\niterations = 3\n[search]\nsimulations = 10\ndelta = 1\n')
    made = exit_oos("search.simulations=1_000", file=file, iterations=4, minutes=None, **{"search.simulations": 30})
    assert (made.game, made.seed, made.iterations, made.minutes) == ("leduc", 7, 4, 0.0)
    assert (made.search.simulations, made.search.epsilon) == (1000, 0.6)
    assert type(made.search.delta) is float


def test_a_seed_that_nobody_gives_is_drawn() -> None:
    assert exit_oos().seed != exit_oos().seed
    assert exit_oos(seed=0).seed == 0


def test_zero_stands_for_what_the_game_and_the_machine_suggest() -> None:
    goofspiel = load("goofspiel(cards=6)", compiled=False)
    for batch, rows in ((0, 32 * 6), (10, 10)):
        assert ExitOos(goofspiel, exit_oos(f"learning.batch={batch}", game=goofspiel.spec)).batch_size() == rows
    assert layers_of("") == ()
    assert exit_oos("workers=0").threads >= 1
    assert exit_oos("workers=3").threads == 3


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
        exit_oos(setting)


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(ForethoughtError, match="'minutes' is given twice"):
        exit_oos("minutes=1", "minutes=2")


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
        exit_oos(file=file)


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for path, complaint in (
        (tmp_path, "Is a directory"),
        (tmp_path / "none", "No such file"),
        (tmp_path / "bytes.toml", "not text"),
    ):
        with pytest.raises(ForethoughtError, match=f"cannot be read: .*{complaint}"):
            exit_oos(file=path)


def test_a_text_that_no_file_could_keep_is_refused() -> None:
    for game in ("a\nb", "\udcff", "\x7f", ""):
        with pytest.raises(ForethoughtError, match="game must be a text such as leduc"):
            ExitOosConfiguration(game=game, seed=1)
    for text, missing in (('game = "leduc"', "seed"), ('game = "leduc"\nseed = 1', "algorithm")):
        with pytest.raises(ForethoughtError, match=f"needs a value for '{missing}'"):
            from_toml(text)
