"""How long a user waits before anything happens: the import, the help, the first playout of an own game.

Each is measured in fresh interpreters, the best of several, against the longest it may take.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from forethought.bench.measure import seconds_for
from forethought.bench.result import Benchmark, Result, within_limit
from forethought.errors import ForethoughtError
from forethought.games import generic_poker

IMPORT_LIMIT, HELP_LIMIT, COLD_LIMIT, CACHED_LIMIT = 1.0, 0.5, 3.0, 0.5

IMPORT = """
from time import perf_counter
begin = perf_counter()
import forethought
print(perf_counter() - begin)
"""

# All that is imported, is imported before the clock starts.
FIRST_PLAYOUT = """
import sys
from time import perf_counter
import forethought.compiler
from forethought.games import load
from forethought.randomness import generator
from forethought.playouts import playouts
rng = generator(1)
begin = perf_counter()
playouts(load(sys.argv[1]), 1, rng)
print(perf_counter() - begin)
"""


def importing(rounds: int = 5) -> Result:
    best = min(float(fresh_python("-c", IMPORT)) for _ in range(rounds))
    return within_limit("startup:import", best, IMPORT_LIMIT)


def helping(rounds: int = 5) -> Result:
    best = min(seconds_for(lambda _: fresh_python("-m", "forethought", "--help"), 1) for _ in range(rounds))
    return within_limit("startup:help", best, HELP_LIMIT)


def user_game_cold(rounds: int = 3) -> Result:
    """Compile everything: the user's rules, and the kernels too, as on the first day."""
    best = min(_cold_seconds() for _ in range(rounds))
    return within_limit("startup:user-game-cold", best, COLD_LIMIT)


def user_game_cached(rounds: int = 3) -> Result:
    with _user_file() as file:
        _seconds_to_first_playout(file)  # fills the cache
        best = min(_seconds_to_first_playout(file) for _ in range(rounds))
    return within_limit("startup:user-game-cached", best, CACHED_LIMIT)


def _cold_seconds() -> float:
    with _user_file() as file:
        return _seconds_to_first_playout(file)


@contextmanager
def _user_file() -> Iterator[Path]:
    """A game of leduc's size as a user would have it: a file of one's own, in a directory that holds the cache too."""
    with TemporaryDirectory(prefix="forethought-bench-") as directory:
        file, text = Path(directory) / "generic_poker.py", Path(generic_poker.__file__).read_text(encoding="utf-8")
        own = text.replace('@register_game("generic_poker")', '@register_game("my_poker")')
        file.write_text(own, encoding="utf-8")
        yield file


def _seconds_to_first_playout(file: Path) -> float:
    return float(fresh_python("-c", FIRST_PLAYOUT, str(file), cache=file.parent / "cache"))


def fresh_python(*arguments: str, cache: Path | None = None) -> str:
    """Run a fresh interpreter of this installation and return what it prints."""
    environment = {**os.environ, "FORETHOUGHT_CACHE": str(cache)} if cache else None
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ForethoughtError(f"A fresh Python could not be measured, it failed: {_reason(done.stderr)}.")
    return done.stdout


def _reason(complaints: str) -> str:
    """Find the line that says what went wrong: that of the exception, which may go on for many lines, or the last."""
    lines = complaints.strip().splitlines() or ["it gave no reason"]
    return next((line for line in reversed(lines) if re.match(r"[\w.]+Error: ", line)), lines[-1]).rstrip(".")


BENCHMARKS: dict[str, Benchmark] = {
    "startup:user-game-cold": user_game_cold,
    "startup:user-game-cached": user_game_cached,
    "startup:import": importing,
    "startup:help": helping,
}
