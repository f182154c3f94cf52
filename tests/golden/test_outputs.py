"""The same seeds give the same numbers as the first edition did: searches, solvers, matches and trainings.

`outputs.json` was written by that edition: what each verb printed as JSON, and the sum of the absolute values of every
file of weights. Search and solving are equal to the last bit; learning in torch may differ in the last bits of another
machine's arithmetic (seen: 7e-9 in a value), so what was learned is compared to six digits.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from forethought.cli import main

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent / "outputs.json").read_text())
TRAININGS = [name for name in GOLDEN if name.startswith("train")]
USING_RUNS = ["match az", "match net", "match biased", "think az"]
ALONE = [name for name in GOLDEN if name not in {*TRAININGS, *USING_RUNS}]


def printed(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setattr("sys.argv", ["forethought", *arguments, "--json"])
    capsys.readouterr()
    with pytest.raises(SystemExit) as end:
        main()
    shown = capsys.readouterr()
    assert not end.value.code, shown.err
    return json.loads(shown.out)


def expected_of(found: Any, expected: Any) -> Any:
    """Return the part of what was found that is expected."""
    if isinstance(expected, dict):
        return {key: expected_of(found[key], value) for key, value in expected.items()}
    if isinstance(expected, list):
        return [expected_of(*both) for both in zip(found, expected, strict=True)]
    return found


def leaves(found: Any) -> list[Any]:
    """Return all numbers and words of what was printed, one after another."""
    if isinstance(found, dict):
        return [leaf for key in sorted(found) for leaf in leaves(found[key])]
    return [leaf for part in found for leaf in leaves(part)] if isinstance(found, list) else [found]


def sums_of(run: Path) -> dict[str, float]:
    return {
        file.stem: float(sum(np.abs(array.astype(np.float64)).sum() for array in load_file(file).values()))
        for file in sorted((run / "weights").glob("*.safetensors"))
    }


@pytest.fixture
def _in_new_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the store of match results is there
    monkeypatch.setenv("FORETHOUGHT_RUNS", str(tmp_path / "runs"))


@pytest.mark.usefixtures("_in_new_directory")
@pytest.mark.parametrize("name", ALONE)
@pytest.mark.quick_cases(7)
def test_the_first_edition_found_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = GOLDEN[name]
    found = printed(golden["arguments"], monkeypatch, capsys)
    assert expected_of(found, golden["expected"]) == golden["expected"]


@pytest.mark.usefixtures("_in_new_directory")
def test_the_first_edition_learned_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in TRAININGS:  # weights are float32, and processors of another kind round products in another order
        golden = GOLDEN[name]
        found = printed(golden["arguments"], monkeypatch, capsys)
        assert expected_of(found, golden["expected"]) == pytest.approx(golden["expected"], abs=1e-6), name
        run = tmp_path / "runs" / golden["arguments"][golden["arguments"].index("--run") + 1]
        assert sums_of(run) == pytest.approx(golden["weights"], rel=1e-6), name
    for name in USING_RUNS:
        golden = GOLDEN[name]
        found = printed(golden["arguments"], monkeypatch, capsys)
        wanted = golden["expected"]  # of networks that learned here: see above
        assert leaves(expected_of(found, wanted)) == [pytest.approx(leaf, abs=1e-6) for leaf in leaves(wanted)], name
