"""A paper of Kuhn's size, for tests."""

import shutil
from pathlib import Path

PAPERS = Path(__file__).parent / "papers"


def copied(into: Path) -> Path:
    """Copy the papers, to be changed."""
    shutil.copytree(PAPERS, into / "papers")
    return into / "papers"
