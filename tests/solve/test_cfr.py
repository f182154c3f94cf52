"""The CFR family: each variant equals its definition, and converges to the value a linear program finds."""

import numpy as np
import pytest

import forethought as ft
from forethought.solve.best_response import strength
from forethought.solve.cfr import VARIANTS, CfrSolver
from tests.naive.cfr import NaiveCFR
from tests.naive.sequence_form import game_value
from tests.solve.trees import tree_of

DOUBT = "docs/games/doubt.py"


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("spec", "iterations"), [("kuhn", 12), ("leduc", 3), ("tests/userfiles/kuhn3.py", 5)])
@pytest.mark.quick_cases(3)
def test_each_variant_equals_its_definition(spec: str, iterations: int, variant: str) -> None:
    naive = NaiveCFR(ft.load(spec), VARIANTS[variant])
    for _ in range(iterations):
        naive.iterate()
    tree = tree_of(spec)
    solver = CfrSolver(tree, variant)
    solver.iterate(1)
    solver.iterate(iterations - 1)
    for row in range(tree.infosets):
        key, first = (int(tree.rows.player[row]), tree.row_facts(row)), tree.rows.first[row]
        for k, action in enumerate(tree.row_actions(row)):
            assert solver.tables.regret[first + k] == pytest.approx(naive.regret[key][action], abs=1e-12)
            assert solver.tables.strategy[first + k] == pytest.approx(naive.strategy[key][k], abs=1e-12)
    # Averages count every node of a row, merged chance outcomes once: the same up to a factor a row.
    for row in range(tree.infosets):
        key, first = (int(tree.rows.player[row]), tree.row_facts(row)), tree.rows.first[row]
        mine = solver.tables.average[first : first + tree.rows.count[row]]
        theirs = np.array([naive.average[key][action] for action in tree.row_actions(row)])
        assert mine * theirs.sum() == pytest.approx(theirs * mine.sum(), abs=1e-9)


@pytest.mark.parametrize(
    ("spec", "iterations", "exploitability"),
    [("leduc", 1_000, 3e-4), ("liars_dice", 1_000, 2e-4), ("kuhn", 1_000, 1e-4)],
)
@pytest.mark.quick_cases(1)
def test_cfr_plus_reaches_what_it_should(spec: str, iterations: int, exploitability: float) -> None:
    solver = CfrSolver(tree_of(spec), "cfr+")
    solver.iterate(iterations)
    assert strength(tree_of(spec), solver.solution()).exploitability < exploitability


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=3)", DOUBT])
def test_the_value_is_that_of_the_linear_program(spec: str) -> None:
    solver = CfrSolver(tree_of(spec), "dcfr")
    solver.iterate(3_000)
    found = strength(tree_of(spec), solver.solution())
    assert found.values[0] == pytest.approx(game_value(ft.load(spec)), abs=max(2 * found.exploitability, 1e-6))
    assert found.exploitability < 1e-3


def test_known_values_of_games() -> None:
    assert game_value(ft.load("kuhn")) == pytest.approx(-1 / 18, abs=1e-9)
    assert game_value(ft.load("leduc")) == pytest.approx(-0.0856064, abs=1e-6)
    assert game_value(ft.load(DOUBT)) == pytest.approx(1 / 3, abs=1e-9)


@pytest.mark.slow
def test_liars_dice_is_worth_what_is_known() -> None:
    solver = CfrSolver(tree_of("liars_dice"), "dcfr")
    solver.iterate(1_000)
    found = strength(tree_of("liars_dice"), solver.solution())
    assert found.values[0] == pytest.approx(-7 / 258, abs=2 * found.exploitability)
    assert found.exploitability < 2e-4


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_converges(variant: str) -> None:
    solver = CfrSolver(tree_of("kuhn"), variant)
    measured = []
    for iterations in (10, 90, 900):
        solver.iterate(iterations)
        measured.append(strength(tree_of("kuhn"), solver.solution()).exploitability)
    assert measured[0] > measured[1] > measured[2]
    assert measured[2] < 2e-3
