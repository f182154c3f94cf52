"""The built-in games, and finding a game by its name: `leduc`, `goofspiel(cards=6)`, `my_game.py:factory(size=5)`."""

import dataclasses
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games.userfile import factory_in_file, is_file, path_and_function
from forethought.specs import no_such, parameters, read_arguments, split_spec

BUILT_IN = (
    "breakthrough",
    "connect_four",
    "fanorona",
    "go",
    "gomoku",
    "goofspiel",
    "hex",
    "knightthrough",
    "kuhn",
    "leduc",
    "liars_dice",
    "othello",
    "teeko",
    "tic_tac_toe",
    "yavalath",
)

EXAMPLE = "leduc or goofspiel(cards=6)"

Factory = Callable[..., Game]


def load(game: str | Game, *, compiled: bool = True) -> Game:
    """Return the game a string names, with rules as machine code; `compiled=False` keeps them Python, for debugging.

    A file's game is code: loading it runs it. A `Game` made in a notebook can be given itself.
    """
    made = game if isinstance(game, Game) else _make(game)
    if not compiled:
        return dataclasses.replace(made, machine=None)
    from forethought.compiler import compile_game  # noqa: PLC0415 (Numba is slow to import)

    return compile_game(made)


def built_in(name: str) -> Factory:
    """Return the function that makes a built-in game."""
    if name not in BUILT_IN:
        raise no_such("game", name, BUILT_IN, ", or a file my_game.py")
    factory: Factory = getattr(import_module(f"forethought.games.{name}"), name)
    return factory


def files_of(spec: str) -> list[Path]:
    """Return the files that decide what a game is: the user's own, if the string names one."""
    name, _ = split_spec(spec, EXAMPLE)
    return [path_and_function(name)[0]] if is_file(name) else []


def _make(spec: str) -> Game:
    name, arguments = split_spec(spec, EXAMPLE)
    factory = factory_in_file(name) if is_file(name) else built_in(name)
    values = read_arguments(name, arguments, parameters(factory))
    try:
        game = factory(**values)
    except (ValueError, TypeError) as error:
        raise ForethoughtError(f"{spec}: {error}.") from error
    if not isinstance(game, Game):
        raise ForethoughtError(f"{name}: the function makes {type(game).__name__}, not a Game.")
    given = ",".join(f"{key}={value}" for key, value in values.items())
    return dataclasses.replace(game, spec=f"{name}({given})" if given else name)
