"""What every verb shares: JSON for programs, tables for people, progress on stderr."""

import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of all chance; drawn and printed if not given.", min=0)]


def print_json(value: Any) -> None:
    """Print dataclasses, and lists of them, as JSON."""
    print(json.dumps(value, default=dataclasses.asdict, indent=2))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> None:
    """Print rows under headings; those named in `right` are numbers."""
    from rich import box  # noqa: PLC0415 (rich is slow to import)
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column in right)
    for row in rows:
        table.add_row(*row)
    # A pipe has no width: print whole rows there.
    Console(width=None if sys.stdout.isatty() else 160).print(table)


@contextmanager
def progress(title: str) -> Iterator[Callable[[str, float], None]]:
    """Show a bar on stderr; the caller reports (what is being done, part done)."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(title, total=1.0)

        def report(what: str, part: float) -> None:
            bar.update(task, description=f"{title}: {what}", completed=min(part, 1.0))

        yield report
