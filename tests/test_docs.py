"""The documentation is true: its commands and its Python run, its lists are complete, its links lead somewhere."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import forethought as ft
from forethought.bench import chosen
from forethought.cli import app
from forethought.games import load
from forethought.learn.configuration import configuration_from
from forethought.learn.learner import LEARNERS, recommended_learner, usual_presets
from forethought.learn.sweeps import read_sweep
from forethought.player import PLAYERS, find_player
from forethought.registry import PLUGINS
from forethought.reproduce.items import chosen_items
from tests.documentation import FRAGMENT, PAGES, ROOT, SLOW, Block, Command, blocks_of, commands_of, small

SLOW_PAGES = (
    "docs/results.md",
    "docs/algorithms/exit-oos.md",
    "docs/algorithms/alphago.md",
    "docs/learning.md",
    "docs/page.md",
    "docs/records.md",
)
TUTORIAL_GAME = ROOT / "docs/games/doubt.py"
COMMANDS = typer.main.get_command(app)
ADDRESS = re.compile(r"http://[\d.]+:\d+/")


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


def pages() -> list[Any]:
    """Return the pages that show anything to run; a page with slow blocks also for the slow tier, with all of them."""
    found: list[Any] = []
    for page in PAGES:
        marks = {block.mark for block in blocks_of(page) if is_run(block)}
        slow = [pytest.mark.slow, pytest.mark.timeout(1800)]
        if marks - {SLOW}:
            found.append(pytest.param(page, False, id=named(page), marks=slow if named(page) in SLOW_PAGES else []))
        if SLOW in marks:
            found.append(pytest.param(page, True, id=f"{named(page)}, all of it", marks=slow))
    return found


def is_run(block: Block) -> bool:
    return block.mark != FRAGMENT and (block.language == "python" or bool(commands_of(block)))


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of its own, with the tutorial's game in it and the files that extend the package."""
    for name in ("doubt.py", "my_game.py"):
        shutil.copy(TUTORIAL_GAME, tmp_path / name)
    for file in (ROOT / "tests/extending").glob("my_*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORETHOUGHT_RUNS", raising=False)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_commands_are_well_formed(page: Path) -> None:
    """Commands, options, players and settings exist under the names that a page gives them."""
    commands = [command for block in blocks_of(page) for command in commands_of(block)]
    for arguments in (command.arguments for command in commands if not command.plugins):
        verb = COMMANDS.commands[arguments[0]]
        given = verb.make_context(arguments[0], list(arguments[1:])).params
        strings = [given.get("a"), given.get("b"), given.get("against"), *(given.get("players") or ())]
        if arguments[0] in ("think", "exploit", "accuracy"):
            strings.append(given["player"])
        for string in filter(None, strings):
            find_player(string)
        if arguments[0] == "train":
            game = load(named_game(given["game"]), compiled=False)
            recommended = given["algorithm"] or recommended_learner(game)
            configuration_from(given["game"], None, given["settings"] or [], recommended, usual_presets(game))
        if arguments[0] == "sweep" and is_long(arguments):
            read_sweep(ROOT / given["config"])
        if arguments[0] == "reproduce" and given["paper"]:
            chosen_items(given["paper"], given["item"])
        if arguments[0] == "bench":
            chosen(given["name"] or [])


def named_game(game: str) -> str:
    return str(TUTORIAL_GAME) if game.endswith(".py") else game


@pytest.mark.parametrize(("page", "slow_ones"), pages())
def test_pages_run(page: Path, slow_ones: bool, workplace: Path) -> None:
    """What a page shows works, block after block: commands with small budgets, Python in one module, files as named."""
    module: dict[str, Any] = {"__name__": "page"}
    for block in blocks_of(page):
        if block.mark == FRAGMENT or (block.mark == SLOW and not slow_ones):
            continue
        if block.file:
            (workplace / block.file).write_text(block.text)
        elif block.language == "python":
            exec(compile(block.text, str(page), "exec"), module)  # noqa: S102 (our own pages)
        for command in commands_of(block):
            run_command(command)


def run_command(command: Command) -> None:
    """Run a command with small budgets; one with plugins in a process of its own, as it is."""
    if command.plugins:
        words = [sys.executable, "-P", "-m", "forethought", *command.arguments]
        subprocess.run(words, check=True, env=os.environ | {PLUGINS: command.plugins})
    elif command.arguments[0] == "serve":
        check_server(command.arguments)
    elif not is_long(command.arguments):
        done = CliRunner().invoke(app, small(command.arguments), input="")
        assert done.exit_code == 0, f"{command}\n{done.output}\n{done.exception!r}"


def is_long(arguments: list[str]) -> bool:
    """Whether a command cannot be made small: benchmarks and experiments have tests of their own."""
    return arguments[0] in ("bench", "reproduce") or (arguments[0] == "sweep" and "experiments/" in arguments[1])


def check_server(arguments: list[str]) -> None:
    command = [sys.executable, "-P", "-m", "forethought", *arguments, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stderr
        said = server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert ADDRESS.match(said), said + server.stderr.read()


def test_the_folders_of_the_architecture_are_the_layers_in_their_order() -> None:
    layers = next(
        contract["layers"]
        for contract in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    )
    listed = re.findall(r"^  (\w+)(?:/|\.py) ", (ROOT / "docs/architecture.md").read_text(), re.MULTILINE)
    assert listed == [layer for layer in layers if layer != "__main__"]


def test_the_reference_lists_every_public_name() -> None:
    described = re.findall(r"^::: (\S+)$", (ROOT / "docs/reference/python.md").read_text(), re.MULTILINE)
    public = [getattr(ft, name) for name in ft.__all__]
    homes = [f"{thing.__module__}.{thing.__name__}" for thing in public if not isinstance(thing, int)]  # no constants
    assert [home for home in homes if home not in described] == []


def test_readme_names_every_player_and_algorithm() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [name for name in PLAYERS.names() if f"`{name}" not in readme] == []
    assert [name for name in LEARNERS.names() if f"`{name}`" not in readme] == []
