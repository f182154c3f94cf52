"""Registries: named things that a file adds by a decorator, here or in anybody's package.

The package's own are found in the files of certain folders, so that a new one is one new file. Where the name of the
decorator is known, files are only read for it, and a module is imported when somebody asks for what it adds.

Things of other people are found in three ways:

- a package that is installed names them as entry points: `[project.entry-points."forethought.players"]`;
- the environment variable FORETHOUGHT_PLUGINS names modules, or files of Python, with commas between:
  `FORETHOUGHT_PLUGINS=my_search.py,my_package.learner forethought match tic_tac_toe flat:1000 uct:1000`;
- a program imports the module that holds the decorator.
"""

import inspect
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from forethought.errors import ForethoughtError, reason_of
from forethought.specs import no_such

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

PLUGINS = "FORETHOUGHT_PLUGINS"

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Things by their names."""

    def __init__(self, what: str, group: str, folders: tuple[str, ...], decorator: str = "", besides: str = "") -> None:
        """Hold things called `what`, found in these folders and in the entry points of a group.

        `decorator` is what adds them, if it is always given a name in quotation marks. `besides` completes the list
        of all names, for people.
        """
        self.what, self._group, self._folders = what, group, folders
        self._decorator, self._besides = decorator, besides
        self._things: dict[str, Thing] = {}
        self._modules: dict[str, str] = {}

    def add(self, name: str, thing: Thing, module: str) -> None:
        """Add a thing of a module, which replaces what it added before if it is loaded again."""
        own = None if module.startswith(self._folders) else self._own.get(name)
        other = own or self._modules.setdefault(name, module)
        if other != module:
            raise ForethoughtError(f"{other} and {module} both add the {self.what} '{name}'; rename one of them.")
        self._things[name] = thing

    def names(self) -> list[str]:
        """List all names, the package's own first; whatever was imported before, in the same order."""
        load_plugins()
        return list(dict.fromkeys([*self._own, *sorted([*self._things, *self._elsewhere])]))

    def __contains__(self, name: str) -> bool:
        load_plugins()
        return name in self._own or name in self._things or name in self._elsewhere

    def __iter__(self) -> Iterator[tuple[str, Thing]]:
        """Yield all things with their names, but for those of packages that cannot be loaded: these are warned of."""
        for name in self.names():
            try:
                thing = self.find(name)
            except ForethoughtError as error:
                warnings.warn(str(error), stacklevel=2)
                continue
            yield name, thing

    def find(self, name: str) -> Thing:
        """Return the thing of this name."""
        if name not in self:
            raise no_such(self.what, name, self.names(), self._besides)
        if name not in self._things:
            self._import(name)
        return self._things[name]

    @cached_property
    def _own(self) -> dict[str, str]:
        """The names that the package's own files add, each with its module."""
        if not self._decorator:
            for module, _ in _modules(self._folders):
                import_module(module)
            return {name: module for name, module in sorted(self._modules.items()) if module.startswith(self._folders)}
        named, found = re.compile(rf'^@{self._decorator}\(\s*"([^"]+)"', re.MULTILINE), dict[str, str]()
        for module, file in _modules(self._folders):
            found |= dict.fromkeys(named.findall(file.read_text(encoding="utf-8")), module)
        return dict(sorted(found.items()))

    @cached_property
    def _elsewhere(self) -> "dict[str, EntryPoint]":
        from importlib.metadata import entry_points  # noqa: PLC0415 (slow to import)

        return {point.name: point for point in entry_points(group=self._group)}

    def _import(self, name: str) -> None:
        """Import the module that adds a thing."""
        if name in self._own:
            import_module(self._own[name])
            return
        point = self._elsewhere[name]
        try:
            point.load()
        except Exception as error:
            raise ForethoughtError(
                f"The {self.what} '{name}' of the package {point.module} cannot be loaded: {reason_of(error)}."
            ) from error
        if name not in self._things:
            raise ForethoughtError(f"The package {point.module} offers the {self.what} '{name}' and does not add it.")


@cache
def load_plugins() -> None:
    """Import what FORETHOUGHT_PLUGINS names, which adds its things to their registries."""
    for plugin in filter(None, map(str.strip, os.environ.get(PLUGINS, "").split(","))):
        try:
            _import_plugin(plugin)
        except Exception as error:
            raise ForethoughtError(
                f"The plugin '{plugin}' of {PLUGINS} cannot be loaded: {reason_of(error)}."
            ) from error


def _import_plugin(plugin: str) -> None:
    """Import a module, or a file as a module of its directory: processes that are started later find it there, too."""
    if not plugin.endswith(".py"):
        import_module(plugin)
        return
    file = Path(plugin).expanduser().resolve()
    if not file.is_file():
        raise ForethoughtError("there is no such file")
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    found = import_module(file.stem).__file__
    if found is None or Path(found).resolve() != file:
        raise ForethoughtError(f"{found} has the same name; rename the file")


def _modules(folders: tuple[str, ...]) -> Iterator[tuple[str, Path]]:
    """Yield the modules of the package's folders, and those below them, with their files."""
    for folder in folders:
        found = find_spec(folder)
        for home in map(Path, (found and found.submodule_search_locations) or ()):
            for file in sorted(home.rglob("*.py")):
                parts = file.relative_to(home).with_suffix("").parts
                yield ".".join((folder, *parts)).removesuffix(".__init__"), file


def files_outside(thing: Callable[..., Any]) -> list[Path]:
    """Return the file of a class or function of another package; none if it is this package's own, or in no file."""
    if thing.__module__.startswith("forethought."):
        return []
    try:
        file = inspect.getsourcefile(thing)
    except TypeError:  # it was typed into an interpreter
        return []
    return [Path(file)] if file and Path(file).is_file() else []
