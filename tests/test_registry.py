"""Registries: things added by decorators and folders, found in other people's packages, and named in mistakes."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from forethought.errors import ForethoughtError
from forethought.registry import Registry

NUMBERS = count()
PLAYER = '''
"""A player of somebody else's package: it plays the first legal action, or the last."""
from dataclasses import dataclass

from forethought.player import PlayerSettings, Policy, register_player
from forethought.settings import setting


class Extreme:
    def __init__(self, last: bool) -> None:
        self.last = last

    def think(self, observation):
        actions = observation.legal_actions
        chosen = actions[-1 if self.last else 0]
        return Policy(actions, tuple(float(action == chosen) for action in actions))


@register_player("extreme", label="First or last")
@dataclass(frozen=True, kw_only=True)
class ExtremeSettings(PlayerSettings):
    """Plays the first legal action, or the last."""

    last: bool = setting("play the last action", False)

    def new_player(self, game):
        return lambda _rng: Extreme(self.last)
'''


class Installed:
    """Distributions in a directory that Python imports from, as pip would leave them there."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.registry = f"things_{next(NUMBERS)}"  # a module that has not been imported before
        self.module(
            self.registry,
            f"from forethought.registry import Registry\nTHINGS = Registry('thing', '{self.registry}', ())",
        )

    def module(self, name: str, text: str) -> None:
        (self.place / f"{name}.py").write_text(text)

    def distribution(self, name: str, text: str, group: str = "", **points: str) -> None:
        """Install a package of one module, with entry points."""
        self.module(name, text)
        about = self.place / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = [f"{point} = {target}" for point, target in points.items()]
        (about / "entry_points.txt").write_text("\n".join([f"[{group or self.registry}]", *lines, ""]))

    def adding(self, thing: str, value: int) -> str:
        """The text of a module that adds a thing."""
        return f"from {self.registry} import THINGS\nTHINGS.add('{thing}', {value}, __name__)\n"

    @property
    def things(self) -> Registry[int]:
        return __import__(self.registry).THINGS


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installed]:
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield Installed(tmp_path)
    for name in set(sys.modules) - before:
        del sys.modules[name]


def nothing_else() -> Registry[int]:
    """A registry that neither folders nor packages add to."""
    return Registry("thing", "nobody.offers.this", ())


# What is added here.


def test_what_is_added_is_found() -> None:
    things = nothing_else()
    things.add("two", 2, "mine")
    things.add("one", 1, "mine")
    assert (things.find("one"), things.find("two")) == (1, 2)
    assert things.names() == ["one", "two"]
    assert list(things) == [("one", 1), ("two", 2)]
    assert "one" in things
    assert "three" not in things


def test_a_module_that_is_loaded_again_replaces_what_it_added() -> None:
    things = nothing_else()
    things.add("one", 1, "mine")
    things.add("one", 11, "mine")
    assert things.find("one") == 11


def test_two_modules_cannot_add_the_same_name() -> None:
    things = nothing_else()
    things.add("one", 1, "mine")
    with pytest.raises(ForethoughtError) as refusal:
        things.add("one", 11, "yours")
    assert str(refusal.value) == "mine and yours both add the thing 'one'; rename one of them."
    assert things.find("one") == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("altha", "There is no thing 'altha'; did you mean alpha? Things are alpha, beta."),
        ("gamma", "There is no thing 'gamma'; things are alpha, beta."),
        ("", "There is no thing ''; things are alpha, beta."),
    ],
)
def test_a_name_that_nothing_has_is_answered_with_those_that_are_known(name: str, message: str) -> None:
    things = nothing_else()
    things.add("beta", 2, "mine")
    things.add("alpha", 1, "mine")
    with pytest.raises(ForethoughtError) as refusal:
        things.find(name)
    assert str(refusal.value) == message


# What is in the package's own folders.


def folder(installed: Installed) -> str:
    """A package with a module, and a subpackage with another, that add things."""
    name = f"{installed.registry}_folder"
    for inner, thing, value in (("late", "zeta", 6), ("deep/early", "eta", 7)):
        file = installed.place / name / f"{inner}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        (file.parent / "__init__.py").touch()
        file.write_text(installed.adding(thing, value))
    installed.module(
        installed.registry,
        f"from forethought.registry import Registry\nTHINGS = Registry('thing', 'nobody', ('{name}',))",
    )
    return name


def test_every_file_of_a_folder_is_found(installed: Installed) -> None:
    name = folder(installed)
    assert list(installed.things) == [("eta", 7), ("zeta", 6)]
    assert f"{name}.__init__" not in sys.modules  # it would be the package once more


def test_names_come_in_one_order_whatever_was_imported_first(installed: Installed) -> None:
    """The folder's own come first, though others were added before."""
    name = folder(installed)
    installed.things.add("alpha", 1, "mine")
    __import__(f"{name}.late")
    assert installed.things.names() == ["eta", "zeta", "alpha"]


def read_folder(installed: Installed, text: str, besides: str = "") -> str:
    """A package of one module with this text, whose decorators are read."""
    name = f"{installed.registry}_read"
    (installed.place / name).mkdir()
    (installed.place / name / "__init__.py").write_text(text)
    installed.module(
        installed.registry,
        f"""from forethought.registry import Registry
THINGS = Registry('thing', 'nobody', ('{name}',), 'add_thing', '{besides}')
def add_thing(name):
    def add(thing):
        THINGS.add(name, thing, thing.__module__)
        return thing
    return add
""",
    )
    return name


DECORATED = """from {} import add_thing

@add_thing("eta")
def seven(): ...

@add_thing(
    "zeta", *()
)
def six(): ...
"""


def test_decorators_are_read_and_their_module_imported_when_it_is_asked_for(installed: Installed) -> None:
    name = read_folder(installed, DECORATED.format(installed.registry))
    assert installed.things.names() == ["eta", "zeta"]
    assert name not in sys.modules
    assert installed.things.find("zeta").__name__ == "six"
    assert [thing.__module__ for _, thing in installed.things] == [name, name]


def test_a_name_of_the_package_is_refused_to_others_though_nothing_was_imported_yet(installed: Installed) -> None:
    name = read_folder(installed, DECORATED.format(installed.registry))
    with pytest.raises(ForethoughtError, match=f"{name} and mine both add the thing 'eta'; rename one of them"):
        installed.things.add("eta", 1, "mine")


def test_a_list_of_names_may_be_completed(installed: Installed) -> None:
    read_folder(installed, DECORATED.format(installed.registry), ", or a file")
    with pytest.raises(ForethoughtError) as refusal:
        installed.things.find("zeto")
    assert str(refusal.value) == "There is no thing 'zeto'; did you mean zeta? Things are eta, zeta, or a file."


# What other packages offer.


def test_a_package_is_found_by_its_entry_point_and_imported_when_it_is_asked_for(installed: Installed) -> None:
    installed.distribution("yours", installed.adding("theirs", 5), theirs="yours")
    things = installed.things
    things.add("mine", 1, "mine")
    assert things.names() == ["mine", "theirs"]
    assert "theirs" in things
    assert "yours" not in sys.modules
    assert things.find("theirs") == 5
    assert list(things) == [("mine", 1), ("theirs", 5)]


def test_an_entry_point_may_name_an_object_of_the_module(installed: Installed) -> None:
    installed.distribution("yours", installed.adding("theirs", 5) + "class Theirs: pass\n", theirs="yours:Theirs")
    assert installed.things.find("theirs") == 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import no_such_module", "No module named 'no_such_module'"),
        ("raise ValueError('first line.\\nsecond line.')", "first line. second line"),
        ("raise RuntimeError", "RuntimeError"),
        ("def broken(:", r"invalid syntax .*"),
    ],
)
def test_a_package_that_cannot_be_imported_is_one_sentence(installed: Installed, text: str, reason: str) -> None:
    installed.distribution("broken", text, theirs="broken")
    with pytest.raises(ForethoughtError) as refusal:
        installed.things.find("theirs")
    said = f"The thing 'theirs' of the package broken cannot be loaded: {reason}."
    assert re.fullmatch(said, str(refusal.value))


def test_a_package_that_does_not_add_what_it_offers_is_one_sentence(installed: Installed) -> None:
    installed.distribution("empty", "", theirs="empty")
    with pytest.raises(ForethoughtError) as refusal:
        installed.things.find("theirs")
    assert str(refusal.value) == "The package empty offers the thing 'theirs' and does not add it."


def test_a_broken_package_takes_nothing_else_with_it(installed: Installed) -> None:
    installed.distribution("broken", "import no_such_module", bad="broken")
    installed.distribution("whole", installed.adding("good", 3), good="whole")
    assert installed.things.find("good") == 3
    with pytest.warns(UserWarning, match="The thing 'bad' of the package broken cannot be loaded"):
        assert list(installed.things) == [("good", 3)]


def test_what_was_added_here_comes_before_what_a_package_offers(installed: Installed) -> None:
    installed.distribution("yours", installed.adding("one", 5), one="yours")
    installed.things.add("one", 1, "mine")
    assert installed.things.find("one") == 1


# Players of other packages, on the command line.


def forethought(installed: Installed, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(installed.place), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-m", "forethought", *arguments],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_player_of_another_package_plays(installed: Installed) -> None:
    installed.distribution("extremes", PLAYER, "forethought.players", extreme="extremes:ExtremeSettings")
    played = forethought(
        installed, "play", "kuhn", "--watch", "--json", "--against", "extreme(last=true)", "--seed", "1"
    )
    assert played.returncode == 0, played.stderr
    record = json.loads(played.stdout)[0]
    assert record["names"][2:] == ["bet", "bet"]
    refused = forethought(installed, "play", "kuhn", "--watch", "--json", "--against", "extreme(last=maybe)")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "last must be true or false, not 'maybe'." in refused.stderr
    near = forethought(installed, "play", "kuhn", "--watch", "--json", "--against", "extremes")
    assert "There is no player 'extremes'; did you mean extreme? Players are alphabeta, alphago, az, " in near.stderr
    assert near.stderr.rstrip().endswith("uct, extreme.")
