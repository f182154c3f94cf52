"""Runs on the disk: whatever happens to a process or a file, what was finished is there."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from forethought.errors import ForethoughtError
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.run import KEPT_CHECKPOINTS, Run, SavedGame, is_training
from forethought.learn.samples import Samples
from forethought.runs import numbered
from tests.learn.disk import files_up_to
from tests.learn.killing import KILLED, Server
from tests.learn.server import Fault
from tests.learn.writer import GAMES, rows_of, state_after

CONFIGURATION = ExitOosConfiguration(game="kuhn", seed=1, games=GAMES)


def new(tmp_path: Path) -> Run:
    return Run.create(tmp_path / "kuhn-1", CONFIGURATION)


def equal(some: Samples, others: Samples) -> bool:
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(some, others, strict=True))


@contextmanager
def writing(directory: Path) -> Iterator[None]:
    """Let another process write to a run; kill it in the end."""
    command = [sys.executable, "-m", "tests.learn.writer", str(directory)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield
        process.kill()
    assert process.returncode == KILLED


@pytest.fixture(scope="module")
def writer() -> Iterator[Server]:
    with Server("tests.learn.writer") as server:
        yield server


def test_a_run_is_found_again_as_it_was_made(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        run.report("began", seed=1)
    with Run.open(run.directory) as again:
        assert again.configuration == CONFIGURATION
        assert [event["kind"] for event in again.events()] == ["began"]
        assert again.newest_checkpoint() is None
        assert again.complete_iterations() == []
    told = json.loads((run.directory / "versions.json").read_text())
    assert told["numpy"] == np.__version__
    assert set(told) == {"python", "forethought", "numpy", "numba", "torch", "platform", "machine"}


def test_a_run_can_be_given_more_iterations(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        run.reconfigure(replace(CONFIGURATION, iterations=200))
    assert Run.open(run.directory, lock=False).configuration.iterations == 200


def test_an_existing_run_or_a_directory_of_other_things_is_refused(tmp_path: Path) -> None:
    new(tmp_path).close()
    with pytest.raises(ForethoughtError, match=r"exists; go on with `forethought resume .*/kuhn-1`"):
        new(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(ForethoughtError, match=r"holds other files, such as thesis.tex"):
        Run.create(tmp_path / "mine", CONFIGURATION)
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.tex"]
    with pytest.raises(ForethoughtError, match="a file has this name"):
        Run.create(tmp_path / "mine" / "thesis.tex", CONFIGURATION)
    with pytest.raises(ForethoughtError, match="There is no run"):
        Run.open(tmp_path / "nothing")


def test_a_run_whose_making_was_killed_can_be_made(tmp_path: Path) -> None:
    directory = tmp_path / "kuhn-1"
    directory.mkdir()
    for name in ("lock", "events.jsonl", "versions.json", ".configuration.toml.ab12cd34"):
        (directory / name).write_text("")
    new(tmp_path).close()
    assert not (directory / ".configuration.toml.ab12cd34").exists()


def test_checkpoints_come_back_exactly_and_the_newest_are_kept(tmp_path: Path) -> None:
    arrays = {
        "table": np.arange(6, dtype=np.float32).reshape(2, 3).T,  # not contiguous
        "number": np.array(2**63, np.uint64),
        "none": np.zeros((0, 3), np.int32),
    }
    with new(tmp_path) as run:
        for iteration in range(1, 6):
            run.save_checkpoint(iteration, arrays, {"iteration": iteration, "words": ["ä", 2**70, None]})
        newest = run.newest_checkpoint()
        assert newest is not None
        assert (newest.iteration, newest.about) == (5, {"iteration": 5, "words": ["ä", 2**70, None]})
        assert newest.arrays.keys() == arrays.keys()
        for name, array in arrays.items():
            assert newest.arrays[name].dtype == array.dtype
            assert newest.arrays[name].shape == array.shape
            assert np.array_equal(newest.arrays[name], array)
        assert len(list((run.directory / "checkpoints").iterdir())) == KEPT_CHECKPOINTS
        with pytest.raises(ForethoughtError, match="keeps no checkpoint of iteration 2; it keeps 3, 4, 5"):
            run.checkpoint(2)


def test_games_are_kept_at_once_and_merged_when_all_are_there(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        for index in (2, 0):
            run.save_game(13, index, rows_of(13, index), {"index": index})
    with Run.open(run.directory) as run:
        found = run.finished_games(13)
        assert sorted(found) == [0, 2]
        with pytest.raises(ForethoughtError, match="not complete"):
            run.close_iteration(13)
        with pytest.raises(ForethoughtError, match="has not completed iteration 13"):
            run.games(13)
        run.save_game(13, 1, rows_of(13, 1), {"index": 1})
        for _ in range(2):  # a second time, as after a crash
            run.close_iteration(13)
            assert run.complete_iterations() == [13]
            for index, game in enumerate(run.games(13)):
                assert equal(game.samples, rows_of(13, index))
                assert game.about == {"index": index}
        assert [path.name for path in (run.directory / "games").iterdir()] == ["000013.safetensors"]
        assert sorted(run.finished_games(13)) == [0, 1, 2]
        assert [(iteration, len(games)) for iteration, games in run.all_games()] == [(13, 3)]


def test_games_of_more_than_two_digits_and_without_decisions_are_games(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        for index in range(102):
            run.save_game(1, index, rows_of(1, 0).chosen(slice(0)), {"index": index})
        run.close_iteration(1)
        assert [game.about["index"] for game in run.games(1)] == list(range(102))
        assert all(game.samples.rows == 0 for game in run.games(1))


def test_what_a_kill_left_between_merging_and_removing_is_cleared_away(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        for index in range(GAMES):
            run.save_game(1, index, rows_of(1, index), {})
        single = (run.directory / "games" / "000001" / "00.safetensors").read_bytes()
        run.close_iteration(1)
    (run.directory / "games" / "000001").mkdir()
    (run.directory / "games" / "000001" / "00.safetensors").write_bytes(single)
    with Run.open(run.directory) as run:
        assert not (run.directory / "games" / "000001").exists()
        assert len(run.games(1)) == GAMES


@pytest.mark.parametrize("damage", [b"", b"x" * 100, None])
def test_after_a_damaged_checkpoint_the_one_before_is_used(tmp_path: Path, damage: bytes | None) -> None:
    with new(tmp_path) as run:
        for iteration in (1, 2, 3):
            run.save_checkpoint(iteration, state_after(iteration), {})
    for iteration in (2, 3):
        path = numbered(run.directory / "checkpoints", iteration)
        content = path.read_bytes()
        path.write_bytes(content[:-1] + b"\x77" if damage is None else damage)
    looking = Run.open(run.directory, lock=False)
    with Run.open(run.directory) as run:
        newest = run.newest_checkpoint()
        assert newest is not None
        assert newest.iteration == 1
        assert [event["kind"] for event in run.events()] == ["warning", "warning"]
        assert "000003.safetensors is damaged" in run.warnings[0]
        run.save_checkpoint(2, state_after(2), {})
        assert run.newest_checkpoint().iteration == 2  # type: ignore[union-attr]
    assert looking.newest_checkpoint().iteration == 2  # type: ignore[union-attr]
    assert len(looking.warnings) == 1


def test_damaged_games_are_left_out_to_be_played_again(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        for index in range(GAMES):
            run.save_game(1, index, rows_of(1, index), {})
        (run.directory / "games" / "000001" / "01.safetensors").write_bytes(b"")
        assert sorted(run.finished_games(1)) == [0, 2]
        run.save_game(1, 1, rows_of(1, 1), {})
        run.close_iteration(1)
        numbered(run.directory / "games", 1).write_bytes(b"x")
        with pytest.raises(ForethoughtError, match="is damaged"):
            run.games(1)
        assert run.finished_games(1) == {}
        assert len(run.warnings) == 2


def test_a_second_process_is_told_to_wait_and_a_killed_one_is_not_waited_for(tmp_path: Path) -> None:
    directory = tmp_path / "kuhn-1"
    assert not is_training(directory)
    with writing(directory):
        assert is_training(directory)
        with pytest.raises(ForethoughtError, match="kuhn-1 is being trained by another process"):
            Run.open(directory)
        assert Run.open(directory, lock=False).configuration == CONFIGURATION
    assert not is_training(directory)
    with Run.open(directory):
        assert is_training(directory)
        with pytest.raises(ForethoughtError, match="another process"):
            Run.open(directory)
    assert not is_training(directory)


def test_who_only_looks_cannot_write(tmp_path: Path) -> None:
    new(tmp_path).close()
    looking = Run.open(tmp_path / "kuhn-1", lock=False)
    before = sorted(path for path in looking.directory.rglob("*"))
    for write in (
        lambda: looking.report("x"),
        lambda: looking.save_checkpoint(1, {}, {}),
        lambda: looking.save_game(1, 0, rows_of(1, 0), {}),
        lambda: looking.close_iteration(1),
        lambda: looking.reconfigure(CONFIGURATION),
    ):
        with pytest.raises(ForethoughtError, match="looked at only"):
            write()
    assert sorted(path for path in looking.directory.rglob("*")) == before


def test_a_full_disk_is_one_sentence_and_nothing_is_lost(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        run.save_checkpoint(1, state_after(1), {})
        run.save_game(2, 0, rows_of(2, 0), {})
        writes = (
            lambda: run.save_checkpoint(1, state_after(2), {}),
            lambda: run.save_checkpoint(2, state_after(2), {}),
            lambda: run.save_game(2, 0, rows_of(2, 1), {}),
            lambda: run.save_game(2, 1, rows_of(2, 1), {}),
        )
        for write in writes:
            with files_up_to(100), pytest.raises(ForethoughtError, match="cannot be written: "):
                write()
        newest = run.newest_checkpoint()
        assert newest is not None
        assert np.array_equal(newest.arrays["weights"], state_after(1)["weights"])
        assert list(run.finished_games(2)) == [0]
        assert equal(run.finished_games(2)[0].samples, rows_of(2, 0))
    with Run.open(run.directory) as run:
        assert not run.warnings
        assert not list(run.directory.rglob(".*"))


READ_ONLY = """
import os, sys
from pathlib import Path
from forethought.errors import ForethoughtError
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.learner import LEARNERS
from forethought.learn.run import Run
LEARNERS.names()  # imports what only this user may be able to read
if os.getuid() == 0:
    os.setuid(65534)  # root may write anywhere
