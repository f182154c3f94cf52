"""`forethought cache`: where machine code is kept."""

import shutil
from typing import Annotated

import typer

from forethought.cli.output import Json, print_json


def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Delete it all; games and kernels compile anew when next used.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show, or clear, the machine code kept on disk."""
    from forethought.compiler.storage import cache_directory, cache_root  # noqa: PLC0415 (imports Numba)

    root = cache_root()
    if clear:
        shutil.rmtree(root, ignore_errors=True)
    files = [path for path in root.rglob("*") if path.is_file()]
    total = sum(path.stat().st_size for path in files)
    if as_json:
        print_json({"directory": str(root), "files": len(files), "bytes": total, "cleared": clear})
    else:
        print(f"{root}: {len(files)} files, {total / 1e6:.1f} MB{' (cleared)' if clear else ''}")
        if not clear:
            print(f"of these versions of Python and its libraries: {cache_directory().name}")
