"""Generic functions in kernels: chosen by type, kept on disk by what was chosen, the same interpreted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import forethought

PACKAGE = Path(forethought.__file__).parent
SHAPES = """
from typing import NamedTuple
from forethought.compiler import dispatched, inlined_kernel, kernel

area = dispatched("area")

class Square(NamedTuple):
    side: float

class Circle(NamedTuple):
    radius: float

@area.register(Square)
@kernel
def area_of_square(square):
    return square.side * square.side

@area.register(Circle)
@inlined_kernel
def area_of_circle(circle):
    return 3.0 * circle.radius**2

@kernel
def twice(shape):
    return 2.0 * area(shape)

@kernel
def total(shape, count):
    return count * twice(shape)

@kernel
def area_of_unit_square(scale):
    return scale * area(Square(1.0))
"""
# A class and an implementation of a user's, in the script itself.
PROGRAM = """
import json, sys
from typing import NamedTuple
from forethought.compiler import compilations, kernel
from shapes import Circle, Square, area, area_of_unit_square, total

class Triangle(NamedTuple):
    base: float
    height: float

@area.register(Triangle)
@kernel
def area_of_triangle(triangle):
    return triangle.base * triangle.height / 2.0

shapes = {
    "square": lambda: total(Square(3.0), 10),
    "circle": lambda: total(Circle(1.0), 10),
    "triangle": lambda: total(Triangle(2.0, 3.0), 10),
    "unit": lambda: area_of_unit_square(1.0),
    "python": lambda: area(Square(5.0)),
}
result = {name: shapes[name]() for name in sys.argv[1:]}
print(json.dumps([result, sorted(name.split(".")[-1] for name in compilations())]))
"""


class Project:
    """A user's directory with generic functions, and a cache of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "shapes.py").write_text(SHAPES)
        (directory / "program.py").write_text(PROGRAM)

    def edit(self, file: str, before: str, after: str) -> None:
        text = (self.directory / file).read_text()
        assert text.count(before) == 1
        (self.directory / file).write_text(text.replace(before, after))

    def run(self, *shapes: str, **settings: str) -> tuple[dict[str, float], list[str]]:
        """Return the areas of these shapes, and what was compiled for them."""
        paths = {"FORETHOUGHT_CACHE": str(self.directory / "cache"), "PYTHONPATH": str(PACKAGE.parent)}
        command = [sys.executable, "program.py", *shapes]
        environment = {**os.environ, **paths, **settings}
        done = subprocess.run(command, cwd=self.directory, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        areas, compiled = json.loads(done.stdout)
        return areas, compiled


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.mark.slow
def test_the_first_argument_decides_also_for_classes_of_a_script(project: Project) -> None:
    shapes = ("square", "circle", "triangle", "unit", "python")
    areas = {"square": 180.0, "circle": 60.0, "triangle": 60.0, "unit": 1.0, "python": 25.0}
    assert project.run(*shapes)[0] == areas
    assert project.run(*shapes) == (areas, [])
    assert project.run(*shapes, NUMBA_DISABLE_JIT="1")[0] == areas


@pytest.mark.slow
def test_an_implementation_recompiles_only_what_was_made_with_it(project: Project) -> None:
    project.run("square", "circle", "unit")
    project.edit("shapes.py", "3.0 * circle.radius", "4.0 * circle.radius")
    areas, compiled = project.run("square", "circle", "unit")
    assert areas == {"square": 180.0, "circle": 80.0, "unit": 1.0}
    assert compiled == ["area_of_circle", "total", "twice"]
    project.edit("shapes.py", "square.side * square.side", "square.side + 1.0")
    areas, compiled = project.run("square", "circle", "unit")
    assert areas == {"square": 80.0, "circle": 80.0, "unit": 2.0}
    assert compiled == ["area_of_square", "area_of_unit_square", "total", "twice"]


@pytest.mark.slow
def test_so_does_the_implementation_of_a_script(project: Project) -> None:
    project.run("square", "triangle")
    project.edit("program.py", "/ 2.0", "/ 4.0")
    areas, compiled = project.run("square", "triangle")
    assert areas == {"square": 180.0, "triangle": 30.0}
    assert compiled == ["area_of_triangle", "total", "twice"]


def test_a_class_without_implementation_is_named(project: Project) -> None:
    project.edit("program.py", "@area.register(Triangle)\n", "")
    with pytest.raises(AssertionError, match="'area' has no implementation for Triangle; register one"):
        project.run("triangle")
    with pytest.raises(AssertionError, match="'area' has no implementation for Triangle; register one"):
        project.run("triangle", NUMBA_DISABLE_JIT="1")


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("@area.register(Triangle)\n@kernel", "@area.register(Triangle)", "must be a kernel to implement 'area'"),
        ("@area.register(Triangle)", "@area.register(Square)", "'area' has an implementation for Square already"),
    ],
)
def test_what_cannot_be_registered_is_refused(project: Project, before: str, after: str, sentence: str) -> None:
    project.edit("program.py", before, after)
    with pytest.raises(AssertionError, match=sentence):
        project.run()
