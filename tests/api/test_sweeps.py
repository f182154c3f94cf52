"""Sweeps from end to end: stopped, killed, several at once, and always the same result."""

import csv
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.api.sweep_results import SweepResult, estimate, mean_curve
from forethought.api.sweeps import _check_measures
from forethought.evaluate.curves import Measurement
from forethought.learn.sweeps import read_sweep
from tests.api.test_twins import as_json, timeless
from tests.learn.killing import KILLED, Server
from tests.learn.server import Fault

TINY = """
game = "kuhn"
iterations = 2
seeds = [1, 2]

[settings]
games = 2
evaluation.games = 2
evaluation.every = 1

[variants."begun with mmd"]
learning.start = "{mmd}"
search.simulations = 20
learning.steps = 2

[variants.mmd]
algorithm = "mmd"
play.batches = 2

[measure]
nashconv = true
metrics = ["nashconv", "entropy"]

[[measure.match]]
against = "oos:20"
games = 8
seed = 3
report = "mean_return"
"""
RUNS = [f"tiny-{variant}-seed{seed}" for variant in ("begun-with-mmd", "mmd") for seed in (1, 2)]


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("files") / "tiny.toml"
    file.write_text(TINY)
    return file


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where one sweep was done that nothing disturbed."""
    with pytest.MonkeyPatch.context() as patch:
        directory = tmp_path_factory.mktemp("whole")
        patch.setenv("FORETHOUGHT_RUNS", str(directory))
        yield directory


@pytest.fixture(scope="module")
def whole(config: Path, home: Path) -> SweepResult:
    return ft.sweep(config)


def weights_in(home: Path) -> list[bytes]:
    return [file.read_bytes() for run in RUNS for file in sorted((home / run / "weights").glob("*.safetensors"))]


def outcome(result: SweepResult) -> Any:
    """All that does not depend on the clock or the place."""
    data = timeless(as_json(result))
    data.pop("directory")
    return data


def test_the_result_is_what_the_runs_say(whole: SweepResult, home: Path) -> None:
    begun, mmd = whole.variants
    assert (begun.variant, mmd.variant, [*begun.runs, *mmd.runs]) == ("begun with mmd", "mmd", RUNS)
    names = ["nashconv", "entropy", "exact nashconv", "mean_return against oos:20"]
    assert [one.measure for one in mmd.measured] == names
    for variant in whole.variants:
        runs = [ft.open_run(run) for run in variant.runs]
        measured = {one.measure: one for one in variant.measured}
        assert measured["nashconv"].values == [run.newest("nashconv") for run in runs]
        assert measured["exact nashconv"].values == pytest.approx(measured["nashconv"].values, rel=1e-6)
        played = [ft.match("kuhn", run.player(), "oos:20", games=8, seed=3).mean_return for run in runs]
        assert measured["mean_return against oos:20"].values == played
        assert [point.iteration for point in variant.curve] == [1, 2]
        assert variant.curve[0].values["entropy"] == np.mean([run.metrics["entropy"][0] for run in runs])


def test_files_beside_it(whole: SweepResult, home: Path) -> None:
    assert whole.directory == home / "sweeps" / "tiny"
    lines = (whole.directory / "table.md").read_text().splitlines()
    assert lines[0] == "| variant | measured | mean (95 %) | seeds 1, 2 | minutes |"
    assert len(lines) == 2 + 2 * 4
    rows = list(csv.DictReader((whole.directory / "values.csv").read_text().splitlines()))
    assert len(rows) == 2 * 4 * 2
    assert float(rows[1]["value"]) == whole.variants[0].measured[0].values[1]
    assert (rows[1]["run"], rows[1]["seed"]) == (RUNS[1], "2")
    assert (whole.directory / "curves.png").read_bytes().startswith(b"\x89PNG")
    assert re.search(r"begun with mmd.*mean_return against oos:20.*<svg", whole._repr_html_(), re.DOTALL)


def test_the_same_call_keeps_what_is_done(whole: SweepResult, config: Path, home: Path) -> None:
    before = [(home / run / "events.jsonl").stat().st_mtime_ns for run in RUNS]
    matches = (home / "matches.jsonl").read_bytes()
    assert outcome(ft.sweep(config)) == outcome(whole)
    assert [(home / run / "events.jsonl").stat().st_mtime_ns for run in RUNS] == before
    assert (home / "matches.jsonl").read_bytes() == matches


def test_a_nashconv_is_measured_once_and_again_if_its_file_is_damaged(
    whole: SweepResult, config: Path, home: Path, tmp_path: Path
) -> None:
    kept = json.loads((whole.directory / "nashconv.json").read_text())
    assert list(kept.values()) == [
        value for one in reversed(whole.variants) for value in one.measured[2].values
    ]  # mmd is trained first
    (tmp_path / "nashconv.json").write_text(json.dumps(dict.fromkeys(kept, 0.25)))
    found = ft.sweep(config, output=tmp_path)
    assert [one.measured[2].values for one in found.variants] == [[0.25, 0.25]] * 2
    (tmp_path / "nashconv.json").write_text("{")
    assert outcome(ft.sweep(config, output=tmp_path)) == outcome(whole)


@pytest.mark.slow
def test_stopped_again_and_again_it_comes_to_the_same(
    whole: SweepResult, config: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C after a few reports of each call; every call goes on where the last one stopped."""
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))

    def sweep_until(reports: int) -> SweepResult:
        left = [reports]

        def progress(_what: str, _part: float) -> None:
            left[0] -= 1
            if left[0] == 0:
                raise KeyboardInterrupt

        return ft.sweep(config, progress=progress)

    for reports in (2, 5, 3, 6, 9):
        with pytest.raises(KeyboardInterrupt):
            sweep_until(reports)
    assert outcome(sweep_until(10**9)) == outcome(whole)
    assert weights_in(tmp_path) == weights_in(home)


