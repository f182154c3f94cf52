"""What actions are worth where information is hidden: by the known equilibrium of Kuhn poker, and by trying all."""

from collections.abc import Sequence

import pytest

import forethought as ft
from forethought.game import Observation, State
from forethought.search.action_values import RARE, action_values, without_rare
from forethought.search.beliefs import Beliefs

PASS, BET = 0, 1
# How often each card bets in the equilibrium in which player 0 never bets first, by the moves before.
BETS = {(): (0, 0, 0), (PASS,): (1 / 3, 0, 1), (BET,): (0, 1 / 3, 1), (PASS, BET): (0, 1 / 3, 1)}


def equilibrium(observation: Observation) -> Sequence[float]:
    card, *moves = observation.facts  # a fact of a move is 3 + 2 * its number + the move
    bet = BETS[tuple((fact - 3) % 2 for fact in moves)][card]
    return 1.0 - bet, bet


def mixed(observation: Observation) -> list[float]:
    """Any strategy in which no action is rare."""
    weights = [2 + (7 * sum(observation.facts) + 5 * action) % 3 for action in observation.legal_actions]
    return [weight / sum(weights) for weight in weights]


def values(state: State, strategy=equilibrium) -> list[float]:
    found = action_values(Beliefs(state.game, state.observation(state.player)), strategy)
    assert found is not None
    return found.tolist()


def at(spec: str, *actions: int) -> State:
    state = ft.load(spec).start()
    for action in actions:
        state.apply(action)
    return state


@pytest.mark.parametrize(
    ("card", "expected"),
    [(0, (-1.0, -4 / 3 + 1 / 3)), (1, (-1 / 3, -1 / 2)), (2, (7 / 6, 7 / 6))],
)
def test_first_actions_of_kuhn_poker_are_worth_what_its_equilibrium_pays(
    card: int, expected: tuple[float, float]
) -> None:
    """By hand: the king wins 7/6 either way, and a jack that bets loses no more than one that passes."""
    assert values(at("kuhn", card, (card + 1) % 3)) == pytest.approx(expected)


def test_the_others_hidden_card_does_not_matter() -> None:
    assert values(at("kuhn", 1, 0, PASS, BET)) == values(at("kuhn", 1, 2, PASS, BET))


def tried(state: State, player: int, strategy) -> float:
    """What a player wins on average, by playing on in every way."""
    if state.is_terminal:
        return state.returns()[player]
    weights = state.chance() or strategy(state.observation(state.player))
    total = 0.0
    for action, weight in zip(state.legal_actions(), weights, strict=True):
        after = state.clone()
        after.apply(action)
        total += weight * tried(after, player, strategy)
    return total


def test_values_are_what_trying_every_deal_says() -> None:
    """Player 1 of Leduc holds a king and faces a raise: all six cards of player 0, weighted by its raises."""
    game, king = ft.load("leduc"), 4
    seen = at("leduc", 0, king, 2)
    sums, total = [0.0, 0.0, 0.0], 0.0
    for card in (0, 1, 2, 3, 5):
        state = game.start()
        for action in (card, king):
            state.apply(action)
        weight = mixed(state.observation(0))[state.legal_actions().index(2)]
        state.apply(2)
        total += weight
        for place, action in enumerate(state.legal_actions()):
            after = state.clone()
            after.apply(action)
            sums[place] += weight * tried(after, 1, mixed)
    assert values(seen, mixed) == pytest.approx([one / total for one in sums])


def test_too_many_states_have_no_values() -> None:
    state = at("kuhn", 0, 1)
    assert action_values(Beliefs(state.game, state.observation(0)), equilibrium, most_states=5) is None


def test_what_is_hardly_ever_played_is_left_out() -> None:
    assert without_rare([0.6, 0.4 - RARE / 2, RARE / 2]) == pytest.approx(
        [0.6 / (1 - RARE / 2), 1 - 0.6 / (1 - RARE / 2), 0]
    )
    assert without_rare([RARE / 2] * 200) == [RARE / 2] * 200
