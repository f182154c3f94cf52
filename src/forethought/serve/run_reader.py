"""Runs as the page shows them, read from their directories while another process may be training."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import EVERYONE
from forethought.learn.configuration import Configuration, keys_of
from forethought.learn.metrics import IterationReport
from forethought.learn.run import EVENTS, Run, is_training
from forethought.learn.verdict import verdict
from forethought.runs import all_runs
from forethought.serve.errors import not_now, unknown
from forethought.serve.event_streams import HEARTBEAT, STILL_HERE, written
from forethought.serve.game_catalogue import Catalogue, Identity
from forethought.serve.views import board_of, positions

CURVES = (
    "win_rate",
    "win_rate_low",
    "win_rate_high",
    "nashconv",
    "loss",
    "value_loss",
    "entropy",
    "games_per_second",
)
LOOK = 1.0  # seconds between two looks at a run that trains
SHOWN_GAMES = 64

Stamp = tuple[int, int, bool]


class Watch:
    """Reads runs by the names that are listed; what has not changed is not read again."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._kept: dict[str, tuple[Stamp, dict[str, Any]]] = {}
        self._games: dict[str, tuple[int, list[dict[str, Any]]]] = {}  # of the newest iteration
        self._lock = threading.Lock()

    def listed(self) -> list[dict[str, Any]]:
        """List the runs in a line each; one that is damaged says so."""
        return [self._line(directory) for directory in all_runs()]

    def trained_on(self, spec: str) -> list[tuple[Path, str]]:
        """Return the runs of a game and their algorithms."""
        wanted, found = self._catalogue.identity(spec), []
        for directory in all_runs():
            line = self._line(directory)
            if self._identity(line["game"]) == wanted:
                found.append((directory, line["algorithm"]))
        return found

    def _identity(self, spec: str) -> Identity | None:
        """Return which game a run plays; None if clients may not ask for it, or there is no such game any more."""
        try:
            known_as = self._catalogue.known_as(spec)
            return None if known_as is None else self._catalogue.identity(known_as)
        except ForethoughtError:
            return None

    def told(self, name: str) -> dict[str, Any]:
        """Tell all of a run but its settings."""
        directory = _directory(name)
        with self._lock:
            return self._progress(directory) | {"games": self._newest(Run.open(directory, lock=False))}

    def _progress(self, directory: Path) -> dict[str, Any]:
        """Tell a run in a line, and its curves."""
        stamp, name = stamp_of(directory), directory.name
        if name not in self._kept or self._kept[name][0] != stamp:
            run = Run.open(directory, lock=False)
            reports = run.reports()
            self._kept[name] = (stamp, _summary(run, reports, stamp[2]) | {"curves": _curves(reports)})
        return self._kept[name][1]

    def settings(self, name: str) -> dict[str, Any]:
        """Return every setting of a run by its dotted key, with what it means."""
        configuration = Run.open(_directory(name), lock=False).configuration
        return {
            key: {"value": _setting(configuration, key), "about": one.metadata["declared"].about}
            for key, one in keys_of(type(configuration)).items()
        }

    def game(self, name: str, iteration: int, index: int) -> dict[str, Any]:
        """Show every position of a game of self-play, and the board it was played on."""
        run = Run.open(_directory(name), lock=False)
        known_as = self._catalogue.known_as(run.configuration.game)
        if known_as is None:
            raise not_now(f"{name} plays a game of a file; start `forethought serve FILE` with it to see its games.")
        if iteration not in run.complete_iterations():
            raise unknown(f"{name} has not completed iteration {iteration}.")
        games = run.games(iteration)
        if index >= len(games):
            raise unknown(f"Iteration {iteration} of {name} has {len(games)} games.")
        game, actions = self._catalogue.plain(known_as), games[index].about["actions"]
        return {"board": board_of(game), "positions": positions(game, EVERYONE, zip(actions, actions, strict=True))}

    async def follow(self, name: str, closing: asyncio.Event) -> AsyncIterator[bytes]:
        """Yield a `run` event at once and whenever the run has told more."""
        last, silent = None, 0.0
        while not closing.is_set():
            stamp = await asyncio.to_thread(stamp_of, _directory(name))
            if stamp != last:
                last, silent = stamp, 0.0
                yield written("run", await asyncio.to_thread(self.told, name))
            elif silent >= HEARTBEAT:
                silent = 0.0
                yield STILL_HERE
            silent += LOOK
            await _sleep(LOOK, closing)

    def _line(self, directory: Path) -> dict[str, Any]:
        try:
            with self._lock:
                about = self._progress(directory)
        except ForethoughtError as error:
            return {
                "name": directory.name,
                "game": "",
                "algorithm": "",
                "iterations": 0,
                "training": False,
                "sentence": str(error),
            }
        return {key: value for key, value in about.items() if key != "curves"}

    def _newest(self, run: Run) -> list[dict[str, Any]]:
        """List the games of the newest iteration that is complete."""
        done = run.complete_iterations()
        if not done:
            return []
        kept, games = self._games.get(run.name, (0, []))
        if kept != done[-1]:
            games = [
                {
                    "iteration": done[-1],
                    "index": index,
                    "plies": len(game.about["actions"]),
                    "returns": game.about["returns"],
                }
                for index, game in enumerate(run.games(done[-1])[:SHOWN_GAMES])
            ]
            self._games[run.name] = (done[-1], games)
        return games


def stamp_of(directory: Path) -> Stamp:
    """Return what changes whenever a run tells something, or begins or ends to train."""
    try:
        told = (directory / EVENTS).stat()
    except OSError:
        return 0, 0, False
    return told.st_mtime_ns, told.st_size, is_training(directory)


def _directory(name: str) -> Path:
    """Find a run among those there are: a client's word is never part of a path."""
    found = {directory.name: directory for directory in all_runs()}
    if name not in found:
        raise unknown(f"There is no run '{name}'.")
    return found[name]


def _summary(run: Run, reports: list[IterationReport], training: bool) -> dict[str, Any]:
    return {
        "name": run.name,
        "game": run.configuration.game,
        "algorithm": run.configuration.algorithm,
        "iterations": max((report.iteration for report in reports), default=0),
        "training": training,
        "sentence": verdict(reports).sentence,
    }


def _curves(reports: list[IterationReport]) -> dict[str, list[float | None]]:
    return {
        name: [report.iteration if name == "iteration" else report.get(name) for report in reports] for name in CURVES
    }


def _setting(configuration: Configuration, key: str) -> Any:
    section, _, name = key.rpartition(".")
    return getattr(getattr(configuration, section) if section else configuration, name)


async def _sleep(seconds: float, closing: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(closing.wait(), seconds)
    except TimeoutError:
        return
