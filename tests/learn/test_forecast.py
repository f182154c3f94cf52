"""What a training will take is forecast from what was measured: iterations with an examination apart from others."""

from dataclasses import replace

import pytest

from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.configuration import configuration_of
from forethought.learn.forecast import remaining_seconds
from forethought.learn.metrics import IterationReport
from forethought.learn.sections import EvaluationSettings

# Examined: 1, 5, 10 and 12.
CHOSEN = ExitOosConfiguration(game="kuhn", seed=1, iterations=12, evaluation=EvaluationSettings(every=5))


def measured(*seconds: float, first: int = 1) -> list[IterationReport]:
    return [IterationReport(number, {"seconds": taken}) for number, taken in enumerate(seconds, first)]


@pytest.mark.parametrize(
    ("reports", "seconds"),
    [
        (measured(9.0), None),  # nobody knows what an iteration without an examination takes
        (measured(9.0, 2.0), 3 * 9.0 + 7 * 2.0),
        (measured(9.0, 2.0, 4.0), 3 * 9.0 + 6 * 3.0),
        (measured(2.0, 8.0, first=9), 2.0 + 8.0),  # a run that was resumed
        (measured(8.0, 2.0, first=10), 8.0),
        (measured(8.0, first=12), 0.0),
    ],
)
def test_the_rest_takes_what_such_iterations_took(reports: list[IterationReport], seconds: float | None) -> None:
    assert remaining_seconds(CHOSEN, reports) == (seconds if seconds is None else pytest.approx(seconds))


def test_stages_are_told_apart() -> None:
    stages = {f"{name}.iterations": 2 for name in ("expert", "imitation", "rollout", "policy_gradient")}
    values = {"game": "hex", "seed": 1, "algorithm": "alphago", "value.iterations": 3, "evaluation.every": 100}
    chosen = configuration_of(values | stages)  # examined: 1 and 11
    assert remaining_seconds(chosen, measured(9.0, 2.0)) is None  # nobody knows what imitation takes
    assert remaining_seconds(chosen, measured(9.0, 2.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 5.0, 7.0)) is None
    last = replace(chosen, iterations=14, evaluation=EvaluationSettings(every=11))
    reports = measured(9.0, 2.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 5.0, 7.0, 20.0)
    assert remaining_seconds(replace(last, iterations=13), reports[:11]) == pytest.approx(6.0 + 20.0)


def test_a_limit_of_time_ends_the_training_earlier() -> None:
    limited = replace(CHOSEN, minutes=0.5)
    assert remaining_seconds(limited, measured(9.0, 2.0)) == pytest.approx(30.0 - 11.0)
    assert remaining_seconds(limited, measured(9.0, 2.0, 40.0)) == 0.0
    assert remaining_seconds(replace(CHOSEN, minutes=60.0), measured(9.0, 2.0)) == pytest.approx(3 * 9.0 + 7 * 2.0)
