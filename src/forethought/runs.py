"""Where runs are: `runs/NAME` below the current directory, or below $FORETHOUGHT_RUNS; named by name or by path."""

import os
import re
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.specs import did_you_mean

CONFIGURATION = "configuration.toml"  # a directory that holds one is a run
WEIGHTS = "weights"
POLICY = ".policy"  # how names of saved policies end
MATCHES = "matches.jsonl"  # the rounds of matches that were played on the command line


def runs_directory() -> Path:
    """Return the directory of all runs, which need not exist yet."""
    return Path(os.environ.get("FORETHOUGHT_RUNS") or "runs")


def matches_file() -> Path:
    """Return the file in which the command line keeps rounds, and from which the page rates players."""
    return runs_directory() / MATCHES


def all_runs() -> list[Path]:
    """Return the runs there are, by name."""
    home = runs_directory()
    return sorted(file.parent for file in home.glob(f"*/{CONFIGURATION}")) if home.is_dir() else []


def find_run(name_or_path: str) -> Path:
    """Return the directory of a run that exists."""
    for directory in (runs_directory() / name_or_path, Path(name_or_path)):
        if (directory / CONFIGURATION).is_file():
            return directory
    known = [directory.name for directory in all_runs()]
    hint = did_you_mean(name_or_path, known) or f"`forethought runs` lists those in {runs_directory()}."
    raise ForethoughtError(f"There is no run '{name_or_path}'; {hint.strip()}")


def shortest_name(directory: Path) -> str:
    """Return what names a run: its name where all runs are, its path elsewhere."""
    return directory.name if directory.parent.resolve() == runs_directory().resolve() else str(directory)


def new_run(name: str | None, game: str) -> Path:
    """Return the directory for a new run: of this name or path, or else the game's name with the next free number."""
    if name in (".", ".."):
        raise ForethoughtError(f"'{name}' is no name of a run; give --run a name, or the path of a new directory.")
    if name:
        return Path(name) if os.sep in name else runs_directory() / name
    stem = re.sub(r"\W+", "-", Path(game.partition("(")[0].partition(":")[0]).stem).strip("-") or "run"
    home = runs_directory()
    numbers = [re.fullmatch(rf"{re.escape(stem)}-(\d+)", place.name) for place in home.glob(f"{stem}-*")]
    return home / f"{stem}-{1 + max((int(found[1]) for found in numbers if found), default=0)}"


def numbered(directory: Path, iteration: int) -> Path:
    """Return the file of an iteration."""
    return directory / f"{iteration:06}.safetensors"


def iterations_in(directory: Path) -> list[int]:
    """Return the iterations that have a file in a directory, in order."""
    return sorted(int(file.stem) for file in directory.glob("*.safetensors") if file.stem.isdecimal())


def file_of(name_or_path: str) -> Path:
    """Return a file: one of this name where all runs are, or else the one at this path."""
    beside = runs_directory() / name_or_path
    return beside if beside.is_file() else Path(name_or_path)


def policies_saved() -> list[Path]:
    """Return the policies that were saved where all runs are, by name."""
    return sorted(file for file in runs_directory().glob(f"*{POLICY}") if file.is_file())


def weights_of(name: str) -> Path:
    """Return the weights that `RUN` (the newest), `RUN@12` (after iteration 12) or a file's path names."""
    if name.endswith(".safetensors"):
        return Path(name)
    run, at, iteration = name.rpartition("@")
    directory = find_run(run if at else name) / WEIGHTS
    kept = iterations_in(directory)
    if not kept:
        raise ForethoughtError(f"The run '{name}' has no weights yet; train it on with `forethought resume`.")
    wanted = iteration if at else str(kept[-1])
    if not wanted.isdecimal() or int(wanted) not in kept:
        listed = ", ".join(map(str, kept))
        raise ForethoughtError(f"The run '{run}' has no weights of iteration {wanted}, only of {listed}.")
    return numbered(directory, int(wanted))
