"""The events of a run: nothing told is lost, nothing half told is read."""

import json
import threading
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from forethought.errors import ForethoughtError
from forethought.learn.events import (
    ITERATION,
    METRICS,
    EventLog,
    described_metrics,
    iteration_reports,
    read_events,
)
from forethought.learn.metrics import NASHCONV, WIN_RATE, IterationReport, Metric
from tests.learn.disk import files_up_to

VALUES = {"games": 32, "loss": 0.5, "seconds": 2.5, "nashconv": 0.9, "mine": -1.0}


def test_events_are_read_as_they_were_told(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.jsonl")
    log.append("began", text="ä\n")
    log.append("numbers", one=np.float32(0.5), many=np.arange(3), wrong=[float("nan"), np.float64("inf")])
    log.close()
    began, numbers = read_events(log.path)
    assert (began["kind"], began["text"]) == ("began", "ä\n")
    assert (numbers["one"], numbers["many"], numbers["wrong"]) == (0.5, [0, 1, 2], [None, None])
    assert began["time"] <= numbers["time"]


def test_no_file_is_no_event(tmp_path: Path) -> None:
    assert read_events(tmp_path / "events.jsonl") == []


@pytest.mark.parametrize("torn", [b"{", b'{"kind": "x", "time": 1', b'{"kind": "x", "time": 1}', b"\xff\x00"])
def test_a_torn_last_line_is_not_read_and_cut_on_opening(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "events.jsonl"
    log = EventLog(path)
    log.append("one")
    log.close()
    path.write_bytes(path.read_bytes() + torn)
    assert [event["kind"] for event in read_events(path)] == ["one"]
    log = EventLog(path)
    log.append("two")
    log.close()
    assert [event["kind"] for event in read_events(path)] == ["one", "two"]
    assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_damaged_lines_do_not_hide_the_others(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"kind": "a"}\n\xff\n[]\n{}\n{"kind": 3}\nnull\n\n{"kind": "b"}\n')
    assert [event["kind"] for event in read_events(path)] == ["a", "b"]


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.jsonl")

    def tell(who: int) -> None:
        for number in range(20):
            log.append("told", who=who, number=number, text="x" * 2_000)

    threads = [threading.Thread(target=tell, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [(event["who"], event["number"]) for event in read_events(log.path)]
    assert sorted(told) == [(who, number) for who in range(4) for number in range(20)]


def test_a_full_disk_is_one_sentence_and_undoes_the_line(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.jsonl")
    log.append("one")
    with (
        files_up_to(log.path.stat().st_size + 10),
        pytest.raises(ForethoughtError, match="cannot be written: No space"),
    ):
        log.append("two")
    log.append("three")
    log.close()
    assert [event["kind"] for event in read_events(log.path)] == ["one", "three"]
    assert len(log.path.read_bytes().splitlines()) == 2


def test_reports_survive_the_way_through_the_file(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.jsonl")
    for iteration, values in ((2, {"games": np.int64(32)}), (1, VALUES), (1, VALUES | {"loss": float("nan")})):
        log.append(ITERATION, iteration=iteration, values=values)
    log.append("other", iteration=9)
    log.close()
    first, second = iteration_reports(read_events(log.path))
    assert first == IterationReport(1, {name: value for name, value in VALUES.items() if name != "loss"})
    assert (second.iteration, second.values) == (2, {"games": 32})
    assert (first.get("mine"), first.get("loss"), second.get("mine")) == (-1.0, None, None)


def test_an_iteration_that_is_told_wrongly_is_not_reported() -> None:
    told = {"kind": ITERATION, "iteration": 1, "values": VALUES}
    wrong = [{**told, "iteration": None}, {**told, "iteration": "1"}, {"kind": ITERATION}]
    assert iteration_reports(wrong) == []
    damaged = [{**told, "values": None}, {**told, "iteration": 2, "values": VALUES | {"games": "many"}}]
    first, second = iteration_reports(damaged)
    assert first.values == {}
    assert second.values == {name: value for name, value in VALUES.items() if name != "games"}
    assert iteration_reports([{**told, "news": 1}]) == [IterationReport(1, VALUES)]


def test_an_interval_needs_both_ends() -> None:
    report = IterationReport(1, {"rate": 0.5, "rate_low": 0.4, "rate_high": 0.6, "loss": 1.0, "loss_low": 0.9})
    assert report.interval("rate") == (0.4, 0.6)
    assert report.interval("loss") is None


def test_metrics_survive_the_way_through_the_file(tmp_path: Path) -> None:
    """What is described again counts; what is described wrongly does not."""
    log = EventLog(tmp_path / "events.jsonl")
    mine, renamed = Metric("mine", "Mine", "plies", better="higher"), Metric("mine", "Mine, renamed")
    log.append(METRICS, metrics=[asdict(metric) for metric in (NASHCONV, mine, WIN_RATE)])
    log.append(METRICS, metrics=[asdict(renamed), {"name": "odd", "colour": "red"}, {"title": "?"}, 3])
    log.append(METRICS, metrics=None)
    log.append("other", metrics=[asdict(mine)])
    log.close()
    assert described_metrics(read_events(log.path)) == [NASHCONV, renamed, WIN_RATE]
