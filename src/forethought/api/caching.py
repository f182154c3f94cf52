"""The machine code that is kept on disk."""

import shutil
from dataclasses import dataclass
from pathlib import Path

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

    def _repr_html_(self) -> str:
        said = f"{self.files:,} files, {self.bytes / 1e6:.1f} MB{', now cleared' if self.cleared else ''}"
        return block(f"Machine code in {self.directory}", note(said))


def cache(*, clear: bool = False) -> CacheSummary:
    """Look at the machine code on disk, or delete it all: games and kernels are compiled again when next used."""
    root = cache_root()
    if clear:
        shutil.rmtree(root, ignore_errors=True)
    sizes = [path.stat().st_size for path in root.rglob("*") if path.is_file()]
    return CacheSummary(root, cache_directory().name, len(sizes), sum(sizes), clear)
