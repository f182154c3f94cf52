"""Forecasts: what takes long is said once, after a second and a hundredth of the work."""

import time

import pytest

from forethought.cli.output import DurationForecast, progress, span
from forethought.compiler.announce import announcer


class Clock:
    """Seconds as a test wants them."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def forecast(*reports: tuple[float, float]) -> list[float | None]:
    """What is forecast after each report: (seconds since the beginning, part done)."""
    clock = Clock()
    made, found = DurationForecast(clock), []
    for seconds, part in reports:
        clock.now = 100.0 + seconds
        found.append(made.after(part))
    return found


def test_a_long_task_is_forecast_once() -> None:
    assert forecast((0.0, 0.0), (1.0, 0.01), (1.5, 0.03), (3.0, 0.05), (9.0, 0.2)) == [
        None,
        None,
        None,
        pytest.approx(2.0 + 0.95 * 2.0 / 0.04),
        None,
    ]


def test_a_short_task_is_not() -> None:
    assert forecast((0.0, 0.0), (0.5, 0.1), (1.6, 0.6), (2.5, 1.0)) == [None] * 4


def test_what_was_done_before_the_first_part_tells_nothing_of_the_rest() -> None:
    """Compiling took a minute; the work takes a second more."""
    assert forecast((60.0, 0.5), (61.0, 0.99)) == [None, None]


def test_compiling_in_the_middle_tells_nothing_of_the_rest(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`check` compiles after its first positions: it said "about 11 min" of what took three seconds."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    with progress("check") as report:
        report("all short histories", 0.01)
        with announcer.waiting():
            clock.now += 20.0
        report("machine code", 0.02)
        clock.now += 1.5
        report("machine code", 0.12)
    assert capsys.readouterr().err == "check: about 14 s\n"


def test_little_progress_is_no_forecast_yet() -> None:
    """`compare` said "about 87 min" of what took one and a half, as its first step began slowly."""
    assert forecast((0.0, 0.0001), (1.5, 0.0004), (3.0, 0.04)) == [None, None, pytest.approx(3.0 + 0.96 * 3.0 / 0.0399)]


def test_no_progress_is_no_forecast() -> None:
    assert forecast((1.0, 0.2), (5.0, 0.2), (9.0, 0.1)) == [None] * 3


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.4, "less than a second"), (7.4, "about 7 s"), (600.0, "about 10 min"), (9000.0, "about 2.5 h")],
)
def test_spans_are_said_roughly(seconds: float, said: str) -> None:
    assert span(seconds) == said


def test_the_forecast_goes_to_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(DurationForecast.__init__, "__defaults__", (clock,))
    with progress("match [bold]") as report:
        for clock.now, part in ((101.0, 0.1), (111.0, 0.3)):
            report("going on", part)
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "match [bold]: about 45 s\n")


def test_a_task_with_a_limit_of_time_is_not_forecast_beyond_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr(DurationForecast.__init__, "__defaults__", (clock,))
    with progress("checking nim", at_most=15.0) as report:
        for clock.now, part in ((101.0, 0.1), (111.0, 0.12)):  # it compiled for ten seconds
            report("going on", part)
    assert capsys.readouterr().err == "checking nim: at most 15 s\n"
