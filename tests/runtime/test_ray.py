"""The executor on Ray: what does not need several nodes. See `test_ray_cluster.py` for those."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

import forethought as ft
from forethought.cli import main
from forethought.cli.options import executor_or_cluster
from forethought.errors import ForethoughtError
from forethought.results import as_data
from forethought.runtime.executor import Stopping, find_executor, in_order, state_of
from forethought.runtime.ray import RayCluster, RaySettings
from tests.runtime.clusters import SmallCluster, small_cluster


def square(job: int, _stopping: Stopping) -> int:
    return job * job


def refuse(job: int, _stopping: Stopping) -> int:
    raise ForethoughtError(f"Nobody likes {job}.")


@pytest.fixture(scope="module")
def cluster() -> Iterator[SmallCluster]:
    with small_cluster(head_cores=2) as made:
        yield made


@pytest.fixture
def executor(cluster: SmallCluster) -> RayCluster:
    return find_executor(cluster.executor).start()


def test_results_are_those_of_threads(executor: RayCluster) -> None:
    assert sorted(executor.map(square, range(20))) == [(job, job * job) for job in range(20)]
    assert list(in_order(executor, square, range(20))) == [job * job for job in range(20)]
    with pytest.raises(ForethoughtError, match=r"Nobody likes 3\."):
        list(executor.map(refuse, [3]))
    with pytest.raises(ForethoughtError, match="A job cannot be sent to another process"):
        list(executor.map(lambda job, _stopping: job, [3]))
    match = ("kuhn", "oos:20", "random")
    assert ft.match(*match, games=20, executor=executor) == ft.match(*match, games=20, workers=1)
    state = state_of(executor)
    assert (state.nodes, state.cores, state.lost, len(state.processors)) == (1, 2, 0, 1)
    assert executor.workers == 2
    assert [(node.cores, node.problem) for node in executor.nodes()] == [(2, "")]


def test_status_and_forecast(
    cluster: SmallCluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both verbs print what their functions return."""

    def printed(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["forethought", "cluster", *arguments, "--cluster", cluster.address])
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        assert not end.value.code, shown.err
        return shown.out

    status = ft.cluster_status(cluster.address)
    assert (status.cores, len(status.nodes), status.problems) == (2, 1, [])
    assert json.loads(printed("status", "--json")) == as_data(status)
    assert "1 node, 2 cores" in printed("status")
    given = {"games": 5, "simulations": 100, "iterations": 7}
    forecast = ft.cluster_forecast("kuhn", cluster=cluster.address, algorithm="exit-oos", **given)
    assert (forecast.cores, forecast.jobs_per_iteration, forecast.iterations) == (2, 5, 7)
    assert forecast.seconds_per_iteration == pytest.approx(forecast.core_seconds_per_iteration * 3 / 5)
    assert forecast.seconds == pytest.approx(7 * forecast.seconds_per_iteration)
    flags = [part for name, value in given.items() for part in (f"--{name}", str(value))]
    told = json.loads(printed("forecast", "kuhn", "--algorithm", "exit-oos", *flags, "--json"))
    assert told.keys() == as_data(forecast).keys()
    assert "in 5 jobs" in printed("forecast", "kuhn", "--algorithm", "exit-oos", *flags)


def test_what_cannot_be_told_beforehand_is_one_sentence() -> None:
    with pytest.raises(ForethoughtError, match="mmd cannot tell what it will take before it begins"):
        ft.cluster_forecast("kuhn", algorithm="mmd")


@pytest.mark.parametrize(
    ("named", "settings"),
    [
        ("auto", RaySettings(address="auto")),
        ("10.0.0.1:6379", RaySettings(address="10.0.0.1:6379")),
        ("local", RaySettings(address="local")),
        ("local:4", RaySettings(address="local", workers=4)),
    ],
)
def test_a_cluster_has_a_short_name(named: str, settings: RaySettings) -> None:
    assert find_executor(str(executor_or_cluster(None, named))) == settings
    assert executor_or_cluster("threads:2", None) == "threads:2"


def test_two_names_for_one_thing_are_refused() -> None:
    with pytest.raises(ForethoughtError, match="leave out --executor"):
        executor_or_cluster("threads", "auto")
    with pytest.raises(ForethoughtError, match=r"address must be a text such as 10\.0\.0\.1:6379, not 'nowhere'"):
        find_executor(str(executor_or_cluster(None, "nowhere")))


def run_without_ray(*arguments: str) -> "subprocess.CompletedProcess[str]":
    program = "import sys; sys.modules['ray'] = None; from forethought.cli import main; main()"
    return subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)


def test_without_ray_a_cluster_says_what_to_install() -> None:
    refused = run_without_ray("match", "kuhn", "random", "random", "--games", "20", "--cluster", "auto")
    assert refused.returncode == 2
    assert refused.stderr == "error: A cluster needs Ray: pip install 'forethought[ray]'.\n"


def test_without_ray_nothing_else_changes() -> None:
    played = run_without_ray("match", "kuhn", "random", "random", "--games", "20", "--store", os.devnull)
    assert played.returncode == 0, played.stderr


def test_without_a_token_no_entry(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ForethoughtError, match="A cluster needs a token, the same on all nodes"):
        find_executor("ray(address=127.0.0.1:1)").start()
    assert os.environ["RAY_AUTH_MODE"] == "token"
