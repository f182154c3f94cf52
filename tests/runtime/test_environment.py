"""What processes compare before one works for another."""

from dataclasses import replace
from pathlib import Path

import pytest

from forethought.runtime.environment import environment, forwarded_variables


def test_what_differs_is_named() -> None:
    here = environment()
    assert here.differences(here) == ""
    assert replace(here, sources="edited").differences(here) == "other sources of forethought"
    other = replace(here, numpy="1.0", numba="0.1", sources="digest of other versions")
    said = f"numpy 1.0 instead of {here.numpy} and numba 0.1 instead of {here.numba}"
    assert other.differences(here) == said


def test_plugins_are_named_by_whole_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORETHOUGHT_PLUGINS", "mine.py, a.package")
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    monkeypatch.setenv("HOMEWORK", "not sent")
    sent = forwarded_variables()
    assert sent["FORETHOUGHT_PLUGINS"] == f"{tmp_path / 'mine.py'},a.package"
    assert sent["NUMBA_CPU_NAME"] == "generic"
    assert "HOMEWORK" not in sent
