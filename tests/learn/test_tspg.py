"""Trainings by TSPG: they find and learn a planted pattern, repeat themselves exactly, and go on where they stopped."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.rounds import Entrant, contest, entrant
from forethought.learn.algorithms.tspg import Tspg
from forethought.learn.configuration import configuration_of
from forethought.learn.exams import play_contest
from forethought.learn.run import Run
from forethought.patterns.atomic import starting_patterns
from forethought.patterns.model import CE, DOUBLE, OBJECTIVES, TSPG, PatternModel, load_model
from forethought.patterns.pattern import canonical
from forethought.patterns.text import from_text
from forethought.players.linear import PatternPlayer
from forethought.runtime.threads import Threads
from tests.learn import trainings
from tests.learn.killing import Trainings
from tests.learn.server import Fault
from tests.learn.trainings import advanced, assert_same, finished, stopped_at, training_of
from tests.userfiles.pincer import PLANTED

PINCER, TAKE_AWAY, DICE_RACE = (f"tests/userfiles/{name}.py" for name in ("pincer", "take_away", "dice_race"))
SMALL = {"algorithm": "tspg", "search.simulations": 30, "memory.capacity": 20, "evaluation.games": 4}
GAMES = 5
LONG = 15  # games in which the planted pattern is learnt


def new_run(directory: Path, game: str = PINCER, seed: int = 3, **settings: Any) -> Run:
    return trainings.new_run(directory, game, seed, **({"iterations": GAMES} | SMALL | settings))


def model_of(run: Run, iteration: int) -> PatternModel:
    return load_model(run.weights_file(iteration), ft.load(run.configuration.game))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training that nothing disturbed."""
    run = new_run(tmp_path_factory.mktemp("runs") / "whole")
    finished(run)
    return run


# What a run is.


def test_after_the_first_game_every_policy_is_uniform(whole: Run) -> None:
    """There is nothing to learn from before a game is over."""
    game, model = ft.load(PINCER), model_of(whole, 1)
    assert model.patterns == (starting_patterns(game),) * 2
    assert not any(np.concatenate(model.weights[name]).any() for name in OBJECTIVES)
    s = game.start()
    for action in (0, 6, 12, 13):
        for name in OBJECTIVES:
            player = PatternPlayer(game, model.policies(game, priors=name, playing=name))
            legal = len(s.legal_actions())
            assert player.think(s.observation(s.player)).probabilities == pytest.approx([1 / legal] * legal)
        s.apply(action)


def test_later_every_objective_has_learnt_something_else(whole: Run) -> None:
    model = model_of(whole, GAMES)
    for player in range(2):
        learnt = [model.weights[name][player] for name in (CE, DOUBLE, TSPG)]
        assert all(np.abs(weights).max() > 1e-4 for weights in learnt)
        assert not np.allclose(learnt[1], learnt[2])
        assert np.array_equal(model.total(TSPG)[player], learnt[0] + learnt[2])
    assert np.array_equal(model.total(CE)[0], model.weights[CE][0])


def test_each_player_gains_a_pattern_before_every_game_but_the_first(whole: Run) -> None:
    first = len(starting_patterns(ft.load(PINCER)))
    for iteration in range(1, GAMES + 1):
        patterns = model_of(whole, iteration).patterns
        assert [len(own) for own in patterns] == [first + iteration - 1] * 2
    tiling = ft.load(PINCER).board.grid.tiling
    for own in patterns:
        assert len({canonical(pattern, tiling) for pattern in own}) == len(own)


