"""Two tiers: every test that is not marked `slow` belongs to `make test`, and may take ten seconds of the processor.

Seconds of the processor, children's included, say more on a busy machine than those of the clock, but there they grow
too (several times, where threads wait for each other). So a test above the limit is told; only one that takes several
times as long, on a machine that does nothing else, fails: no outcome depends on the load. A test during which kernels
were compiled is not judged: the first one to need a kernel pays for it. Hypothesis looks at no clock either.
"""

import os
import resource
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from forethought.compiler import compilations
from tests.tiers import mark_further_cases_slow

HERE = Path(__file__).parent
LIMIT = 10.0  # seconds of the processor
FAR_TOO_LONG = 5 * LIMIT  # what no slow processor explains
BUSY = 2.5 * (os.cpu_count() or 1)  # load average where others work too; that of the tests is 4 on two cores
SLOW_TIMEOUT = 3600.0  # seconds of the clock
SHOWN = 25
LONG = ("learn", "extending", "serve", "compiler", "search", "solve", "cli")  # folders whose files take longest
BEGAN = pytest.StashKey[tuple[float, float, int]]()  # when a test began: seconds, of children, and compilations

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")

collected: list[tuple[float, float, str]] = []  # seconds, those of them that are judged, and the name of a test


def processor_seconds(whose: int) -> float:
    used = resource.getrusage(whose)
    return used.ru_utime + used.ru_stime


def pytest_configure() -> None:
    """Take Ctrl-C even where a shell runs the tests in the background, and so do the programs that tests interrupt.

    Whoever runs the tests may keep runs somewhere; they are not the tests'.
    """
    os.environ.pop("FORETHOUGHT_RUNS", None)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with long files, so that at the end no worker is alone with one.

    Slow tests get more time by the clock: it only ends what hangs, also on a busy machine.
    """
    mark_further_cases_slow(items)
    items.sort(key=lambda item: item.path.relative_to(HERE).parts[0] not in LONG)
    for item in items:
        if item.get_closest_marker("slow") is not None:
            item.add_marker(pytest.mark.timeout(SLOW_TIMEOUT))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what a test takes in all, before its last report is sent."""
    own, children = (processor_seconds(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    item.stash[BEGAN] = (own, children, len(compilations()))
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    report = yield
    if call.when == "teardown":
        own, children, compiled = item.stash[BEGAN]
        own, children = (
            processor_seconds(resource.RUSAGE_SELF) - own,
            processor_seconds(resource.RUSAGE_CHILDREN) - children,
        )
        judged = len(compilations()) == compiled and item.get_closest_marker("slow") is None
        report.user_properties.append(("processor_seconds", (own + children, own if judged else 0.0)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name == "processor_seconds" and report.when == "teardown":
            collected.append((float(value[0]), float(value[1]), report.nodeid))


def slower_than(seconds: float) -> list[tuple[float, str]]:
    return [(judged, name) for _, judged, name in collected if judged > seconds]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if slower_than(FAR_TOO_LONG) and exitstatus == pytest.ExitCode.OK and os.getloadavg()[1] <= BUSY:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.section(f"slowest {SHOWN}, in seconds of the processor")
    for spent, _, name in sorted(collected, reverse=True)[:SHOWN]:
        terminalreporter.write_line(f"{spent:8.1f}  {name}")
    files: Counter[str] = Counter()
    for spent, _, name in collected:
        files[name.split("::")[0]] += spent
    terminalreporter.section(f"slowest {SHOWN} files of {sum(files.values()):,.0f} seconds")
    for name, spent in files.most_common(SHOWN):
        terminalreporter.write_line(f"{spent:8.1f}  {name}")
    for spent, name in slower_than(LIMIT):
        terminalreporter.write_line(f"{name} took {spent:.1f} s of the processor; mark it slow, or make it quicker")
