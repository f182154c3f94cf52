"""`forethought runs`: the trainings there are."""

from typing import TYPE_CHECKING

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, print_table

if TYPE_CHECKING:
    from forethought.api.runs import RunSummary


def runs(as_json: Json = False) -> None:
    """List the trainings: how far they are, how strong, and which are going on now."""
    from forethought.runs import runs_directory  # noqa: PLC0415

    found = ft.runs()
    if as_json:
        print_json(found)
    elif not found:
        print(f"There are no runs in {runs_directory()}; `forethought train leduc` makes one.")
    else:
        columns = ("run", "game", "iterations", "NashConv", "win rate", "changed", "state")
        print_table(columns, [_row(summary) for summary in found], right=columns[2:5])


def _row(one: "RunSummary") -> list[str]:
    nashconv = "" if one.nashconv is None else f"{one.nashconv:.3g}"
    win_rate = "" if one.win_rate is None else f"{one.win_rate:.1%}"
    changed = (one.changed or "")[:16].replace("T", " ")
    iterations = f"{one.iterations}" if one.wanted is None else f"{one.iterations} of {one.wanted}"
    return [one.run, one.game, iterations, nashconv, win_rate, changed, one.state]