def test_several_at_once_come_to_the_same(
    whole: SweepResult, config: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    parts: list[float] = []
    found = ft.sweep(config, at_once=3, progress=lambda _what, part: parts.append(part))
    assert outcome(found) == outcome(whole)
    assert weights_in(tmp_path) == weights_in(home)
    assert sorted(parts) == parts
    assert parts[-1] == 1.0


@pytest.mark.slow
def test_several_at_once_are_stopped_together(
    whole: SweepResult, config: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one of them cannot do ends the others, and nothing goes on behind the caller's back."""
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    shutil.copytree(home / RUNS[0], tmp_path / RUNS[0])
    (tmp_path / RUNS[2]).write_text("in the way")
    with pytest.raises(ft.ForethoughtError, match="a file has this name"):
        ft.sweep(config, at_once=2)
    (tmp_path / RUNS[2]).unlink()
    assert outcome(ft.sweep(config, at_once=2, executor="threads:1")) == outcome(whole)


@pytest.mark.slow
def test_minutes_count_in_all_sittings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    file = tmp_path / "brief.toml"
    file.write_text('game = "kuhn"\nminutes = 1e-4\n[settings]\ngames = 1\nsearch.simulations = 20\nlearning.steps = 1')
    first = ft.sweep(file)
    run = ft.open_run("brief-seed1")
    assert sum(report.values["seconds"] for report in run.reports) >= 6e-3
    assert first.variants[0].measured[0].low is None
    assert outcome(ft.sweep(file)) == outcome(first)
    assert ft.open_run("brief-seed1").iterations == run.iterations


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ("[[measure.match]]\nagainst = 'policy:none'", "measure.match: "),
        ("[[measure.match]]\nagainst = 'uct:20'", "measure.match: "),
        (
            "[measure]\nnashconv = true",
            r"measure.nashconv: goofspiel\(cards=9\) is too large for an exact one; remove it",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused_before_anything_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measure: str, said: str
) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path / "runs"))
    file = tmp_path / "wrong.toml"
    file.write_text(f'game = "goofspiel(cards=9)"\n{measure}')
    with pytest.raises(ft.ForethoughtError, match=f"wrong.toml: {said}"):
        ft.sweep(file)
    assert not (tmp_path / "runs").exists()


