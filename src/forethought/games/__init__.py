"""Games, and finding one by its name: `leduc`, `goofspiel(cards=6)`, `my_game.py:factory(size=5)`.

A game that is known by a name is a function that makes it, registered under that name, here or in any package:

    @register_game("leduc")
    def leduc() -> Game: ...
"""

import dataclasses
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TypeVar

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games.userfile import factory_in_file, failures_placed, is_file, path_and_function
from forethought.registry import Registry, files_outside
from forethought.specs import parameters, read_arguments, split_spec

EXAMPLE = "leduc or goofspiel(cards=6)"

Factory = Callable[..., Game]
MakesGame = TypeVar("MakesGame", bound=Factory)

GAMES: Registry[Factory] = Registry(
    "game", "forethought.games", ("forethought.games",), "register_game", ", or a file my_game.py"
)


def register_game(name: str) -> Callable[[MakesGame], MakesGame]:
    """Register a game: a decorator of the function that makes it, whose parameters are the game's."""

    def register(factory: MakesGame) -> MakesGame:
        without = [key for key, one in parameters(factory).items() if one.default is one.empty]
        if without:
            raise ForethoughtError(f"The game '{name}' needs a default for '{without[0]}', to be listed and checked.")
        GAMES.add(name, factory, factory.__module__)
        return factory

    return register


def load(game: str | Game, *, compiled: bool = True) -> Game:
    """Return the game a string names, with rules as machine code; `compiled=False` keeps them Python, for debugging.

    A file's game is code: loading it runs it. A `Game` made in a notebook can be given itself.
    """
    made = game if isinstance(game, Game) else _make(game)
    if not compiled:
        return dataclasses.replace(made, machine=None)
    from forethought.compiler import compile_game  # noqa: PLC0415 (Numba is slow to import)

    return compile_game(made)


def files_of(spec: str) -> list[Path]:
    """Return the files outside this package that decide what a game is."""
    name, _ = split_spec(spec, EXAMPLE)
    if is_file(name):
        return [path_and_function(name)[0]]
    return files_outside(GAMES.find(name))


def _make(spec: str) -> Game:
    name, arguments = split_spec(spec, EXAMPLE)
    factory = factory_in_file(name) if is_file(name) else GAMES.find(name)
    values = read_arguments(name, arguments, parameters(factory))
    outside = files_outside(factory)
    with failures_placed(outside[0]) if outside else nullcontext():
        game = factory(**values)
    if not isinstance(game, Game):
        raise ForethoughtError(f"{name}: the function makes {type(game).__name__}, not a Game.")
    given = ",".join(f"{key}={value}" for key, value in values.items())
    return dataclasses.replace(game, spec=f"{name}({given})" if given else name)
