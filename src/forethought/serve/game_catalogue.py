"""The games that may be asked for: the built-in ones, and the one file named on the command line, called `yours`."""

import asyncio
import inspect
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import BUILT_IN, EXAMPLE, Factory, built_in, load
from forethought.games.userfile import factory_in_file, path_and_function
from forethought.specs import parameters, read_arguments, split_spec

YOURS = "yours"
KEPT = 64  # games in memory

Identity = tuple[str, tuple[tuple[str, Any], ...]]


class Catalogue:
    """Finds games by name, never by a path, and compiles each once."""

    def __init__(self, file: str | None = None) -> None:
        """Offer this file's game besides, written as on the command line: `my_game.py:factory(size=5)`."""
        self._file, self._given = split_spec(file, "my_game.py") if file else ("", "")
        self._games: OrderedDict[tuple[str, str], Game] = OrderedDict()  # by their specs and modules
        self._compiling = asyncio.Lock()
        if file:
            self._values(YOURS, "")  # a mistake in the file is told before anybody asks for it

    def listed(self) -> list[dict[str, Any]]:
        """Describe every game."""
        yours = [self._described_yours()] if self._file else []
        return yours + [self._described(name) for name in BUILT_IN]

    def plain(self, spec: str) -> Game:
        """Return the game a string names, not compiled: to be looked at only."""
        return load(self._full(spec), compiled=False)

    async def find(self, spec: str) -> Game:
        """Return the game a string names, compiled: one game at a time, and who waits for it holds no thread."""
        key = await asyncio.to_thread(self._key, spec)
        if key not in self._games:
            async with self._compiling:
                if key not in self._games:
                    self._keep(key, await asyncio.to_thread(load, key[0]))
        self._games.move_to_end(key)
        return self._games[key]

    def normal(self, spec: str) -> str:
        """Return the spec as clients are told it: without blanks and what is the default anyway."""
        name, arguments = self._parts(spec)
        standard = self._values(name, "") | self._defaults(name)
        different = {key: value for key, value in self._values(name, arguments).items() if standard[key] != value}
        return _written(name, different)

    def identity(self, spec: str) -> Identity:
        """Return what is equal for two specs of the same game, however they are written."""
        name, arguments = self._parts(spec)
        values = self._defaults(name) | self._values(name, arguments)
        return name, tuple(sorted(values.items()))

    def known_as(self, spec: str) -> str | None:
        """Return how clients call the game of a run, whose spec may name a file; None if they may not ask for it."""
        name, arguments = split_spec(spec, EXAMPLE)
        if name in BUILT_IN:
            return spec
        same = self._file and _place(name) == _place(self._file)
        return (f"{YOURS}({arguments})" if arguments else YOURS) if same else None

    def _key(self, spec: str) -> tuple[str, str]:
        """Return what is another for another game; a file that was edited is another module."""
        return self._full(spec), self._factory(self._parts(spec)[0]).__module__

    def _keep(self, key: tuple[str, str], game: Game) -> None:
        self._games[key] = game
        if len(self._games) > KEPT:
            self._games.popitem(last=False)

    def _full(self, spec: str) -> str:
        """Return the spec as the library reads it."""
        name, arguments = self._parts(spec)
        return _written(self._file if name == YOURS else name, self._values(name, arguments))

    def _parts(self, spec: str) -> tuple[str, str]:
        name, arguments = split_spec(spec, EXAMPLE)
        if name == YOURS and not self._file:
            raise ForethoughtError("No file was given; start `forethought serve my_game.py` to play your own game.")
        if name != YOURS:
            built_in(name)
        return name, arguments

    def _factory(self, name: str) -> Factory:
        return factory_in_file(self._file) if name == YOURS else built_in(name)

    def _defaults(self, name: str) -> dict[str, Any]:
        wanted = parameters(self._factory(name))
        given = {key: one.default for key, one in wanted.items() if one.default is not one.empty}
        return given | (read_arguments(YOURS, self._given, wanted) if name == YOURS else {})

    def _values(self, name: str, arguments: str) -> dict[str, Any]:
        """Read what stands in the parentheses; for the file's game, upon what the command line gave."""
        wanted = parameters(self._factory(name))
        if name != YOURS:
            return read_arguments(name, arguments, wanted)
        given = read_arguments(YOURS, self._given, wanted)
        optional = {key: one.replace(default=given.get(key, one.default)) for key, one in wanted.items()}
        return given | read_arguments(YOURS, arguments, optional)

    def _described_yours(self) -> dict[str, Any]:
        """Describe the file's game; while a mistake is in the file, by that."""
        named = {"name": YOURS, "title": Path(self._file.partition(".py:")[0]).with_suffix(".py").name}
        try:
            about = (self._factory(YOURS).__doc__ or "").strip()
            return self._described(YOURS) | named | {"summary": about}
        except ForethoughtError as error:
            nothing = {"parameters": [], "hidden": False, "players": None, "board": False}
            return named | {"summary": str(error)} | nothing

    def _described(self, name: str) -> dict[str, Any]:
        factory, defaults = self._factory(name), self._defaults(name)
        game = self.plain(name)
        about = (factory.__doc__ or "").strip()
        title, _, summary = about.partition(": ")
        return {
            "name": name,
            "title": title,
            "summary": summary or about,
            "parameters": [
                {"name": key, "default": defaults.get(key), "kind": _kind(one, defaults.get(key))}
                for key, one in parameters(factory).items()
            ],
            "hidden": game.hidden,
            "players": game.players,
            "board": game.board is not None,
        }


def _kind(parameter: inspect.Parameter, default: Any) -> str:
    kinds = ("int", "bool", "float", "str")
    said = parameter.annotation if isinstance(parameter.annotation, str) else parameter.annotation.__name__
    return said if said in kinds else type(default).__name__ if type(default).__name__ in kinds else "str"


def _written(name: str, values: Mapping[str, Any]) -> str:
    given = ",".join(f"{key}={value}" for key, value in values.items())
    return f"{name}({given})" if given else name


def _place(name: str) -> Path:
    path, function = path_and_function(name)
    path = path.resolve()
    return path.with_name(f"{path.name}:{function}")
