"""Machine code on disk: found again, never stale, never mixed up, and a damaged cache costs only time."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import forethought
from forethought.compiler.storage import Entry, prune

PACKAGE = Path(forethought.__file__).parent

GAME = """
from numpy import int8
from forethought import TERMINAL, Game, record
from prizes import prize

def one_move(size: int = 3) -> Game:
    state = record(done=int8, choice=int8)

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.done else 0

    def legal(s, out):
        for i in range(size):
            out[i] = i
        return size

    def apply(s, action):
        s.done = 1
        s.choice = action

    def bonus(choice):
        return 100 * size * (choice == size - 1)

    def returns(s, out):
        out[0] = prize(s.choice) + bonus(s.choice)

    def facts(s, observer, out):
        out[0] = s.done
        return 1

    return Game(name="one_move", players=1, actions=size, facts=2, plies=1, record=state, hidden=False,
                zero_sum=False, rules=[start, player, legal, apply, returns, facts])
"""
PRIZES = "def prize(choice):\n    return 10 * choice\n"
PROGRAM = """
import sys
from pathlib import Path
import forethought as ft
from forethought.compiler import compilations
for spec in sys.argv[1:]:
    s = ft.load(spec).start()
    s.apply(s.legal_actions()[-1])
    print(s.returns()[0])
Path("compiled").write_text(str(len(compilations())))
Path("imported").write_text("\\n".join(sys.modules))
"""


class Workshop:
    """A directory with a user's game, a helper it imports, and a cache of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.cache = directory / "cache"
        (directory / "game.py").write_text(GAME)
        (directory / "prizes.py").write_text(PRIZES)

    def run(self, *specs: str) -> subprocess.CompletedProcess[str]:
        """Load the games in a fresh process; stdout has what the last action of each pays."""
        modules = os.pathsep.join([str(self.directory), str(PACKAGE.parent)])
        environment = {**os.environ, "FORETHOUGHT_CACHE": str(self.cache), "PYTHONPATH": modules}
        command = [sys.executable, "-c", PROGRAM, *specs]
        return subprocess.run(command, cwd=self.directory, env=environment, capture_output=True, text=True, check=True)

    @property
    def compiled(self) -> int:
        """How many rules and kernels the last process compiled."""
        return int((self.directory / "compiled").read_text())

    @property
    def imported(self) -> set[str]:
        """The modules that the last process imported."""
        return set((self.directory / "imported").read_text().splitlines())


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the game of a workshop."""
    first = Workshop(tmp_path_factory.mktemp("first"))
    assert first.run("game.py").stdout == "320.0\n"
    assert first.compiled == 8  # the rules
    return first.cache


@pytest.fixture
def used(workshop: Workshop, filled: Path) -> Workshop:
    """A workshop whose game was compiled before."""
    shutil.copytree(filled, workshop.cache)
    return workshop


@pytest.mark.slow
def test_a_second_process_compiles_nothing(used: Workshop) -> None:
    again = used.run("game.py")
    assert again.stdout == "320.0\n"
    assert again.stderr == ""
    assert used.compiled == 0
    assert "numba" in used.imported
    assert "numba.np.arraymath" not in used.imported  # half a second, with what only a compiler needs


def test_editing_the_game_or_a_helper_in_another_file_takes_effect(used: Workshop) -> None:
    (used.directory / "prizes.py").write_text(PRIZES.replace("10", "7"))
    assert used.run("game.py").stdout == "314.0\n"
    (used.directory / "game.py").write_text(GAME.replace("prize(s.choice) +", "1 + prize(s.choice) +"))
    assert used.run("game.py").stdout == "315.0\n"


def test_editing_what_no_rule_uses_compiles_nothing(used: Workshop) -> None:
    (used.directory / "game.py").write_text(f"# A game.\nUNUSED = 1\n{GAME}")
    assert used.run("game.py").stdout == "320.0\n"
    assert used.compiled == 0


@pytest.mark.slow
def test_parameters_compiled_in_different_processes_are_not_mixed_up(workshop: Workshop) -> None:
    for size in (3, 4, 5):
        workshop.run(f"game.py:one_move(size={size})")
    together = workshop.run("game.py:one_move(size=5)", "game.py:one_move(size=3)", "game.py:one_move(size=4)")
    assert together.stdout.split() == ["540.0", "320.0", "430.0"]


def test_a_damaged_cache_is_compiled_anew(used: Workshop) -> None:
    for path in used.cache.rglob("*.code"):
        path.write_bytes(path.read_bytes()[:40] + b"garbage")
    assert used.run("game.py").stdout == "320.0\n"
    assert used.compiled == 8


def test_a_cache_that_cannot_be_written_is_done_without(workshop: Workshop) -> None:
    workshop.cache.write_text("a file where the directory should be")
    assert workshop.run("game.py").stdout == "320.0\n"


def test_what_was_used_longest_ago_is_deleted_first(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path))
    for age in range(10):
        path = tmp_path / f"version{age % 2}" / f"kernel{age}.code"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(1000))
        os.utime(path, (1e9 - age, 1e9 - age))
    prune(most_bytes=4500)
    assert sorted(path.name for path in tmp_path.rglob("*.code")) == [f"kernel{age}.code" for age in range(4)]


def test_what_is_read_counts_as_used(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path))
    entries = [Entry("kernel", str(number)) for number in range(3)]
    for age, entry in enumerate(entries):
        entry.write(age)
        os.utime(entry.path, (1e9 - age, 1e9 - age))
    assert entries[2].read() == 2
    prune(most_bytes=entries[0].path.stat().st_size)
    assert [entry.read() for entry in entries] == [None, None, 2]


def test_a_flipped_bit_is_noticed(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path))
    entry = Entry("kernel", "digest")
    entry.write([1, 2, 3])
    assert entry.read() == [1, 2, 3]
    content = bytearray(entry.path.read_bytes())
    content[-2] ^= 1
    entry.path.write_bytes(content)
    assert entry.read() is None
