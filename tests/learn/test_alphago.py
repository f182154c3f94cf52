"""The learner `alphago`: stages in their order, each resumed to the same weights, alone, and from another run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

pytest.importorskip("torch")

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.learn.alphago.settings import AlphaGoConfiguration, Place
from forethought.learn.configuration import configuration_of
from forethought.learn.run import Run
from forethought.nets.formats import IMITATION, REINFORCED, VALUE, load_weights
from forethought.patterns.model import ROLLOUT, load_model
from tests.learn.alphago.networks import SMALL, only, small_run
from tests.learn.killing import Trainings
from tests.learn.server import Fault
from tests.learn.trainings import advanced, assert_same, finished, interrupted_at

GAME = "hex(size=2)"
NETWORKS = (IMITATION, REINFORCED, VALUE)
ITERATIONS = 9  # two of each stage, one of roll-outs


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A training that nothing disturbed."""
    run = small(tmp_path_factory.mktemp("runs") / "whole")
    finished(run)
    return run


def small(directory: Path, seed: int = 3, **settings: Any) -> Run:
    return small_run(directory, GAME, seed, **settings)


def part(run: Run, iteration: int, name: str) -> dict[str, np.ndarray]:
    return load_weights(run.weights_file(iteration), ft.load(GAME), name).parameters


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def configured(**settings: Any) -> AlphaGoConfiguration:
    made = configuration_of(SMALL | {"game": GAME, "seed": 1} | settings)
    assert isinstance(made, AlphaGoConfiguration)
    return made


def test_iterations_pass_through_the_stages() -> None:
    chosen = configured(**{"expert.iterations": 1, "imitation.iterations": 3})
    assert chosen.iterations == chosen.planned == ITERATIONS
    stages = [chosen.place(number) for number in range(1, 12)]
    assert stages == [
        Place("expert", 0),
        *(Place("imitation", number) for number in range(3)),
        Place("rollout", 0),
        *(Place("policy_gradient", number) for number in range(2)),
        *(Place("value", number) for number in range(4)),  # the last goes on
    ]
    assert [configured(**only("imitation"), iterations=9).stage(number) for number in (1, 9)] == ["imitation"] * 2
    assert configured(**{"imitation.records": "games.json"}).stage(1) == "imitation"  # nobody needs an expert


def test_every_stage_learns_its_own_network(whole: Run) -> None:
    changes = ((1, 2, ""), (2, 4, IMITATION), (4, 5, ROLLOUT), (5, 7, REINFORCED), (7, 8, VALUE), (8, 9, VALUE))
    for before, after, changed in changes:
        names = {name.partition("/")[0] for name in load_file(whole.weights_file(before))}
        later = [name for name, first in ((ROLLOUT, 5), (VALUE, 8)) if before >= first]
        assert names == {IMITATION, REINFORCED, *later}
        for name in (IMITATION, REINFORCED):
            moved = not same(part(whole, before, name), part(whole, after, name))
            assert moved == (name == changed or (name == REINFORCED and changed == IMITATION)), (before, name)
    assert same(part(whole, 4, IMITATION), part(whole, 4, REINFORCED))  # where policy gradient begins
    assert not same(part(whole, 8, VALUE), part(whole, 9, VALUE))
    assert load_model(whole.weights_file(9), ft.load(GAME)).patterns


def test_what_is_reported(whole: Run) -> None:
    declared = {metric.name for metric in whole.metrics()}
    measured = [
        {*report.values} - {"seconds", "win_rate", "win_rate_low", "win_rate_high"} for report in whole.reports()
    ]
    assert all(names <= declared for names in measured)
    playing = {"games", "samples", "search_seconds", "games_per_second"}
    assert measured[1] == {"different_games"} | playing
    assert measured[3] == {"accuracy", "accuracy_5", "log_loss", "train_accuracy", "train_log_loss"}
    assert measured[4] == {"rollout_accuracy", "rollout_log_loss"}
    assert measured[5] == {"pool_win_rate", "entropy", "pool"} | playing
    assert measured[7] == {"value_train_error", "value_test_error", "positions", "dropped"} | playing
    assert whole.complete_iterations() == [1, 2]  # the expert's games are kept


def test_curves_are_drawn_of_what_was_measured(whole: Run) -> None:
    drawn = ft.open_run(whole.directory)._repr_html_()
    assert "Accuracy of imitation" in drawn
    assert "Win rate against the pool" in drawn


@pytest.mark.slow
def test_the_players_of_a_run(whole: Run) -> None:
    run = ft.open_run(whole.directory)
    assert str(run.player()).startswith("alphago(")
    for player in (f"net:{whole.directory}", f"net(run={whole.directory},policy=reinforced)", str(run.player())):
        assert ft.match(GAME, player, "random", games=2, seed=1).games == 2
    early = ft.open_run(whole.directory).directory / "weights" / "000003.safetensors"
    assert ft.match(GAME, f"net(run={early},policy=reinforced)", "random", games=2, seed=1).games == 2


def test_same_seed_same_weights_and_another_seed_others(whole: Run, tmp_path: Path) -> None:
    again, other = small(tmp_path / "again", workers=2), small(tmp_path / "other", seed=4)
    finished(again)
    finished(other)
    assert_same(again, whole)  # though two workers play
    assert not any(same(part(other, ITERATIONS, name), part(whole, ITERATIONS, name)) for name in NETWORKS)


