"""`forethought games`: what can be played."""

from typing import TYPE_CHECKING

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, print_table

if TYPE_CHECKING:
    from forethought.api.games import GameDescription


def games(as_json: Json = False) -> None:
    """List the games that have a name: parameters, players, sizes, hidden information."""
    listed = ft.games()
    if as_json:
        print_json(listed)
    else:
        columns = ("game", "parameters", "players", "actions", "facts", "information", "what it is")
        print_table(columns, [_row(game) for game in listed], right=("players", "actions", "facts"))


def _row(game: "GameDescription") -> list[str]:
    shown = ", ".join(f"{key}={value}" for key, value in game.parameters.items())
    sizes = [str(size) for size in (game.players, game.actions, game.facts)]
    return [game.name, shown or "-", *sizes, "hidden" if game.hidden else "perfect", game.description]
