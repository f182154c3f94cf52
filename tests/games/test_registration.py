"""Games by name: names are read without importing, games are imported when asked for, here and from packages."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import forethought as ft
from forethought.games import GAMES, files_of, register_game
from forethought.learn.learner import LEARNERS
from forethought.nets.formats import FORMATS
from forethought.player import PLAYERS
from forethought.registry import Registry
from forethought.runtime.executor import EXECUTORS
from tests.userfiles.take_away import take_away

GAME_MODULE = """
from forethought import Game, register_game
from tests.userfiles.take_away import take_away

@register_game("nim")
def nim(stones: int = 6) -> Game:
    '''Nim: whoever takes the last stone wins.'''
    return take_away(players=2, stones=stones)
"""


def run(program: str, *paths: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, paths), *sys.path])}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("registry", [GAMES, PLAYERS, EXECUTORS, LEARNERS, FORMATS], ids=lambda one: one.what)
def test_the_names_that_are_read_are_those_that_the_files_add(registry: Registry[object]) -> None:
    assert [name for name, _ in registry] == registry.names()
    assert registry.names()


def test_listing_games_imports_none_and_asking_for_one_imports_that_one() -> None:
    program = """
import sys
from forethought.games import GAMES, load
names = GAMES.names()
print([name for name in names if f"forethought.games.{name}" in sys.modules])
load("kuhn", compiled=False)
print([name for name in names if f"forethought.games.{name}" in sys.modules])
"""
    assert run(program).stdout.splitlines() == ["[]", "['kuhn']"]


def test_a_player_that_does_not_search_imports_no_search() -> None:
    program = """
import sys
from forethought.player import find_player
find_player("random")
print("forethought.search" in sys.modules)
"""
    assert run(program).stdout.strip() == "False"


@pytest.fixture
def nim():
    register_game("nim")(take_away)
    yield
    GAMES._things.pop("nim")
    GAMES._modules.pop("nim")


def test_a_game_of_another_module_is_found_by_its_name(nim: None) -> None:
    assert "nim" in GAMES.names()
    game = ft.load("nim(players=2,stones=4)", compiled=False)
    assert (game.spec, game.players) == ("nim(players=2,stones=4)", 2)
    assert files_of("nim") == [Path(take_away.__code__.co_filename)]
    assert files_of("kuhn") == []


def test_two_modules_cannot_add_the_same_name(nim: None) -> None:
    register_game("nim")(take_away)  # the same one may, again
    for name, other in (("nim", "tests.userfiles.take_away"), ("kuhn", "forethought.games.kuhn")):
        with pytest.raises(
            ft.ForethoughtError, match=f"{other} and tests.games.test_registration both add the game '{name}'"
        ):
            register_game(name)(lambda: None)


def test_a_game_that_cannot_be_made_by_its_name_alone_is_refused() -> None:
    with pytest.raises(ft.ForethoughtError, match="The game 'sized' needs a default for 'size'"):
        register_game("sized")(lambda size: ft.load(f"hex(size={size})"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Another package, installed, with a game."""
    (tmp_path / "nims.py").write_text(GAME_MODULE)
    about = tmp_path / "nims-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nims\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[forethought.games]\nnim = nims\n")
    return tmp_path


def test_a_game_of_an_installed_package_is_listed_and_played(package: Path) -> None:
    program = "import sys\nfrom forethought.cli import main\nsys.argv = ['forethought', 'games', '--json']\nmain()"
    listed = {game["name"]: game for game in json.loads(run(program, package, Path.cwd()).stdout)}
    assert listed["nim"]["parameters"] == {"stones": 6}
    assert len(listed) == len(GAMES.names()) + 1
    program = "import forethought as ft\nprint(ft.load('nim(stones=2)', compiled=False).spec)"
    assert run(program, package, Path.cwd()).stdout.strip() == "nim(stones=2)"
