"""A run: one directory with all that a training needs to be watched, judged, and continued after any end.

    configuration.toml             the configuration that resulted, written last: with it the directory is a run
    versions.json                  of Python, forethought and what it computes with
    events.jsonl                   what happened, see `events.py`
    checkpoints/000012.safetensors the state after iteration 12; the newest three are kept
    weights/000012.safetensors     the network after iteration 12, for players; all are kept
    games/000013/07.safetensors    a finished game of the iteration that runs, saved at once
    games/000013.safetensors       all games of an iteration that is complete
    workspace/                     files that only the iteration in progress needs: networks that play or are tested
    lock                           held by the process that trains; the system frees it however that process ends

Every file is written whole beside its place and then renamed, so it is there or not, wherever a process is killed. An
iteration is told in `events.jsonl` before its checkpoint is written: what is done again after a crash is told again,
and the later report counts.
"""

import contextlib
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

from forethought.arrays import Array
from forethought.errors import ForethoughtError
from forethought.files import write_atomically
from forethought.learn.arrays import arrays_to_bytes, read_arrays
from forethought.learn.configuration import Configuration, from_toml, to_toml
from forethought.learn.events import (
    ITERATION,
    METRICS,
    Event,
    EventLog,
    described_metrics,
    iteration_reports,
    read_events,
)
from forethought.learn.lock import is_held, release, take_lock
from forethought.learn.metrics import IterationReport, Metric
from forethought.learn.samples import Samples, joined
from forethought.runs import CONFIGURATION, WEIGHTS, iterations_in, numbered, shortest_name
from forethought.sources import versions

KEPT_CHECKPOINTS = 3
LOCK, EVENTS, VERSIONS, WORKSPACE = "lock", "events.jsonl", "versions.json", "workspace"
_LEFT_BEHIND = re.compile(r"\..+\.(safetensors|toml|json|png)\.\w+")  # what a killed process had begun to write


class Checkpoint(NamedTuple):
    """The state of a training after an iteration: arrays by name, and what is told in words."""

    iteration: int
    arrays: dict[str, Array]
    about: dict[str, Any]


class SavedGame(NamedTuple):
    """A game of self-play."""

    samples: Samples
    about: dict[str, Any]


