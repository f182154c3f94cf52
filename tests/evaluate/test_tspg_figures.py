"""The figures of the TSPG paper, on runs made by hand whose numbers are known."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from forethought.errors import ForethoughtError
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import contest, entrant, play_round
from forethought.evaluate.tspg_figures.densities import gaussian_density, weight_densities
from forethought.evaluate.tspg_figures.drawings import (
    draw_densities,
    draw_entropies,
    draw_policy_strength,
    draw_search_strength,
)
from forethought.evaluate.tspg_figures.entropies import entropy_curve, entropy_over_time, normalised_entropy
from forethought.evaluate.tspg_figures.strength import (
    FigureEffort,
    PolicyStrength,
    SearchStrength,
    over_runs,
    policy_strength,
    search_strength,
    seed_interval,
    shared_checkpoints,
)
from forethought.game import Game
from forethought.games import load
from forethought.runtime.threads import Threads
from tests.evaluate.pattern_runs import ROW_OF_OTHERS, ROW_OF_OWN, make_run, model_of
from tests.runtime.elsewhere import Elsewhere

TEXTS = (ROW_OF_OWN, ROW_OF_OTHERS, "to")


@pytest.fixture(scope="module")
def game() -> Game:
    return load("tic_tac_toe")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two runs that know nothing at first; later tspg alone sees rows of two, and ce and double move at random."""
    home, ignorant = tmp_path_factory.mktemp("runs"), model_of(TEXTS, {})
    kept = ({1: ignorant, 2: ignorant, 25: model_of(TEXTS, {"tspg": [9.0, 6.0, seed]})} for seed in (0.5, 1.0))
    return [make_run(home / f"ttt-{number}", "tic_tac_toe", models) for number, models in enumerate(kept)]


# Strength


def test_the_interval_over_seeds_is_that_of_all_ways_to_draw_them_again() -> None:
    values = np.array([0.6, 0.7, 0.74, 0.81, 0.95])
    every = np.array(list(itertools.product(values, repeat=5))).mean(axis=1)
    assert seed_interval(values) == pytest.approx(np.quantile(every, [0.025, 0.975]), abs=0.005)
    assert seed_interval(np.array([0.0, 1.0])) == (0.0, 1.0)
    assert seed_interval(np.full(3, 0.4)) == pytest.approx((0.4, 0.4))


def test_a_single_run_has_no_interval() -> None:
    rate = over_runs([0.75], 40)
    assert (rate.mean, rate.low, rate.high, rate.games) == (0.75, None, None, 40)
    assert over_runs([0.5, 1.0], 40).games == 80


def test_only_checkpoints_that_all_runs_have_are_looked_at(runs: list[str], tmp_path: Path) -> None:
    other = make_run(tmp_path / "other", "tic_tac_toe", {1: model_of(TEXTS, {}), 50: model_of(TEXTS, {})})
    assert shared_checkpoints(runs, (1, 25, 50)) == [1, 25]
    assert shared_checkpoints([*runs, other], (1, 25, 50)) == [1]
    with pytest.raises(ForethoughtError, match="share no weights of the games 25, 50"):
        shared_checkpoints([*runs, other], (25, 50))
    with pytest.raises(ForethoughtError, match="name one or more"):
        shared_checkpoints([], (1,))


def test_a_policy_that_sees_rows_beats_chance_and_one_that_sees_nothing_does_not(game: Game, runs: list[str]) -> None:
    tspg, double = policy_strength(game, runs, FigureEffort(games=100), Threads(2), (1, 25, 50))
    assert (tspg.policy, double.policy) == ("tspg", "double")
    assert tspg.checkpoints == double.checkpoints == [1, 25]
    assert tspg.win_rates[0] == double.win_rates[0]  # nobody knows anything yet, and the deals are the same
    assert tspg.win_rates[0].mean == pytest.approx(0.5, abs=0.12)
    assert double.win_rates[1].mean == pytest.approx(0.5, abs=0.12)
    learned = tspg.win_rates[1]
    assert (len(learned.of_runs), learned.games) == (2, 200)
    assert learned.mean == pytest.approx(np.mean(learned.of_runs))
    assert learned.low is not None
    assert learned.low > 0.65


def test_search_is_matched_as_the_players_named_by_strings_are(game: Game, runs: list[str]) -> None:
    found = search_strength(game, runs[:1], FigureEffort(games=6, simulations=12, seed=3), Threads(2))
    assert [row.playouts for row in found] == ["double", "tspg"]
    for row in found:
        a = entrant(f"biased(run={runs[0]},simulations=12,playouts={row.playouts})")
        same = contest(game, a, entrant("uct:12"), 3)
        scores = Outcomes([play_round(same, number) for number in range(3)]).scores
        assert row.win_rate.of_runs == [scores.mean()]
        assert (row.simulations, row.win_rate.games) == (12, 6)


# Entropies


@pytest.mark.parametrize(
    ("weights", "entropy"),
    [
        ([1.0, 1.0, 1.0], 1.0),
        ([25.0, 25.0, 50.0], 1.5 * math.log(2) / math.log(3)),
        ([0.0, 7.0, 0.0], 0.0),
        ([3.0], 0.0),
        ([0.9, 0.1], -(0.9 * math.log2(0.9) + 0.1 * math.log2(0.1))),
    ],
)
def test_entropy_is_a_share_of_the_largest(weights: list[float], entropy: float) -> None:
    assert normalised_entropy(np.array(weights)) == pytest.approx(entropy, abs=1e-12)


