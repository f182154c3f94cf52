"""The benchmark of reading records: both sides read the same games to their ends."""

import pytest

import forethought as ft
from forethought.bench import records
from forethought.bench.measure import Budget

TINY = Budget(seconds=0.002, rounds=2)


@pytest.fixture(autouse=True)
def _small_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"SPEC": "go(size=9)", "SIZE": 9, "PLIES": 30, "DIFFERENT": 3}.items():
        monkeypatch.setattr(records, name, value)


def test_reading_beside_sgfmill() -> None:
    measured = records.reading_beside_sgfmill("records", TINY)
    assert measured.peer is not None
    assert measured.ratio == measured.ours / measured.peer


def test_without_sgfmill_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "import_module", lambda _name: (_ for _ in ()).throw(ImportError))
    assert records.reading_beside_sgfmill("records", TINY).holds is None


def test_a_game_that_is_not_read_is_not_measured() -> None:
    record = records.random_record(ft.load(records.SPEC), 1)
    with pytest.raises(ft.ForethoughtError, match="counts for nothing"):
        records.our_reading([record.replace(";W[", ";W[zz][", 1)])(1)
    records.our_reading([record])(2)