def test_stopped_after_any_iteration_it_goes_on_as_if_it_had_not(whole: Run, tmp_path: Path) -> None:
    run = small(tmp_path / "stopped")
    for _ in range(ITERATIONS):
        advanced(run, 1)
        run = Run.open(run.directory)
    run.close()
    assert_same(Run.open(run.directory, lock=False), whole)


@pytest.mark.parametrize("place", [(2, 5), (6, 5), (7, 10), (9, 128)])
def test_stopped_within_an_iteration_it_goes_on_as_if_it_had_not(
    whole: Run, tmp_path: Path, place: tuple[int, int]
) -> None:
    run = small(tmp_path / "stopped")
    interrupted_at(run, place)
    assert [report.iteration for report in finished(Run.open(run.directory))] == list(range(place[0], ITERATIONS + 1))
    assert_same(run, whole)


@pytest.mark.slow
def test_killed_in_every_stage_it_ends_with_the_same_weights(whole: Run, tmp_path: Path) -> None:
    faults = [Fault(rf"weights/00000{number}\.safetensors$", "os.rename") for number in (2, 3, 4, 5, 6, 7, 9)]
    faults.insert(0, Fault(r"games/000001/", "os.rename"))
    settings = [f"--set={key}={value}" for key, value in SMALL.items() if key != "algorithm"]
    with Trainings(tmp_path, "train", GAME, "--algorithm", "alphago", "--seed", "3", *settings) as server:
        killed = server.killed_at(faults)
    assert_same(Run.open(killed, lock=False), whole)


def test_any_stage_begins_with_the_networks_of_another_run(whole: Run, tmp_path: Path) -> None:
    start = {"network.start": str(whole.weights_file(7)), "network.hidden": "7"}  # the sizes are those of the start
    for stage, changed in (("policy_gradient", REINFORCED), ("value", VALUE)):
        run = small(tmp_path / stage, **(only(stage) | start))
        finished(run)
        for name in (IMITATION, REINFORCED):
            assert same(part(run, 2, name), part(whole, 7, name)) == (name != changed)
        assert (VALUE in {name.partition("/")[0] for name in load_file(run.weights_file(2))}) == (stage == "value")
    second = {"network.start": str(whole.directory), "policy_gradient.baseline": "value"}
    run = small(tmp_path / "second", **(only("policy_gradient") | second))
    advanced(run, 1)
    finished(Run.open(run.directory))
    again = small(tmp_path / "again", **(only("policy_gradient") | second))
    finished(again)
    assert_same(Run.open(run.directory, lock=False), again)
    assert same(part(run, 2, VALUE), part(whole, ITERATIONS, VALUE))


def test_records_that_have_changed_are_noticed(whole: Run, tmp_path: Path) -> None:
    games = tmp_path / "games.safetensors"
    ft.import_records(GAME, whole.directory, games, seed=1)
    run = small(tmp_path / "run", **(only("imitation") | {"imitation.records": str(games)}))
    advanced(run, 1)
    ft.import_records(GAME, whole.directory, games, seed=2, held_out=0.5)
    with pytest.raises(ForethoughtError, match="not those that this run began with"):
        finished(Run.open(run.directory))


def test_records_and_an_expert_are_options(whole: Run, tmp_path: Path) -> None:
    common: dict[str, Any] = {"algorithm": "alphago", "seed": 1, "settings": SMALL | only("imitation")}
    del common["settings"]["algorithm"]
    run = ft.train(GAME, records=whole.directory, run=tmp_path / "records", **common)
    assert run.iterations == 2
    common["settings"] |= {"expert.iterations": 1}
    run = ft.train(GAME, expert="random", run=tmp_path / "expert", iterations=1, **common)
    assert run.reports[0].values["different_games"] > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"expert": "nobody"}, "There is no player 'nobody'"),
        ({"records": "there.sgf"}, "There is no file, directory or run 'there.sgf'"),
        (
            {"records": "a", "expert": "random"},
            "Games to imitate come from records or from an expert: name one of them",
        ),
        ({"expert": "random", "algorithm": "alphazero"}, "alphazero has no setting 'expert.player'; alphago has it"),
        ({"records": "a", "algorithm": "tspg"}, "tspg has no setting 'imitation.records'; alphago has it"),
        ({"settings": only()}, "All stages have 0 iterations: there is nothing to train"),
        ({"settings": {"network.start": "nowhere"}}, "There is no run 'nowhere'"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(tmp_path: Path, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ForethoughtError, match=message) as raised:
        ft.train(GAME, **({"algorithm": "alphago", "run": tmp_path / "run"} | given))
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "run").exists()


def test_other_games_are_refused(tmp_path: Path) -> None:
    for game in ("leduc", "tests/userfiles/kuhn3.py"):
        with pytest.raises(ForethoughtError, match="AlphaGo is for two players"):
            ft.train(game, algorithm="alphago", run=tmp_path / "run")


def test_networks_of_other_kinds_are_refused(tmp_path: Path) -> None:
    run = ft.train(
        GAME,
        algorithm="mmd",
        iterations=1,
        games=8,
        seed=1,
        run=tmp_path / "mmd",
        settings={"evaluation.games": 2, "network.hidden": "8", "play.batches": 1},
    )
    small = {key: value for key, value in SMALL.items() if key != "algorithm"} | {"network.start": str(run.directory)}
    with pytest.raises(ForethoughtError, match="is of another kind; start with a run of alphago or alphazero"):
        ft.train(GAME, algorithm="alphago", run=tmp_path / "run", settings=small)
