"""Accuracy: players whose right moves are known, positions as asked for, the same answers however they came about."""

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.accuracy import Answer, Exam, PositionsJob, ask, ask_all, random_position, summed_up
from forethought.evaluate.rounds import Entrant, entrant
from forethought.game import Game, Observation
from forethought.games.reference import reference_to
from forethought.player import Policy
from forethought.runtime.threads import Threads
from tests.evaluate.given_players import given
from tests.naive.mcts import Perfect
from tests.runtime.elsewhere import Elsewhere

GAME = ft.load("tic_tac_toe")
PERFECT = Perfect()
NIM = "tests/userfiles/take_away.py(players=2,stones=60)"


class Knowing:
    """Plays the best of all moves, or the worst; sees to it that it is asked only where they differ."""

    def __init__(self, sign: float) -> None:
        self.sign = sign

    def think(self, observation: Observation) -> Policy:
        assert observation.state is not None
        after = PERFECT.after(observation.state)
        assert len(set(after.values())) > 1
        chosen = max(after, key=lambda action: self.sign * after[action])
        return Policy(observation.legal_actions, tuple(float(a == chosen) for a in observation.legal_actions))


def exam_of(player: Entrant, plies: tuple[int, int] = (1, 7), max_nodes: int = 100_000, game: Game = GAME) -> Exam:
    return Exam(reference_to(game), player, *plies, max_nodes, seed=1)


RANDOM = exam_of(entrant("random"))


@pytest.mark.parametrize(("sign", "share"), [(1.0, 1.0), (-1.0, 0.0)])
def test_who_knows_the_values_is_always_right_or_always_wrong(sign: float, share: float) -> None:
    exam = exam_of(given("knowing", lambda _rng: Knowing(sign)))
    answers = list(ask_all(exam, 100, Threads(1)))
    result = summed_up(exam, answers)
    spreads = [max(after) - min(after) for after in values_of(exam, 100)]
    assert (result.positions, result.solved, result.player) == (100, 100, "knowing")
    assert result.differing == sum(spread > 0 for spread in spreads) < 100
    assert (result.right, result.share_right) == (share * result.differing, share)
    assert result.mean_loss == pytest.approx((1 - share) * sum(spreads) / result.differing)
    assert result.share_right_low is not None
    assert result.share_right_high is not None
    assert 0.0 < result.share_right_high - result.share_right_low < 0.1


def values_of(exam: Exam, positions: int) -> list[list[float]]:
    return [list(PERFECT.after(random_position(exam, number)).values()) for number in range(positions)]


def test_random_moves_are_right_as_often_as_right_moves_are_among_all() -> None:
    result = summed_up(RANDOM, list(ask_all(RANDOM, 200, Threads(2))))
    rates = [after.count(max(after)) / len(after) for after in values_of(RANDOM, 200) if min(after) < max(after)]
    assert result.differing == len(rates)
    assert result.share_right == pytest.approx(np.mean(rates), abs=3 * 0.5 / np.sqrt(len(rates)))


def test_answers_are_the_same_wherever_they_are_given_and_in_whatever_company() -> None:
    answers = list(ask_all(RANDOM, 40, Threads(1)))
    assert answers == list(ask_all(RANDOM, 60, Threads(3)))[:40]
    assert answers == list(ask_all(RANDOM, 40, Elsewhere()))
    assert answers == ask(PositionsJob(RANDOM, tuple(range(40))), lambda: False)
    assert len({answer.loss for answer in answers}) > 2


def test_positions_lie_in_the_range_and_every_ply_is_as_likely() -> None:
    exam = exam_of(entrant("random"), (5, 7))
    drawn = [random_position(exam, number) for number in range(300)]
    assert not any(s.is_terminal for s in drawn)
    plies = [9 - len(s.legal_actions()) for s in drawn]
    assert set(plies) == {5, 6, 7}
    assert all(abs(plies.count(ply) - 100) < 30 for ply in (5, 6, 7))


def test_positions_that_take_too_long_are_skipped_and_counted() -> None:
    exam = exam_of(entrant("random"), max_nodes=20)
    answers = list(ask_all(exam, 60, Threads(2)))
    result = summed_up(exam, answers)
    assert 0 < result.solved < 60
    assert result.differing == sum(answer.loss is not None for answer in answers) <= result.solved


def test_nothing_is_said_where_nothing_was_asked() -> None:
    result = summed_up(RANDOM, [Answer(True, None), Answer(False, None)])
    assert (result.positions, result.solved, result.differing, result.right) == (2, 1, 0, 0)
    assert (result.share_right, result.share_right_low, result.mean_loss) == (None, None, None)


@pytest.mark.parametrize("plies", [(3, 2), (-1, 2), (3, 9)])
def test_plies_must_make_sense(plies: tuple[int, int]) -> None:
    with pytest.raises(ForethoughtError, match="must be within 0 to 8"):
        exam_of(entrant("random"), plies)


def test_games_that_never_last_so_long_are_given_up() -> None:
    nim = ft.load(NIM)
    with pytest.raises(ForethoughtError, match="No random game of take_away went on after 59 plies"):
        random_position(exam_of(entrant("random"), (59, 59), game=nim), 0)


def test_games_without_exact_values_are_refused() -> None:
    kuhn = ft.load("kuhn")
    with pytest.raises(ForethoughtError, match="it hides information"):
        exam_of(entrant("random"), (0, 1), game=kuhn)
