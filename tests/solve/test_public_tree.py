"""Best responses along the public tree: against OpenSpiel, a naive walk, and values known exactly."""

from collections.abc import Iterator

import numpy as np
import pyspiel
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.nets.evaluator import policy_of as policy_of_network
from forethought.nets.mlp import make_mlp, mlp_of, parameters_of
from forethought.runtime.threads import Threads
from forethought.solve.policies import TabularPolicy, uniform_table
from forethought.solve.public_deals import examine
from forethought.solve.public_tree import best_responses, is_public_tree
from tests.games.enumeration import walk
from tests.naive import best_response as naive
from tests.runtime.elsewhere import Elsewhere
from tests.tiers import others_slow

FILES = {"doubt": "docs/games/doubt.py(faces=4)", "showdown": "tests/userfiles/showdown.py"}
THREADS = Threads(2)


@pytest.fixture(scope="module")
def liars_dice():
    return ft.load("liars_dice(dice=1)")


def random_policy(game: ft.Game, seed: int) -> TabularPolicy:
    """Probabilities for every information set; some actions are never played."""
    rows = {tuple(s.facts(s.player)): s.legal_actions() for s, _, _ in walk(game) if s.player >= 0}
    return policy_of(rows, np.random.default_rng(seed))


def policy_of(rows: dict[tuple[int, ...], list[int]], rng: np.random.Generator) -> TabularPolicy:
    probabilities = []
    for actions in rows.values():
        weights = rng.random(len(actions)) * (rng.random(len(actions)) < 0.8)
        weights[rng.integers(len(actions))] += 0.1
        probabilities.append(weights / weights.sum())
    return TabularPolicy(
        np.array([fact for facts in rows for fact in facts], np.int64),
        np.cumsum([0, *map(len, rows)]),
        np.concatenate(list(rows.values())),
        np.concatenate(probabilities),
        np.cumsum([0, *map(len, rows.values())]),
    )


def both_liars_dice(game: ft.Game) -> Iterator[tuple[ft.State, pyspiel.State]]:
    """Every decision for one deal of each hand, here and in OpenSpiel; actions have the same order in both."""
    waiting = [(game.start(), pyspiel.load_game("liars_dice").new_initial_state())]
    while waiting:
        ours, spiel = waiting.pop()
        if ours.player >= 0:
            yield ours, spiel
        places = range(len(ours.legal_actions()))
        if ours.is_chance and ours.view.dealt == 1:
            places = [ours.view.rolls[0]]  # equal rolls: each hand of either player once
        for place in places:
            child, spiel_child = ours.clone(), spiel.clone()
            child.apply(ours.legal_actions()[place])
            spiel_child.apply_action(spiel.legal_actions()[place])
            waiting.append((child, spiel_child))


@pytest.mark.slow
def test_uniform_liars_dice(liars_dice):
    result = best_responses(liars_dice, uniform_table(), THREADS)
    assert result.best_response == pytest.approx((0.7955, 0.7660), abs=5e-5)
    assert sum(result.best_response) == pytest.approx(1.5615, abs=5e-5)
    assert (result.nodes, result.infosets) == (2**13 - 1, 24576)


@pytest.mark.slow
def test_a_liars_dice_policy_is_worth_what_open_spiel_says(liars_dice):
    pairs = [
        (tuple(ours.facts(ours.player)), ours.legal_actions(), spiel) for ours, spiel in both_liars_dice(liars_dice)
    ]
    policy = policy_of({facts: legal for facts, legal, _ in pairs}, np.random.default_rng(0))
    assert policy.rows == 24576
    spiel_policy = pyspiel.TabularPolicy(
        {
            spiel.information_state_string(): list(zip(spiel.legal_actions(), policy.by_facts[facts][1], strict=True))
            for facts, _, spiel in pairs
        }
    )
    game = pyspiel.load_game("liars_dice")
    start = game.new_initial_state()
    found = best_responses(liars_dice, policy.table, THREADS)
    for player in range(2):
        exact = pyspiel.TabularBestResponse(game, player, spiel_policy).value_from_state(start)
        assert found.best_response[player] == pytest.approx(exact, abs=1e-9)
    value = pyspiel.expected_returns(start, spiel_policy, -1, True)[0]
    assert found.value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("spec", ["kuhn", *FILES.values()])
