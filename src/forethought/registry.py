"""Registries: named things that a file adds by a decorator, here or in anybody's package.

The package's own are found by importing the modules of certain folders, so that a new one is one new file. Those of
other packages are found by entry points (`[project.entry-points."forethought.players"]`), or are added by whoever
imports the module that holds the decorator.
"""

import pkgutil
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from forethought.errors import ForethoughtError
from forethought.specs import did_you_mean

Thing = TypeVar("Thing")


class Registry(Generic[Thing]):
    """Things by their names."""

    def __init__(self, what: str, group: str, folders: tuple[str, ...]) -> None:
        """Hold things called `what`, found in these folders and in the entry points of a group."""
        self.what, self._group, self._folders = what, group, folders
        self._things: dict[str, Thing] = {}

    def add(self, name: str, thing: Thing) -> None:
        """Add a thing. A module that is loaded again replaces what it added before."""
        self._things[name] = thing

    def names(self) -> list[str]:
        """List all names, the package's own first."""
        return list(dict.fromkeys([*self._own, *self._things, *self._elsewhere]))

    def __contains__(self, name: str) -> bool:
        return name in self._own or name in self._things or name in self._elsewhere

    def __iter__(self) -> Iterator[tuple[str, Thing]]:
        return ((name, self.find(name)) for name in self.names())

    def find(self, name: str) -> Thing:
        """Return the thing of this name."""
        if name not in self:
            listed = ", ".join(self.names())
            hint = did_you_mean(name, self.names())
            raise ForethoughtError(f"There is no {self.what} '{name}'; {hint}{self.what}s are {listed}.")
        if name not in self._things:
            self._load(self._elsewhere[name])
        return self._things[name]

    @cached_property
    def _own(self) -> tuple[str, ...]:
        """The names that the package's own files add."""
        for folder in self._folders:
            package = import_module(folder)
            for module in pkgutil.walk_packages(package.__path__, f"{folder}."):
                import_module(module.name)
        return tuple(self._things)

    @cached_property
    def _elsewhere(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in entry_points(group=self._group)}

    def _load(self, point: EntryPoint) -> None:
        """Import what another package offers, which adds it."""
        try:
            point.load()
        except Exception as error:
            raise ForethoughtError(
                f"The {self.what} '{point.name}' of the package {point.module} cannot be loaded: {error}."
            ) from error
        if point.name not in self._things:
            raise ForethoughtError(f"The package {point.module} offers a {self.what} '{point.name}' and adds none.")
