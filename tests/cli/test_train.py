"""Training as a user types it: what is printed, what is refused, and what plays afterwards."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from forethought.cli import main
from forethought.cli.train import machines
from forethought.learn.run import Run
from forethought.runs import numbered
from forethought.runtime.executor import ExecutorState

SMALL = ["--simulations", "50", "--workers", "1", "--set", "games=4", "--set", "learning.steps=8"]
QUICK = [*SMALL, "--set", "evaluation.games=4"]


def in_new_process(*arguments: str, runs: Path, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run a verb; `code` runs before it."""
    start = f"{code}\nfrom forethought.cli import main\nmain()"
    environment = os.environ | {"FORETHOUGHT_RUNS": str(runs)}
    command = [sys.executable, "-c", start, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


class Shown:
    """What a verb printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out = code, out
        self.err = "".join(line for line in err.splitlines(True) if not line.startswith("compiling "))


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Run a verb in this process, which has imported torch already."""

    def do(*arguments: str) -> Shown:
        monkeypatch.setattr(sys, "argv", ["forethought", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        return Shown(int(end.value.code or 0), *capsys.readouterr())

    return do


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory of runs, with one that was trained for three iterations; `said.json` is what that printed."""
    directory = tmp_path_factory.mktemp("runs")
    done = in_new_process("train", "leduc", "--run", "first", "--iterations", "3", "--seed", "3", "--json", *QUICK,
                          runs=directory)  # fmt: skip
    assert done.returncode == 0, done.stderr
    (directory / "said.json").write_text(json.dumps([done.stdout, done.stderr]))
    return directory


@pytest.fixture
def copied(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The trained run, to be spoilt."""
    shutil.copytree(home / "first", tmp_path / "first")
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    return tmp_path / "first"


def test_the_display_tells_of_machines_and_of_what_was_lost() -> None:
    assert machines(ExecutorState(nodes=1, cores=2, lost=0, processors=())) == "1 node, 2 cores"
    lossy = ExecutorState(nodes=3, cores=48, lost=2, processors=("a", "b"))
    assert machines(lossy) == "3 nodes, 48 cores, 2 jobs lost and begun again"


def test_stdout_is_json_and_lines_for_people_go_to_stderr(home: Path) -> None:
    out, err = json.loads((home / "said.json").read_text())
    summary = json.loads(out)
    assert summary["directory"] == str(home / "first")
    assert (summary["iterations"], summary["games"], summary["seed"]) == (3, 12, 3)
    assert summary["seconds"] > 0.0
    assert summary["nashconv"] > 0.0
    assert summary["simulations_per_second"] > 0.0
    lines = [line for line in err.splitlines() if not line.startswith("compiling")]
    assert lines[0] == "run first: exit-oos on leduc, seed 3, 3 iterations of 4 games, 1 worker"
    forecast = (
        r"forecast: (about \d+ s|less than a second) of self-play, without compiling, learning and evaluation; "
        r"[1-9]\d* MB; "
    )
    assert re.match(f"{forecast}stop with Ctrl-C", lines[1])
    assert [line.split()[1] for line in lines[2:]] == ["1", "2", "3"]
    shown = ("games/s ", "simulations/s ", "loss ", "entropy ", "remembered ")
    assert all(name in line for line in lines[2:] for name in shown)
    assert ["NashConv" in line for line in lines[2:]] == [True, False, True]


def test_a_run_has_a_name_a_verdict_and_a_next_step(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    for name in ("kuhn-1", "kuhn-2"):
        shown = run("train", "kuhn", "--iterations", "2", *QUICK)
        assert shown.code == 0
        assert (tmp_path / name / "configuration.toml").is_file()
        verdict, play = shown.out.splitlines()
        assert "NashConv " in verdict  # learning or not: two iterations from a seed of its own
        assert play == f"play against it: forethought play 'kuhn' --against 'net(run={name})'"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ("train", "kuhn", "--set", "memory.capacty=3"),
            "There is no setting 'memory.capacty'; did you mean memory.cap",
        ),
        (("train", "kuhn", "--set", "games=many"), "games must be a whole number at least 1, not 'many'."),
        (("train", "kuhn", "--set", "games"), "'games' sets nothing; write it as memory.capacity=1000."),
        (("train", "kuhn", "--set", "evaluation.against=nobody"), "There is no player 'nobody'; players are "),
        (
            ("train", "tic_tac_toe", "--algorithm", "exit-oos"),
            "tic_tac_toe: it hides nothing; train it with --algorithm alp",
        ),
        (("train", "kuhn", "--algorithm", "alphazero"), "kuhn: it hides something from its players; train it with"),
        (
            ("train", "kuhn", "--algorithm", "muzero"),
            "There is no algorithm 'muzero'; algorithms are alphago, alphazero, "
            "deep-cfr, exit-oos, mmd, nfsp, search-fictitious-play, td-lambda, tspg.",
        ),
        (("train", "kuhn", "--set", "evaluation.against=uct:50"), "kuhn: "),  # it cannot play what is hidden
        (("train", "kuhn", "--executor", "thread:2"), "There is no executor 'thread'; did you mean threads?"),
        (("train", "ledux"), "There is no game 'ledux'; did you mean leduc?"),
        (("train", "kuhn", "--minutes", "0"), "minutes must be above 0, not 0; leave them out for no limit."),
        (("train", "kuhn", "--run", ".."), "'..' is no name of a run; give --run a name"),
        (("resume", "nobody"), "There is no run 'nobody'; `forethought runs` lists those in "),
    ],
)
def test_a_mistake_is_one_sentence_and_leaves_nothing_behind(
    run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str
) -> None:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))
    shown = run(*arguments)
    assert shown.code == 2
    assert shown.err.startswith(f"error: {said}")
    assert len(shown.err.strip().splitlines()) == 1
    assert shown.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_run_elsewhere_is_named_by_its_path(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    shown = run("train", "kuhn", "--run", "../there", "--iterations", "1", *QUICK)
    assert "run ../there: " in shown.err
    assert "`forethought resume ../there`" in shown.err
    assert (tmp_path / "there").is_dir()
    assert "`forethought resume ../there`" in run("train", "kuhn", "--run", "../there").err


def test_an_existing_run_is_not_begun_again(run, copied: Path) -> None:
    shown = run("train", "leduc", "--run", "first", *QUICK)
    assert shown.code == 2
    assert "exists; go on with `forethought resume first`, or name another with --run." in shown.err


def test_a_second_process_is_refused(copied: Path) -> None:
    with Run.open(copied):
        done = in_new_process("resume", "first", runs=copied.parent)
    assert done.returncode == 2
    assert done.stderr == "error: first is being trained by another process; stop that one first.\n"


def test_a_damaged_checkpoint_is_told_and_the_one_before_used(run, copied: Path) -> None:
    checkpoint = numbered(copied / "checkpoints", 3)
    whole = Run.open(copied, lock=False).checkpoint(3).arrays
    checkpoint.write_bytes(checkpoint.read_bytes()[:-100])
    shown = run("resume", "first", "--json")
    assert shown.code == 0
    warning = shown.err.splitlines()[0]
    assert warning.startswith(f"warning: {checkpoint} is damaged")
    assert warning.endswith("An earlier checkpoint is used.")
    again = Run.open(copied, lock=False).checkpoint(3).arrays
    assert all((again[name] == array).all() for name, array in whole.items())
    assert json.loads(shown.out)["games"] == 12


def test_a_finished_run_has_nothing_left_to_do(run, copied: Path) -> None:
    shown = run("resume", str(copied), "--json")
    assert shown.code == 0
    summary, newest = json.loads(shown.out), Run.open(copied, lock=False).reports()[-1].values
    assert (summary["iterations"], summary["games"]) == (3, 12)
    assert all(summary[name] == newest[name] for name in ("simulations_per_second", "nashconv", "win_rate"))


def unwritable(directory: Path) -> Path:
    """A place where no file can be made; to root, all but a system's own are open."""
    directory.chmod(0o555)
    return Path("/proc") if os.access(directory, os.W_OK) else directory


def test_a_place_that_cannot_be_written_to_is_refused(run, tmp_path: Path) -> None:
    place = unwritable(tmp_path) / "run"
    shown = run("train", "kuhn", "--run", str(place), *QUICK)
    assert shown.code == 2
    assert shown.err.startswith(f"error: The run {place} cannot be made: ")
    assert len(shown.err.strip().splitlines()) == 1


@pytest.mark.parametrize("player", ["net:first", "net:first@1", "oos(simulations=100, net=first)"])
def test_the_trained_network_plays_matches(run, copied: Path, player: str) -> None:
    shown = run("match", "leduc", player, "random", "--games", "20", "--seed", "1", "--json")
    assert shown.code == 0
    result = json.loads(shown.out)
    assert (result["a"], result["games"]) == (player, 20)


WITHOUT_TORCH = "import sys; sys.modules['torch'] = None"


def test_without_torch_training_says_what_to_install(tmp_path: Path) -> None:
    done = in_new_process("train", "kuhn", runs=tmp_path, code=WITHOUT_TORCH)
    assert done.returncode == 2
    assert done.stderr == "error: Training a network needs torch: pip install 'forethought[train]'.\n"


@pytest.mark.slow
def test_without_torch_what_is_no_network_can_be_trained(tmp_path: Path) -> None:
    done = in_new_process("train", "tic_tac_toe", "--algorithm", "tspg", "--games", "2", "--simulations", "10",
                          "--set", "evaluation.games=2", "--json", runs=tmp_path, code=WITHOUT_TORCH)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["iterations"] == 2


def test_without_torch_trained_networks_play(home: Path) -> None:
    done = in_new_process("match", "leduc", "net:first", "oos(simulations=50, net=first)", "--games", "4", "--json",
                          runs=home, code=WITHOUT_TORCH)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"] == 4
