"""Where runs are: a directory each, by name under `runs/`, and in it the weights of every iteration that was kept."""

import os
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.specs import did_you_mean

WEIGHTS = "weights"


def runs_directory() -> Path:
    """Return where runs are kept: FORETHOUGHT_RUNS, or `runs` in the current directory."""
    return Path(os.environ.get("FORETHOUGHT_RUNS", "runs"))


def find_run(name: str) -> Path:
    """Return the directory of a run, given by name or by path."""
    for directory in (runs_directory() / name, Path(name)):
        if name and (directory / WEIGHTS).is_dir():
            return directory
    home = runs_directory()
    known = sorted(path.name for path in home.iterdir() if path.is_dir()) if home.is_dir() else []
    raise ForethoughtError(
        f"There is no run '{name}' in {home}; {did_you_mean(name, known)}`forethought train GAME` makes one."
    )


def weights_file(directory: Path, iteration: int) -> Path:
    return directory / WEIGHTS / f"{iteration:06}.safetensors"


def find_weights(run: str) -> Path:
    """Return the file with the newest weights of a run, or with those of `RUN@iteration`."""
    name, _, wanted = run.partition("@")
    directory = find_run(name)
    kept = sorted(path for path in (directory / WEIGHTS).glob("*.safetensors") if path.stem.isdigit())
    if wanted and not wanted.isdigit():
        raise ForethoughtError(f"'{run}' should be a run and an iteration, as in {name}@100.")
    if wanted and weights_file(directory, int(wanted)) not in kept:
        listed = ", ".join(str(int(path.stem)) for path in kept)
        raise ForethoughtError(f"{name} has no weights of iteration {wanted}; it has {listed or 'none yet'}.")
    if not kept:
        raise ForethoughtError(f"{name} has no weights yet; let it train an iteration.")
    return weights_file(directory, int(wanted)) if wanted else kept[-1]
