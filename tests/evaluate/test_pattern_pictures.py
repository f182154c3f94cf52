"""Pictures of patterns: every cell, sign and frame where it belongs."""

import math
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, Rectangle, RegularPolygon

from forethought.errors import ForethoughtError
from forethought.evaluate.explanations import WeighedPattern
from forethought.evaluate.pattern_pictures import FACES, MARK, draw_patterns
from forethought.evaluate.pictures import check_picture_file, picture_bytes, save_figure
from forethought.patterns.pattern import ENEMY, FRIEND
from forethought.patterns.text import from_text

WEIGHTS = {"ce": 0.25, "double": -1.5, "tspg": 2.0}


def weighed(text: str, rank: int = 1) -> WeighedPattern:
    return WeighedPattern(0, rank, from_text(text), WEIGHTS)


def panel(text: str, tiling: str = "square") -> Axes:
    return draw_patterns([weighed(text)], tiling).axes[0]


def signs(axes: Axes) -> dict[tuple[float, float], str]:
    """Return the faces of all signs by their places."""
    circles = [patch for patch in axes.patches if isinstance(patch, Circle)]
    return {circle.center: to_hex(circle.get_facecolor()) for circle in circles}


def frames(axes: Axes) -> dict[tuple[float, float], str]:
    """Return the styles of the marked squares by their places."""
    marked = [patch for patch in axes.patches if isinstance(patch, Rectangle) and to_hex(patch.get_edgecolor()) == MARK]
    return {(patch.get_x() + 0.5, patch.get_y() + 0.5): str(patch.get_linestyle()) for patch in marked}


def test_signs_and_frames_are_where_the_pattern_has_them() -> None:
    axes = panel("to o@-1,-1 e@0,0 f@1,1")
    assert signs(axes) == {(0.0, 0.0): FACES[ENEMY], (1.0, 1.0): FACES[FRIEND]}
    assert frames(axes) == {(0.0, 0.0): "solid", (-1.0, -1.0): "--"}
    cells = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    assert len(cells) == 9


def test_a_pattern_around_an_origin_has_no_target() -> None:
    assert frames(panel("from e@1,0")) == {(0.0, 0.0): "--"}


def test_what_must_not_be_is_crossed_out_and_two_of_it_stand_side_by_side() -> None:
    axes = panel("to !f@1,0 !e@1,0 -@2,0")
    assert len(axes.lines) == 4
    places = sorted(signs(axes))
    assert places[0][0] < 1.0 < places[1][0]
    assert places[2] == (2.0, 0.0)
    letters = [text.get_text() for text in axes.texts if len(text.get_text()) == 1]
    assert letters == ["f", "e", "-"]


def test_hexagons_touch_and_lean() -> None:
    axes = panel("to f@0,1", "hex")
    hexagons = [patch for patch in axes.patches if isinstance(patch, RegularPolygon)]
    assert {patch.numvertices for patch in hexagons} == {6}
    (below, above, frame) = (patch.xy for patch in hexagons)
    assert below == frame == (0.0, 0.0)
    assert above == pytest.approx((0.5, math.sqrt(3) / 2))
    assert math.dist(below, above) == pytest.approx(1.0)  # two of the hexagons' inner radii
    assert hexagons[0].radius * math.sqrt(3) == pytest.approx(1.0)


def test_all_are_drawn_to_one_scale_with_their_weights_below() -> None:
    figure = draw_patterns([weighed("to"), weighed("to f@4,0", 2), weighed("to", 3)], "square", "three patterns")
    assert len({(axes.get_xlim()[1] - axes.get_xlim()[0]).round(9) for axes in figure.axes}) == 1
    shown = picture_bytes(figure, "svg").decode()
    assert all(f"#{rank} of player 0" in shown for rank in (1, 2, 3))
    assert "ce +0.25  double -1.50  tspg +2.00" in shown
    assert "three patterns" in shown


def test_a_picture_is_the_same_each_time_and_written_as_its_name_says(tmp_path: Path) -> None:
    svg, png = tmp_path / "a.svg", tmp_path / "a.PNG"
    for path in (svg, png):
        save_figure(draw_patterns([weighed("to f@1,0")], "square"), path)
    assert svg.read_bytes() == picture_bytes(draw_patterns([weighed("to f@1,0")], "square"), "svg")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_or_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match="no pattern to draw"):
        draw_patterns([], "square")
    with pytest.raises(ForethoughtError, match=r"must end in \.png or \.svg"):
        check_picture_file(tmp_path / "a.gif")
    with pytest.raises(ForethoughtError, match="cannot be written"):
        check_picture_file(Path(__file__) / "a.png")
    assert check_picture_file(tmp_path / "new" / "a.png").parent == tmp_path / "new"  # is made when it is written
