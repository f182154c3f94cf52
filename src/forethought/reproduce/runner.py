"""The one runner of all items: train, measure row by row, judge, write the page. Whatever is done already is found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forethought.api.arguments import Progress
from forethought.api.runs import TrainedRun
from forethought.api.steps import EqualParts, StepStore, TrainingPlan, trained, version_of_code
from forethought.evaluate.intervals import student_interval
from forethought.learn.sweep_runs import seconds_of
from forethought.reproduce.items import Item, ItemRow
from forethought.reproduce.measures import MeasuredRow, MeasuringPlace, MeasuringWork
from forethought.reproduce.pages import write_page
from forethought.reproduce.result import ReproducedItem, ReproducedRow, TrainingDone
from forethought.reproduce.verdicts import Span, Terms, judged
from forethought.runtime.executor import Executor
from forethought.sources import versions

MANY = 6  # names in a line


@dataclass(frozen=True)
class RunnerPlaces:
    """Where the runner works: the directory of what is kept, that of pages, and the executor."""

    kept: Path
    pages: Path
    executor: Executor
    progress: Progress


def make_item(item: Item, places: RunnerPlaces, command: str) -> ReproducedItem:
    """Train and measure all of an item, and write its page."""
    steps, title = StepStore(places.kept / "steps"), f"{item.paper_name} {item.name}"
    parts = EqualParts(places.progress, len(item.trainings) + len(item.rows))
    runs = {
        name: trained(plan, places.kept / "trainings", places.executor, parts.next(f"{title}, training {name}"))
        for name, plan in item.trainings.items()
    }
    found: dict[str, list[MeasuredRow]] = {}
    for row in item.rows:
        work = MeasuringWork(steps, places.executor, parts.next(f"{title}, {row.name}"))
        found[row.name] = _measured(row, _names(row, runs), work, found)
    done = [_training(plan, runs[name]) for name, plan in item.trainings.items()]
    result = _result(item, found, done, steps, places.pages, command)
    write_page(result)
    return result


def _names(row: ItemRow, runs: Mapping[str, Sequence[TrainedRun]]) -> list[str]:
    """Return the runs of which a row is measured; an empty name where nothing is trained."""
    return [run.name for run in runs[row.training]] if row.training else [""]


def _measured(
    row: ItemRow, names: Sequence[str], work: MeasuringWork, found: Mapping[str, Sequence[MeasuredRow]]
) -> list[MeasuredRow]:
    """Measure a row of each run."""
    results = []
    for number, run in enumerate(names):
        earlier = {name: ones[number].span for name, ones in found.items() if number < len(ones)}
        place = MeasuringPlace(row.game, run, number, work, earlier)
        results.append(row.measure.measure(place))
    return results


def over_seeds(found: Sequence[MeasuredRow]) -> Span:
    """Return the mean over seeds with Student's interval; of a single one, its own."""
    values = [one.span.value for one in found if one.span.value is not None]
    if len(found) == 1 or len(values) < len(found):
        return found[0].span
    given = np.array(values, np.float64)
    low, high = student_interval(given) or (None, None)
    return Span(float(given.mean()), low, high)


def mean_points(found: Sequence[MeasuredRow]) -> list[tuple[float, float]]:
    """Return the mean curve over seeds, as far as all of them have it."""
    return [
        (together[0][0], float(np.mean([y for _, y in together])))
        for together in zip(*(one.curve for one in found), strict=False)
    ]


def shortened(names: Sequence[str]) -> str:
    """List names; of many only the first and the last, and how many there are."""
    return "; ".join(names) if len(names) <= MANY else f"{len(names)}, from '{names[0]}' to '{names[-1]}'"


def _row(row: ItemRow, found: Sequence[MeasuredRow], item: Item) -> ReproducedRow:
    ours = over_seeds(found)
    terms = Terms(row.better or item.head.better, item.head.resolution, row.incomparable, item.budget.lesser)
    return ReproducedRow(
        row.name,
        row.series,
        row.x,
        row.span,
        ours,
        [one.span.value for one in found if one.span.value is not None],
        judged(row.span, ours, terms),
        row.measure.said,
        mean_points(found),
    )


def _training(plan: TrainingPlan, runs: Sequence[TrainedRun]) -> TrainingDone:
    minutes = sum(seconds_of(run.reports) for run in runs) / 60
    return TrainingDone(plan.game, dict(plan.settings), [run.name for run in runs], minutes)


def _result(
    item: Item,
    found: Mapping[str, Sequence[MeasuredRow]],
    trainings: Sequence[TrainingDone],
    steps: StepStore,
    pages: Path,
    command: str,
) -> ReproducedItem:
    lacking = [f"{item.budget.lesser}."] if item.budget.lesser else []
    if item.left_out:
        lacking.append(f"rows that need a larger budget: {shortened(item.left_out)}")
    measured = sorted({record.version for record in steps.used.values()} or {version_of_code()})
    return ReproducedItem(
        paper=item.paper_name,
        item=item.name,
        budget=item.budget_name,
        heading=f"{item.paper_name}, {item.name.replace('-', ' ')}: {item.head.title}",
        source=f"{item.paper.authors}, {item.paper.title}, {item.paper.year}",
        unit=item.head.unit,
        across=item.head.across,
        rows=[_row(row, found[row.name], item) for row in item.rows],
        cannot_show=lacking,
        notes=[*item.head.notes, *item.paper.notes],
        seeds=list(item.budget.seeds),
        trainings=list(trainings),
        forecast_minutes=item.budget.minutes,
        minutes=sum(one.minutes for one in trainings) + sum(one.seconds for one in steps.used.values()) / 60,
        command=command,
        versions={name: str(one) for name, one in versions().items()} | {"forethought": ", ".join(measured)},
        page=pages / f"{item.paper_name}-{item.name}.md",
    )
