"""Say so when compilation keeps the user waiting."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 0.5

_within = threading.local()


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Print one line to stderr if what happens inside takes longer than a user waits without wondering.

    A kernel compiles those it calls, so compilations nest: only the outermost is announced.
    """
    if getattr(_within, "another", False):
        yield
        return
    timer = threading.Timer(PATIENCE_SECONDS, _announce, [what])
    timer.daemon = True
    timer.start()
    _within.another = True
    try:
        yield
    finally:
        _within.another = False
        timer.cancel()


def _announce(what: str) -> None:
    print(f"compiling {what} ... (first run only)", file=sys.stderr, flush=True)
