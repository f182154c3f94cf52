"""Every test has a directory of runs of its own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path / "runs"))
    return tmp_path / "runs"
