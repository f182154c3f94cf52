"""Trainings, matches, ladders and studies that the page starts: ordinary `forethought` processes.

Each has a directory below `runs/.processes`:

    process.json   what it is, its arguments and its number in the system
    lock           held by the process itself for as long as it lives, however it ends
    progress.json  how far it is, see `cli/progress_file.py`
    output.json    what it prints with --json when it is finished
    errors.txt     what it says on stderr

So a process survives the page and the server, and a server that starts later knows which ones still run.
"""

import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from forethought.errors import ForethoughtError
from forethought.files import write_atomically
from forethought.learn.lock import is_held, release, take_lock
from forethought.runs import runs_directory
from forethought.serve.errors import bad_request, conflict, not_found, too_many_requests
from forethought.serve.player_titles import with_titles
from forethought.serve.preparation import LOW_PRIORITY
from forethought.serve.schemas.processes import ProcessKind, ProcessSchema, ProcessState, StoredProcessSchema

DIRECTORY = ".processes"  # below the directory of runs
RECORD, LOCK, PROGRESS, OUTPUT, ERRORS = "process.json", "lock", "progress.json", "output.json", "errors.txt"
CONTESTS = ("match", "ladder")  # kinds whose rounds are stored as they are played
KEPT = 50  # processes that are remembered
ENDING = 5.0  # seconds that a request waits for a process to end after its training
LAST_WORDS = 4_096  # bytes of what a process said at last
_CHILDREN: list[subprocess.Popen[bytes]] = []  # of this process, which may end before them
VERB = (sys.executable, "-m", "forethought")


class NewProcess(NamedTuple):
    """What is to be started."""

    kind: ProcessKind
    game: str  # as clients name it
    game_title: str  # for people
    title: str  # what is done with it, for people
    arguments: Sequence[str]  # of `forethought`
    run: str | None = None  # that is trained
    version: str = ""  # of the user's file


