"""Self-play and the losses of NFSP equal plain Python, and its memories hold what they should."""

from typing import NamedTuple

import numpy as np
import pytest

import forethought as ft
from forethought.learn.deep_q import imitation_slopes, q_slopes, q_targets
from forethought.learn.fictitious_play import FictitiousPlayers, play_games
from forethought.learn.replay import CircularMemory, ReservoirMemory
from forethought.nets.mlp import Mlp, make_mlp, mlp_of, parameters_of
from forethought.randomness import generators
from tests.naive import fictitious_play as naive

GAMES = ["kuhn", "leduc", "tests/userfiles/kuhn3.py", "tic_tac_toe"]
UNIT = 2.0


def network(game: ft.Game, seed: int) -> Mlp:
    """One whose last layer is not small, so that actions differ."""
    parameters = parameters_of(make_mlp(game.facts, game.actions, (8,), np.random.default_rng(seed)))
    return mlp_of(parameters | {"weight1": 20 * parameters["weight1"]})


def players_of(game: ft.Game) -> FictitiousPlayers:
    return FictitiousPlayers(network(game, 1), network(game, 2), anticipation=0.4, epsilon=0.3)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.quick_cases(1)
def test_plays_as_plain_python_does(spec: str) -> None:
    game = ft.load(spec)
    players, rngs, responses = players_of(game), generators(30, 5), 0
    for g in range(30):
        decisions, returns = naive.one_game(game, players, rngs[g].copy())
        found = play_games(game, players, UNIT, rngs[g : g + 1].copy())
        rows = [array.tolist() for array in found.transitions[1:5]]
        states, following = found.transitions.states, found.transitions.following
        seen = [
            (states[i].tobytes(), player, action, reward, None if ended else following[i].tobytes())
            for i, (player, action, reward, ended) in enumerate(zip(*rows, strict=True))
        ]
        assert seen == naive.transitions(decisions, returns, UNIT)
        imitated = [
            (one["state"].memory.tobytes(), one["player"], one["action"]) for one in decisions if one["imitated"]
        ]
        own = found.imitations
        assert [(own.states[i].tobytes(), own.players[i], own.actions[i]) for i in range(len(own.actions))] == imitated
        responses += len(imitated)
    assert responses > 10


def test_games_are_the_same_in_any_company() -> None:
    game = ft.load("leduc")
    players, rngs = players_of(game), generators(20, 6)
    together = play_games(game, players, UNIT, rngs.copy()).transitions
    alone = [play_games(game, players, UNIT, rngs[g : g + 1].copy()).transitions for g in range(20)]

    def sorted_rows(parts: list) -> list[tuple]:
        rows = (zip(part.states.tolist(), *(array.tolist() for array in part[1:5]), strict=True) for part in parts)
        return sorted(row for part in rows for row in part)

    assert sorted_rows([together]) == sorted_rows(alone)


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.quick_cases(2)
def test_targets_and_gradients(spec: str) -> None:
    """Targets by their definition; gradients by differences of the losses."""
    game, rng = ft.load(spec), np.random.default_rng(3)
    found = play_games(game, players_of(game), UNIT, generators(40, 7))
    rows, imitations = found.transitions, found.imitations
    count, spare = len(rows.actions), np.zeros(game.facts + game.table.choices, np.int64)
    after, values = (rng.normal(size=(count, game.actions)).astype(np.float32) for _ in range(2))
    targets, slopes = np.zeros(count, np.float32), np.ones((count, game.actions), np.float32)
    q_targets(game.table, rows, after, spare, targets)
    expected = [
        naive.q_target(game, float(rows.rewards[i]), None if rows.ended[i] else state_of(game, rows.following[i]), row)
        for i, row in enumerate(after)
    ]
    assert targets == pytest.approx(expected)
    total = q_slopes(rows, targets, values, slopes)
    errors = [values[i, rows.actions[i]] - expected[i] for i in range(count)]
    assert total == pytest.approx(sum(error**2 for error in errors), rel=1e-5)
    by_hand = np.zeros_like(slopes)
    by_hand[np.arange(count), rows.actions] = np.array(errors) / count
    assert slopes == pytest.approx(by_hand, abs=1e-6)

    size, logs = len(imitations.actions), np.zeros(game.table.choices)
    logits, slopes = values[:size].copy(), np.ones((size, game.actions), np.float32)
    total = imitation_slopes(game.table, imitations, logits, spare, logs, slopes)
    states = [state_of(game, record) for record in imitations.states]

    def loss(i: int, changed: np.ndarray) -> float:
        return naive.cross_entropy(states[i], changed, int(imitations.actions[i]))

    assert total == pytest.approx(sum(loss(i, logits[i]) for i in range(size)), rel=1e-5)
    for i in range(0, size, 3):
        for action in range(game.actions):
            step = np.zeros(game.actions)
            step[action] = 1e-5
            slope = (loss(i, logits[i] + step) - loss(i, logits[i] - step)) / 2e-5 / size
            assert slopes[i, action] == pytest.approx(slope, abs=1e-5)


