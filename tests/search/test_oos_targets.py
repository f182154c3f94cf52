"""Targets are really reached, weights are what they should be, memory has bounds, and concurrent walks are as good."""

from collections.abc import Callable

import numpy as np
import pytest

import forethought as ft
from forethought.game import PUBLIC
from forethought.nets.evaluator import Evaluator, evaluator_of
from forethought.nets.questions import Questions
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.search.oos.targeting import make_target
from forethought.search.oos.walks import CAME, DEAD_ENDS, KEPT, TARGETED
from forethought.search.oos.weighting import hit_probability
from forethought.search.regret import make_regrets
from forethought.solve.best_response import strength
from forethought.solve.mccfr import average_policy
from tests.naive import oos as naive
from tests.naive import xoshiro
from tests.naive.mccfr import Sums, Tables, counterfactual_regrets, matched, outcome_walk
from tests.search.tables import by_facts, fixed_increments, preloaded, random_decision
from tests.solve.trees import tree_of

KUHN3 = "tests/userfiles/kuhn3.py"
GOOFSPIEL = "goofspiel(cards=4)"

NewEvaluator = Callable[[ft.Game], Evaluator | None]


@pytest.mark.parametrize("spec", ["kuhn", "leduc", GOOFSPIEL, KUHN3])
@pytest.mark.parametrize("aimed", [False, True])
@pytest.mark.quick_cases(2)
def test_never_targeted_it_is_outcome_sampling(spec: str, aimed: bool) -> None:
    """With all in memory, draw for draw as the formulas of MCCFR; a target costs only the toss of the coin."""
    game = ft.load(spec)
    search = OnlineOutcomeSampling(game, OosSettings(delta=0.0, gamma=0.0), generator(3))
    search.table = preloaded(spec)
    if aimed:
        s = random_decision(game, seed=2, plies=game.players)
        search.aim_at(s.observation(s.player))
    search.simulate(1000)
    reference = Tables([int(word) for word in generator(3)])
    for walk in range(1000):
        if aimed:
            xoshiro.uniform(reference.words)
        outcome_walk(reference, game.start(), walk % game.players, 0.4)
    for ours, sums in zip(by_facts(search.table), (reference.regrets, reference.averages), strict=True):
        close = {"rel": 1e-12, "abs": 1e-12 * max(abs(x) for row in sums.values() for x in row)}
        for facts, row in ours.items():
            assert row == pytest.approx(sums.get(facts, [0.0] * len(row)), **close)


@pytest.mark.parametrize("spec", ["leduc", GOOFSPIEL])
def test_a_walk_adds_one_information_set_at_most(spec: str) -> None:
    game = ft.load(spec)
    search = OnlineOutcomeSampling(game, OosSettings(), generator(1))
    s = random_decision(game, seed=1, plies=4)
    search.aim_at(s.observation(s.player))
    grew = []
    for _ in range(1000):
        before = search.infosets
        search.simulate(1)
        grew.append(search.infosets - before)
    assert set(grew) == {0, 1}
    assert grew[0] == 1


@pytest.mark.parametrize(("spec", "plies", "seed"), [("leduc", 3, 1), (GOOFSPIEL, 4, 3)])
def test_targeted_walks_come_to_the_target(spec: str, plies: int, seed: int) -> None:
    """And the others as often as the strategy has it: delta + (1 - delta) p0 in all."""
    game, walks, came = ft.load(spec), 20_000, {}
    s = random_decision(game, seed, plies)
    for delta in (0.0, 0.9):
        search = OnlineOutcomeSampling(game, OosSettings(delta=delta), generator(1))
        search.simulate(100_000)
        search.aim_at(s.observation(s.player))
        search.simulate(walks)
        came[delta] = int(search.aim.tally[CAME]) / walks
        assert search.aim.tally[DEAD_ENDS] == 0
        assert search.aim.tally[TARGETED] / walks == pytest.approx(delta, abs=0.01)
        assert search.aim.tally[KEPT] >= search.aim.tally[CAME] >= search.aim.tally[TARGETED]
        assert search.aim.visits.sum() == search.aim.tally[CAME]  # the target is a decision: all of them make it
    assert 0.0 < came[0.0] < 0.3
    assert came[0.9] == pytest.approx(0.9 + 0.1 * came[0.0], abs=0.01)


