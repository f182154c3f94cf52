"""Lower bounds stay below exact best responses, come near them, and are what the frozen response wins."""

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.lower_bound import LEARNING, Exploited, LowerBound, find_response, lower_bound
from forethought.evaluate.rounds import Entrant, entrant
from forethought.evaluate.search_response import Response, Sampler, learn_response
from forethought.game import Observation
from forethought.player import Policy
from forethought.players.random import RandomPlayer
from tests.evaluate.given_players import given

SEED = 3
RANDOM = entrant("random")


def bound_of(
    game: ft.Game, seat: int, *, learned: int, games: int, seed: int = SEED, player: Entrant = RANDOM, **progress
) -> LowerBound:
    """A bound by search."""
    return lower_bound(find_response(f"search:{learned}"), Exploited(game, player, seat, seed), games, **progress)


@pytest.mark.parametrize(
    ("spec", "player", "exact", "learned"),
    [("kuhn", 0, 1 / 2, 2_000), ("kuhn", 1, 5 / 12, 2_000), ("leduc", 0, 2.0875, 10_000), ("leduc", 1, 2.6597, 10_000)],
)
@pytest.mark.quick_cases(1)
def test_a_bound_lies_close_below_the_exact_best_response(spec, player, exact, learned):
    game = ft.load(spec)
    bound = bound_of(game, player, learned=learned, games=4_000)
    assert bound.low < bound.value < bound.high
    assert bound.low <= exact
    assert bound.value >= 0.8 * exact
    assert bound.games == 4_000


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("learned", [0, 300])
def test_the_interval_covers_what_the_frozen_response_wins(player, learned):
    """However little was learned: the bound is about the response it has."""
    game = ft.load("kuhn")
    bound = bound_of(game, player, learned=learned, games=2_000)
    response = learn_response(Sampler(game, RANDOM.new_group(game), player, (SEED, LEARNING, player)), learned, float)
    assert bound.low <= exact_value(game.start(), response, player) <= bound.high
    assert bound.high - bound.low < 0.25


def exact_value(state: ft.State, response: Response, player: int, turn: int = 0) -> float:
    """What a response wins against uniform play, over all histories."""
    if state.is_terminal:
        return state.returns()[player]
    legal = state.legal_actions()
    own = state.player == player
    weights = state.chance() or [1 / len(legal)] * len(legal)
    if own:
        chosen = response.decide(tuple(state.facts(player)), legal, turn)
        weights = [float(action == chosen) for action in legal]
    value = 0.0
    for action, weight in zip(legal, weights, strict=True):
        child = state.clone()
        child.apply(action)
        value += weight * exact_value(child, response, player, turn + own)
    return value


def test_random_play_of_thirteen_card_goofspiel_loses():
    game = ft.load("goofspiel(cards=13)")
    bound = bound_of(game, 1, learned=1_000, games=300)
    assert bound.low > 0.5


def test_a_seed_gives_the_same_bound_and_another_seed_another():
    game = ft.load("kuhn")
    first, again, other = (bound_of(game, 0, learned=200, games=200, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_the_others_are_asked_only_for_their_own_seat_and_are_new_in_each_game():
    game = ft.load("leduc")
    made: list[RandomPlayer] = []

    class Opponent(RandomPlayer):
        def __init__(self) -> None:
            made.append(self)

        def think(self, observation: Observation) -> Policy:
            assert observation.player == 1
            assert observation.state is None
            return super().think(observation)

    bound_of(game, 0, learned=20, games=10, player=given("opponent", lambda _rng: Opponent()))
    assert len(made) == 30


def test_open_games_work_as_well():
    """The state is shown to players where nothing is hidden; 0.9 is far above what random play wins first: 0.3."""
    game = ft.load("tic_tac_toe")
    bound = bound_of(game, 0, learned=3_000, games=500)
    assert bound.low > 0.6


def test_progress_rises_towards_one():
    game = ft.load("kuhn")
    told: list[float] = []
    bound_of(game, 0, learned=300, games=100, progress=told.append)
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] >= 0.9


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("serch", "did you mean search"),
        ("search:x", "games must be a whole number"),
        ("search(rate=1)", "no parameter"),
    ],
)
def test_a_mistake_in_the_response_is_told_in_one_sentence(spec, message):
    with pytest.raises(ForethoughtError, match=message):
        find_response(spec)


def test_a_response_is_written_as_it_is_read():
    assert str(find_response("search")) == "search"
    assert str(find_response("policy-gradient:500")) == "policy-gradient(games=500)"
