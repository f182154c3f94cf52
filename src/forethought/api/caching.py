"""The machine code that is kept on disk."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from forethought.api.arguments import Progress, quiet
from forethought.compiler.storage import cache_directory, cache_root
from forethought.drawing.markup import block, note
from forethought.results import ResultBase


@dataclass(frozen=True)
class CacheSummary(ResultBase):
    """How much machine code there is."""

    directory: Path
    of_these_versions: str  # the part that this Python and its libraries use
    files: int
    bytes: int
    cleared: bool
    compiled: int  # functions, to fill the cache

    def _repr_html_(self) -> str:
        said = f"{self.files:,} files, {self.bytes / 1e6:.1f} MB{', now cleared' if self.cleared else ''}"
        return block(f"Machine code in {self.directory}", note(said))


def cache(
    *, clear: bool = False, warm: bool = False, workers: int | None = None, progress: Progress = quiet
) -> CacheSummary:
    """Look at the machine code on disk, delete it all, or fill it with what is commonly needed.

    What is deleted is compiled again when next used. To fill the cache, the rules of all games and the kernels of
    searches, solvers and learners are compiled, by `workers` processes at once, one per core if not given.
    """
    root, compiled = cache_root(), 0
    if clear:
        shutil.rmtree(root, ignore_errors=True)
    if warm:
        from forethought.api.warming import common_jobs, warm_up  # noqa: PLC0415 (imports all that it compiles)

        for functions, part in warm_up(common_jobs(), workers or os.cpu_count() or 1):
            compiled += functions
            progress(f"{compiled} functions", part)
    sizes = [path.stat().st_size for path in root.rglob("*") if path.is_file()]
    return CacheSummary(root, cache_directory().name, len(sizes), sum(sizes), clear, compiled)