def test_targeted_walks_stay_in_target_in_the_middle_of_a_large_game() -> None:
    """Goofspiel with 13 cards, its tree kept from move to move; the rule `reaches` knows what leads nowhere."""
    game, rng = ft.load("goofspiel(cards=13)"), np.random.default_rng(6)
    search, s = OnlineOutcomeSampling(game, OosSettings(), generator(1)), game.start()
    for _ in range(7):
        search.aim_at(s.observation(0))
        search.simulate(20_000)
        tally = search.aim.tally
        assert tally[KEPT] / 20_000 >= 0.9 - 0.02
        assert tally[DEAD_ENDS] == 0
        assert tally[CAME] > 0
        for _ in range(2):
            s.apply(int(rng.choice(s.legal_actions())))


def arrivals(s: ft.State, policy: Sums, observer: int, target: tuple[int, ...], aimed: bool) -> float:
    """The probability that play in memory comes to a target, if it is aimed at or not; by trying everything."""
    if set(target) <= set(s.facts(observer)):
        return 1.0
    if s.is_terminal or (not s.is_chance and tuple(s.facts(s.player)) not in policy):
        return 0.0
    legal = s.legal_actions()
    chances = s.chance() or policy[tuple(s.facts(s.player))]
    inside = [not aimed or naive.in_target(s, action, observer, target) for action in legal]
    share = sum(p for p, fits in zip(chances, inside, strict=True) if fits)
    total = 0.0
    for action, p, fits in zip(legal, chances, inside, strict=True):
        if fits and p > 0.0:
            child = s.clone()
            child.apply(action)
            total += p / share * arrivals(child, policy, observer, target, aimed)
    return total


@pytest.mark.parametrize(("spec", "stride"), [("kuhn", 1), ("leduc", 80), (GOOFSPIEL, 120)])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.quick_cases(1)
def test_the_exact_weight_is_that_of_trying_everything(spec: str, stride: int, whole: bool) -> None:
    game, tree = ft.load(spec), tree_of(spec)
    search = OnlineOutcomeSampling(game, OosSettings(), generator(2), labelled=True)
    if whole:
        search.table = preloaded(spec)
    search.simulate(40)
    used = int(search.table.used[0])
    search.table.entries[:used] = np.random.default_rng(5).uniform(0.1, 1.0, used)
    policy = {facts: [x / sum(row) for x in row] for facts, row in by_facts(search.table)[1].items()}
    found = set()
    for row in range(0, tree.infosets, stride):
        observation = tree.observation(row)
        for observer, facts in ((observation.player, observation.facts), (PUBLIC, observation.public_facts)):
            wanted = 1.0
            if facts and (plain := arrivals(game.start(), policy, observer, facts, aimed=False)) > 0.0:
                wanted = plain / arrivals(game.start(), policy, observer, facts, aimed=True)
            ours = hit_probability(game, search.table, make_target(game, observer, facts))
            assert ours == pytest.approx(wanted, rel=1e-12)
            found.add(ours)
    assert len(found) > 3


def test_a_constant_scale_changes_no_strategy() -> None:
    game = ft.load("leduc")
    tables = []
    for hit, scale in ((1.0, 1.0), (1.0 / 3.0, 2.0)):  # 1 - delta + delta / hit
        search = OnlineOutcomeSampling(game, OosSettings(delta=0.5, weighting="none"), generator(4))
        s = random_decision(game, seed=1, plies=3)
        search.aim_at(s.observation(s.player))
        search.aim.hit[0] = hit
        search.simulate(5000)
        tables.append(search.table.entries / scale)
        assert search.aim.hit[0] == hit
    assert np.array_equal(*tables)
    assert np.abs(tables[0]).max() > 1.0


def no_evaluator(_game: ft.Game) -> None:
    """Uniform roll-outs."""


def uniform_evaluator(game: ft.Game) -> Evaluator:
    def answer(questions: Questions, _rows: int) -> None:
        for slot, count in enumerate(questions.counts):
            questions.policies[slot, :count] = 1.0 / max(count, 1)

    return evaluator_of(game, answer)


