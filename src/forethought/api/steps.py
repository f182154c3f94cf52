"""Steps of long experiments: measurements that are done once, and trainings that are begun once.

A measurement is kept in a file named by a digest of what was asked: its definition, the game and the players, with the
content of the files that these name. A training is a run named by a digest of its settings. The code has no part in
either, so that a new version does not begin weeks of work again; each result says which version found it.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from forethought import __version__
from forethought.api.arguments import Progress
from forethought.api.runs import TrainedRun, open_run
from forethought.api.sweeps import sweep
from forethought.errors import ForethoughtError
from forethought.evaluate.store import identity_of
from forethought.files import write_atomically
from forethought.games import files_of, load
from forethought.learn.configuration import configuration_from
from forethought.learn.learner import LEARNERS, recommended_learner, usual_presets
from forethought.learn.sweeps import COMMON_KEYS
from forethought.player import PlayerSettings
from forethought.results import as_data
from forethought.runtime.executor import Executor
from forethought.settings import write_value
from forethought.sources import package_digest

DIGITS = 10  # of a digest in a name


@dataclass(frozen=True)
class StepRecord:
    """What a step found, and what that took."""

    found: Any
    seconds: float
    version: str  # of forethought, and the digest of its sources


class StepStore:
    """A directory of steps that are done."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.used: dict[Path, StepRecord] = {}  # what was asked for here, by file

    def done(self, definition: Mapping[str, Any], work: Callable[[], Any]) -> StepRecord:
        """Return what a step found, earlier or now; a file that is damaged is nothing, and its step done again."""
        text = json.dumps(definition, sort_keys=True)
        file = self.directory / f"{_digest(text)}.json"
        self.used[file] = _read(file) or self._do(file, definition, work)
        return self.used[file]

    def _do(self, file: Path, definition: Mapping[str, Any], work: Callable[[], Any]) -> StepRecord:
        began = time.perf_counter()
        found = json.loads(json.dumps(as_data(work())))  # as it is read again
        record = StepRecord(found, time.perf_counter() - began, version_of_code())
        kept = {"definition": dict(definition), **as_data(record)}
        write_atomically(file, (json.dumps(kept, indent=2) + "\n").encode())
        return record


def version_of_code() -> str:
    """Return the version of forethought, and the digest of its sources."""
    return f"{__version__} ({package_digest()})"


def identity_of_game(game: str) -> str:
    """Return what a game is: its string, and the content of the files that decide what it means."""
    return identity_of(game, files_of(game))


def identity_of_player(player: PlayerSettings) -> str:
    """Return what a player is: its string, and the content of the files that it names."""
    return identity_of(str(player), player.files())


class TrainingPlan(NamedTuple):
    """A training with several seeds."""

    name: str
    game: str
    settings: Mapping[str, Any]  # by dotted key; algorithm, preset, iterations and minutes among them
    seeds: Sequence[int]

    @property
    def file_name(self) -> str:
        """The name of its sweep, and so of its runs: more seeds are more runs, other settings are other runs."""
        return f"{self.name}-{_digest(identity_of_game(self.game) + self._settings_text)}"

    @property
    def text(self) -> str:
        """The plan as the file of a sweep."""
        return f"game = {write_value(self.game)}\nseeds = {list(self.seeds)}\n{self._settings_text}"

    def check(self) -> None:
        """Refuse a game, an algorithm or settings that do not exist."""
        made = load(self.game, compiled=False)
        texts = [f"{key}={value}" for key, value in self.settings.items()]
        usual = recommended_learner(made), usual_presets(made)
        chosen = configuration_from(self.game, None, texts, *usual, seed=self.seeds[0])
        if not LEARNERS.find(chosen.algorithm).suits(made):
            raise ForethoughtError(f"{chosen.algorithm} does not suit {self.game}.")

    @property
    def _settings_text(self) -> str:
        lines = {key: f"{key} = {write_value(value)}\n" for key, value in self.settings.items()}
        common = [line for key, line in lines.items() if key in COMMON_KEYS]
        return "".join([*common, "[settings]\n", *(line for key, line in lines.items() if key not in COMMON_KEYS)])


def trained(plan: TrainingPlan, directory: Path, executor: Executor, progress: Progress) -> list[TrainedRun]:
    """Train every seed of a plan, or go on where that stopped; return the runs.

    The plan is written to a directory as the file of a sweep, which `forethought sweep` can go on with as well.
    """
    file = directory / f"{plan.file_name}.toml"
    write_atomically(file, plan.text.encode())
    result = sweep(file, output=directory / plan.file_name, executor=executor, progress=progress)
    return [open_run(run) for run in result.variants[0].runs]


class EqualParts:
    """The progress of several parts, one after another, that count alike."""

    def __init__(self, progress: Progress, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def next(self, what: str) -> Progress:
        """Begin the next part; return what reports it."""
        before, self._done = self._done, self._done + 1
        self._progress(what, before / self._total)
        return lambda more, part: self._progress(f"{what}: {more}", (before + part) / self._total)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _read(file: Path) -> StepRecord | None:
    try:
        kept = json.loads(file.read_bytes())
        return StepRecord(kept["found"], float(kept["seconds"]), str(kept["version"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
