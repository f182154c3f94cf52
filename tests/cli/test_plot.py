"""`forethought plot`, as a user types it."""

import json
from pathlib import Path

import matplotlib.image
import pytest

from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.run import Run
from tests.cli.processes import Run as RunVerb
from tests.cli.test_runs import home, told

__all__ = ["home"]  # a fixture


def make(home: Path, name: str, *values: tuple[int, float | None, float | None]) -> Path:
    with Run.create(home / name, ExitOosConfiguration(game="leduc", seed=1)) as made:
        for value in values:
            told(made, *value)
    return made.directory


def holds(path: Path, colour: tuple[int, int, int]) -> bool:
    """Whether a picture has a pixel of this colour."""
    pixels = (matplotlib.image.imread(path)[..., :3] * 255).round()
    return bool((pixels == colour).all(axis=-1).any())


BLUE, ORANGE = (31, 119, 180), (255, 127, 14)  # Matplotlib's first colours


def test_a_run_is_drawn_into_its_directory_and_judged(run: RunVerb, home: Path) -> None:
    directory = make(home, "leduc-1", (1, 1.05, 0.5), (2, None, None), (3, 0.5, 0.6), (4, 0.21, 0.7))
    shown = run("plot", "leduc-1").out
    assert "leduc-1: NashConv from 1.05 to 0.21, still falling: train on" in shown
    picture = directory / "curves.png"
    assert f"plotted {picture}" in shown
    assert holds(picture, BLUE)
    assert not holds(picture, ORANGE)


def test_several_runs_share_a_picture_and_are_told_as_json(run: RunVerb, home: Path) -> None:
    make(home, "one", (1, 1.0, None), (5, 0.0, None))
    make(home, "two", (1, None, 0.5), (5, None, 0.8))
    make(home, "three")
    make(home, "solved", (1, 0.0, None))
    picture = home / "all.png"
    done = run("plot", "one", str(home / "two"), "three", "one", "solved", "--output", str(picture), "--json")
    assert done.err == ""
    answer = json.loads(done.out)
    assert answer["picture"] == str(picture)
    assert [one["run"] for one in answer["runs"]] == ["one", "two", "three", "solved"]
    one, two, three, _ = answer["runs"]
    assert [(point["iteration"], point["seconds"], point["values"]["nashconv"]) for point in one["points"]] == [
        (1, 30.0, 1.0),
        (5, 60.0, 0.0),
    ]
    assert two["points"][1]["values"]["win_rate_low"] == pytest.approx(0.75)
    assert (two["verdict"]["trend"], three["verdict"]["trend"], three["points"]) == ("better", "early", [])
    assert holds(picture, BLUE)
    assert holds(picture, ORANGE)


def test_the_same_run_by_name_and_path_is_drawn_once(run: RunVerb, home: Path) -> None:
    directory = make(home, "one", (1, 1.0, None), (5, 0.5, None))
    answer = json.loads(run("plot", "one", str(directory), "--json").out)
    assert len(answer["runs"]) == 1


def test_runs_of_one_name_are_told_apart_by_their_directories(run: RunVerb, home: Path) -> None:
    places = [make(home / part, "one", (1, value, None), (5, 0.5, None)) for part, value in (("a", 1.0), ("b", 0.4))]
    answer = json.loads(run("plot", *map(str, places), "--output", str(home / "both.png"), "--json").out)
    assert [one["run"] for one in answer["runs"]] == [str(place) for place in places]
    assert [one["verdict"]["trend"] for one in answer["runs"]] == ["better", "not learning"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nothing",), "There is no run 'nothing'; `forethought runs` lists those in "),
        (("lduc-1",), "There is no run 'lduc-1'; did you mean leduc-1?"),
        (("leduc-1",), "There is nothing to draw yet: no iteration of leduc-1 was measured."),
        (("leduc-1", "--output", "curves.gif"), "The picture curves.gif must end in .png or .svg."),
    ],
)
def test_a_mistake_is_one_sentence(run: RunVerb, home: Path, arguments: tuple[str, ...], complaint: str) -> None:
    make(home, "leduc-1")
    done = run("plot", *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert not list(home.rglob("*.png"))


def test_a_picture_that_cannot_be_written_is_one_sentence(run: RunVerb, home: Path) -> None:
    make(home, "leduc-1", (1, 1.0, None))
    (home / "file").write_text("")
    done = run("plot", "leduc-1", "--output", str(home / "file" / "a.png"))
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "cannot be written" in done.err
