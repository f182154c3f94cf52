"""The built-in games, and finding a game by its name: `leduc`, `goofspiel(cards=6)`, `my_game.py:factory(size=5)`."""

import dataclasses
import difflib
import inspect
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games.userfile import factory_in_file

BUILT_IN = ("goofspiel", "kuhn", "leduc", "liars_dice", "tic_tac_toe")

_SPEC = re.compile(r"^(?P<name>[^()]+?)\s*(?:\((?P<arguments>.*)\))?$", re.DOTALL)
_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}

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


def parameters(factory: Factory) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(factory).parameters)


def built_in(name: str) -> Factory:
    """Return the function that makes a built-in game."""
    if name not in BUILT_IN:
        near = difflib.get_close_matches(name, BUILT_IN, n=1)
        hint = f"did you mean {near[0]}? Games are" if near else "games are"
        raise ForethoughtError(f"There is no game '{name}'; {hint} {', '.join(BUILT_IN)}, or a file my_game.py.")
    factory: Factory = getattr(import_module(f"forethought.games.{name}"), name)
    return factory


def _make(spec: str) -> Game:
    match = _SPEC.match(spec.strip())
    if match is None:
        raise ForethoughtError(f"'{spec}' names no game; write it as leduc or goofspiel(cards=6).")
    name = match["name"]
    is_file = name.endswith(".py") or ".py:" in name
    factory = factory_in_file(name) if is_file else built_in(name)
    values = _arguments(name, match["arguments"] or "", parameters(factory))
    try:
        game = factory(**values)
    except (ValueError, TypeError) as error:
        raise ForethoughtError(f"{spec}: {error}.") from error
    if not isinstance(game, Game):
        raise ForethoughtError(f"{name}: the function makes {type(game).__name__}, not a Game.")
    given = ",".join(f"{key}={value}" for key, value in values.items())
    return dataclasses.replace(game, spec=f"{name}({given})" if given else name)


def _arguments(name: str, text: str, wanted: dict[str, inspect.Parameter]) -> dict[str, Any]:
    """Read `cards=6, payoff=points`, or values alone in order, by the types the factory declares."""
    values: dict[str, Any] = {}
    order = list(wanted)
    for place, part in enumerate(filter(None, (piece.strip() for piece in text.split(",")))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if place >= len(order):
                raise ForethoughtError(f"{name} takes {_listed(wanted)}; '{part}' is one too many.")
            key, value = order[place], key
        if key not in wanted:
            near = difflib.get_close_matches(key, order, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ForethoughtError(f"{name} has no parameter '{key}'; it takes {_listed(wanted)}.{hint}")
        if key in values:
            raise ForethoughtError(f"{name}: the parameter '{key}' is given twice.")
        values[key] = _value(name, wanted[key], value)
    missing = [key for key, parameter in wanted.items() if parameter.default is parameter.empty and key not in values]
    if missing:
        raise ForethoughtError(f"{name} needs a value for '{missing[0]}': {name}({missing[0]}=...).")
    return values


def _value(name: str, parameter: inspect.Parameter, text: str) -> Any:
    kind = parameter.annotation
    if isinstance(kind, str):  # the file begins with `from __future__ import annotations`
        kind = {"int": int, "float": float, "bool": bool, "str": str}.get(kind, kind)
    if kind not in _KINDS:
        kind = type(parameter.default) if type(parameter.default) in _KINDS else str
    try:
        if kind is bool:
            return {"true": True, "false": False, "1": True, "0": False}[text.lower()]
        return kind(text.strip("\"'"))
    except (ValueError, KeyError):
        raise ForethoughtError(f"{name}: {parameter.name} must be {_KINDS[kind]}, not '{text}'.") from None


def _listed(wanted: dict[str, inspect.Parameter]) -> str:
    shown = [key if p.default is p.empty else f"{key}={p.default}" for key, p in wanted.items()]
    return ", ".join(shown) or "no parameters"
