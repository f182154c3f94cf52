"""`forethought cache`: where machine code is kept."""

from typing import Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, progress


def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete it all; games and kernels are compiled again when next used.")
    ] = False,
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile all games and what common verbs need, several at once.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(help="Processes that compile; one per core if not given.", min=1)
    ] = None,
    as_json: Json = False,
) -> None:
    """Show, clear or fill the machine code kept on disk."""
    with progress("compiling") as report:
        found = ft.cache(clear=clear, warm=warm, workers=workers, progress=report)
    if as_json:
        print_json(found)
        return
    if warm:
        print(f"compiled {found.compiled} functions")
    print(f"{found.directory}: {found.files} files, {found.bytes / 1e6:.1f} MB{' (cleared)' if clear else ''}")
    if not clear or warm:
        print(f"of these versions of Python and its libraries: {found.of_these_versions}")