class Run:
    """A run on the disk, made by `create` or `open`. Writing needs the lock; reading does not."""

    def __init__(self, directory: Path, configuration: Configuration) -> None:
        self.directory, self.configuration = directory, configuration
        self.warnings: list[str] = []  # what was found damaged, and what was done about it
        self._checkpoints, self._weights, self._games = (directory / part for part in ("checkpoints", WEIGHTS, "games"))
        self._lock: int | None = None
        self._log: EventLog | None = None

    @classmethod
    def create(cls, directory: Path, configuration: Configuration) -> Self:
        """Make a new run and take its lock; a directory that is a run, or holds other things, is refused."""
        _refuse_occupied(directory)
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ForethoughtError(f"The run {directory} cannot be made: {error.strerror}.") from error
        run = cls(directory, configuration)
        run.lock()
        try:
            _refuse_occupied(directory)  # another process may have made it since
            write_atomically(directory / VERSIONS, (json.dumps(versions(), indent=2) + "\n").encode())
            write_atomically(directory / CONFIGURATION, to_toml(configuration).encode())
        except BaseException:  # Ctrl-C too: who called may try again
            run.close()
            raise
        return run

    @classmethod
    def open(cls, directory: Path, lock: bool = True) -> Self:
        """Open a run: with the lock to go on with it, without to look at it."""
        run = cls(directory, read_configuration(directory))
        if lock:
            run.lock()
        return run

    def reconfigure(self, configuration: Configuration) -> None:
        """Go on with another configuration: more iterations, say."""
        self._writing()
        write_atomically(self.directory / CONFIGURATION, to_toml(configuration).encode())
        self.configuration = configuration

    @property
    def name(self) -> str:
        return self.directory.resolve().name

    def lock(self) -> None:
        """Become the one process that writes to this run, and clear away what a killed one left half done."""
        if self._lock is not None:
            return
        self._lock = take_lock(self.directory / LOCK, self.name)
        try:
            self._log = EventLog(self.directory / EVENTS)
            self._clear_away()
        except (OSError, ForethoughtError) as error:
            self.close()
            reason = error.strerror if isinstance(error, OSError) else str(error).rstrip(".")
            raise ForethoughtError(f"The run {self.directory} cannot be continued: {reason}.") from error

    def close(self) -> None:
        """Let the lock go."""
        if self._log is not None:
            self._log.close()
        if self._lock is not None:
            release(self._lock)
        self._log = self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # Events

    def report(self, kind: str, **values: Any) -> None:
        """Append an event."""
        self._writing().append(kind, **values)

    def describe_metrics(self, metrics: Sequence[Metric]) -> None:
        """Say what the reports of iterations will hold, for whoever shows them."""
        if metrics != self.metrics():
            self.report(METRICS, metrics=[asdict(metric) for metric in metrics])

    def report_iteration(self, report: IterationReport) -> None:
        self.report(ITERATION, iteration=report.iteration, values=report.values)

    def metrics(self) -> list[Metric]:
        """Return what the reports of iterations hold, in the order in which it is to be shown."""
        return described_metrics(self.events())

    def events(self) -> list[Event]:
        return read_events(self.directory / EVENTS)

    def reports(self) -> list[IterationReport]:
        return iteration_reports(self.events())

    @property
    def workspace(self) -> Path:
        """A directory for files that only the iteration in progress needs."""
        return self.directory / WORKSPACE

    # Checkpoints and weights

    def save_checkpoint(self, iteration: int, arrays: Mapping[str, Array], about: Mapping[str, Any]) -> None:
        """Keep the state after an iteration, and forget the oldest."""
        self._writing()
        write_atomically(numbered(self._checkpoints, iteration), arrays_to_bytes(arrays, about))
        for old in iterations_in(self._checkpoints)[:-KEPT_CHECKPOINTS]:
            numbered(self._checkpoints, old).unlink(missing_ok=True)

    def checkpoint(self, iteration: int) -> Checkpoint:
        """Return the state after an iteration; one that is not kept or damaged is refused."""
        path = numbered(self._checkpoints, iteration)
        if not path.is_file():
            listed = ", ".join(map(str, iterations_in(self._checkpoints))) or "none"
            raise ForethoughtError(f"{self.name} keeps no checkpoint of iteration {iteration}; it keeps {listed}.")
        return Checkpoint(iteration, *read_arrays(path))

    def newest_checkpoint(self) -> Checkpoint | None:
        """Return the newest sound state; None if there is none, as before the first iteration."""
        for iteration in reversed(iterations_in(self._checkpoints)):
            try:
                return self.checkpoint(iteration)
            except ForethoughtError as error:
                self.warn(f"{error} An earlier checkpoint is used.")
        return None

    def weights_file(self, iteration: int) -> Path:
        """Return where the network after an iteration belongs: `save_mlp(run.weights_file(12), net, game)`."""
        return numbered(self._weights, iteration)

    # Games

    def save_game(self, iteration: int, index: int, samples: Samples, about: Mapping[str, Any]) -> None:
        """Keep a finished game. From any thread; cheap, as it does not wait for the disk.

        A killed process loses nothing by that. After a power cut the file may be damaged: then its digest tells, and
        the game is played again.
        """
        self._writing()
        path = self._games / f"{iteration:06}" / f"{index:02}.safetensors"
        beside = path.with_name(f".{path.name}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(arrays_to_bytes(samples._asdict(), about))
            beside.replace(path)
        except OSError as error:
            raise ForethoughtError(f"{path} cannot be written: {error.strerror}.") from error

    def finished_games(self, iteration: int) -> dict[int, SavedGame]:
        """Return the games of an iteration, complete or not, by index. Damaged ones are left out: play them again."""
        merged = numbered(self._games, iteration)
        if merged.exists():
            try:
                return dict(enumerate(_apart(*read_arrays(merged))))
            except ForethoughtError as error:
                self.warn(f"{error} Its games are played again.")
        found = {}
        for index in self.single_games(iteration):
            try:
                found[index] = self.single_game(iteration, index)
            except ForethoughtError as error:
                self.warn(f"{error} This game is played again.")
        return found

    def single_games(self, iteration: int) -> list[int]:
        """Return which games of the iteration that runs are finished."""
        return iterations_in(self._games / f"{iteration:06}")

    def single_game(self, iteration: int, index: int) -> SavedGame:
        """Return a finished game of the iteration that runs."""
        arrays, about = read_arrays(self._games / f"{iteration:06}" / f"{index:02}.safetensors")
        return SavedGame(Samples(**arrays), about)

    def close_iteration(self, iteration: int) -> None:
        """Make one file of an iteration's games; they are 0, 1, 2, ... without a gap."""
        self._writing()
        games = self.finished_games(iteration)
        if sorted(games) != list(range(len(games))) or not games:
            raise ForethoughtError(f"Iteration {iteration} of {self.name} is not complete: it has games {list(games)}.")
        content = arrays_to_bytes(*_together([games[index] for index in range(len(games))]))
        write_atomically(numbered(self._games, iteration), content)
        shutil.rmtree(self._games / f"{iteration:06}", ignore_errors=True)

    def complete_iterations(self) -> list[int]:
        """Return the iterations whose games are all there."""
        return iterations_in(self._games)

    def games(self, iteration: int) -> list[SavedGame]:
        """Return the games of a complete iteration, in order."""
        path = numbered(self._games, iteration)
        if not path.is_file():
            raise ForethoughtError(f"{self.name} has not completed iteration {iteration}.")
        return _apart(*read_arrays(path))

    def all_games(self) -> Iterator[tuple[int, list[SavedGame]]]:
        """Yield the games of every complete iteration, oldest first."""
        for iteration in self.complete_iterations():
            yield iteration, self.games(iteration)

    def _writing(self) -> EventLog:
        if self._log is None:
            raise ForethoughtError(f"{self.name} is open to be looked at only; lock it to write to it.")
        return self._log

    def warn(self, text: str) -> None:
        """Keep a sentence for whoever watches."""
        self.warnings.append(text)
        if self._log is not None:
            self._log.append("warning", text=text)

    def _clear_away(self) -> None:
        for path in list(self.directory.rglob(".*")):
            if _LEFT_BEHIND.fullmatch(path.name):
                path.unlink(missing_ok=True)
        for single in list(self._games.glob("*/")):  # killed between the merging of games and their removal
            with contextlib.suppress(ForethoughtError, ValueError):
                self.games(int(single.name))
                shutil.rmtree(single, ignore_errors=True)


def read_configuration(directory: Path) -> Configuration:
    """Read the configuration of a run."""
    path = directory / CONFIGURATION
    try:
        return from_toml(path.read_text(encoding="utf-8"), str(path))
    except FileNotFoundError:
        raise ForethoughtError(f"There is no run {directory}; `forethought runs` lists them.") from None
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeError:
        raise ForethoughtError(f"{path} is damaged: it is not text.") from None


def is_training(directory: Path) -> bool:
    """Whether a process holds the lock of a run."""
    return is_held(directory / LOCK)


def _refuse_occupied(directory: Path) -> None:
    if (directory / CONFIGURATION).exists():
        going_on = f"`forethought resume {shortest_name(directory)}`"
        raise ForethoughtError(f"The run {directory} exists; go on with {going_on}, or name another with --run.")
    if directory.exists() and not directory.is_dir():
        raise ForethoughtError(f"The run {directory} cannot be made: a file has this name.")
    begun = {LOCK, EVENTS, VERSIONS}  # a run whose making was killed
    strange = [path for path in directory.glob("*") if path.name not in begun and not path.name.startswith(".")]
    if strange:
        raise ForethoughtError(f"{directory} holds other files, such as {strange[0].name}; name another with --run.")


def _together(games: list[SavedGame]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the arrays of all games, with the rows and the width of each."""
    arrays: dict[str, Array] = dict(joined([game.samples for game in games])._asdict())
    arrays["rows"] = np.array([game.samples.rows for game in games], np.int64)
    arrays["widths"] = np.array([game.samples.facts.shape[1] for game in games], np.int64)
    return arrays, {"games": [game.about for game in games]}


def _apart(arrays: dict[str, Array], about: dict[str, Any]) -> list[SavedGame]:
    """Undo `_together`, exactly."""
    ends = np.cumsum(arrays.pop("rows")).tolist()
    widths, samples = arrays.pop("widths").tolist(), Samples(**arrays)
    games = []
    for begin, end, width, words in zip([0, *ends[:-1]], ends, widths, about["games"], strict=True):
        rows = samples.chosen(slice(begin, end))
        games.append(SavedGame(rows._replace(facts=rows.facts[:, :width]), words))
    return games
