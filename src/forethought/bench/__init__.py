"""Speed, measured beside what it is claimed against. Every claim of speed is one benchmark here.

A topic is one file with its benchmarks in `BENCHMARKS`, name by name; to add a topic, add its file to `TOPICS`, or to
`LONG_TOPICS` if its benchmarks take many minutes: they run only if they are named.
"""

import difflib
from collections.abc import Sequence

from forethought.api.arguments import Progress, quiet
from forethought.bench import (
    alphago,
    cluster,
    learning,
    mccfr,
    mmd,
    page,
    patterns,
    playouts,
    records,
    searching,
    solving,
    startup,
    strength,
    threads,
    trees,
)
from forethought.bench.result import Benchmark, Result
from forethought.errors import ForethoughtError
from forethought.results import Listing

__all__ = ["Result", "bench", "benchmarks", "chosen", "run"]

TOPICS = (
    playouts.BENCHMARKS,
    threads.BENCHMARKS,
    startup.BENCHMARKS,
    solving.BENCHMARKS,
    mccfr.BENCHMARKS,
    searching.BENCHMARKS,
    learning.BENCHMARKS,
    mmd.BENCHMARKS,
    trees.BENCHMARKS,
    alphago.BENCHMARKS,
    patterns.BENCHMARKS,
    records.BENCHMARKS,
    page.BENCHMARKS,
)
LONG_TOPICS = (strength.BENCHMARKS, cluster.BENCHMARKS)
_REGISTRY: dict[str, Benchmark] = {
    name: benchmark for topic in (*TOPICS, *LONG_TOPICS) for name, benchmark in topic.items()
}


def benchmarks() -> tuple[str, ...]:
    """Return the names of all benchmarks, in the order to run them."""
    return tuple(_REGISTRY)


def chosen(wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the benchmarks that begin with any of these, in the order to run them.

    If nothing is wanted, these are all but those that take many minutes.
    """
    if not wanted:
        return tuple(name for topic in TOPICS for name in topic)
    for beginning in wanted:
        if not any(_begins(name, beginning) for name in _REGISTRY):
            raise _unknown(beginning)
    return tuple(name for name in _REGISTRY if any(_begins(name, beginning) for beginning in wanted))


def bench(names: Sequence[str] = (), *, progress: Progress = quiet) -> Listing[Result]:
    """Measure speed beside a peer in the same run: all benchmarks, or those whose names begin with any of these.

    Each takes a few seconds; those of strength and of the cluster take minutes, and run only if they are named. Raises
    ForethoughtError if no benchmark has such a name.
    """
    wanted, results = chosen([names] if isinstance(names, str) else names), Listing[Result]()
    for done, name in enumerate(wanted):
        progress(name, done / len(wanted))
        results.append(run(name))
    return results


def run(name: str) -> Result:
    """Run one benchmark."""
    if name not in _REGISTRY:
        raise _unknown(name)
    return _REGISTRY[name]()


def _begins(name: str, beginning: str) -> bool:
    """Tell whether the name begins so; a whole name means itself alone, even if others begin with it."""
    return name == beginning or (beginning not in ("", *_REGISTRY) and name.startswith(beginning))


def _unknown(name: str) -> ForethoughtError:
    near = _near(name)
    hint = f"did you mean {' or '.join(near)}? Benchmarks are" if near else "benchmarks are"
    return ForethoughtError(f"There is no benchmark '{name}'; {hint} {', '.join(_REGISTRY)}.")


def _near(name: str) -> list[str]:
    """Find what was meant: part of a name, as in `leduc`, or a name misspelt."""
    containing = [known for known in _REGISTRY if name and name in known]
    return containing or difflib.get_close_matches(name, _REGISTRY)
