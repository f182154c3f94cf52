"""forethought learns to play games by planning.

>>> import forethought as ft
>>> game = ft.load("goofspiel(cards=6)")
>>> state = game.start()
>>> state.legal_actions()
[0, 1, 2, 3, 4, 5]

Names are imported when first used, so that `import forethought` and `forethought --help` stay quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forethought.check import check_game
    from forethought.errors import ForethoughtError
    from forethought.game import (
        CHANCE,
        EVERYONE,
        PUBLIC,
        TERMINAL,
        Game,
        Observation,
        State,
        record,
    )
    from forethought.games import load, register_game
    from forethought.player import find_player

__version__ = "0.1.0"

_HOMES = {
    "check_game": "forethought.check",
    "ForethoughtError": "forethought.errors",
    "CHANCE": "forethought.game",
    "EVERYONE": "forethought.game",
    "PUBLIC": "forethought.game",
    "TERMINAL": "forethought.game",
    "Game": "forethought.game",
    "Observation": "forethought.game",
    "State": "forethought.game",
    "record": "forethought.game",
    "load": "forethought.games",
    "register_game": "forethought.games",
    "find_player": "forethought.player",
}

__all__ = [
    "CHANCE",
    "EVERYONE",
    "PUBLIC",
    "TERMINAL",
    "ForethoughtError",
    "Game",
    "Observation",
    "State",
    "check_game",
    "find_player",
    "load",
    "record",
    "register_game",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'forethought' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
