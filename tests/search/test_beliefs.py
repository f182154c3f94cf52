"""Grids and ranges are what trying every history says, and follow from what the viewer observes alone."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import forethought as ft
from forethought.game import Game, Observation, State
from forethought.search.beliefs import Beliefs
from tests.games.enumeration import play

# With how many plies are tried: all of the first three.
PLIES = {"kuhn": 9, "leduc": 12, "goofspiel(cards=3)": 9, "liars_dice": 4}
USERS = {"tests/userfiles/kuhn3.py": 9}  # three players
ASKED = 30  # of the information sets of a game, so that it does not take long


class Tried(NamedTuple):
    """A history that ends where a player is to move."""

    state: State
    chance: float
    decisions: list[tuple[Observation, int]]

    def weight(self, viewer: int) -> float:
        others = [strategy(seen)[place] for seen, place in self.decisions if seen.player != viewer]
        return float(self.chance * np.prod(others))


def everything(state: State, plies: int, chance: float = 1.0, decisions=()) -> Iterator[Tried]:
    player = state.player
    if player >= 0:
        yield Tried(state, chance, list(decisions))
    for place, action in enumerate(state.legal_actions() if plies > 0 else []):
        after = state.clone()
        after.apply(action)
        if state.is_chance:
            yield from everything(after, plies - 1, chance * state.chance()[place], decisions)
        else:
            yield from everything(after, plies - 1, chance, [*decisions, (state.observation(player), place)])


def strategy(observation: Observation) -> list[float]:
    """Any strategy at all, in which no action is without its probability."""
    weights = [1 + (7 * sum(observation.facts) + 5 * action) % 11 for action in observation.legal_actions]
    return [weight / sum(weights) for weight in weights]


def by_information_set(tried: list[Tried]) -> dict[Observation, list[Tried]]:
    sets = defaultdict(list)
    for history in tried:
        sets[history.state.observation(history.state.player)].append(history)
    return sets


def some(sets: dict[Observation, list[Tried]]) -> list[tuple[Observation, list[Tried]]]:
    """Some information sets, from all over the game."""
    return list(sets.items())[:: 1 + len(sets) // ASKED]


@pytest.fixture(params=[*PLIES, *USERS], scope="module")
def tried(request) -> tuple[Game, list[Tried]]:
    game = ft.load(request.param)
    return game, list(everything(game.start(), (PLIES | USERS)[request.param]))


@pytest.mark.quick_cases(2)
def test_ranges_are_those_of_all_histories_in_the_information_set(tried) -> None:
    game, found = tried
    for observation, histories in some(by_information_set(found)):
        viewer, total = observation.player, sum(history.weight(observation.player) for history in histories)
        ranges = Beliefs(game, observation).opponent_ranges(strategy)
        assert set(ranges) == set(range(game.players)) - {viewer}
        for seat, hands in ranges.items():
            expected: defaultdict[str, float] = defaultdict(float)
            for history in histories:
                expected[history.state.hand(seat)] += history.weight(viewer) / total
            assert dict(hands) == pytest.approx(expected)


@pytest.mark.quick_cases(2)
def test_a_grid_has_the_hands_of_all_histories_that_look_the_same_to_the_public(tried) -> None:
    game, found = tried
    sets = by_information_set(found)
    positions = defaultdict(set)

    def position(seen: Observation) -> tuple[int, tuple[int, ...], int]:
        own = [step for step, _ in sets[seen][0].decisions if step.player == seen.player]
        return seen.player, seen.public_facts, len(own)

    for seen in sets:
        positions[position(seen)].add(seen)
    for observation, histories in some(sets):
        grid = Beliefs(game, observation).strategy_grid(strategy)
        state = histories[0].state
        rows = {
            (sets[seen][0].state.hand(seen.player), seen == observation): dict(
                zip(seen.legal_actions, strategy(seen), strict=True)
            )
            for seen in positions[position(observation)]
        }
        assert {(row.hand, row.mine) for row in grid.rows} == set(rows)
        assert len(grid.rows) == len(rows)
        for row in grid.rows:
            played = rows[row.hand, row.mine]
            assert row.probabilities == tuple(played.get(action, 0.0) for action in grid.actions)
        named = dict(zip(grid.actions, grid.names, strict=True))
        assert all(named[action] == state.action_name(action) for action in observation.legal_actions)


@pytest.mark.quick_cases(2)
def test_all_is_the_same_whatever_the_others_hold(tried) -> None:
    """The true history is never looked at: observations are equal, and so is what follows from them."""
    game, found = tried
    for _, histories in some(by_information_set(found)):
        told = [Beliefs(game, h.state.observation(h.state.player)) for h in (histories[0], histories[-1])]
        assert told[0].opponent_ranges(strategy) == told[1].opponent_ranges(strategy)
        assert told[0].strategy_grid(strategy) == told[1].strategy_grid(strategy)


def test_a_bet_of_kuhn_tells_something_of_the_card() -> None:
    """Of a jack, who bluffs once in three, and a king, who always bets, the king has bet three times in four."""
    state = play(ft.load("kuhn"), "deal J", "deal Q", "bet")

    def bluffs(observation: Observation) -> list[float]:
        return {0: [2 / 3, 1 / 3], 1: [1.0, 0.0], 2: [0.0, 1.0]}[observation.facts[0]]

    beliefs = Beliefs(state.game, state.observation(1))
    assert dict(beliefs.opponent_ranges(bluffs)[0]) == pytest.approx({"J": 1 / 4, "K": 3 / 4})
    grid = beliefs.strategy_grid(bluffs)
    assert grid.names == ("pass", "bet")
    assert [tuple(row) for row in grid.rows] == [
        ("J", False, (2 / 3, 1 / 3)),
        ("Q", True, (1.0, 0.0)),
        ("K", False, (0.0, 1.0)),
    ]


def test_where_the_strategy_never_comes_the_others_count_as_random() -> None:
    state = play(ft.load("kuhn"), "deal J", "deal Q", "bet")
    never = Beliefs(state.game, state.observation(1)).opponent_ranges(lambda _: [1.0, 0.0])
    assert dict(never[0]) == pytest.approx({"J": 1 / 2, "K": 1 / 2})


def test_one_can_do_without_the_rules_that_only_help() -> None:
    """`reaches` and `sees` make it quicker, and change nothing."""
    game = ft.load("goofspiel(cards=3)")
    bare = ft.load(replace(game, rules=[r for r in game.rules if r.__name__ not in ("reaches", "sees")], spec=""))
    state = play(game, "bid 1", "bid 2", "bid 0")
    with_rules, without = (Beliefs(g, state.observation(1)) for g in (game, bare))
    assert with_rules.opponent_ranges(strategy) == without.opponent_ranges(strategy)
    assert with_rules.strategy_grid(strategy) == without.strategy_grid(strategy)


def test_too_many_hands_are_not_guessed() -> None:
    state = play(ft.load("goofspiel(cards=3)"), "bid 1", "bid 2", "bid 0")
    few = Beliefs(state.game, state.observation(1), most_states=3)
    assert few.opponent_ranges(strategy) is None
    assert few.strategy_grid(strategy) is None
    some = Beliefs(state.game, state.observation(1), most_states=12)
    assert some.opponent_ranges(strategy) is not None
    assert some.strategy_grid(strategy) is None


@pytest.mark.parametrize(
    ("spec", "change", "complaint"),
    [
        ("tic_tac_toe", {}, "nothing is hidden"),
        ("goofspiel(cards=3)", {"legal_actions": ()}, "only for the player to move"),
        ("goofspiel(cards=3)", {"facts": (1,)}, "no sequence of actions leads"),
    ],
)
def test_senseless_questions_are_refused(spec: str, change, complaint: str) -> None:
    game = ft.load(spec)
    with pytest.raises(ft.ForethoughtError, match=complaint):
        Beliefs(game, replace(game.start().observation(0), **change))
