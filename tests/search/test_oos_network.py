"""Searches whose roll-outs a network plays: the same walks whoever runs the network, unbiased, reproducible."""

from collections.abc import Iterator
from math import inf

import numpy as np
import numpy.typing as npt
import pytest

import forethought as ft
from forethought.nets.evaluator import Evaluator, FunctionEvaluator, policy_of
from forethought.nets.mlp import Mlp, make_mlp, mlp_of, parameters_of
from forethought.nets.questions import Questions
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.search.regret import make_regrets
from tests.naive import mlp as naive
from tests.naive.mccfr import Sums, counterfactual_regrets, matched
from tests.search.tables import by_facts, fixed_increments, preloaded, random_decision
from tests.solve.trees import tree_of

GAMES = ["kuhn", "leduc", "goofspiel(cards=4)"]


def opinionated(game: ft.Game, seed: int = 1) -> Mlp:
    """A network of random weights that is far from uniform everywhere."""
    rng = np.random.default_rng(seed)
    shapes = parameters_of(make_mlp(game.facts, game.actions, (16, 8), rng))
    return mlp_of({name: rng.normal(0.0, 0.7, array.shape).astype(np.float32) for name, array in shapes.items()})


def silent(game: ft.Game) -> Mlp:
    """A network of zeros: it holds all actions for equally good."""
    shapes = parameters_of(make_mlp(game.facts, game.actions, (16,), np.random.default_rng(1)))
    return mlp_of({name: np.zeros_like(array) for name, array in shapes.items()})


def asked_from_python(net: Mlp, slots: int) -> Evaluator:
    scratch = net.scratch(slots)
    return FunctionEvaluator(net.facts, net.actions, 0, lambda questions, rows: net.answer(questions, rows, scratch))


def in_doubles(net: Mlp, slots: int) -> Evaluator:
    """The same network in NumPy, a row at a time. Its policies differ in the seventh digit, which no draw here sees."""
    parameters = parameters_of(net)

    def answer(questions: Questions, _rows: int) -> None:
        for slot in range(slots):
            facts = questions.facts[slot, : questions.known[slot]].tolist()
            actions = questions.actions[slot, : questions.counts[slot]].tolist()
            if actions:
                questions.policies[slot, : len(actions)] = naive.policy(parameters, facts, actions)

    return FunctionEvaluator(net.facts, net.actions, 0, answer)


def searched(
    game: ft.Game, evaluator: Evaluator | None, slots: int, seed: int = 8, rows: int = 1024, prior: float = 0.0
) -> tuple[Sums, Sums]:
    """Aim at two decisions, one after the other; return regrets and averages."""
    settings = OosSettings(parallel_simulations=slots, prior=prior)
    search = OnlineOutcomeSampling(game, settings, generator(seed), evaluator)
    search.table = make_regrets(10**6, labelled=True, rows=rows)
    for plies in (2, 3):
        s = random_decision(game, seed=1, plies=plies)
        search.aim_at(s.observation(s.player))
        search.simulate(1500)
    assert search.simulated == 3000
    return by_facts(search.table)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("slots", [1, 20])
@pytest.mark.parametrize("answering", [asked_from_python, in_doubles])
def test_who_runs_the_network_makes_no_difference(spec: str, slots: int, answering: type) -> None:
    game = ft.load(spec)
    net = opinionated(game)
    assert searched(game, net, slots) == searched(game, answering(net, slots), slots)


@pytest.mark.parametrize("spec", GAMES)
def test_a_network_without_an_opinion_is_no_network(spec: str) -> None:
    """It draws from even probabilities where a uniform roll-out draws a number, with the same outcome."""
    game = ft.load(spec)
    plain, even, other = (searched(game, net, 1) for net in (None, silent(game), opinionated(game)))
    for ours, theirs in zip(even, plain, strict=True):
        assert ours.keys() == theirs.keys()
        assert all(row == pytest.approx(theirs[facts], rel=1e-9, abs=1e-9) for facts, row in ours.items())
    assert other != plain


@pytest.mark.parametrize("slots", [1, 20])
def test_same_seed_same_result_and_another_seed_another(slots: int) -> None:
    game = ft.load("leduc")
    tables = [searched(game, opinionated(game), slots, seed) for seed in (1, 1, 2)]
    assert tables[0] == tables[1] != tables[2]


