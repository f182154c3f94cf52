"""The store: nothing is played twice, nothing stale is served, nothing is lost to a crash."""

import json
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate import store
from forethought.evaluate.match import play_rounds
from forethought.evaluate.rounds import Contest, Entrant, Round, contest, entrant
from forethought.evaluate.store import OPENING, Store, line_start
from forethought.nets.mlp import make_mlp, save_mlp
from forethought.runs import CONFIGURATION, WEIGHTS, numbered
from forethought.runtime.executor import Executor
from forethought.runtime.threads import Threads
from tests.solve.trees import random_strategy, tree_of

KUHN = ft.load("kuhn")
RANDOM = entrant("random")
TWO = Threads(2)


def named(a: str = "random", seed: int = 0) -> Contest:
    """A contest of random players, of whom A has this name."""
    return contest(KUHN, Entrant(a, RANDOM.settings), RANDOM, seed)


class Counting(Threads):
    """Threads that write down which rounds they play."""

    def __init__(self) -> None:
        super().__init__(2)
        self.played: list[int] = []

    def map(self, task, jobs):
        for job, result in super().map(task, jobs):
            self.played += job.numbers
            yield job, result


def play(path: Path, count: int, of: Contest, executor: Executor = TWO) -> list[Round]:
    with Store(path) as kept:
        return list(play_rounds(of, count, kept, kept.rounds_of(of), executor))


def test_what_was_played_is_not_played_again(tmp_path) -> None:
    path, counting = tmp_path / "store.jsonl", Counting()
    first = play(path, 20, named(), counting)
    longer = play(path, 30, named(), counting)
    assert sorted(counting.played) == list(range(30))
    assert longer[:20] == first
    assert play(path, 30, named(seed=1), counting) != longer
    assert len(counting.played) == 60


def test_kept_rounds_are_the_played_ones_to_the_last_bit(tmp_path) -> None:
    odd = Round(3, ((0.1 + 0.2, -1e-17), (1 / 3, 2.0)))
    with Store(tmp_path / "new" / "store.jsonl") as kept:
        kept.append(line_start(named()), odd)
        assert kept.rounds_of(named()) == {3: odd}
        assert kept.rounds_of(named(seed=1)) == {}
        assert kept.rounds_of(named(a="other")) == {}


@pytest.mark.parametrize("torn", [2, 20, 60, 120])
def test_a_torn_last_line_costs_its_own_round_only(tmp_path, torn: int) -> None:
    path = tmp_path / "store.jsonl"
    whole = play(path, 10, named())
    data = path.read_bytes()
    lost = json.loads(data.splitlines()[-1])["round"]
    path.write_bytes(data[: len(data) - min(torn, len(data.splitlines()[-1]))])
    with Store(path) as kept:
        assert set(kept.rounds_of(named())) == set(range(10)) - {lost}
    assert play(path, 10, named()) == whole
    assert sum(line.endswith(b"}") for line in path.read_bytes().splitlines()) == 10


@pytest.mark.parametrize(
    "damage", [b"", b"{}", b"null", b"\xff\xfe", b'"round": 1, "returns": [[1.0]]}', b'"round": "x"}']
)
def test_damaged_lines_are_read_as_nothing(tmp_path, damage: bytes) -> None:
    path = tmp_path / "store.jsonl"
    start = line_start(named()).encode()
    path.write_bytes(start + b"\n" + damage + b"\n" + start + damage + b"\n")
    with Store(path) as kept:
        assert kept.rounds_of(named()) == {}


def test_an_edited_file_is_another_player(tmp_path) -> None:
    tree, file = tree_of("kuhn"), tmp_path / "kuhn.policy"

    def line() -> str:
        return line_start(contest(KUHN, entrant(f"policy:{file}"), RANDOM, 0))

    tree.policy(tree.uniform()).save(file)
    before = line()
    assert line() == before
    tree.policy(random_strategy(tree, 1)).save(file)
    assert line() != before


