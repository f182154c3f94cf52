"""Files that travel by content."""

import pickle
from pathlib import Path
from typing import Any

import pytest

from forethought.errors import ForethoughtError
from forethought.runtime import carried
from forethought.runtime.carried import ArrivedFile, CarriedFile, arrivals


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path / "cache"))


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 (its own bytes)


def test_it_arrives_with_its_name_and_content_though_the_file_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "net.safetensors"
    file.write_bytes(b"weights")
    here = CarriedFile(file)
    assert here.path == file
    parcel = pickle.dumps(here)
    file.write_bytes(b"trained on")
    assert sent(here).content == b"weights"  # read once
    file.unlink()
    there: ArrivedFile = pickle.loads(parcel)  # noqa: S301 (its own bytes)
    assert there.path.parent.parent == arrivals()
    assert (there.path.name, there.path.read_bytes()) == ("net.safetensors", b"weights")
    there.path.unlink()  # by another process that makes room
    assert there.path.read_bytes() == b"weights"
    assert sent(there).path == there.path


def test_only_the_latest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried, "KEPT_FILES", 3)
    for number in range(6):
        newest = ArrivedFile("a.py", b"%d" % number).path
    kept = list(arrivals().glob("*/*"))
    assert newest in kept
    assert len(kept) == 3
    assert len(list(arrivals().iterdir())) == 3


def test_a_file_that_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match=r"nowhere cannot be read: No such file or directory\."):
        pickle.dumps(CarriedFile(tmp_path / "nowhere"))