@pytest.mark.parametrize("spec", ["leduc", "goofspiel(cards=5)"])
def test_results_do_not_depend_on_when_tables_grow(spec: str) -> None:
    game = ft.load(spec)
    assert searched(game, opinionated(game), 1, rows=1) == searched(game, opinionated(game), 1, rows=50_000)


def test_growth_loses_no_walk_of_those_that_wait() -> None:
    """Every walk passes through the first decision, and adds one strategy to its average unless it updates it."""
    game = ft.load("goofspiel(cards=5)")
    settings = OosSettings(parallel_simulations=20, prior=0.0)
    search = OnlineOutcomeSampling(game, settings, generator(5), opinionated(game))
    search.table = make_regrets(10**6, rows=1)
    search.simulate(3001)
    averages = search.table.entries[5:10]
    assert search.infosets > 1000
    assert search.simulated == 3001
    assert averages.sum() == pytest.approx(1500)


def decisions(s: ft.State) -> Iterator[ft.State]:
    if not s.is_chance and not s.is_terminal:
        yield s
    for action in s.legal_actions():
        child = s.clone()
        child.apply(action)
        yield from decisions(child)


def network_policy(game: ft.Game, net: Mlp) -> Sums:
    parameters, policy = parameters_of(net), {}
    for s in decisions(game.start()):
        facts = s.facts(s.player)
        if tuple(facts) not in policy:
            policy[tuple(facts)] = naive.policy(parameters, facts, s.legal_actions()).tolist()
    return policy


def expected_increments(game: ft.Game, tree: Sums, outside: Sums) -> npt.NDArray[np.float64]:
    """What walks add on average, for regrets and averages, if play below the tree follows another policy."""
    regrets, weighted = counterfactual_regrets(game.start(), outside | tree)
    return np.concatenate([regrets[facts] + weighted[facts] for facts in tree])


@pytest.mark.parametrize(
    ("spec", "facts", "infosets"),
    [("kuhn", inf, 12), ("kuhn", 2, 9), ("goofspiel(cards=4)", 3, 22), ("leduc", 3, 15)],
)
@pytest.mark.parametrize("aimed", [False, True])
@pytest.mark.quick_cases(2)
def test_increments_are_unbiased(spec: str, facts: float, infosets: int, aimed: bool) -> None:
    game, batches, size = ft.load(spec), 1000, 100
    net = opinionated(game)
    search = OnlineOutcomeSampling(
        game, OosSettings(gamma=0.0, weighting="none", parallel_simulations=20), generator(4), net
    )
    search.table = preloaded(spec, facts)
    if aimed:
        s = random_decision(game, seed=1, plies=2)
        search.aim_at(s.observation(s.player))
    added = fixed_increments(search, batches, size)
    tree = {known: matched(row) for known, row in by_facts(search.table)[0].items()}
    assert len(tree) == infosets
    mean, error = added.mean(axis=0), 5 * added.std(axis=0) / np.sqrt(batches) + 1e-4
    times = size / game.players
    with_network = times * expected_increments(game, tree, network_policy(game, net))
    assert np.all(np.abs(mean - with_network) < error)
    if facts < inf:  # and the test can tell a network from uniform play
        assert np.any(np.abs(mean - times * expected_increments(game, tree, {})) > 2 * error)


# The network's policy as prior regrets


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("slots", [1, 20])
def test_priors_are_the_same_whoever_runs_the_network_and_whenever_tables_grow(spec: str, slots: int) -> None:
    game = ft.load(spec)
    net = opinionated(game)
    found = searched(game, net, slots, prior=0.01)
    assert found == searched(game, asked_from_python(net, 2 * slots), slots, prior=0.01)
    assert found != searched(game, net, slots)
    if slots == 1:  # with more, those that wait for room let others go first
        assert found == searched(game, net, slots, rows=1, prior=0.01)