def test_a_run_that_has_learnt_more_is_another_player_and_its_old_iterations_are_not(tmp_path, monkeypatch) -> None:
    (tmp_path / "trained" / WEIGHTS).mkdir(parents=True)
    (tmp_path / "trained" / CONFIGURATION).touch()
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path))

    def learn(iteration: int) -> None:
        network = make_mlp(KUHN.facts, KUHN.actions, (4,), np.random.default_rng(iteration))
        save_mlp(numbered(tmp_path / "trained" / WEIGHTS, iteration), network, KUHN)

    def lines() -> list[str]:
        names = ("net:trained@1", "net:trained", "net(run=trained)", "oos(net=trained)", "oos(delta=0.5,net=trained)")
        entrants = [entrant(name) for name in names]
        return [line_start(contest(KUHN, *sides, 0)) for one in entrants for sides in ((one, RANDOM), (RANDOM, one))]

    learn(1)
    before = lines()
    assert len(set(before)) == len(before)
    assert lines() == before
    learn(2)
    after = lines()
    assert after[:2] == before[:2]
    assert all(line != old for line, old in zip(after[2:], before[2:], strict=True))


def test_an_edited_file_is_another_game(tmp_path) -> None:
    file = tmp_path / "my_game.py"

    def line(name: str) -> str:
        return line_start(contest(ft.load(name, compiled=False), RANDOM, RANDOM, 0))

    file.write_text(Path("tests/userfiles/take_away.py").read_text())
    names = [str(file), f"{file}(players=2,stones=6)", f"{file}:take_away(stones=6)"]
    before = [line(name) for name in names]
    assert [line(name) for name in names] == before
    file.write_text(file.read_text() + "# edited\n")
    assert all(line(name) != old for name, old in zip(names, before, strict=True))


def test_other_code_is_another_match(monkeypatch) -> None:
    before = line_start(named())
    monkeypatch.setattr(store, "package_digest", lambda: "other")
    assert line_start(named()) != before


def append_many(path: Path, writer: int) -> None:
    with Store(path) as kept:
        for number in range(400):
            kept.append(line_start(named(seed=writer)), Round(number, ((1.0, -1.0), (float(number), 0.0))))


def test_two_processes_do_not_mix_their_lines(tmp_path) -> None:
    path = tmp_path / "store.jsonl"
    with ProcessPoolExecutor(2) as processes:
        list(processes.map(append_many, [path] * 2, [1, 2]))
    with Store(path) as kept:
        for writer in (1, 2):
            assert [one.returns[1][0] for one in kept.rounds_of(named(seed=writer)).values()] == list(range(400))
    assert len(path.read_bytes().splitlines()) == 800


@pytest.mark.parametrize(
    "content", [b"\n", b"{}\n", b"\xff\xfe", b"[1]", b'{"cod\xff', b'{"kind": "metrics"}\n', b"PK\x03\x04" + bytes(99)]
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(ForethoughtError, match=r"notes.txt is damaged, or no store of matches; name another with"):
        Store(path)
    assert path.read_bytes() == content


def test_every_line_begins_as_a_store_does(tmp_path) -> None:
    assert line_start(named()).encode().startswith(OPENING)
    for length in range(len(OPENING) + 1):  # a crash can leave any part of the first line
        path = tmp_path / str(length)
        path.write_bytes(OPENING[:length])
        assert len(play(path, 2, named())) == 2


def test_a_store_that_cannot_be_written_is_one_sentence(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file" / "store.jsonl", tmp_path):
        with pytest.raises(ForethoughtError, match=r"The store .* cannot be written: .*; name another with --store"):
            Store(path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to write to")
def test_a_full_disk_is_one_sentence_and_a_null_device_keeps_nothing() -> None:
    with Store(Path(os.devnull)) as kept:
        kept.append(line_start(named()), Round(0, ((0.0, 0.0), (0.0, 0.0))))
        assert kept.rounds_of(named()) == {}
    with Store(Path("/dev/full")) as kept, pytest.raises(ForethoughtError, match="No space left"):
        kept.append(line_start(named()), Round(0, ((0.0, 0.0), (0.0, 0.0))))