@pytest.mark.slow
def test_an_exact_nashconv_along_the_public_tree_is_for_networks_only(tmp_path: Path) -> None:
    game, file = ft.load("liars_dice(dice=2)"), tmp_path / "dice.toml"
    file.write_text('game = "liars_dice(dice=2)"\n[measure]\nnashconv = true')
    _check_measures(read_sweep(file), game)
    file.write_text(file.read_text() + '\nplayer = "oos(net={run})"')
    with pytest.raises(ft.ForethoughtError, match="is too large for an exact one; remove it"):
        _check_measures(read_sweep(file), game)


def test_at_once_is_a_number_of_trainings(config: Path) -> None:
    with pytest.raises(ft.ForethoughtError, match="at_once must be a whole number at least 1, not 0"):
        ft.sweep(config, at_once=0)


def test_a_curve_has_the_iterations_that_all_runs_have() -> None:
    long = [Measurement(1, 2.0, {"loss": 1.0}), Measurement(2, 4.0, {"loss": 3.0}), Measurement(3, 6.0, {"loss": 9.0})]
    short = [Measurement(1, 4.0, {"loss": 2.0}), Measurement(2, 6.0, {"win_rate": 1.0})]
    low, high = estimate("loss", [1.0, 2.0]).low, estimate("loss", [1.0, 2.0]).high
    assert mean_curve([long, short], ["loss", "win_rate"]) == [
        Measurement(1, 3.0, {"loss": 1.5, "loss_low": low, "loss_high": high})
    ]
    assert mean_curve([long], ["loss"]) == long


@pytest.mark.slow
def test_killed_at_any_file_it_comes_to_the_same(tmp_path: Path) -> None:
    """Killed with SIGKILL before certain files are opened or renamed, and started again by the same command."""
    for name in ("whole", "killed"):
        (tmp_path / f"{name}.toml").write_text(TINY)
    faults = [
        Fault("killed-mmd-seed1/configuration.toml", "os.rename"),
        Fault("killed-mmd-seed1/weights/000002", "os.rename"),
        Fault("killed-mmd-seed1/checkpoints/000002", "os.rename"),
        Fault("killed/nashconv.json", "os.rename"),
        Fault("killed-begun-with-mmd-seed1/games/000002", "os.rename"),
        Fault("killed-begun-with-mmd-seed2/games/000002.safetensors", "os.rename"),
        Fault("killed/values.csv", "os.rename"),
    ]
    whole = tmp_path / "whole.toml"
    with Server("forethought.cli", "sweep", whole, "--json", FORETHOUGHT_RUNS=str(tmp_path / "runs")) as server:
        expected = server.run("sweep", whole, "--json")
        assert expected.code == 0
        for fault in faults:
            assert server.run("sweep", tmp_path / "killed.toml", fault=fault).code == KILLED, fault
        found = server.run("sweep", tmp_path / "killed.toml", "--json")
    assert found.code == 0
    assert timeless(json.loads(found.out)) == timeless(json.loads(expected.out.replace("whole", "killed")))


def test_a_run_that_lost_its_last_report_is_not_waited_for_forever(
    whole: SweepResult, config: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut may lose the end of the events, and keep the checkpoint that was written after them."""
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    for run in RUNS:
        shutil.copytree(home / run, tmp_path / run)
    events = tmp_path / RUNS[2] / "events.jsonl"
    lines = [line for line in events.read_text().splitlines(True) if '"iteration": 2' not in line]
    events.write_text("".join(lines))
    found = ft.sweep(config)
    assert found.variants[1].measured[-1] == whole.variants[1].measured[-1]  # the match
