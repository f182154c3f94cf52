"""Tabular magnetic mirror descent: it equals its definition, rests at quantal responses, and is annealed to Nash."""

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.solve.best_response import strength
from forethought.solve.mmd import FIRST_STEP, FIRST_TEMPERATURE, STEP, MmdSolver
from tests.naive.mmd import NaiveMMD, action_values
from tests.solve.trees import tree_of

KUHN3 = "tests/userfiles/kuhn3.py"


def row_policies(solver: MmdSolver):
    """The policy of each information set, by its player and facts."""
    tree = solver.tree
    for row in range(tree.infosets):
        first = tree.rows.first[row]
        policy = solver.strategy[first : first + tree.rows.count[row]]
        yield (int(tree.rows.player[row]), tree.row_facts(row)), policy.tolist()


@pytest.mark.parametrize(("spec", "iterations", "unit"), [("kuhn", 12, 2.0), ("leduc", 3, 13.0), (KUHN3, 5, 4.0)])
@pytest.mark.parametrize("temperature", [0.3, None])
@pytest.mark.quick_cases(1)
def test_it_equals_its_definition(spec: str, iterations: int, unit: float, temperature: float | None) -> None:
    naive, solver = NaiveMMD(ft.load(spec)), MmdSolver(tree_of(spec), temperature)
    for t in range(1, iterations + 1):
        if temperature is None:
            naive.iterate(FIRST_TEMPERATURE * unit / t**0.5, FIRST_STEP / unit / t**0.5)
        else:
            naive.iterate(temperature, STEP / unit)
    solver.iterate(1)
    solver.iterate(iterations - 1)
    found = dict(row_policies(solver))
    assert found.keys() == naive.policy.keys()
    for row, policy in found.items():
        assert policy == pytest.approx(naive.policy[row], abs=1e-12)


@pytest.mark.parametrize(("spec", "temperature"), [("kuhn", 0.5), ("kuhn", 0.02), ("leduc", 0.5), (KUHN3, 0.2)])
def test_it_rests_where_every_policy_is_the_softmax_of_values(spec: str, temperature: float) -> None:
    solver = MmdSolver(tree_of(spec), temperature)
    solver.iterate(3_000)
    policies = dict(row_policies(solver))
    for player in range(solver.tree.game.players):
        for row, values in action_values(ft.load(spec), policies, player).items():
            weights = np.exp((np.array(values) - max(values)) / temperature)
            assert policies[row] == pytest.approx(weights / weights.sum(), abs=1e-7)


@pytest.mark.parametrize(("spec", "limit"), [("kuhn", 2e-3), ("leduc", 4e-2), ("goofspiel(cards=4)", 1e-3)])
def test_annealed_it_comes_to_an_equilibrium(spec: str, limit: float) -> None:
    solver, measured = MmdSolver(tree_of(spec)), []
    for iterations in (10, 90, 900):
        solver.iterate(iterations)
        measured.append(strength(tree_of(spec), solver.solution()).exploitability)
    assert measured[0] > measured[1] > measured[2]
    assert measured[2] < limit


def test_the_lower_the_temperature_the_nearer_to_nash() -> None:
    found = [
        ft.solve("leduc", "mmd", temperature=temperature, iterations=1_500).exploitability
        for temperature in (2.6, 0.65, 0.13)
    ]
    assert found == pytest.approx([0.945812, 0.295572, 0.0516], rel=1e-3)


def test_information_sets_that_nobody_comes_to_stay_finite() -> None:
    """In Goofspiel dominated bids become so improbable that reaches underflow."""
    solver = MmdSolver(tree_of("goofspiel(cards=4)"), 1e-3)
    solver.iterate(2_000)
    assert np.isfinite(solver.solution()).all()


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf")])
def test_a_temperature_is_a_positive_number(temperature: float) -> None:
    with pytest.raises(ForethoughtError, match="must be above 0"):
        MmdSolver(tree_of("kuhn"), temperature)