@pytest.mark.parametrize("linear", [False, True])
def test_an_information_set_begins_with_the_regrets_of_the_network(linear: bool) -> None:
    """The first simulation adds one, and updates it as it would without a prior."""
    game, rows = ft.load("leduc"), []
    net = opinionated(game)
    for prior in (0.0, 0.002):
        settings = OosSettings(simulations=1000, linear=linear, parallel_simulations=1, prior=prior)
        search = OnlineOutcomeSampling(game, settings, generator(4), net, labelled=True)
        search.simulate(1)
        rows.append(by_facts(search.table)[0])
    plain, prior_rows = rows
    ((facts, regrets),) = prior_rows.items()
    tree = tree_of("leduc")
    (actions,) = [tree.row_actions(row) for row in range(tree.infosets) if tree.row_facts(row) == facts]
    policy = policy_of(net, facts, actions)
    weights = 1000 * 1001 / 2 if linear else 1000
    added = np.array(regrets) - plain[facts]
    assert added == pytest.approx(0.002 * 13.0 * weights * policy)


def test_a_heavy_prior_is_followed_and_a_light_one_corrected() -> None:
    """Against a network that folds the best hand: much weight keeps its policy, little lets the search find better."""
    game = ft.load("leduc")
    net, decision = opinionated(game, seed=3), ft.position("leduc", "Ks, Qs, raise")
    observation = decision.observation(1)
    policy = policy_of(net, observation.facts, observation.legal_actions)
    found = []
    for prior in (1000.0, 0.001):
        settings = OosSettings(simulations=4000, prior=prior)
        search = OnlineOutcomeSampling(game, settings, generator(1), net)
        search.aim_at(observation)
        search.simulate(4000)
        found.append(float(np.abs(search.policy(observation) - policy).sum()))
    heavy, light = found
    assert heavy < 0.02
    assert light > 0.1


# A critic's value instead of a roll-out


def a_critic(game: ft.Game, seed: int = 2) -> Mlp:
    rng = np.random.default_rng(seed)
    shapes = parameters_of(make_mlp(game.facts * game.players, 1, (8,), rng))
    return mlp_of({name: rng.normal(0.0, 0.7, array.shape).astype(np.float32) for name, array in shapes.items()})


@pytest.mark.parametrize("leaf", ["value", "mix"])
@pytest.mark.parametrize("slots", [1, 20])
def test_leaves_are_judged_the_same_whoever_runs_the_network(leaf: str, slots: int) -> None:
    """And a search whose leaves are judged by another critic finds something else."""
    game, found = ft.load("goofspiel(cards=4)"), []
    net = opinionated(game)
    for evaluator, critic in (
        (net, a_critic(game)),
        (asked_from_python(net, slots), a_critic(game)),
        (net, a_critic(game, 3)),
    ):
        settings = OosSettings(parallel_simulations=slots, leaf=leaf, baseline_rate=0.05, prior=0.01)
        search = OnlineOutcomeSampling(game, settings, generator(8), evaluator, labelled=True, critic=critic)
        search.simulate(2000)
        found.append(by_facts(search.table))
    assert found[0] == found[1] != found[2]


def test_baselines_begin_with_what_the_critic_expects() -> None:
    game = ft.load("leduc")
    settings = OosSettings(parallel_simulations=1, leaf="value", baseline_rate=0.05, prior=0.01, targeting="none")
    search = OnlineOutcomeSampling(
        game, settings, generator(3), opinionated(game), labelled=True, critic=a_critic(game)
    )
    search.simulate(1)
    count = int(search.table.labels.action_offsets[1])
    values, visits = search.table.baselines[:count], search.table.baselines[count : 2 * count]
    assert set(visits.tolist()) <= {1.0, 2.0}
    assert len(set(values[visits == 1.0].tolist())) == 1  # one critic, one position
    assert values[visits == 1.0][0] != 0.0


def test_a_judged_leaf_needs_a_critic_and_opponents() -> None:
    with pytest.raises(ft.ForethoughtError, match="add net=RUN"):
        ft.player("oos(leaf=value)").new_player(ft.load("kuhn"))
    kuhn, three = ft.load("kuhn"), ft.load("tests/userfiles/kuhn3.py")
    with pytest.raises(ft.ForethoughtError, match="needs a network with a critic"):
        OnlineOutcomeSampling(kuhn, OosSettings(leaf="mix"), generator(1), opinionated(kuhn))
    with pytest.raises(ft.ForethoughtError, match="two players and a zero sum"):
        OnlineOutcomeSampling(
            three, OosSettings(leaf="value"), generator(1), opinionated(three), critic=a_critic(three)
        )
