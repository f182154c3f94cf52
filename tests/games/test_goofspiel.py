"""II Goofspiel: all of it with few cards, and its exact answer to what can still be reached."""

from itertools import permutations
from typing import NamedTuple

import numpy as np
import pytest

import forethought as ft
from forethought.game import PUBLIC, State
from tests.games.enumeration import assert_censuses_agree, continuations, fast_census, slow_census
from tests.games.lockstep import assert_compiled_equals_interpreted


@pytest.fixture(scope="module")
def four():
    return ft.load("goofspiel(cards=4)")


@pytest.fixture(scope="module")
def four_for_points():
    return ft.load("goofspiel(cards=4, payoff=points)")


@pytest.fixture(scope="module")
def five():
    return ft.load("goofspiel(cards=5)")


def played(game, first, second):
    """Play out a game in which the players bid these cards, round by round."""
    state = game.start()
    for bids in zip(first, second, strict=True):
        for bid in bids:
            state.apply(bid)
    return state


def lead(first, second):
    """What player 0 has won above player 1, said once more and independently."""
    return sum(prize * ((a > b) - (a < b)) for prize, (a, b) in enumerate(zip(first, second, strict=True)))


def all_pairs(cards):
    orders = list(permutations(range(cards)))
    return [(first, second) for first in orders for second in orders]


def sets_with_a_choice(census):
    """How many information sets there are without those of the last round, where the bid is forced."""
    return sum(sum(census.information_sets_of(player)[:-1]) for player in range(2))


def test_four_cards_have_738_information_sets(four):
    census = slow_census(four)
    assert (census.chance, census.decisions, census.terminals) == (0, 1653, 576)
    assert sum(census.information_sets.values()) == 738
    assert sets_with_a_choice(census) == 162
    assert_censuses_agree(census, fast_census(four))


def test_five_cards_have_9948_information_sets(five):
    census = fast_census(five)
    assert census.terminals == 14400
    assert sum(census.information_sets.values()) == 9948
    assert sets_with_a_choice(census) == 2124


def test_six_cards_have_166002_information_sets():
    census = fast_census(ft.load("goofspiel(cards=6)"))
    assert census.terminals == 518400
    for player in range(2):
        assert census.information_sets_of(player) == [1, 16, 208, 2088, 14928, 65760]
    assert sum(census.information_sets.values()) == 166002
    assert census.uniform_value == pytest.approx([0, 0], abs=1e-12)


def test_uniform_play_is_worth_nothing_and_returns_sum_to_zero(four, four_for_points):
    for game in (four, four_for_points):
        census = fast_census(game)
        assert census.uniform_value == pytest.approx([0, 0], abs=1e-12)
        assert census.imbalance == 0


def test_points_are_the_difference_of_prizes_and_win_is_its_sign(four, four_for_points):
    for first, second in all_pairs(4):
        difference = lead(first, second)
        assert played(four_for_points, first, second).returns() == [difference, -difference]
        assert played(four, first, second).returns() == [np.sign(difference), -np.sign(difference)]


def test_swapping_seats_mirrors_returns_and_knowledge(four):
    for first, second in all_pairs(4):
        state, mirror = played(four, first, second), played(four, second, first)
        assert state.returns() == mirror.returns()[::-1]
        for seat in range(2):
            (own_seat, *known), (mirror_seat, *mirror_known) = state.facts(seat), mirror.facts(1 - seat)
            assert (own_seat, mirror_seat) == (seat, 1 - seat)
            assert known == mirror_known


def test_the_first_prize_is_worth_nothing(four_for_points):
    """Win the first prize, tie for two, lose the last: as if the first had not been won."""
    assert played(four_for_points, (3, 0, 1, 2), (2, 0, 1, 3)).returns() == [-3, 3]


def test_a_tied_prize_is_lost(four_for_points):
    assert played(four_for_points, (0, 1, 2, 3), (1, 0, 2, 3)).returns() == [1, -1]  # 2 and 3 go to nobody
    assert played(four_for_points, (0, 1, 2, 3), (0, 1, 2, 3)).returns() == [0, 0]


def test_a_card_is_bid_once(four):
    state = four.start()
    for bid in (2, 3):
        state.apply(bid)
    assert state.legal_actions() == [0, 1, 3]
    state.apply(0)
    assert state.legal_actions() == [0, 1, 2]


def test_the_first_bid_of_a_round_is_hidden(four):
    state, other = four.start(), four.start()
    state.apply(0)
    other.apply(3)
    assert state.facts(1) == other.facts(1)
    assert state.facts(PUBLIC) == other.facts(PUBLIC)
    assert state.facts(0) != other.facts(0)


