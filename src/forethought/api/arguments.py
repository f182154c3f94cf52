"""What the functions of the API take, in the forms in which a caller may give it."""

import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.player import PlayerSettings
from forethought.runtime.executor import Executor, find_executor

GameLike = str | Game  # "leduc", "goofspiel(cards=6)", "my_game.py:factory(size=5)", or a game itself
PlayerLike = str | PlayerSettings  # "oos:10000", "az(run=demo,simulations=400)", or settings
PathLike = str | Path
ExecutorLike = str | Executor  # "threads:4", or an executor
Progress = Callable[[str, float], None]  # what is being done, and the part of it that is, from 0 to 1

DEFAULT_EXECUTOR = "threads"


def chosen_executor(executor: ExecutorLike | None, workers: int | None) -> Executor:
    """Return the executor that is given or named, threads if none is; `workers` says how many jobs run at once."""
    if workers is not None and workers < 1:
        raise ForethoughtError(f"workers must be a whole number at least 1, not {workers}.")
    if executor is None or isinstance(executor, str):
        settings = find_executor(executor or DEFAULT_EXECUTOR)
        return (settings if workers is None else replace(settings, workers=workers)).start()
    if workers is not None:
        raise ForethoughtError(
            "An executor that is given has its own workers; leave out workers, or name the executor."
        )
    return executor


def chosen_seed(seed: int | None) -> int:
    """Return the seed that is given, or draw one."""
    if seed is not None and seed < 0:
        raise ForethoughtError(f"seed must be a whole number at least 0, not {seed}.")
    return secrets.randbelow(2**32) if seed is None else seed


def quiet(_what: str, _part: float) -> None:
    """Report progress to nobody."""


def part_of(progress: Progress, begin: float, size: float) -> Progress:
    """Return what reports the progress of a part: of this size, after so much of the whole is done."""
    return lambda what, part: progress(what, begin + part * size)
