"""Registries: named things that a file adds by a decorator, here or in anybody's package.

The package's own are found by importing the modules of certain folders, so that a new one is one new file. Those of
other packages are found by entry points (`[project.entry-points."forethought.players"]`), or are added by whoever
imports the module that holds the decorator.
"""

import pkgutil
import warnings
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from forethought.errors import ForethoughtError
from forethought.specs import no_such

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Things by their names."""

    def __init__(self, what: str, group: str, folders: tuple[str, ...]) -> None:
        """Hold things called `what`, found in these folders and in the entry points of a group."""
        self.what, self._group, self._folders = what, group, folders
        self._things: dict[str, Thing] = {}
        self._modules: dict[str, str] = {}

    def add(self, name: str, thing: Thing, module: str) -> None:
        """Add a thing of a module, which replaces what it added before if it is loaded again."""
        other = self._modules.setdefault(name, module)
        if other != module:
            raise ForethoughtError(f"{other} and {module} both add the {self.what} '{name}'; rename one of them.")
        self._things[name] = thing

    def names(self) -> list[str]:
        """List all names, the package's own first; whatever was imported before, in the same order."""
        return list(dict.fromkeys([*self._own, *sorted([*self._things, *self._elsewhere])]))

    def __contains__(self, name: str) -> bool:
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
            raise no_such(self.what, name, self.names())
        if name not in self._things:
            self._load(self._elsewhere[name])
        return self._things[name]

    @cached_property
    def _own(self) -> list[str]:
        """The names that the package's own files add."""
        for folder in self._folders:
            package = import_module(folder)
            for module in pkgutil.walk_packages(package.__path__, f"{folder}."):
                import_module(module.name)
        return sorted(name for name, module in self._modules.items() if module.startswith(self._folders))

    @cached_property
    def _elsewhere(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self._group)}

    def _load(self, point: EntryPoint) -> None:
        """Import what another package offers, which adds it."""
        try:
            point.load()
        except Exception as error:
            reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
            raise ForethoughtError(
                f"The {self.what} '{point.name}' of the package {point.module} cannot be loaded: {reason}."
            ) from error
        if point.name not in self._things:
            raise ForethoughtError(
                f"The package {point.module} offers the {self.what} '{point.name}' and does not add it."
            )
