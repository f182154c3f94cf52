"""Backgammon: turns are those of OpenSpiel, where one action moves two checkers; and the dice's rules by examples."""

import numpy as np
import pyspiel
import pytest

import forethought as ft
from forethought.games.backgammon import ARMY, BAR, CHECKERS, OFF, PLACES
from tests.games.lockstep import assert_compiled_equals_interpreted
from tests.tiers import others_slow

SPIEL_BAR = 100
SPIEL_SCORING = {1: "winloss_scoring", 2: "enable_gammons", 3: "full_scoring"}

Ends = dict[tuple[tuple[int, ...], ...], list[int]]  # boards at the end of a turn, with actions that lead there


def board_of(state: ft.State) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(state.view.checkers[player, place]) for place in range(PLACES)) for player in range(2))


def spiel_board_of(state: pyspiel.State) -> tuple[tuple[int, ...], ...]:
    """The same of OpenSpiel's state, which does not tell of checkers that are off the board."""
    rows = []
    for player in range(2):
        points = [24 - place if player == 0 else place - 1 for place in range(1, BAR)]
        row = [state.board(player, point) for point in [*points, SPIEL_BAR]]
        rows.append((CHECKERS - sum(row), *row))
    return tuple(rows)


def piles_of(state: ft.State) -> list[tuple[int | None, int]]:
    """The drawn points, the upper row first: who has pieces there, and how many."""
    [board] = [item for item in state.drawing() if item["kind"] == "points"]
    return [(point["owner"] if point["count"] else None, point["count"]) for row in board["rows"] for point in row]


def test_what_is_drawn_of_a_move_is_what_it_does() -> None:
    """A checker leaves the origin and comes to the target; nothing else changes but an enemy that is hit."""
    game, hits = ft.load("backgammon", compiled=False), 0
    for seed in range(2):
        for state in ft.play(game, "random", seed=seed).states():
            [board] = [item for item in state.drawing() if item["kind"] == "points"]
            assert sum(count for _, count in piles_of(state)) == 2 * CHECKERS
            moves = {move["action"]: move for move in board["moves"]} if state.player >= 0 else {}
            for action in [action for action in state.legal_actions() if state.player >= 0 and action in moves][:3]:
                move, after = moves[action], state.clone()
                after.apply(action)
                before, now = piles_of(state), piles_of(after)
                hit = before[move["target"]][0] == 1 - state.player
                hits += hit
                assert now[move["target"]] == (state.player, 1 if hit else before[move["target"]][1] + 1)
                assert now[move["origin"]][1] == before[move["origin"]][1] - 1
                changed = {place for place in range(len(now)) if now[place] != before[place]}
                assert len(changed) == 3 if hit else changed == {move["origin"], move["target"]}
    assert hits > 0


def ends_of(state: ft.State) -> Ends:
    """Play every way to the end of the turn."""
    ends: Ends = {}
    pending: list[tuple[ft.State, list[int]]] = [(state, [])]
    while pending:
        reached, actions = pending.pop()
        if reached.player != state.player:
            ends.setdefault(board_of(reached), actions)
            continue
        for action in reached.legal_actions():
            following = reached.clone()
            following.apply(action)
            pending.append((following, [*actions, action]))
    return ends


def spiel_ends_of(state: pyspiel.State) -> Ends:
    ends: Ends = {}
    pending = [(state, [])]
    while pending:
        reached, actions = pending.pop()
        if reached.is_terminal() or reached.is_chance_node() or reached.current_player() != state.current_player():
            ends.setdefault(spiel_board_of(reached), actions)
            continue
        pending += [(reached.child(action), [*actions, action]) for action in reached.legal_actions()]
    return ends


def rolled(state: pyspiel.State, outcome: int) -> tuple[int, int]:
    """The dice of an outcome, the first player's first where it is the opening's."""
    dice = state.child(outcome).to_string().partition("Dice: ")[2][:2]
    return int(dice[0]), int(dice[1])


@pytest.mark.parametrize("seed", others_slow([1, 2, 3, 4], (2,)))
@pytest.mark.parametrize("stakes", others_slow([1, 2, 3], (3,)))
def test_turns_are_those_of_open_spiel(seed: int, stakes: int) -> None:
    rng = np.random.default_rng(seed)
    spiel = pyspiel.load_game("backgammon", {"scoring_type": SPIEL_SCORING[stakes]}).new_initial_state()
    state = ft.load(f"backgammon(stakes={stakes})").start()
    while not spiel.is_terminal():
        if spiel.is_chance_node():
            outcomes = spiel.chance_outcomes()
            outcome = outcomes[rng.integers(len(outcomes))][0]
            dice = rolled(spiel, outcome)
            spiel.apply_action(outcome)
            if not state.view.begun:
                dice = sorted(dice, reverse=spiel.current_player() == 0)
            else:
                dice = sorted(dice, reverse=True)
            state.apply((dice[0] - 1) * 6 + dice[1] - 1)
        else:
            assert state.player == spiel.current_player()
            ours, theirs = ends_of(state), spiel_ends_of(spiel)
            assert ours.keys() == theirs.keys()
            end = sorted(ours)[rng.integers(len(ours))]
            for action in ours[end]:
                state.apply(action)
            for action in theirs[end]:
                spiel.apply_action(action)
    assert state.is_terminal
    assert state.returns() == spiel.returns()


