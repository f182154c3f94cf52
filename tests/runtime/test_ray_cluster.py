"""A head and two nodes on this machine: whatever is killed, a run has the files of one thread, byte for byte."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.runtime.executor import close_iterator, find_executor
from forethought.runtime.ray import RayCluster
from tests.runtime.cluster_tasks import (
    MarkedJob,
    die_always,
    die_ten_times,
    large_result,
    tell_node,
    wait_for_go,
)
from tests.runtime.clusters import SmallCluster, processes_with, small_cluster, title, wait_until

pytestmark = pytest.mark.slow

TRAININGS: dict[str, tuple[str, dict[str, Any]]] = {
    "exit-oos": ("leduc", {"games": 12, "simulations": 3_000, "settings": {"learning.steps": 8}}),
    "alphazero": (
        "tic_tac_toe",
        {"games": 12, "simulations": 300, "settings": {"learning.steps": 8, "gate.games": 4, "play.parallel_games": 2}},
    ),
    "mmd": ("kuhn", {"games": 512, "settings": {"play.batches": 4, "play.together": 16}}),
}
KINDS = ("checkpoints", "games", "weights")
GAMES = ("tests/userfiles/pincer.py", "uct:50", "random")


@pytest.fixture(scope="module")
def cluster() -> Iterator[SmallCluster]:
    with small_cluster() as made:
        yield made


@pytest.fixture
def nodes(cluster: SmallCluster) -> Iterator[list[Any]]:
    """Two nodes beside the head, for one test."""
    added = cluster.add(2)
    yield added
    for node in added:
        cluster.kill(node)


def train(directory: Path, algorithm: str, **options: Any) -> Path:
    """Train for two iterations; return the directory."""
    game, given = TRAININGS[algorithm]
    settings = given["settings"] | {"evaluation.games": 4}
    chosen = {"seed": 5, "workers": 1, "iterations": 2} | given | options | {"settings": settings}
    ft.train(game, algorithm=algorithm, run=directory, **chosen)
    return directory


def files(run: Path) -> dict[str, bytes]:
    """What a run came to."""
    found = [path for kind in KINDS for path in (run / kind).rglob("*") if path.is_file()]
    assert found
    return {str(path.relative_to(run)): path.read_bytes() for path in found}


@pytest.fixture(scope="module")
def wholes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """What each training comes to in one thread, undisturbed."""
    home = tmp_path_factory.mktemp("whole")
    return {algorithm: files(train(home / algorithm, algorithm)) for algorithm in TRAININGS}


def joined(cluster: SmallCluster, **settings: int) -> RayCluster:
    given = "".join(f",{name}={value}" for name, value in settings.items())
    return find_executor(f"ray(address={cluster.address}{given})").start()


@pytest.mark.parametrize("algorithm", TRAININGS)
def test_a_training_survives_a_node(
    algorithm: str, cluster: SmallCluster, nodes: list[Any], wholes: dict[str, Any], tmp_path: Path
) -> None:
    """A node is killed with SIGKILL in the middle of the first iteration."""
    executor = joined(cluster)
    before = executor.state().nodes

    def listen(iteration: int, _games: int) -> None:
        if iteration == 1:
            cluster.kill(nodes[0])

    run = train(tmp_path / "run", algorithm, executor=executor, listen=listen)
    assert files(run) == wholes[algorithm]
    wait_until(lambda: executor.state().nodes == before - 1, "the node lives on")


def test_a_training_survives_ten_killed_workers(cluster: SmallCluster, nodes: list[Any], tmp_path: Path) -> None:
    """Whoever works is killed at once, until ten were."""
    killed: list[bool] = []

    def kill_ten() -> None:
        wait_until(lambda: len(killed) == 10 or (cluster.kill_busy_worker() and killed.append(True)), "nobody works")

    executor, killer = joined(cluster, attempts=50), Thread(target=kill_ten)
    killer.start()
    run = train(tmp_path / "run", "exit-oos", executor=executor, simulations=20_000)
    killer.join()
    assert len(killed) == 10
    assert executor.state().lost > 0
    assert files(run) == files(train(tmp_path / "whole", "exit-oos", simulations=20_000))


def test_a_training_takes_a_node_that_joins_late(cluster: SmallCluster, wholes: dict[str, Any], tmp_path: Path) -> None:
    added: list[Any] = []

    def listen(_iteration: int, games: int) -> None:
        if not added and games == 2:
            added.extend(cluster.add())

    run = train(tmp_path / "run", "alphazero", executor=cluster.executor, listen=listen)
    assert files(run) == wholes["alphazero"]
    cluster.kill(added[0])


def test_a_node_that_joins_late_works(cluster: SmallCluster) -> None:
    executor, before = joined(cluster), set[str]()
    results = executor.map(tell_node, iter(int, 1))  # without end
    before = {next(results)[1]}
    (node,) = cluster.add()
    wait_until(lambda: next(results)[1] not in before, "the new node has got no work")
    close_iterator(results)
    cluster.kill(node)


def test_what_a_killed_node_was_doing_is_done_elsewhere(
    cluster: SmallCluster, nodes: list[Any], tmp_path: Path
) -> None:
    """Three jobs wait on three nodes; one node is killed, and only then may jobs end."""
    executor, jobs = joined(cluster), [MarkedJob(tmp_path, number) for number in range(3)]
    results: list[tuple[MarkedJob, int]] = []
    taking = Thread(target=lambda: results.extend(executor.map(wait_for_go, jobs)))
    taking.start()
    wait_until(lambda: all(job.marks() for job in jobs), "not all jobs have begun")
    cluster.kill(nodes[0])
    wait_until(lambda: executor.state().lost == 1, "the loss was not noticed")
    (tmp_path / "go").touch()
    taking.join()
    assert sorted(number for _, number in results) == [0, 1, 2]
    assert sorted(len(job.marks()) for job in jobs) == [1, 1, 2]


def test_a_result_that_only_a_killed_node_had_is_made_again(
    cluster: SmallCluster, nodes: list[Any], tmp_path: Path
) -> None:
    executor, jobs = joined(cluster), [MarkedJob(tmp_path, number) for number in range(3)]
    results = executor.map(large_result, jobs)
    found = [next(results)]
    wait_until(
        lambda: all(job.marks() for job in jobs[1:]), "not both jobs have begun"
    )  # on two nodes: of one core each
    (tmp_path / "go").touch()
    wait_until(lambda: all((tmp_path / f"done-{number}").exists() for number in range(3)), "not all jobs are done")
    for node in nodes:
        cluster.kill(node)
    found += results
    assert sorted(found) == [(job, bytes([job.number]) * 1_000_000) for job in jobs]
    assert executor.state().lost >= 1


def test_a_worker_killed_ten_times_ends_nothing(cluster: SmallCluster, tmp_path: Path) -> None:
    executor, job = joined(cluster, attempts=11), MarkedJob(tmp_path, 3)
    assert list(executor.map(die_ten_times, [job])) == [(job, 3)]
    assert executor.state().lost == 10


def test_a_job_that_always_fails_is_told_with_its_seed(cluster: SmallCluster, tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match=r"lost its worker 2 times, .* WorkerCrashedError: mark 1, seed 17; "):
        list(joined(cluster, attempts=2).map(die_always, [MarkedJob(tmp_path, 1)]))


def test_matches_and_ladders(cluster: SmallCluster, nodes: list[Any], tmp_path: Path) -> None:
    """A user's game and a network's file travel; a node dies on the way."""
    trained = train(tmp_path / "run", "alphazero")
    where: Any
    results = []
    for where in ("threads:1", joined(cluster)):
        store = tmp_path / str(len(results))
        played = ft.match(*GAMES, games=60, executor=where, store=store)
        if where != "threads:1":
            cluster.kill(nodes[1])
        entered = ["random", "uct:20", f"az(run={trained},simulations=10)"]
        ranked = ft.ladder("tic_tac_toe", entered, games=20, executor=where, store=store)
        results.append((played, ranked, sorted(store.read_text().splitlines())))
    assert results[0] == results[1]


def test_other_measures(cluster: SmallCluster, nodes: list[Any]) -> None:
    for measure in (
        lambda where: ft.accuracy("tic_tac_toe", "uct:10", positions=20, seed=1, executor=where),
        lambda where: ft.exploitability("kuhn", "oos:20", seed=5, executor=where),
    ):
        ours, theirs = (vars(measure(where)) | {"seconds": 0.0} for where in ("threads:1", cluster.executor))
        assert ours == theirs


def test_other_sources_are_refused(cluster: SmallCluster, tmp_path: Path) -> None:
    """A node has a forethought that was edited."""
    package = tmp_path / "edited" / "forethought"
    shutil.copytree(Path(ft.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    with (package / "errors.py").open("a") as file:
        file.write("# edited\n")
    (node,) = cluster.add(env_vars={"PYTHONPATH": str(package.parent)}, resources={"edited": 1})
    executor = joined(cluster)
    assert [one.problem for one in executor.nodes()].count("other sources of forethought") == 1
    with pytest.raises(ForethoughtError, match=r"^The node .* has other sources of forethought; install the same"):
        for _ in executor.map(tell_node, range(100)):
            pass
    status = ft.cluster_status(cluster.address)
    assert (status.cores, len(status.problems)) == (2, 1)
    cluster.kill(node)


def test_different_processors_are_warned_of(cluster: SmallCluster) -> None:
    (node,) = cluster.add(env_vars={"NUMBA_CPU_NAME": "generic"})
    executor = joined(cluster)
    results = executor.map(tell_node, iter(int, 1))  # without end
    with pytest.warns(UserWarning, match="The cluster has different processors, generic-.*, which may round"):
        wait_until(lambda: bool(next(results)) and len(executor.state().processors) == 2, "only one has worked")
    close_iterator(results)
    cluster.kill(node)


def test_all_nodes_compile_for_the_processor_that_is_asked_for(
    cluster: SmallCluster, nodes: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import ray  # noqa: PLC0415

    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    ray.shutdown()  # processes that have begun keep what they began with
    executor = joined(cluster)
    list(executor.map(tell_node, range(12)))
    assert [name.rpartition("-")[0] for name in executor.state().processors] == ["generic"]
    ray.shutdown()


def command(*arguments: object, token: str, **environment: str) -> "subprocess.Popen[str]":
    variables = os.environ | {"RAY_AUTH_TOKEN": token, "RAY_AUTH_MODE": "token"} | environment
    return subprocess.Popen(
        [sys.executable, "-m", "forethought", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=variables,
    )


def wait_for_line(process: "subprocess.Popen[str]", beginning: str) -> None:
    assert process.stderr is not None
    while not (line := process.stderr.readline()).startswith(beginning):
        assert line, "it has ended"


TRAIN = "--algorithm exit-oos --games 6 --simulations 300 --seed 5 --set learning.steps=8 --set evaluation.games=4"


def test_a_driver_is_killed_and_resumed(cluster: SmallCluster, nodes: list[Any], tmp_path: Path) -> None:
    begin = ["train", "leduc", *TRAIN.split(), "--workers", "1", "--iterations", "6"]
    with command(*begin, "--run", tmp_path / "run", "--cluster", cluster.address, token=cluster.token) as killed:
        wait_for_line(killed, "iteration    2")
        killed.kill()
    for arguments in (
        ("resume", tmp_path / "run", "--cluster", cluster.address),
        (*begin, "--run", tmp_path / "whole"),
    ):
        with command(*arguments, token=cluster.token) as process:
            _, told = process.communicate()
        assert process.returncode == 0, told
    assert files(tmp_path / "run") == files(tmp_path / "whole")


def test_ctrl_c_leaves_no_process_behind(tmp_path: Path) -> None:
    token = os.urandom(32).hex()
    begin = ["train", "leduc", *TRAIN.split(), "--iterations", "1000", "--run", tmp_path / "run"]
    with command(*begin, "--cluster", "local:2", token=token) as process:
        wait_for_line(process, "iteration    1")
        assert any(title(one).startswith(b"ray::") for one in processes_with(token))
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert "stopped; `forethought resume" in told, told
    assert process.returncode == 0
    wait_until(lambda: not processes_with(token), "processes live on")


@pytest.mark.parametrize("environment", [{"RAY_AUTH_TOKEN": "a" * 64}, {"RAY_AUTH_MODE": "disabled"}])
def test_a_wrong_token_is_no_entry(environment: dict[str, str], cluster: SmallCluster) -> None:
    arguments = ("cluster", "status", "--cluster", cluster.address)
    with command(*arguments, token=cluster.token, **environment) as process:
        out, told = process.communicate()
    assert process.returncode == 2
    assert out == ""
    assert "error: No cluster at" in told
    assert "token" in told
