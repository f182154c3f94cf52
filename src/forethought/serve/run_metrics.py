"""The metrics of a run as the page charts them: what the learner reports, in the order in which it is shown."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from forethought.learn.metrics import OPPONENT, IterationReport, Metric
from forethought.serve.schemas.watch import MetricSchema

# Strength first, exact before estimated, then what is learned from; all other metrics follow by name.
FIRST = ("nashconv", "mean_return", "win_rate", "loss", "value_loss", "entropy")


def chart_metrics(described: Sequence[Metric], reports: Sequence[IterationReport], opponent: str) -> list[MetricSchema]:
    """Return every metric that was measured, in the order of the charts; titles name the evaluation's opponent."""
    ends = accumulate(report.values.get("seconds", 0.0) for report in reports)
    seconds = {report.iteration: end for report, end in zip(reports, ends, strict=True)}
    series = [_series(metric, reports, seconds, metric.title.replace(OPPONENT, opponent)) for metric in described]
    return ordered([metric for metric in series if metric.points])


def ordered(metrics: Sequence[MetricSchema]) -> list[MetricSchema]:
    """Sort metrics as they are shown."""
    first = {name: place for place, name in enumerate(FIRST)}
    return sorted(metrics, key=lambda metric: (first.get(metric.name, len(FIRST)), metric.name))


def _series(
    metric: Metric, reports: Sequence[IterationReport], seconds: Mapping[int, float], title: str
) -> MetricSchema:
    measured = [report for report in reports if metric.name in report.values]
    low, high = ([report.get(f"{metric.name}_{end}") for report in measured] for end in ("low", "high"))
    return MetricSchema(
        name=metric.name,
        title=title,
        unit=metric.unit,
        points=[(report.iteration, report.values[metric.name]) for report in measured],
        seconds=[seconds[report.iteration] for report in measured],
        low=low if metric.interval else None,
        high=high if metric.interval else None,
    )
