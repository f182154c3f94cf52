"""Generic poker: Leduc where its parameters are Leduc's, and elsewhere what a slow reference says of every history."""

from copy import deepcopy

import pytest

import forethought as ft
from tests.games.enumeration import continuations, legal_names, play, slow_census
from tests.games.lockstep import assert_compiled_equals_interpreted, everything
from tests.naive.poker import Table

LEDUC = "generic_poker(types=3,copies=2,raises=1,bets=1)"
SIZES = "generic_poker(types=2,copies=2,raises=1,bets=2)"
QUEEN_KING = ("deal Qs", "deal Ks")
RECORDS_OF_LEDUC = 1 + 3 + 9 * (6 + 5) + 24 * 5 * 6 + 9 * 4 + 24 * 45  # deals, decisions and deals, ends


def test_with_leducs_parameters_it_is_leduc_history_by_history() -> None:
    waiting = [(ft.load("leduc", compiled=False).start(), ft.load(LEDUC, compiled=False).start())]
    known: set[bytes] = set()  # records: what follows is equal if they are
    while waiting:
        ours, leduc = waiting.pop()
        if ours.memory.tobytes() in known:
            continue
        known.add(ours.memory.tobytes())
        assert everything(ours) == everything(leduc)
        assert legal_names(ours) == legal_names(leduc)
        pairs = zip(continuations(ours), continuations(leduc), strict=True)
        waiting.extend((one, other) for (_, one, _), (_, other, _) in pairs)
    assert len(known) == RECORDS_OF_LEDUC


def test_with_leducs_parameters_an_equilibrium_is_worth_the_same() -> None:
    assert ft.solve(LEDUC, iterations=100).value == ft.solve("leduc", iterations=100).value


def compare(state: ft.State, table: Table) -> int:
    """Compare all that can follow with the reference; return how many ends there are."""
    if table.over:
        assert state.returns() == [table.won_by_player_0(), -table.won_by_player_0()]
        return 1
    if state.is_chance:
        (action,) = [a for a in state.legal_actions() if a // 2 == table.board][:1]
        state = state.clone()
        state.apply(action)
    assert state.player == table.speaker
    assert legal_names(state) == table.choices()
    ends = 0
    for (_, child, _), word in zip(continuations(state), table.choices(), strict=True):
        after = deepcopy(table)
        after.say(word)
        ends += compare(child, after)
    return ends


@pytest.mark.parametrize(
    ("cards", "board"), [((0, 1), 0), ((0, 1), 1), ((1, 0), 0), ((1, 1), 0)], ids=["pair 0", "pair 1", "pair", "tie"]
)
def test_every_history_is_what_the_reference_says(cards: tuple[int, int], board: int) -> None:
    start = ft.load(SIZES, compiled=False).start()
    for card in cards:
        start.apply(next(a for a in start.legal_actions() if a // 2 == card))
    calls, folds = 13, 12  # of a round: 1 + 2 x 2 x (1 + 2), and all of these but two checks
    assert compare(start, Table(raises=1, bets=2, cards=cards, board=board)) == folds + calls * (calls + folds)


def test_bets_of_two_sizes_double_in_the_second_round() -> None:
    game = ft.load("generic_poker", compiled=False)
    assert legal_names(play(game, *QUEEN_KING)) == ["check", "raise 2", "raise 4"]
    raised = (*QUEEN_KING, "raise 4", "raise 2", "raise 4")
    assert legal_names(play(game, *raised)) == ["fold", "call"]  # a bet and two raises
    assert play(game, *raised, "fold").returns() == [7, -7]
    second = (*raised, "call", "deal Js")
    assert legal_names(play(game, *second)) == ["check", "raise 4", "raise 8"]
    assert play(game, *second, "check", "raise 8", "raise 4", "call").returns() == [-23, 23]


def test_the_most_that_can_be_won_is_what_the_game_declares() -> None:
    game = ft.load("generic_poker(types=4,copies=6,raises=4,bets=4)", compiled=False)
    capped = ["raise 8"] * 5 + ["call", "deal Ts"] + ["raise 16"] * 5 + ["call"]
    assert play(game, *QUEEN_KING, *capped).returns() == [-121, 121]
    assert game.largest_return == 121


def decisions_of_a_round(raises: int, bets: int) -> int:
    """Count who may be to speak: two before a bet, and after each bet as many as there are raises left."""
    return 2 + 2 * sum(bets ** (1 + n) for n in range(raises + 1))


@pytest.mark.parametrize(("raises", "bets"), [(1, 1), (0, 3), (1, 2)])
def test_information_sets_are_ranks_times_places_of_the_betting(raises: int, bets: int) -> None:
    game = ft.load(f"generic_poker(types=2,copies=2,raises={raises},bets={bets})", compiled=False)
    places, census = decisions_of_a_round(raises, bets), slow_census(game, merge_twins=True)
    found = sum(census.information_sets.values())
    assert found == 2 * places + 4 * places * (places - 1)  # each place but one may be called: as many ways to go on
    assert census.imbalance == 0


def test_an_equilibrium_is_worth_what_the_paper_prints() -> None:
    """0.11 chips are lost by who speaks first in GP(3,3,2,2)."""
    solution = ft.solve("generic_poker(types=3,copies=3,raises=2,bets=2)", iterations=150)
    places = decisions_of_a_round(2, 2)
    assert solution.infosets == 3 * places + 9 * places * (places - 1)
    assert solution.value == pytest.approx(-0.11, abs=0.005)


def test_machine_code_agrees_with_python() -> None:
    assert_compiled_equals_interpreted("generic_poker(types=3,copies=3,raises=2,bets=2)", games=50)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("types=14", "generic_poker: types must be from 1 to 13, not 14."),
        ("raises=-1", "generic_poker: raises must be from 0 to 9, not -1."),
        ("bets=0", "generic_poker: bets must be from 1 to 9, not 0."),
        ("types=1,copies=2", "generic_poker: 2 cards are too few; it needs 3."),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: str, message: str) -> None:
    with pytest.raises(ft.ForethoughtError) as refusal:
        ft.load(f"generic_poker({wrong})", compiled=False)
    assert str(refusal.value) == message