@pytest.mark.parametrize("evaluator", [no_evaluator, uniform_evaluator])
@pytest.mark.parametrize("most", [1, 10])
def test_a_full_memory_leaves_the_rest_to_roll_outs(evaluator: NewEvaluator, most: int) -> None:
    game = ft.load("leduc")
    search = OnlineOutcomeSampling(game, OosSettings(max_infosets=most), generator(1), evaluator(game), labelled=True)
    s = game.start()
    for action in (0, 2, 1, 2, 1, 4, 1):  # deals; check, raise, call; the board; check
        s.apply(action)
    observation = s.observation(s.player)
    for aim in (None, observation):
        search.aim_at(aim)
        search.simulate(3000)
    assert search.simulated == 6000
    assert search.infosets == most
    assert np.all(np.isfinite(search.table.entries))
    assert np.count_nonzero(search.table.entries[: search.table.used[0]]) > 2 * most
    assert set(search.policy(observation)) == {1 / len(observation.legal_actions)}
    assert not search.regrets(observation).any()


@pytest.mark.parametrize("evaluator", [no_evaluator, uniform_evaluator])
@pytest.mark.parametrize("spec", ["leduc", "goofspiel(cards=5)"])
def test_results_depend_neither_on_growth_nor_on_portions(spec: str, evaluator: NewEvaluator) -> None:
    game, tables = ft.load(spec), []
    for rows, portions in ((50_000, (3000,)), (1, (1, 2, 97, 900, 2000))):
        search = OnlineOutcomeSampling(game, OosSettings(parallel_simulations=1), generator(5), evaluator(game))
        search.table = make_regrets(10**6, labelled=True, rows=rows)
        s = random_decision(game, seed=1, plies=4)
        search.aim_at(s.observation(s.player))
        for portion in portions:
            search.simulate(portion)
        tables.append(by_facts(search.table))
    assert tables[0] == tables[1]


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=5)"])
def test_one_walk_at_a_time_with_uniform_answers_is_a_search_without(spec: str) -> None:
    game, tables = ft.load(spec), []
    for evaluator in (no_evaluator, uniform_evaluator):
        search = OnlineOutcomeSampling(
            game, OosSettings(parallel_simulations=1, prior=0.0), generator(8), evaluator(game), labelled=True
        )
        for plies in (2, 3):
            s = random_decision(game, seed=1, plies=plies)
            search.aim_at(s.observation(s.player))
            search.simulate(1500)
        tables.append(by_facts(search.table))
    assert tables[0] == tables[1]


@pytest.mark.parametrize(("spec", "walks", "bound"), [("kuhn", 100_000, 0.06), (GOOFSPIEL, 100_000, 0.03)])
def test_concurrent_walks_converge_alike(spec: str, walks: int, bound: float) -> None:
    game, tree = ft.load(spec), tree_of(spec)
    search = OnlineOutcomeSampling(
        game, OosSettings(parallel_simulations=20, prior=0.0), generator(1), uniform_evaluator(game), labelled=True
    )
    search.simulate(walks)
    assert search.simulated == walks
    assert strength(tree, tree.strategy(average_policy(game, search.table, {}))).nashconv < bound


@pytest.mark.parametrize("aimed", [False, True])
def test_increments_of_concurrent_walks_are_unbiased(aimed: bool) -> None:
    """Kuhn without its last decision in memory: every game that comes there waits for an answer."""
    game, batches, size = ft.load("kuhn"), 1000, 100
    search = OnlineOutcomeSampling(
        game, OosSettings(gamma=0.0, weighting="none", parallel_simulations=20), generator(4), uniform_evaluator(game)
    )
    search.table = preloaded("kuhn", plies=2)
    if aimed:
        s = random_decision(game, seed=1, plies=3)
        search.aim_at(s.observation(s.player))
    added = fixed_increments(search, batches, size)
    regrets, _ = by_facts(search.table)
    assert len(regrets) == 9
    policy = {facts: matched(row) for facts, row in regrets.items()}
    exact = counterfactual_regrets(game.start(), policy)
    expected = np.concatenate([exact[0][facts] + exact[1][facts] for facts in policy]) * size / game.players
    error = added.std(axis=0) / np.sqrt(batches)
    assert np.all(np.abs(added.mean(axis=0) - expected) < 5 * error + 1e-4)
