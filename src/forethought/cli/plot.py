"""`forethought plot`: the curves of trainings as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from forethought.cli.output import Json, print_json
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.evaluate.curves import Curve
    from forethought.learn.events import IterationReport

PICTURE = Path("curves.png")


def plot(
    runs: Annotated[list[str], typer.Argument(help="Runs, by name or directory; several share one picture.")],
    output: Annotated[
        Path | None, typer.Option(help="The PNG to write; curves.png if not given, in the directory of a single run.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Draw NashConv and win rates over iterations and over time, and say of each run whether it learned."""
    from forethought.evaluate.curves import draw_curves  # noqa: PLC0415 (imports numpy)
    from forethought.learn.run import Run  # noqa: PLC0415
    from forethought.learn.verdict import verdict  # noqa: PLC0415
    from forethought.runs import find_run  # noqa: PLC0415

    if output is not None and output.suffix.lower() != ".png":
        raise ForethoughtError(f"The picture {output} must end in .png.")
    opened = [Run.open(directory, lock=False) for directory in _each_once([find_run(name) for name in runs])]
    names = [run.name for run in opened]
    names = names if len({*names}) == len(names) else [str(run.directory) for run in opened]
    curves = [_curve(name, run.reports()) for name, run in zip(names, opened, strict=True)]
    verdicts = [verdict(run.reports()) for run in opened]
    path = output or (opened[0].directory / PICTURE if len(opened) == 1 else PICTURE)
    draw_curves(curves, path)
    if as_json:
        about = [
            {"run": curve.name, "verdict": judged, "points": [point._asdict() for point in curve.points]}
            for curve, judged in zip(curves, verdicts, strict=True)
        ]
        print_json({"picture": str(path), "runs": about})
        return
    for name, judged in zip(names, verdicts, strict=True):
        print(f"{name}: {judged.sentence}")
    print(f"plotted {path}")


def _each_once(directories: list[Path]) -> list[Path]:
    """Leave out what is named a second time, perhaps by another path."""
    return list({directory.resolve(): directory for directory in directories}.values())


def _curve(name: str, reports: "list[IterationReport]") -> "Curve":
    """Return the measured points. Time counts training only, not the pauses of a run that was resumed."""
    from forethought.evaluate.curves import Curve, Measurement  # noqa: PLC0415

    points, seconds = [], 0.0
    for one in reports:
        seconds += one.seconds
        rate = one.win_rate, one.win_rate_low, one.win_rate_high
        if one.nashconv is not None or one.win_rate is not None:
            points.append(Measurement(one.iteration, seconds, one.nashconv, *rate))
    return Curve(name, points)
