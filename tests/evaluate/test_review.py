"""A review finds blunders, says exactly what they cost, and judges each player by what it could know."""

import pytest

import forethought as ft
from forethought.evaluate.review import Reviewed, review
from forethought.player import recommended_player
from tests.games.enumeration import play
from tests.naive.connect_four_solver import ConnectFourSolver
from tests.naive.mcts import Perfect

PLANNER = "uct:200"
PLAYED_AT_RANDOM = [
    *(5, 5, 6, 6, 1, 2, 5, 5, 6, 0, 6, 2, 4, 1, 0, 3, 3, 0, 0, 1, 2, 3, 4, 3),
    *(3, 1, 1, 2, 5, 5, 2, 2, 4, 0, 6, 4),
]


def by_ply(found: list[Reviewed]) -> dict[int, Reviewed]:
    return {judged.ply: judged for judged in found}


def test_every_loss_of_tic_tac_toe_is_exact() -> None:
    """Corner, edge, centre, corner ...: compared with trying everything."""
    game, actions, perfect = ft.load("tic_tac_toe"), [0, 1, 4, 8, 3, 5, 6], Perfect()
    found, state = by_ply(review(game.start(), actions, PLANNER, seed=1)), game.start()
    for ply, action in enumerate(actions):
        after, judged = perfect.after(state), found[ply]
        assert (judged.player, judged.action, judged.exact) == (ply % 2, action, True)
        assert judged.loss == max(after.values()) - after[action]
        assert after[judged.best] == max(after.values())
        assert judged.best == action or judged.loss > 0
        state.apply(action)
    assert state.is_terminal
    assert [ply for ply, judged in found.items() if judged.loss] == [1]  # an edge against a corner loses


@pytest.mark.slow
def test_late_blunders_of_connect_four_are_found_with_what_they_cost() -> None:
    """A game played at random: wins are missed, and draws, until somebody cannot but win."""
    found, solver = (
        by_ply(review(ft.load("connect_four").start(), PLAYED_AT_RANDOM, PLANNER, seed=1)),
        ConnectFourSolver(),
    )
    for ply in range(24, len(PLAYED_AT_RANDOM)):
        before, column = PLAYED_AT_RANDOM[:ply], PLAYED_AT_RANDOM[ply]
        open_columns = [c for c in range(7) if before.count(c) < 6]
        values = dict(zip(open_columns, solver.values(before), strict=True))
        judged = found[ply]
        assert (judged.exact, judged.loss) == (True, max(values.values()) - values[column])
        assert values[judged.best] == max(values.values())
    assert {ply for ply, judged in found.items() if ply >= 24 and judged.loss} == {24, 31, 32, 33, 34}


def test_a_win_missed_is_found_also_where_nothing_can_be_solved() -> None:
    """Player 0 has three in a column, which player 1 has not blocked, and plays elsewhere."""
    found = review(ft.load("connect_four").start(), [3, 2, 3, 2, 3, 6, 0], PLANNER, seed=1)
    assert found[6].best == 3
    assert not found[6].exact
    assert found[6].loss > 0.2


def test_where_nothing_can_be_solved_the_planner_says_what_was_lost() -> None:
    """At the start of Connect Four the centre is best; nobody solves that in a moment."""
    judged = review(ft.load("connect_four").start(), [0], "uct:3000", seed=1)[0]
    assert not judged.exact
    assert judged.best == 3
    assert 0.0 < judged.loss < 1.0
    assert judged.probability == 0.0


def test_losses_are_counted_in_returns() -> None:
    """For a stake of three: the player to move can win, and throws it away."""
    game = ft.load("tests/userfiles/take_away.py(players=2,stones=6,stake=3)")
    state = game.start()
    values = {}
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        values[action] = Perfect().value(after)
    worst = min(values, key=values.__getitem__)
    judged = review(game.start(), [worst], PLANNER, seed=1)[0]
    assert judged.loss == max(values.values()) - min(values.values()) == 6.0


def test_hidden_information_is_judged_by_what_the_mover_knew() -> None:
    """A fold of the best hand: the planner would hardly do it, and says the same whatever the other holds."""
    game, found = ft.load("leduc"), []
    for other in ("deal Js", "deal Qs"):
        state = play(game, "deal Ks")
        actions = [4]
        for name in (other, "check", "raise", "fold"):
            named = {state.action_name(action): action for action in state.legal_actions()}
            actions.append(named[name])
            state.apply(named[name])
        found.append(by_ply(review(game.start(), actions, "oos:5000", seed=3)))
    assert [sorted(judged) for judged in found] == [[2, 3, 4]] * 2
    for judged in found:
        assert judged[4].loss > 1.0  # the ante, and what the best hand wins
        assert not judged[4].exact
        assert judged[4].probability < 0.2
        assert judged[4].best != 0
    assert found[0][2] == found[1][2]
    assert found[0][4] == found[1][4]


def test_a_forced_move_costs_nothing() -> None:
    last = review(ft.load("goofspiel(cards=2)").start(), [0, 1, 1, 0], "oos:100", seed=1)[-1]
    assert last == Reviewed(3, 1, 0, 0, 0.0, True, 1.0)


def test_chance_is_not_judged_and_has_no_exact_values() -> None:
    game = ft.load("tests/userfiles/dice_race.py")
    state, actions = game.start(), []
    while not state.is_terminal:
        actions.append(state.legal_actions()[0])
        state.apply(actions[-1])
    found = review(game.start(), actions, PLANNER, seed=1)
    assert len(found) < len(actions)
    assert not any(judged.exact for judged in found)
    assert all(judged.loss is not None for judged in found if judged.probability > 0)


def test_a_player_without_values_gives_probabilities() -> None:
    judged = review(ft.load("connect_four").start(), [0], "random", seed=1)[0]
    assert (judged.loss, judged.probability) == (None, pytest.approx(1 / 7))
    assert judged.best == 0  # as good as any


def test_one_may_listen_and_the_same_seed_says_the_same() -> None:
    game, heard = ft.load("tic_tac_toe"), []
    found = review(game.start(), [4, 0, 8], PLANNER, seed=5, listen=heard.append)
    assert heard == found == review(game.start(), [4, 0, 8], PLANNER, seed=5)


def test_an_impossible_game_is_refused() -> None:
    with pytest.raises(ft.ForethoughtError, match="action 4 at ply 1 is not legal"):
        review(ft.load("tic_tac_toe").start(), [4, 4], PLANNER, seed=1)


@pytest.mark.parametrize(
    ("spec", "name", "actions", "reviewed"), [("kuhn", "oos", [0, 2, 1], [2]), ("tic_tac_toe", "uct", [4, 0], [0, 1])]
)
def test_the_recommended_player_suits_the_game_and_reviews_it(
    spec: str, name: str, actions: list[int], reviewed: list[int]
) -> None:
    game = ft.load(spec)
    kind = recommended_player(game)
    assert kind.name == name
    assert [judged.ply for judged in review(game.start(), actions, kind.reviews, seed=1)] == reviewed