def test_the_beginning_and_the_odds() -> None:
    state = ft.load("backgammon").start()
    assert [sum(row) for row in board_of(state)] == [CHECKERS, CHECKERS]
    assert all(row[place] == count for row in board_of(state) for place, count in ARMY)
    assert len(state.legal_actions()) == 30  # who begins is decided by unequal dice
    state.apply(state.legal_actions()[0])
    assert state.player == 1
    while not state.is_chance:
        state.apply(state.legal_actions()[0])
    odds = dict(zip(map(state.action_name, state.legal_actions()), state.chance(), strict=True))
    assert len(odds) == 21
    assert (odds["roll 6-6"], odds["roll 6-5"]) == pytest.approx((1 / 36, 2 / 36))


def placed(own: dict[int, int], others: dict[int, int], high: int, low: int) -> ft.State:
    """A position with player 0 to move; the rest of its checkers are off the board."""
    state = ft.load("backgammon").start()
    view = state.view
    for player, army in enumerate((own, others)):
        for place in range(PLACES):
            view.checkers[player, place] = army.get(place, 0)
        view.checkers[player, OFF] = CHECKERS - sum(army.values())
    view.begun, view.dice[0], view.dice[1] = 1, high, low
    view.left[0], view.left[1] = (4, 0) if high == low else (1, 1)
    return state


@pytest.mark.parametrize(
    ("own", "others", "high", "low", "names"),
    [
        ({24: 1}, {25 - 18: 2}, 6, 1, {"1: 24/23"}),  # the six is closed now, and open after the one
        ({24: 1}, {25 - 18: 2, 25 - 17: 2}, 6, 1, {"1: 24/23"}),  # the six can never be played
        ({24: 1}, {25 - 13: 2}, 6, 5, {"6: 24/18"}),  # either can be played, but not both: the higher one
        ({BAR: 1, 8: 2}, {25 - 20: 2}, 5, 3, {"3: bar/22"}),  # who is on the bar enters first
        ({BAR: 1}, {25 - 20: 2, 25 - 22: 2}, 5, 3, {"pass"}),
        ({6: 1, 2: 1}, {1: 1}, 5, 4, {"5: 6/1", "4: 6/2"}),
        ({4: 1, 2: 1}, {1: 1}, 6, 5, {"6: 4/off", "5: 4/off"}),  # nothing is behind the foremost
        ({7: 1, 2: 1}, {1: 1}, 6, 2, {"6: 7/1", "2: 7/5"}),  # nothing leaves the board before all are at home
        ({8: 1}, {25 - 5: 1}, 3, 1, {"3: 8/5*", "1: 8/7"}),
    ],
)
def test_what_may_be_played(own: dict[int, int], others: dict[int, int], high: int, low: int, names: set[str]) -> None:
    state = placed(own, others, high, low)
    assert {state.action_name(action) for action in state.legal_actions()} == names


@pytest.mark.parametrize(("others", "won"), [({1: 14}, 1), ({10: 15}, 2), ({10: 14, 20: 1}, 3), ({10: 14, BAR: 1}, 3)])
@pytest.mark.parametrize("stakes", [1, 2, 3])
def test_gammons_count_up_to_the_stakes(others: dict[int, int], won: int, stakes: int) -> None:
    state = placed({1: 1}, others, 2, 1)
    finished = ft.State(ft.load(f"backgammon(stakes={stakes})", compiled=False), state.memory)
    finished.apply(finished.legal_actions()[0])
    assert finished.is_terminal
    assert finished.returns() == [min(won, stakes), -min(won, stakes)]


def test_after_too_many_turns_nobody_has_won() -> None:
    state = ft.load("backgammon(turns=3)", compiled=False).start()
    while not state.is_terminal:
        state.apply(state.legal_actions()[-1])
    assert state.view.turns == 3
    assert state.returns() == [0, 0]


def test_machine_code_agrees_with_python() -> None:
    assert_compiled_equals_interpreted("backgammon", games=1)


@pytest.mark.parametrize("spec", ["backgammon(stakes=4)", "backgammon(stakes=0)", "backgammon(turns=0)"])
def test_other_stakes_and_lengths_are_refused(spec: str) -> None:
    with pytest.raises(ft.ForethoughtError, match="must be"):
        ft.load(spec)
