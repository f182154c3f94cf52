"""Matches: shared deals, exact small cases, the same result however it came about."""

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.match import fixed_verdict, play_rounds, stopping_match, whole_match
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Contest, Round, contest, entrant, play_round, rounds_for
from forethought.evaluate.store import Store
from forethought.game import Game, Observation
from forethought.games.kuhn import BET, PASS
from forethought.player import NewPlayer, Policy
from forethought.runtime.threads import Threads
from tests.evaluate.given_players import given

KUHN = ft.load("kuhn")


class Always:
    """Plays one action whatever happens."""

    def __init__(self, action: int) -> None:
        self.action = action

    def think(self, observation: Observation) -> Policy:
        return Policy(observation.legal_actions, tuple(float(a == self.action) for a in observation.legal_actions))


def always(action: int) -> NewPlayer:
    return lambda _rng: Always(action)


def random_contest(game: Game = KUHN, seed: int = 0) -> Contest:
    return contest(game, entrant("random"), entrant("random"), seed)


def fixed_contest(a: int, b: int) -> Contest:
    return contest(KUHN, given("a", always(a)), given("b", always(b)), 0)


def test_who_always_bets_takes_the_ante_of_who_always_passes() -> None:
    result = whole_match(*with_rounds(fixed_contest(BET, PASS), 20))
    assert (result.games, result.wins, result.draws, result.losses) == (40, 40, 0, 0)
    assert (result.win_rate, result.mean_return) == (1.0, 1.0)
    assert result.win_rate_low < 0.9
    assert result.verdict == "A is stronger, p < 0.001"


def test_the_games_of_a_round_share_the_deal() -> None:
    rounds = [play_round(fixed_contest(BET, BET), number) for number in range(30)]
    assert {played.returns for played in rounds} == {((2.0, -2.0), (2.0, -2.0)), ((-2.0, 2.0), (-2.0, 2.0))}
    result = whole_match(fixed_contest(BET, BET), rounds)
    assert (result.wins, result.losses, result.mean_return, result.p_value) == (30, 30, 0.0, 1.0)
    assert result.seats[0].mean_return == -result.seats[1].mean_return


def with_rounds(of: Contest, count: int) -> tuple[Contest, list[Round]]:
    return of, [play_round(of, number) for number in range(count)]


def test_results_are_counted_from_as_seat() -> None:
    rounds = [Round(0, ((3.0, -3.0), (1.0, -1.0))), Round(1, ((0.0, 0.0), (-5.0, 5.0)))]
    result = whole_match(fixed_contest(BET, PASS), rounds)
    assert (result.wins, result.draws, result.losses) == (2, 1, 1)
    assert result.win_rate == 2.5 / 4
    assert result.mean_return == (3 - 1 + 0 + 5) / 4
    assert [(seat.wins, seat.draws, seat.losses, seat.mean_return) for seat in result.seats] == [
        (1, 1, 0, 1.5),
        (1, 0, 1, 2.0),
    ]


def test_strength_is_what_a_game_pays_not_how_often() -> None:
    """A wins three games of four, and loses money."""
    rounds = [Round(number, ((1.0, -1.0), (-1.0, 1.0) if number % 2 else (9.0, -9.0))) for number in range(200)]
    result = whole_match(fixed_contest(BET, PASS), rounds)
    assert result.win_rate_low > 0.5
    assert result.mean_return_high < 0
    assert result.verdict == "B is stronger, p < 0.001"


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "tests/userfiles/kuhn3.py"])
def test_a_player_against_itself_scores_one_half(spec: str) -> None:
    game = ft.load(spec)
    result = whole_match(*with_rounds(random_contest(game), 300))
    assert result.win_rate_low < 0.5 < result.win_rate_high
    assert result.mean_return_low < 0.0 < result.mean_return_high
    assert result.games == 300 * game.players
    assert result.wins + result.draws + result.losses == result.games * (game.players - 1)
    assert result.win_rate == pytest.approx((result.wins + result.draws / 2) / (result.games * (game.players - 1)))


def test_with_three_players_each_seat_is_taken_once() -> None:
    game = ft.load("tests/userfiles/kuhn3.py")
    returns = ((2.0, -1.0, -1.0), (0.0, 0.0, 0.0), (3.0, -1.0, -2.0))
    outcomes = Outcomes([Round(0, returns)])
    assert outcomes.returns.tolist() == [[2.0, 0.0, -2.0]]
    assert outcomes.scores.tolist() == [[1.0, 0.5, 0.0]]
    assert outcomes.advantages.tolist() == [[3.0, 0.0, -3.0]]
    assert rounds_for(7, game) == 3


def test_the_number_of_workers_changes_nothing(tmp_path) -> None:
    leduc = random_contest(ft.load("leduc"), seed=5)
    results = []
    for workers in (1, 2, 5):
        with Store(tmp_path / f"{workers}.jsonl") as store:
            results.append(whole_match(leduc, play_rounds(leduc, 100, store, {}, Threads(workers))))
    assert results[0] == results[1] == results[2]
    assert whole_match(*with_rounds(random_contest(ft.load("leduc"), seed=6), 100)) != results[0]


def test_stopping_depends_on_the_order_of_rounds_alone(tmp_path) -> None:
    fixed, results = fixed_contest(BET, PASS), []
    for workers in (1, 3):
        with Store(tmp_path / f"{workers}.jsonl") as store:
            results.append(stopping_match(fixed, play_rounds(fixed, 5_000, store, {}, Threads(workers)), 0.05))
    assert results[0] == results[1]
    assert results[0].verdict == "A is stronger, error at most 5%"
    assert results[0].stopped_early
    assert results[0].p_value is None
    assert results[0].games < 200


def test_a_match_too_short_to_stop_says_so() -> None:
    short, rounds = with_rounds(random_contest(), 20)
    result = stopping_match(short, iter(rounds), 0.05)
    assert result.verdict == "not decided in 40 games"
    assert not result.stopped_early


@pytest.mark.parametrize(
    ("deviations", "verdict"),
    [
        (5.0, "A is stronger, p < 0.001"),
        (-2.2, "B is stronger, p = 0.028"),
        (1.4, "no significant difference; 4,800 more games may show one"),
        (-0.1, "no significant difference; it is too small to measure"),
        (0.0, "no significant difference; it is too small to measure"),
    ],
)
def test_verdicts_in_words(deviations: float, verdict: str) -> None:
    assert fixed_verdict(deviations, games=5_000) == verdict


def test_a_mistake_in_a_player_reaches_the_caller(tmp_path) -> None:
    mistaken = contest(KUHN, entrant("random"), given("lost", lambda _rng: Nowhere()), 0)
    with Store(tmp_path / "store.jsonl") as store, pytest.raises(ForethoughtError, match="7 is not a legal action"):
        list(play_rounds(mistaken, 10, store, {}, Threads(2)))


class Nowhere:
    def think(self, _observation: Observation) -> Policy:
        return Policy((7,), (1.0,))


def test_a_match_needs_a_game_for_each_seat() -> None:
    with pytest.raises(ForethoughtError, match="needs 2 games or more, one for each seat, not 1"):
        rounds_for(1, KUHN)
    assert np.array_equal([rounds_for(games, KUHN) for games in (2, 3, 5_000)], [1, 2, 2_500])