class Processes:
    """All processes that were started from the page, by this server or an earlier one."""

    def __init__(self, most: int, verb: Sequence[str] = VERB) -> None:
        self._most, self._verb = most, verb
        self._home = runs_directory().absolute() / DIRECTORY
        self._starting = threading.Lock()

    def listed(self) -> list[ProcessSchema]:
        """List the processes, the newest first."""
        _reap()
        found = [(stored, _described(directory, stored)) for directory, stored in self._stored()]
        return [process for _, process in sorted(found, key=lambda pair: pair[0].started, reverse=True)]

    def start(self, new: NewProcess) -> ProcessSchema:
        """Start a process, unless too many are running."""
        if not all(argument.isprintable() for argument in new.arguments):
            raise bad_request("Games, players and settings are written with printable characters only.")
        with self._starting:
            if sum(is_held(path) for path in self._home.glob(f"*/{LOCK}")) >= self._most:
                raise too_many_requests(f"{self._most} processes are running already; stop one of them first.")
            if any(stored.run == new.run and is_held(place / LOCK) for place, stored in self._stored() if new.run):
                raise conflict(
                    f"{new.run} is being trained already, or the process that did is about to end; try again soon."
                )
            self._forget_oldest()
            return self._start(new, self._home / secrets.token_hex(8))

    def stop(self, id: str) -> ProcessSchema:
        """Stop a process as Ctrl-C does: what is finished is kept, and a training can be resumed."""
        directory, stored = self._find(id)
        if not is_held(directory / LOCK):
            raise conflict("This process is not running any more.")
        with suppress(ProcessLookupError):
            os.kill(stored.pid, signal.SIGINT)
        return _described(directory, stored)

    def stop_training(self, run: str) -> ProcessSchema:
        """Stop the process that trains a run."""
        for directory, stored in self._stored():
            if stored.run == run and is_held(directory / LOCK):
                return self.stop(directory.name)
        raise conflict(f"{run} was not started from this page; stop it with Ctrl-C where it was started.")

    def wait_for(self, run: str) -> None:
        """Wait a little for a process that has ended the training of a run, and is about to end itself."""
        end = time.monotonic() + ENDING
        while time.monotonic() < end and any(
            stored.run == run and is_held(place / LOCK) for place, stored in self._stored()
        ):
            time.sleep(0.05)

    def remove(self, id: str) -> None:
        """Forget a process that has ended, and what it found; a run that it trained stays."""
        directory, _ = self._find(id)
        if is_held(directory / LOCK):
            raise conflict("This process is running; stop it first.")
        shutil.rmtree(directory, ignore_errors=True)

    def ended(self, id: str) -> StoredProcessSchema:
        """Return what is known of a process that has ended."""
        directory, stored = self._find(id)
        if is_held(directory / LOCK):
            raise conflict("This process is running already.")
        return stored

    def result(self, id: str, kind: ProcessKind) -> Any:
        """Return what a process of a kind has found."""
        directory, stored = self._find(id)
        found = _json_of(directory / OUTPUT)
        if stored.kind != kind:
            raise not_found(f"There is no {kind} '{id}'.")
        if found is None:
            raise conflict(f"This {kind} has no result: {_described(directory, stored).told or 'it is not finished'}")
        return found

    def _start(self, new: NewProcess, directory: Path) -> ProcessSchema:
        """Start a process that holds the lock of its directory: it inherits the open file, which is closed here."""
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        directory.mkdir()
        lock = take_lock(directory / LOCK, new.title)
        try:
            with (directory / OUTPUT).open("wb") as output, (directory / ERRORS).open("wb") as errors:
                child = subprocess.Popen(  # noqa: S603 (arguments are checked, and no shell reads them)
                    [*LOW_PRIORITY, *self._verb, *new.arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=errors,
                    pass_fds=(lock,),
                    start_new_session=True,  # Ctrl-C in the server's terminal is not for it
                    env=_environment(directory),
                )
        except OSError as error:
            release(lock)
            shutil.rmtree(directory, ignore_errors=True)
            raise ForethoughtError(f"The process cannot be started: {error.strerror}.") from error
        os.close(lock)  # without unlocking it
        _CHILDREN.append(child)
        stored = StoredProcessSchema(
            kind=new.kind,
            game=new.game,
            game_title=new.game_title,
            title=new.title,
            run=new.run,
            version=new.version,
            started=time.time(),
            pid=child.pid,
            arguments=list(new.arguments),
        )
        write_atomically(directory / RECORD, stored.model_dump_json(indent=2).encode())
        return _described(directory, stored)

    def _find(self, id: str) -> tuple[Path, StoredProcessSchema]:
        """Find a process in the list, so that no part of a path comes from a client."""
        for directory, stored in self._stored():
            if directory.name == id:
                return directory, stored
        raise not_found("There is no such process.")

    def _stored(self) -> list[tuple[Path, StoredProcessSchema]]:
        """Read all records; what is damaged is left out."""
        found = []
        for path in sorted(self._home.glob(f"*/{RECORD}")):
            with suppress(OSError, ValidationError):
                found.append((path.parent, StoredProcessSchema.model_validate_json(path.read_bytes())))
        return found

    def _forget_oldest(self) -> None:
        ended = [(stored.started, place) for place, stored in self._stored() if not is_held(place / LOCK)]
        for _, directory in sorted(ended)[: max(0, len(ended) - KEPT + 1)]:
            shutil.rmtree(directory, ignore_errors=True)


def _reap() -> None:
    """Let the system forget children that have ended."""
    _CHILDREN[:] = [child for child in _CHILDREN if child.poll() is None]


def _environment(directory: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "FORETHOUGHT_RUNS": str(runs_directory().absolute()),
        "FORETHOUGHT_PROGRESS": str(directory / PROGRESS),
    }


def _described(directory: Path, stored: StoredProcessSchema) -> ProcessSchema:
    state, told, progress = _state(directory, stored), "", _progress(directory)
    if state == "running":
        told = str(progress.get("what", "")) or _last_words(directory) or "starting"
    elif state == "failed":
        told = _last_words(directory).removeprefix("error: ")
    elif state == "finished":
        with suppress(TypeError, ValueError, KeyError, AttributeError):  # of another version
            told = _summary(stored.kind, _json_of(directory / OUTPUT) or {})
    return ProcessSchema(
        **stored.model_dump(exclude={"pid", "arguments"}),
        id=directory.name,
        state=state,
        told=with_titles(told, contestants(stored)[1]),
        part=_number(progress, "part") if state == "running" else None,
        seconds_left=_number(progress, "seconds_left") if state == "running" else None,
    )


def contestants(stored: StoredProcessSchema) -> tuple[str, list[str]]:
    """Return the game of a match or a ladder, as the library names it, and the players; nothing of anything else."""
    if stored.kind not in CONTESTS or "--" not in stored.arguments[:-1]:
        return "", []
    game, *players = stored.arguments[stored.arguments.index("--") + 1 :]
    return game, players


def _state(directory: Path, stored: StoredProcessSchema) -> ProcessState:
    if is_held(directory / LOCK):
        return "running"
    found = _json_of(directory / OUTPUT)
    if found is not None:
        return "stopped" if stored.kind == "training" and found.get("interrupted") else "finished"
    return "failed" if _last_words(directory).startswith("error: ") else "stopped"


def _summary(kind: ProcessKind, found: Mapping[str, Any]) -> str:
    """Say what was found, in a sentence."""
    if kind == "match":
        won = f"{found['win_rate']:.1%} of wins and {found['mean_return']:+.3g} per game for {found['a']}"
        verdict = re.sub("^[AB] is", lambda side: "it is" if side[0] == "A is" else "the other is", found["verdict"])
        return f"{won}; {verdict}"
    if kind == "ladder":
        players = [one["player"] for one in found["standings"]]
        return f"strongest first: {'; '.join(players)}"
    if kind == "study":
        return str(next(iter(found.get("findings", [])), ""))
    return f"{found.get('iterations', 0)} iterations"


def _progress(directory: Path) -> dict[str, Any]:
    return _json_of(directory / PROGRESS) or {}


def _number(found: Mapping[str, Any], name: str) -> float | None:
    value = found.get(name)
    return float(value) if isinstance(value, int | float) else None


def _json_of(path: Path) -> dict[str, Any] | None:
    """Return the object that a file holds; None if there is none, or not all of it yet."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _last_words(directory: Path) -> str:
    try:
        said = (directory / ERRORS).read_bytes()[-LAST_WORDS:].decode("utf-8", "replace")
    except OSError:
        return ""
    return next((line for line in reversed(said.splitlines()) if line.strip()), "")
