"""The games that clients can play: the built-in ones, and `yours`, from the file named on the command line."""

import asyncio
import hashlib
import inspect
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args
from weakref import WeakValueDictionary

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import EXAMPLE, GAMES, Factory, load
from forethought.games.about import About, about_game, title_of_name
from forethought.games.userfile import factory_in_file, is_file, path_and_function
from forethought.serve.schemas.play import ListedGameSchema, ParameterKind, ParameterSchema
from forethought.serve.schemas.processes import UserFileSchema
from forethought.specs import parameters, read_arguments, split_spec

YOURS = "yours"
MAX_GAMES = 64  # in memory
KINDS: dict[str, ParameterKind] = {kind: kind for kind in get_args(ParameterKind)}

Identity = tuple[str, tuple[tuple[str, Any], ...]]


class Key(NamedTuple):
    """What tells games apart."""

    spec: str  # for the library, with the path of the file
    module: str


class GameCatalogue:
    """Finds games by name, never by path, and compiles each once."""

    def __init__(self, file: str | None = None) -> None:
        """Also offer the game of a file, written as on the command line: `my_game.py:factory(size=5)`."""
        self._file, self._given = split_spec(file, "my_game.py") if file else ("", "")
        self._games: OrderedDict[Key, Game] = OrderedDict()
        self._loading: WeakValueDictionary[Key, asyncio.Lock] = WeakValueDictionary()  # of games that are waited for
        if file:
            self.plain(YOURS)  # reports a mistake in the file at once

    def listed(self) -> list[ListedGameSchema]:
        """Describe every game."""
        yours = [self._described_yours()] if self._file else []
        return yours + [self._described(name) for name in GAMES.names()]

    def plain(self, spec: str) -> Game:
        """Return the game that a spec names, not compiled: enough to describe it and to show positions."""
        return load(self._full(spec), compiled=False)

    async def find(self, spec: str) -> Game:
        """Return the game that a spec names, compiled; each is loaded once, and to wait for it takes no thread."""
        key = await asyncio.to_thread(self.key, spec)
        if key not in self._games:
            async with self._loading.setdefault(key, asyncio.Lock()):
                if key not in self._games:
                    self._keep(key, await asyncio.to_thread(load, key.spec))
        self._games.move_to_end(key)
        return self._games[key]

    def normal(self, spec: str) -> str:
        """Return the spec as it is sent to clients: without spaces and without default values."""
        name, arguments = self._parts(spec)
        standard = self._values(name, "") | self._defaults(name)
        different = {key: value for key, value in self._values(name, arguments).items() if standard[key] != value}
        return _written(name, different)

    def identity(self, spec: str) -> Identity:
        """Return a key that is equal for two specs of the same game."""
        name, arguments = self._parts(spec)
        values = self._defaults(name) | self._values(name, arguments)
        return name, tuple(sorted(values.items()))

    def known_as(self, spec: str) -> str | None:
        """Return the clients' spec of a run's game, whose own spec may name a file; None if they may not play it."""
        name, arguments = split_spec(spec, EXAMPLE)
        if name in GAMES:
            return spec
        same = self._file and _place(name) == _place(self._file)
        return (f"{YOURS}({arguments})" if arguments else YOURS) if same else None

    def title(self, spec: str) -> str:
        """Name a game for people: `Hex, size 7`; also one of which a run or a match knows no more than its name."""
        try:
            name, arguments = split_spec(spec, EXAMPLE)
            if name != YOURS:
                name, arguments = split_spec(self.known_as(spec) or spec, EXAMPLE)
        except ForethoughtError:
            return spec
        said = [one.strip().replace("=", " ").replace("_", " ") for one in arguments.split(",") if one.strip()]
        return ", ".join([self.name_title(name), *said])

    def name_title(self, name: str) -> str:
        """Name a game for people by its name alone; no file is run but the one named on the command line."""
        try:
            if name == YOURS or name in GAMES:
                return self._about(name).title
        except ForethoughtError:  # the file has a mistake now
            return self._name_in_file(self._file)
        return self._name_in_file(name) if is_file(name) else name

    def key(self, spec: str) -> Key:
        """Return a key that differs for different games; an edited file is a different module."""
        return Key(self._full(spec), self.factory(spec).__module__)

    def factory(self, spec: str) -> Factory:
        """Return the function that makes the game."""
        return self._factory(self._parts(spec)[0])

    def user_file(self) -> UserFileSchema:
        """Describe the file named on the command line, as it is now."""
        if not self._file:
            return UserFileSchema(name=None, version="", mistake=None)
        path, mistake = path_and_function(self._file)[0], None
        try:
            self._values(YOURS, "")
            version = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
        except (ForethoughtError, OSError) as error:
            mistake, version = str(error), hashlib.sha256(str(error).encode()).hexdigest()[:16]
        return UserFileSchema(name=path.name, version=version, mistake=mistake)

    def _keep(self, key: Key, game: Game) -> None:
        self._games[key] = game
        if len(self._games) > MAX_GAMES:
            self._games.popitem(last=False)

    def _full(self, spec: str) -> str:
        """Return the spec for the library, with the path of the file."""
        name, arguments = self._parts(spec)
        return _written(self._file if name == YOURS else name, self._values(name, arguments))

    def _parts(self, spec: str) -> tuple[str, str]:
        name, arguments = split_spec(spec, EXAMPLE)
        if name == YOURS and not self._file:
            raise ForethoughtError("No file was given; start `forethought serve my_game.py` to play your own game.")
        if name != YOURS:
            GAMES.find(name)
        return name, arguments

    def _about(self, name: str) -> About:
        factory = self._factory(name)
        return about_game(factory.__name__ if name == YOURS else name, factory)

    def _name_in_file(self, name: str) -> str:
        path, function = path_and_function(name)
        return title_of_name(function or path.stem)

    def _factory(self, name: str) -> Factory:
        return factory_in_file(self._file) if name == YOURS else GAMES.find(name)

    def _defaults(self, name: str) -> dict[str, Any]:
        wanted = parameters(self._factory(name))
        given = {key: one.default for key, one in wanted.items() if one.default is not one.empty}
        return given | (read_arguments(YOURS, self._given, wanted) if name == YOURS else {})

    def _values(self, name: str, arguments: str) -> dict[str, Any]:
        """Read the arguments of a spec; those of the file's game override what the command line gave."""
        wanted = parameters(self._factory(name))
        if name != YOURS:
            return read_arguments(name, arguments, wanted)
        given = read_arguments(YOURS, self._given, wanted)
        optional = {key: one.replace(default=given.get(key, one.default)) for key, one in wanted.items()}
        return given | read_arguments(YOURS, arguments, optional)

    def _described_yours(self) -> ListedGameSchema:
        """Describe the game of the file; if the file has a mistake, by the mistake."""
        try:
            return self._described(YOURS)
        except ForethoughtError as error:
            return ListedGameSchema(
                name=YOURS,
                title=self.name_title(YOURS),
                summary=str(error),
                parameters=[],
                hidden=False,
                players=None,
                board=False,
                can_set_up=False,
            )

    def _described(self, name: str) -> ListedGameSchema:
        factory, defaults = self._factory(name), self._defaults(name)
        game = self.plain(name)
        title, summary = self._about(name)
        return ListedGameSchema(
            name=name,
            title=title,
            summary=summary,
            parameters=[
                ParameterSchema(name=key, default=defaults.get(key), kind=_kind(one, defaults.get(key)))
                for key, one in parameters(factory).items()
            ],
            hidden=game.hidden,
            players=game.players,
            board=game.board is not None,
            can_set_up="set_up" in game.source,
        )


def _kind(parameter: inspect.Parameter, default: Any) -> ParameterKind:
    """Return the type of a parameter: as annotated, else that of its default, else text."""
    annotated = parameter.annotation if isinstance(parameter.annotation, str) else parameter.annotation.__name__
    return KINDS.get(annotated) or KINDS.get(type(default).__name__, "str")


def _written(name: str, values: Mapping[str, Any]) -> str:
    given = ",".join(f"{key}={value}" for key, value in values.items())
    return f"{name}({given})" if given else name


def _place(name: str) -> Path:
    path, function = path_and_function(name)
    path = path.resolve()
    return path.with_name(f"{path.name}:{function}")
