"""Lower bounds stay below exact best responses, come near them, and are what the frozen response wins."""

import pytest

import forethought as ft
from forethought.evaluate.lower_bound import LEARNING, Response, Sampler, learn_response, lower_bound
from forethought.game import Observation
from forethought.player import NewGroup, Policy, find_player
from forethought.players.random import RandomPlayer
from tests.evaluate.given_players import given

SEED = 3


def random(game: ft.Game) -> NewGroup:
    return find_player("random").new_group(game)


@pytest.mark.parametrize(
    ("spec", "player", "exact", "training_games"),
    [("kuhn", 0, 1 / 2, 2_000), ("kuhn", 1, 5 / 12, 2_000), ("leduc", 0, 2.0875, 10_000), ("leduc", 1, 2.6597, 10_000)],
)
def test_a_bound_lies_close_below_the_exact_best_response(spec, player, exact, training_games):
    game = ft.load(spec)
    bound = lower_bound(game, random(game), player, training_games=training_games, evaluation_games=4_000, seed=SEED)
    assert bound.low < bound.value < bound.high
    assert bound.low <= exact
    assert bound.value >= 0.8 * exact
    assert (bound.games, bound.training_games) == (4_000, training_games)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("training_games", [0, 300])
def test_the_interval_covers_what_the_frozen_response_wins(player, training_games):
    """However little was learnt: the bound is about the response it has."""
    game = ft.load("kuhn")
    bound = lower_bound(game, random(game), player, training_games=training_games, evaluation_games=2_000, seed=SEED)
    response = learn_response(Sampler(game, random(game), player, (SEED, LEARNING, player)), training_games, int)
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
    bound = lower_bound(game, random(game), 1, training_games=1_000, evaluation_games=300, seed=SEED)
    assert bound.low > 0.5


def test_a_seed_gives_the_same_bound_and_another_seed_another():
    game = ft.load("kuhn")
    first, again, other = (
        lower_bound(game, random(game), 0, training_games=200, evaluation_games=200, seed=seed) for seed in (1, 1, 2)
    )
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

    opponents = given("opponent", lambda _rng: Opponent()).new_group(game)
    lower_bound(game, opponents, 0, training_games=20, evaluation_games=10, seed=SEED)
    assert len(made) == 30


def test_open_games_work_as_well():
    """The state is shown to players where nothing is hidden; 0.9 is far above what random play wins first: 0.3."""
    game = ft.load("tic_tac_toe")
    bound = lower_bound(game, random(game), 0, training_games=3_000, evaluation_games=500, seed=SEED)
    assert bound.low > 0.6


def test_progress_rises_towards_one():
    game = ft.load("kuhn")
    told: list[float] = []
    lower_bound(game, random(game), 0, training_games=300, evaluation_games=100, seed=SEED, progress=told.append)
    assert told == sorted(told)
    assert told[0] == 0.0
    assert told[-1] > 0.95
