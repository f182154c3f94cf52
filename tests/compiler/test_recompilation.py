"""An edit of the package recompiles what calls the edited code, and nothing else: seen on copies of the package."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import forethought

PACKAGE = Path(forethought.__file__).parent
# A verb, random games, and kernels that do not draw at random.
PROGRAM = """
import contextlib, io, json, sys
import forethought as ft
from forethought.cli import main
from forethought.compiler import compilations
from forethought.randomness import generator
from forethought.search.infosets import add_row, grown, make_index
from forethought.playouts import playouts

with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    sys.argv = "forethought play kuhn --watch --games 1 --seed 1".split()
    main()
index = make_index(4)
add_row(index, 7)
rows = grown(index).used[0]
result = playouts(ft.load("kuhn"), 100, generator(1))
compiled = [name.split(".")[-1] for name in compilations()]
print(json.dumps({"plies": result.plies, "rows": int(rows), "compiled": compiled}))
"""
RULES = {"start", "player", "legal", "chance", "apply", "returns", "facts"}
DRAWING = {"word", "uniform", "below", "choose"}
PLAYING = {"roll_out", "run_playouts", "write_legal", "draw_outcome", "choose_uniformly"}
INDEXING = {"add_row", "add_key", "place_key", "copy_index"}


def run(package: Path, cache: Path) -> dict[str, object]:
    """Run the program on a copy of the package, in a process of its own."""
    environment = {**os.environ, "FORETHOUGHT_CACHE": str(cache), "PYTHONPATH": str(package.parent)}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=package.parent, env=environment, capture_output=True, text=True, check=True)
    result: dict[str, object] = json.loads(done.stdout)
    return result


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> tuple[Path, dict[str, object]]:
    """Return a cache in which a copy of the package found nothing, and what it computed."""
    directory = tmp_path_factory.mktemp("first")
    shutil.copytree(PACKAGE, directory / "forethought", ignore=shutil.ignore_patterns("__pycache__"))
    return directory / "cache", run(directory / "forethought", directory / "cache")


class Copy:
    """A copy of the package elsewhere, with a copy of the cache."""

    def __init__(self, directory: Path, cache: Path) -> None:
        self.package, self.cache = directory / "forethought", directory / "cache"
        shutil.copytree(PACKAGE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(cache, self.cache)

    def edit(self, file: str, before: str, after: str) -> "Copy":
        path = self.package / file
        text = path.read_text()
        assert text.count(before) == 1, f"{before!r} is not in {file} once"
        path.write_text(text.replace(before, after))
        return self

    def run(self) -> tuple[dict[str, object], set[str]]:
        """Return what the program computed and what it compiled for that."""
        result = run(self.package, self.cache)
        return result, set(result.pop("compiled"))  # type: ignore[call-overload]


@pytest.fixture
def copy(tmp_path: Path, compiled: tuple[Path, dict[str, object]]) -> Copy:
    return Copy(tmp_path, compiled[0])


@pytest.fixture
def first(compiled: tuple[Path, dict[str, object]]) -> dict[str, object]:
    return {name: value for name, value in compiled[1].items() if name != "compiled"}


@pytest.mark.slow
def test_an_empty_cache_is_filled(compiled) -> None:
    names = set(compiled[1]["compiled"])
    assert names >= DRAWING | PLAYING | INDEXING | RULES


def test_docstrings_and_comments_recompile_nothing_wherever_the_package_stands(copy: Copy, first) -> None:
    copy.edit("cli/play.py", '"""Play a game in the terminal', '"""Let somebody play a game in the terminal')
    copy.edit("randomness.py", '    """Draw 64 random bits."""', '    """Draw a word."""  # of 64 bits\n')
    copy.edit("compiler/__init__.py", '"""Rules to machine code.', '"""A comment.\n\nRules to machine code.')
    assert copy.run() == (first, set())


def test_a_helper_deep_in_search_recompiles_what_calls_it(copy: Copy, first) -> None:
    copy.edit("search/infosets.py", "    index.used[0] += 1\n", "    index.used[0] += 2\n")
    result, recompiled = copy.run()
    assert result == {**first, "rows": 2}
    assert recompiled == {"add_key", "add_row"}


@pytest.mark.slow
def test_so_does_one_that_only_other_helpers_call(copy: Copy, first) -> None:
    copy.edit("randomness.py", "np.uint64(23)", "np.uint64(24)")
    result, recompiled = copy.run()
    assert result["plies"] != first["plies"]
    assert recompiled == DRAWING | PLAYING - {"write_legal"}


@pytest.mark.slow
def test_a_number_recompiles_what_uses_it(copy: Copy, first) -> None:
    copy.edit("search/infosets.py", "KEY, ROW = 0, 1", "KEY, ROW = 1, 0")
    assert copy.run() == (first, INDEXING)


def test_a_rule_recompiles_alone(copy: Copy, first) -> None:
    copy.edit("games/kuhn.py", "last == before or last == PASS", "last == before or last == PASS or s.moves == 2")
    result, recompiled = copy.run()
    assert result["plies"] < first["plies"]
    assert recompiled == {"player"}


@pytest.mark.slow
def test_what_a_game_is_to_kernels_recompiles_those_that_take_one(copy: Copy, first) -> None:
    copy.edit("game.py", "    plies: int\n\n\ndef record", "    plies: int\n    spare: int = 0\n\n\ndef record")
    assert copy.run() == (first, PLAYING)


@pytest.mark.slow
def test_an_intrinsic_recompiles_what_calls_it(copy: Copy, first) -> None:
    copy.edit("compiler/__init__.py", "bitcast(data, cgutils.voidptr_t)", "bitcast(data, cgutils.voidptr_t, 'data')")
    assert copy.run() == (first, {"roll_out", "run_playouts", "draw_outcome"})


@pytest.mark.slow
def test_the_options_of_the_compiler_recompile_all(copy: Copy, compiled, first) -> None:
    copy.edit("compiler/kernels.py", '"_nrt": False}', '"_nrt": False, "boundscheck": False}')
    copy.edit("compiler/helpers.py", '"error_model": "python",', '"error_model": "python", "fastmath": False,')
    assert copy.run() == (first, set(compiled[1]["compiled"]))
