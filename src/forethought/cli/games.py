"""`forethought games`: what can be played."""

from typing import Any

from forethought.cli.output import Json, print_json, print_table


def games(as_json: Json = False) -> None:
    """List the built-in games: parameters, players, sizes, hidden information."""
    from forethought.games import GAMES  # noqa: PLC0415 (imports numpy)
    from forethought.specs import parameters  # noqa: PLC0415

    listed: list[dict[str, Any]] = []
    for name, factory in GAMES:
        game = factory()
        listed.append(
            {
                "name": name,
                "parameters": {key: parameter.default for key, parameter in parameters(factory).items()},
                "players": game.players,
                "actions": game.actions,
                "facts": game.facts,
                "chance": game.outcomes > 0,
                "hidden": game.hidden,
                "description": (factory.__doc__ or "").strip(),
            }
        )
    if as_json:
        print_json(listed)
        return
    columns = ("game", "parameters", "players", "actions", "facts", "information", "what it is")
    print_table(columns, [_row(game) for game in listed], right=("players", "actions", "facts"))


def _row(game: dict[str, Any]) -> list[str]:
    shown = ", ".join(f"{key}={value}" for key, value in game["parameters"].items())
    information = "hidden" if game["hidden"] else "perfect"
    sizes = [str(game[key]) for key in ("players", "actions", "facts")]
    return [game["name"], shown or "-", *sizes, information, game["description"].partition(": ")[2]]
