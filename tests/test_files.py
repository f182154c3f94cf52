"""A file is written whole or not at all, whatever interrupts it."""

import os
from pathlib import Path
from typing import Any

import pytest

from forethought.errors import ForethoughtError
from forethought.files import write_atomically


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    return path


@pytest.mark.parametrize(("happens_first", "content"), [(False, b"old"), (True, b"new")])
def test_ctrl_c_before_or_after_renaming_stays_ctrl_c(
    old: Path, monkeypatch: pytest.MonkeyPatch, happens_first: bool, content: bytes
) -> None:
    replace = os.replace

    def interrupted(*paths: Any) -> None:
        if happens_first:
            replace(*paths)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(old, b"new")
    assert old.read_bytes() == content
    assert list(old.parent.iterdir()) == [old]


def test_a_place_that_cannot_be_written_is_named(old: Path) -> None:
    with pytest.raises(ForethoughtError, match=r"file/below/it cannot be written: Not a directory\."):
        write_atomically(old / "below" / "it", b"new")
    assert old.read_bytes() == b"old"