def test_a_round_tells_who_won_but_not_what_the_other_bid(four):
    def knowledge(first, second, observer):
        state = four.start()
        state.apply(first)
        state.apply(second)
        return state.facts(observer)

    assert knowledge(1, 2, 0) == knowledge(1, 3, 0) != knowledge(1, 1, 0)
    assert knowledge(1, 0, 0) not in (knowledge(1, 1, 0), knowledge(1, 2, 0))
    assert knowledge(0, 2, 1) == knowledge(1, 2, 1) != knowledge(2, 2, 1)
    assert knowledge(1, 2, PUBLIC) == knowledge(0, 3, PUBLIC) != knowledge(2, 2, PUBLIC)


# What can still be reached, by brute force.


class Node(NamedTuple):
    """A history, and all that one observer may come to know from there on."""

    state: State
    branches: "list[tuple[int, Node]]"
    later: frozenset[tuple[int, ...]]  # what it may know after at least one more action
    now_or_later: frozenset[tuple[int, ...]]


def grow(state, observer):
    branches = [(action, grow(child, observer)) for action, child, _ in continuations(state)]
    later = frozenset().union(*(child.now_or_later for _, child in branches))
    return Node(state, branches, later, later | {tuple(state.facts(observer))})


def questions(node, target):
    """Yield each history on the way to the target, each action there, and whether that action stays on the way."""
    if target not in node.later:
        return
    for action, child in node.branches:
        leads_there = target in child.now_or_later
        yield node.state, action, leads_there
        if leads_there:
            yield from questions(child, target)


def reaches(state, action, observer, target):
    return bool(state.game.table.reaches(state.memory, action, observer, np.array(target, np.int64), len(target)))


def wrong_answers(root, observer, targets):
    return [
        (target, state.memory.tobytes(), action, leads_there)
        for target in targets
        for state, action, leads_there in questions(root, target)
        if reaches(state, action, observer, target) != leads_there
    ]


def decisions_of(player, root):
    """List, in a fixed order, what the player may know when it decides."""
    known, waiting = set(), [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(child for _, child in node.branches)
        if node.state.player == player:
            known.add(tuple(node.state.facts(player)))
    return sorted(known)


@pytest.mark.parametrize("observer", [0, 1])
def test_reaches_is_exact_for_every_decision_of_four_cards(four, observer):
    root = grow(four.start(), observer)
    targets = decisions_of(observer, root)
    assert len(targets) == 738 // 2
    assert any(not leads_there for target in targets for _, _, leads_there in questions(root, target))
    assert wrong_answers(root, observer, targets) == []


@pytest.mark.parametrize("observer", [0, 1])
def test_reaches_is_exact_for_whatever_a_player_of_four_cards_may_know(four, observer):
    """Between decisions and at the end, too."""
    root = grow(four.start(), observer)
    assert wrong_answers(root, observer, root.now_or_later) == []


@pytest.mark.slow
@pytest.mark.parametrize("observer", [0, 1])
def test_reaches_is_exact_for_every_decision_of_five_cards(five, observer):
    root = grow(five.start(), observer)
    targets = decisions_of(observer, root)
    assert len(targets) == 9948 // 2
    assert wrong_answers(root, observer, targets) == []


def test_reaches_never_excludes_what_leads_to_public_knowledge(four):
    root = grow(four.start(), PUBLIC)
    for target in root.now_or_later:
        for state, action, leads_there in questions(root, target):
            assert reaches(state, action, PUBLIC, target) or not leads_there


def test_machine_code_and_python_reach_the_same(five):
    """Ask both of random histories and random targets, on the way or not."""
    interpreted = ft.load(five.spec, compiled=False)
    rng, answers = np.random.default_rng(0), set()
    for _ in range(500):
        state, other = (played_at_random(interpreted, rng) for _ in range(2))
        observer, action = int(rng.choice((0, 1, PUBLIC))), int(rng.choice(state.legal_actions()))
        target = other.facts(observer)
        answer = reaches(state, action, observer, target)
        assert reaches(State(five, state.memory), action, observer, target) == answer
        answers.add(answer)
    assert answers == {True, False}


def played_at_random(game, rng):
    """Stop at some decision before the end."""
    state = game.start()
    for _ in range(rng.integers(game.plies)):
        state.apply(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(
    ("spec", "games"), [("goofspiel", 200), ("goofspiel(cards=5)", 200), ("goofspiel(cards=30)", 10)]
)
@pytest.mark.quick_cases(1)
def test_machine_code_agrees_with_python(spec, games):
    assert_compiled_equals_interpreted(spec, games)
