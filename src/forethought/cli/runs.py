"""`forethought runs`: the trainings there are."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from forethought.cli.output import Json, print_json, print_table
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.learn.events import IterationReport

TRAINING, STOPPED, DAMAGED = "training", "stopped", "damaged"


@dataclass(frozen=True)
class Summary:
    """A run in a line."""

    run: str
    directory: str
    state: str  # TRAINING, STOPPED or DAMAGED
    game: str = ""
    iterations: int = 0  # done
    wanted: int = 0  # iterations in all
    nashconv: float | None = None  # the newest
    win_rate: float | None = None  # the newest
    changed: str | None = None  # when it last told anything


def runs(as_json: Json = False) -> None:
    """List the trainings: how far they are, how strong, and which are going on now."""
    from forethought.runs import all_runs, runs_directory  # noqa: PLC0415 (imports numpy)

    found = [_summary(directory) for directory in all_runs()]
    if as_json:
        print_json(found)
    elif not found:
        print(f"There are no runs in {runs_directory()}; `forethought train leduc` makes one.")
    else:
        columns = ("run", "game", "iterations", "NashConv", "win rate", "changed", "state")
        print_table(columns, [_row(summary) for summary in found], right=columns[2:5])


def _summary(directory: Path) -> Summary:
    """Sum up a run; one that cannot be read does not hide the others."""
    from forethought.learn.events import iteration_reports  # noqa: PLC0415
    from forethought.learn.run import Run, is_training  # noqa: PLC0415

    try:
        run = Run.open(directory, lock=False)
        events = run.events()
    except ForethoughtError:
        return Summary(directory.name, str(directory), DAMAGED)
    reports, times = iteration_reports(events), [event.get("time") for event in events]
    told = [time for time in times if isinstance(time, int | float)]
    return Summary(
        run.name,
        str(directory),
        TRAINING if is_training(directory) else STOPPED,
        run.configuration.game,
        max((report.iteration for report in reports), default=0),
        run.configuration.iterations,
        _newest(reports, "nashconv"),
        _newest(reports, "win_rate"),
        datetime.fromtimestamp(max(told)).astimezone().isoformat(timespec="seconds") if told else None,
    )


def _newest(reports: "list[IterationReport]", measure: str) -> float | None:
    values: list[float] = [value for report in reports if (value := getattr(report, measure)) is not None]
    return values[-1] if values else None


def _row(one: Summary) -> list[str]:
    nashconv = "" if one.nashconv is None else f"{one.nashconv:.3g}"
    win_rate = "" if one.win_rate is None else f"{one.win_rate:.1%}"
    changed = (one.changed or "")[:16].replace("T", " ")
    return [one.run, one.game, f"{one.iterations} of {one.wanted}", nashconv, win_rate, changed, one.state]