def state_of(game: ft.Game, record: np.ndarray) -> ft.State:
    return ft.State(game, record.copy())


class Numbered(NamedTuple):
    numbers: np.ndarray
    twice: np.ndarray


def numbered(first: int, end: int) -> Numbered:
    return Numbered(np.arange(first, end), 2.0 * np.arange(first, end)[:, np.newaxis])


@pytest.mark.parametrize("parts", [[25], [3, 4, 18], [10, 1, 1, 13]])
def test_a_circular_memory_has_the_latest(parts: list[int]) -> None:
    memory, rng, begin = CircularMemory(10, numbered(0, 0)), np.random.default_rng(1), 0
    for part in parts:
        memory.add(numbered(begin, begin + part), rng)
        begin += part
    state = memory.state()
    assert sorted(state["numbers"].tolist()) == list(range(15, 25))
    assert state["twice"][:, 0].tolist() == (2 * state["numbers"]).tolist()


@pytest.mark.parametrize(
    ("offered", "count", "oldest"), [(25, 4, 21), (25, 10, 15), (25, 99, 15), (6, 4, 2), (6, 99, 0)]
)
def test_the_latest_of_a_circular_memory_are_drawn_uniformly(offered: int, count: int, oldest: int) -> None:
    memory, rng = CircularMemory(10, numbered(0, 0)), np.random.default_rng(1)
    memory.add(numbered(0, offered), rng)
    drawn = memory.latest(count, 20_000, rng)
    assert np.array_equal(drawn.twice[:, 0], 2 * drawn.numbers)
    found, times = np.unique(drawn.numbers, return_counts=True)
    assert found.tolist() == list(range(oldest, offered))
    assert np.abs(times - 20_000 / len(found)).max() < 5 * np.sqrt(20_000 / len(found))


def test_a_reservoir_is_a_uniform_sample_of_all() -> None:
    kept = np.zeros(50)
    for seed in range(4_000):
        memory, rng = ReservoirMemory(10, numbered(0, 0)), np.random.default_rng(seed)
        memory.add(numbered(0, 17), rng)
        memory.add(numbered(17, 50), rng)
        kept[memory.state()["numbers"]] += 1
    assert kept.sum() == 40_000
    assert np.abs(kept - 800).max() < 5 * np.sqrt(4_000 * 0.2 * 0.8)


def test_a_memory_goes_on_from_its_state() -> None:
    memories = [ReservoirMemory(10, numbered(0, 0)) for _ in range(2)]
    memories[0].add(numbered(0, 30), np.random.default_rng(1))
    memories[1].restore(memories[0].state())
    for memory in memories:
        memory.add(numbered(30, 60), np.random.default_rng(2))
    assert np.array_equal(memories[0].state()["numbers"], memories[1].state()["numbers"])
    batches = [memory.batch(20, np.random.default_rng(3)) for memory in memories]
    assert np.array_equal(batches[0].twice, batches[1].twice)