def test_entropies_are_gathered_by_their_time() -> None:
    points = np.array([(0.0, 1.0), (0.2, 0.5), (0.25, 0.3), (0.75, 0.2), (0.99, 0.4)])
    curve = entropy_curve("it", points, 4)
    assert curve.progress == [0.125, 0.375, 0.625, 0.875]
    assert curve.mean == pytest.approx([0.75, 0.3, math.nan, 0.3], nan_ok=True)
    assert curve.deviation == pytest.approx([0.25, 0.0, math.nan, 0.1], nan_ok=True)
    assert (curve.overall, curve.decisions) == (pytest.approx(0.48), 5)


def test_in_games_of_search_the_ignorant_are_unsure_and_the_knowing_are_not(game: Game, runs: list[str]) -> None:
    effort = FigureEffort(games=4, simulations=16)
    curves = {curve.name: curve for curve in entropy_over_time(game, runs, effort, Threads(1), bins=3)}
    assert list(curves) == ["uct visits", "ce", "biased visits", "tspg"]
    assert curves["ce"].mean[:2] == pytest.approx([1.0, 1.0])
    assert curves["tspg"].overall < curves["ce"].overall
    searched = curves["uct visits"].decisions + curves["biased visits"].decisions
    assert searched == curves["ce"].decisions == curves["tspg"].decisions
    for executor in (Threads(2), Elsewhere()):
        again = entropy_over_time(game, runs, effort, executor, bins=3)
        assert [curve.overall for curve in again] == [curve.overall for curve in curves.values()]


# Densities


def test_the_density_is_scipys() -> None:
    values = np.random.default_rng(1).normal(0.3, 2.0, 40)
    at = np.linspace(-6.0, 6.0, 25)
    assert gaussian_density(values, at) == pytest.approx(scipy.stats.gaussian_kde(values)(at))


def test_the_weights_of_all_runs_and_both_players_are_spread(game: Game, tmp_path: Path) -> None:
    weights = {"ce": [0.1, -0.1, 0.2], "tspg": [1.0, -2.0, 0.5]}
    run = make_run(tmp_path / "one", "tic_tac_toe", {3: model_of(TEXTS, weights)})
    ce, tspg = weight_densities(game, [run, run])
    assert (ce.policy, tspg.policy, ce.weights) == ("ce", "tspg", 12)
    assert ce.deviation == pytest.approx(np.std([0.1, -0.1, 0.2]))
    assert tspg.deviation == pytest.approx(np.std([1.1, -2.1, 0.7]))
    assert tspg.largest == pytest.approx(2.1)
    assert ce.at == tspg.at
    step = ce.at[1] - ce.at[0]
    for one in (ce, tspg):
        assert sum(one.density) * step == pytest.approx(1.0, abs=2e-3)


def test_weights_that_are_all_alike_have_no_density(game: Game, runs: list[str]) -> None:
    with pytest.raises(ForethoughtError, match="all alike; train on"):
        weight_densities(game, [f"{runs[0]}@1"])


# Drawings


def test_pictures_show_the_numbers() -> None:
    rates = [over_runs([0.5, 0.5], 10), over_runs([0.6, 1.0], 10), over_runs([0.9], 10)]
    axes = draw_policy_strength([PolicyStrength("tspg", [1, 25, 50], rates)], "a game").axes[0]
    assert axes.get_title() == "a game"
    assert axes.lines[0].get_xydata() == pytest.approx(np.array([(1, 0.5), (25, 0.8), (50, 0.9)]))
    (arms,) = axes.collections
    reached = np.array([segment[:, 1] for segment in arms.get_segments()])  # type: ignore[attr-defined]
    assert reached == pytest.approx(np.array([(0.5, 0.5), (0.6, 1.0), (0.9, 0.9)]))
    axes = draw_search_strength([SearchStrength("double", 9, rates[1])], "a game").axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["play-outs by double"]
    assert axes.lines[0].get_ydata() == pytest.approx([0.8])


def test_pictures_of_entropies_and_weights_name_their_curves(game: Game, runs: list[str]) -> None:
    curve = entropy_curve("ce", np.array([(0.1, 0.9), (0.6, 0.5)]), 2)
    axes = draw_entropies([curve], "a game").axes[0]
    assert axes.lines[0].get_xydata() == pytest.approx(np.array([(0.25, 0.9), (0.75, 0.5)]))
    ignorant_ce = model_of(TEXTS, {"ce": [0.1, -0.1, 0.0], "tspg": [1.0, 0.0, 0.0]})
    run = make_run(Path(runs[0]).parent / "drawn", "tic_tac_toe", {1: ignorant_ce})
    densities = weight_densities(game, [run])
    axes = draw_densities(densities, "a game").axes[0]
    assert [line.get_label() for line in axes.lines] == [
        f"{one.policy}, standard deviation {one.deviation:.3f}" for one in densities
    ]
    assert axes.lines[1].get_ydata() == pytest.approx(densities[1].density)