@pytest.mark.parametrize("seed", others_slow(range(5), (0, 1)))
@pytest.mark.quick_cases(1)
def test_small_games_are_worth_what_a_naive_walk_says(spec, seed):
    game = ft.load(spec)
    policy = random_policy(game, seed)
    found = best_responses(game, policy.table, THREADS)
    exact = [naive.best_response_value(game, policy.by_facts, player) for player in range(2)]
    assert found.best_response == pytest.approx(exact, abs=1e-12)
    assert found.value == pytest.approx(naive.expected_returns(game, policy.by_facts)[0], abs=1e-12)
    assert found.infosets == policy.rows


def test_uniform_kuhn_has_a_nash_conv_of_eleven_twelfths():
    """Cards are dealt without replacement, so hands are not independent."""
    found = best_responses(ft.load("kuhn"), uniform_table(), THREADS)
    assert found.best_response == pytest.approx((1 / 2, 5 / 12), abs=1e-12)
    assert found.value == pytest.approx(1 / 8, abs=1e-12)
    assert (found.nodes, found.infosets) == (9, 12)


def test_doubt_by_hand():
    """Against a coin, claim any roll that is high (+1.5) and pass or bluff as you like (-1 or -0.5): (1.5 - 0.5) / 2.

    Against a claimer by coin, believing costs 1 and doubting wins 0 on average; passes win 1: (1 + 0) / 2.
    """
    found = best_responses(ft.load(FILES["doubt"]), uniform_table(), THREADS)
    assert found.best_response == pytest.approx((0.5, 0.5), abs=1e-12)
    assert (found.nodes, found.infosets) == (5, 4 + 1)


def test_one_deal_is_played_for_all_only_where_play_leaves_the_deal_alone():
    for spec, kept in (("kuhn", 1), ("liars_dice", 1), (FILES["showdown"], 6)):
        deals = examine(ft.load(spec)).deals
        assert deals is not None
        assert deals.kept == kept


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("leduc", "chance acts after the deal"),
        ("goofspiel(cards=4)", "not every action is public"),
        ("tic_tac_toe", "what a player knows is not its hand and what is public"),
        ("tests/userfiles/kuhn3.py", "two players"),
    ],
)
def test_other_games_are_refused_with_the_reason(spec, reason):
    game = ft.load(spec)
    assert reason in str(is_public_tree(game))
    with pytest.raises(ForethoughtError, match=reason):
        best_responses(game, uniform_table(), THREADS)


def test_progress_ends_at_one(liars_dice):
    told: list[float] = []
    best_responses(liars_dice, uniform_table(), THREADS, told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) == 495  # subtrees after four bids


def test_the_result_does_not_depend_on_the_number_of_threads(liars_dice):
    policy = random_policy(ft.load("kuhn"), 0).table  # its rows are looked for, and fit nothing
    assert best_responses(liars_dice, policy, Threads(1)) == best_responses(liars_dice, policy, THREADS)


def test_rows_of_other_actions_are_played_uniformly(liars_dice):
    """As players do, and without a look beyond their probabilities: Kuhn poker has facts of the same numbers."""
    foreign = best_responses(liars_dice, random_policy(ft.load("kuhn"), 0).table, THREADS)
    assert foreign == best_responses(liars_dice, uniform_table(), THREADS)


def test_the_result_does_not_depend_on_where_it_is_found():
    game = ft.load("kuhn")
    policy = random_policy(game, 0).table
    assert best_responses(game, policy, Elsewhere()) == best_responses(game, policy, THREADS)


@pytest.mark.parametrize("spec", ["kuhn", *FILES.values()])
@pytest.mark.quick_cases(1)
def test_a_network_is_worth_what_its_table_is(spec):
    game = ft.load(spec)
    network = make_mlp(game.facts, game.actions, (8,), np.random.default_rng(3))
    wider = parameters_of(network)
    network = mlp_of({name: array * 30 for name, array in wider.items()})  # far from uniform
    rows = {tuple(s.facts(s.player)): s.legal_actions() for s, _, _ in walk(game) if s.player >= 0}
    asked = {facts: (tuple(legal), tuple(policy_of_network(network, facts, legal))) for facts, legal in rows.items()}
    found = best_responses(game, network, THREADS)
    exact = [naive.best_response_value(game, asked, player) for player in range(2)]
    assert found.best_response == pytest.approx(exact, abs=1e-9)
    assert found.value == pytest.approx(naive.expected_returns(game, asked)[0], abs=1e-9)
    assert max(max(policy) for _, policy in asked.values()) > 0.9
