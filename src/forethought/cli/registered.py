"""`forethought players` and `forethought learners`: what is registered, and its settings."""

from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, print_table
from forethought.settings import write_value

if TYPE_CHECKING:
    from forethought.api.registered import KindDescription


def players(
    name: Annotated[str | None, typer.Argument(help="A player whose settings are shown: oos, uct.")] = None,
    as_json: Json = False,
) -> None:
    """List the players that strings can name, or the settings of one."""
    _show(ft.players(name), name, as_json)


def learners(
    name: Annotated[str | None, typer.Argument(help="An algorithm whose settings are shown: alphazero.")] = None,
    as_json: Json = False,
) -> None:
    """List the algorithms that can be trained, or the settings of one."""
    _show(ft.learners(name), name, as_json)


def _show(kinds: "list[KindDescription]", name: str | None, as_json: bool) -> None:
    if as_json:
        print_json(kinds)
    elif name is None:
        print_table(("name", "full name", "what it does"), [(one.name, one.label, one.description) for one in kinds])
    else:
        _print_settings(kinds[0])


def _print_settings(kind: "KindDescription") -> None:
    print(f"{kind.name}: {kind.label}\n{kind.description}")
    rows = [(one.name, one.default_text, one.range, one.description) for one in kind.settings]
    if rows:
        print_table(("setting", "default", "may be", "meaning"), rows)
    else:
        print("It has no settings.")
    for preset, values in kind.presets.items():
        print(f"--preset {preset}: " + ", ".join(f"{name}={write_value(value)}" for name, value in values.items()))
