"""`forethought cache`: where machine code is kept."""

from typing import Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json


def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete it all; games and kernels compile anew when next used.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show, or clear, the machine code kept on disk."""
    found = ft.cache(clear=clear)
    if as_json:
        print_json(found)
        return
    print(f"{found.directory}: {found.files} files, {found.bytes / 1e6:.1f} MB{' (cleared)' if clear else ''}")
    if not clear:
        print(f"of these versions of Python and its libraries: {found.of_these_versions}")