run, home = Path(sys.argv[1]), Path(sys.argv[2])
print(Run.open(run, lock=False).newest_checkpoint().iteration)
for attempt in (lambda: Run.open(run), lambda: Run.create(home / "new", ExitOosConfiguration(game="kuhn", seed=1))):
    try:
        attempt()
    except ForethoughtError as error:
        print(error)
"""


def test_a_read_only_directory_is_one_sentence_and_can_be_looked_at(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        run.save_checkpoint(1, {}, {})
    closed = {
        **{path: path.stat().st_mode | 0o555 for path in tmp_path.parents if path.stat().st_mode & 0o555 != 0o555},
        **{path: 0o555 if path.is_dir() else 0o444 for path in (tmp_path, *tmp_path.rglob("*"))},
    }
    modes = {path: path.stat().st_mode for path in closed}
    try:
        for path, mode in closed.items():
            path.chmod(mode)
        command = [sys.executable, "-c", READ_ONLY, str(run.directory), str(tmp_path)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
    assert told == [
        "1",
        f"{run.directory / 'lock'} cannot be written: Permission denied.",
        f"The run {tmp_path / 'new'} cannot be made: Permission denied.",
    ]


def consistent_iteration(directory: Path) -> int:
    """Check that all a killed process finished is there, and return its newest iteration."""
    with Run.open(directory) as run:
        newest = run.newest_checkpoint()
        iteration = newest.iteration if newest else 0
        assert not run.warnings
        assert not list(directory.rglob(".*"))
        if newest:
            expected = state_after(iteration)
            assert newest.about == {"told": iteration}
            assert all(np.array_equal(newest.arrays[name], expected[name]) for name in expected)
        told = [event["iteration"] for event in run.events()]
        assert set(told) in ({*range(1, iteration + 1)}, {*range(1, iteration + 2)})
        assert told == sorted(told)
        complete = run.complete_iterations()
        assert complete in (list(range(1, iteration + 1)), list(range(1, iteration + 2)))
        for number in {*complete[-2:], iteration + 1}:
            for index, game in run.finished_games(number).items():
                assert game == SavedGame(game.samples, {"iteration": number, "index": index})
                assert equal(game.samples, rows_of(number, index))
    return iteration


FIRST = 40  # what is done to files until a new run has its first iterations
LATER = 60  # and in iterations after which checkpoints are forgotten


def test_killed_before_anything_it_does_to_a_file_a_run_is_consistent_and_goes_on(
    tmp_path: Path, writer: Server
) -> None:
    """From an empty directory, each time a step further; then in one run, from where it was left."""
    for count in range(1, FIRST):
        directory = tmp_path / f"kuhn-{count}"
        assert writer.run(directory, fault=Fault(directory.name, count=count)).code == KILLED
        if (directory / "configuration.toml").exists():
            consistent_iteration(directory)
        assert writer.run(directory, fault=Fault(r"checkpoints/000002", "os.rename")).code == KILLED
        assert consistent_iteration(directory) == 1
    reached = 1
    for count in range(1, LATER):
        assert writer.run(directory, fault=Fault(directory.name, count=count)).code == KILLED
        now = consistent_iteration(directory)
        assert now >= reached
        reached = now
    assert reached > 20


@pytest.mark.slow
def test_killed_at_any_instant_a_run_is_consistent_and_goes_on(tmp_path: Path, writer: Server) -> None:
    directory, instants, reached = tmp_path / "kuhn-1", np.random.default_rng(1), 0
    for _ in range(50):
        writer.run(directory, seconds=instants.uniform(0.01, 0.2))
        now = consistent_iteration(directory) if (directory / "configuration.toml").exists() else 0
        assert now >= reached
        reached = now
    assert reached > 20


def test_a_child_that_lives_on_does_not_keep_the_lock(tmp_path: Path) -> None:
    with new(tmp_path) as run:
        assert run._lock is not None
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[run._lock])
    assert not is_training(run.directory)
    child.communicate(b"\n")


@pytest.mark.slow
def test_a_run_that_is_interrupted_as_it_is_made_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("forethought.learn.run.write_atomically", interrupted)
        with pytest.raises(KeyboardInterrupt):
            new(tmp_path)
    with new(tmp_path) as run:
        assert is_training(run.directory)