def test_patterns_stay_as_they_are_if_they_shall_not_grow(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", "tic_tac_toe", iterations=3, **{"learning.grow": False})
    finished(run)
    assert model_of(run, 3).patterns == model_of(run, 1).patterns


def test_what_is_reported_and_kept(whole: Run) -> None:
    reports, game = whole.reports(), ft.load(PINCER)
    assert [report.iteration for report in reports] == list(range(1, GAMES + 1))
    assert ["win_rate" in report.values for report in reports] == [True, False, False, False, True]
    for name in ("loss", "entropy"):  # in the first game nothing is learned yet, so nothing is measured
        assert [report.get(name) is None for report in reports] == [True, False, False, False, False]
        assert all(report.values[name] > 0.0 for report in reports[1:])
    rows = [0, 0]
    for report, (_, games) in zip(reports, whole.all_games(), strict=True):
        (played,) = games
        s = game.start()
        for action in played.about["actions"]:
            rows[s.player] += 1
            s.apply(action)
        assert s.is_terminal
        assert played.about["returns"] == s.returns()
        values = report.values
        assert values["samples"] == played.samples.rows == len(played.about["actions"])
        assert values["simulations"] == 30 * values["samples"]
        assert values["remembered"] == sum(min(20, count) for count in rows)
        assert values["patterns"] == sum(map(len, model_of(whole, report.iteration).patterns))
        assert values["games"] == 1
    assert values["remembered"] == 40  # so that what is old was forgotten


def test_a_game_that_takes_too_long_is_a_draw(tmp_path: Path) -> None:
    run = new_run(tmp_path / "run", "tic_tac_toe", iterations=2, **{"play.max_plies": 3})
    finished(run)
    for _, (played,) in run.all_games():
        assert len(played.about["actions"]) == 3
        assert played.about["returns"] == [0.0, 0.0]


# The same again.


def test_same_seed_same_weights_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    again, other = new_run(tmp_path / "again"), new_run(tmp_path / "other", seed=4)
    finished(again)
    finished(other)
    assert_same(again, whole)
    assert not np.array_equal(model_of(other, GAMES).weights[CE][0][:20], model_of(whole, GAMES).weights[CE][0][:20])


def test_going_on_is_never_having_stopped(whole: Run, tmp_path: Path) -> None:
    """Stopped when a game is kept, and nothing else of it: the game is played again."""
    places = ((1, 1), (2, 1), (4, 1))
    for (iteration, _), directory in stopped_at(new_run(tmp_path / "stopped"), *places).items():
        run = Run.open(directory)
        assert [report.iteration for report in finished(run)] == list(range(iteration, GAMES + 1))
        assert_same(run, whole)


def test_stopping_between_games_and_having_nothing_left_to_do(whole: Run, tmp_path: Path) -> None:
    run = new_run(tmp_path / "stopped")
    advanced(run, 2)
    assert len(finished(Run.open(run.directory))) == GAMES - 2
    assert_same(run, whole)
    assert finished(Run.open(run.directory)) == []


@pytest.mark.parametrize("plies", [1, 2])
def test_a_player_that_never_moved_goes_on_too(tmp_path: Path, plies: int) -> None:
    settings = {"play.max_plies": plies}
    runs = [new_run(tmp_path / name, "tic_tac_toe", iterations=3, **settings) for name in ("one", "two")]
    finished(runs[0])
    runs[1].close()
    for _ in range(3):
        advanced(Run.open(runs[1].directory), 1)
    assert_same(*runs)


FAULTS = (
    Fault(r"configuration\.toml$", "os.rename"),
    Fault(r"games/000001/00\.safetensors$", "os.rename"),
    Fault(r"games/000001\.safetensors$", "os.rename"),
    Fault(r"checkpoints$", "os.mkdir"),
    Fault(r"games/000002$", "shutil.rmtree"),
    Fault(r"weights/000002\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000003\.safetensors$", "os.rename"),
    Fault(r"checkpoints/000001\.safetensors$", "os.remove"),
)


def killed_trainings(home: Path, games: int) -> Trainings:
    settings = "--simulations 30 --set evaluation.games=4 --set evaluation.every=1 --set memory.capacity=20"
    return Trainings(
        home, "train", PINCER, "--algorithm", "tspg", "--games", str(games), "--seed", "3", *settings.split()
    )


@pytest.mark.slow
def test_killed_at_every_fault_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    with killed_trainings(tmp_path, GAMES) as server:
        killed = server.killed_at(FAULTS)
    assert_same(Run.open(killed, lock=False), Run.open(server.whole, lock=False))


@pytest.mark.slow
def test_killed_it_ends_with_the_same_weights(tmp_path: Path) -> None:
    """By SIGKILL, at random instants: while a game is played or kept, while patterns grow, while it is measured."""
    with killed_trainings(tmp_path, 12) as server:
        runs = server.killed_at_random(kills=8, longest=0.6)
    for run in runs:
        assert_same(Run.open(run, lock=False), Run.open(server.whole, lock=False))


# What it learns.


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training long enough to learn what wins."""
    run = new_run(
        tmp_path_factory.mktemp("runs") / "learnt",
        iterations=LONG,
        seed=1,
        **{"search.simulations": 100, "memory.capacity": 400, "learning.divide_rate": False, "evaluation.every": 100},
    )
    finished(run)
    return run


def test_the_planted_pattern_is_found(learnt: Run) -> None:
    """Both players find it, and want it."""
    game, model = ft.load(PINCER), model_of(learnt, LONG)
    planted = canonical(from_text(PLANTED), game.board.grid.tiling)
    for player, own in enumerate(model.patterns):
        assert planted in own[-LONG:]
        weights = model.total(TSPG)[player]
        assert weights[own.index(planted)] == weights.max() > 2.0


def test_what_was_learnt_beats_chance(learnt: Run) -> None:
    linear = Entrant("linear", Tspg.players(str(learnt.directory))["linear"])
    match = contest(ft.load(PINCER), linear, entrant("random"), 1)
    assert play_contest(match, 400, Threads(2)).win_rate > 0.85


# What is refused.


@pytest.mark.parametrize("spec", ["leduc", "kuhn", TAKE_AWAY, DICE_RACE])
def test_unsuitable_games_are_refused_in_one_sentence(spec: str, tmp_path: Path) -> None:
    game, chosen = ft.load(spec), configuration_of({"game": spec, "seed": 1} | SMALL)
    run = new_run(tmp_path / "run", spec)
    for refused in (lambda: Tspg(game, chosen), lambda: training_of(run)):
        with pytest.raises(ForethoughtError) as refusal:
            refused()
        assert "patterns need a game of two players on a board, where nothing is hidden" in str(refusal.value)
        assert str(refusal.value).count(".") == 1


@pytest.mark.parametrize(
    ("setting", "value"),
    [("search.playouts", "az"), ("search.simulations", 1), ("games", 2), ("workers", 2), ("learning.rate", 0.0)],
)
def test_settings_that_make_no_sense_are_refused(setting: str, value: object) -> None:
    with pytest.raises(ForethoughtError, match=setting):
        configuration_of({"game": PINCER, "seed": 1} | SMALL | {setting: value})
