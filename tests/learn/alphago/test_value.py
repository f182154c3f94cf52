"""Games for the value network: AlphaGo's scheme, one position of each; equal positions are on one side."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.games.reference import reference_to
from forethought.learn.alphago.answers import squared_error
from forethought.learn.alphago.value import TOGETHER, PositionMemory, ValueStage
from forethought.learn.alphago.value_games import (
    ValueGamesJob,
    ValuePositions,
    first_rows,
    play_value_games,
)
from forethought.learn.learner import GAMES as GAMES_OF_A_RUN
from forethought.nets.evaluator import answer_of, policy_of
from forethought.nets.formats import IMITATION
from forethought.randomness import below, choose, generators
from forethought.runtime.executor import Stopped
from tests.learn.alphago.networks import only, pipeline_of, random_networks, small_run
from tests.learn.trainings import finished

GAMES = 40


def naive_game(
    game: ft.Game, imitation: object, strong: object, last_ply: int, kept: int, rng: np.ndarray
) -> list[tuple[list[int], float]]:
    """One game by the scheme, as it is told: the positions after the random move, and what their movers won."""
    begin, state, ply, positions = 1 + below(last_ply, rng), game.start(), 0, []
    random_done = False
    while not state.is_terminal:
        legal, mover = state.legal_actions(), state.player
        ply += 1
        if state.is_chance:
            choice = choose(np.array(state.chance()), len(legal), rng)
        elif len(legal) == 1:
            choice = 0
        elif not random_done and ply >= begin:
            choice, random_done = below(len(legal), rng), True
        else:
            player = strong if random_done else imitation
            choice = choose(policy_of(player, state.facts(mover), legal), len(legal), rng)
            if random_done:
                positions.append((state.facts(mover), mover))
        state.apply(legal[choice])
    return [(facts, state.returns()[mover]) for facts, mover in positions[:kept]]


def played(game: ft.Game, last_ply: int, kept: int) -> ValuePositions:
    imitation, strong = (one.compiled() for one in random_networks(game, 2))
    job = ValueGamesJob(reference_to(game), imitation, strong, last_ply, kept, GAMES, (5,))
    return play_value_games(job, lambda: False)


@pytest.mark.parametrize("spec", ["tic_tac_toe", "hex(size=3)"])
@pytest.mark.parametrize("kept", [1, 3])
@pytest.mark.quick_cases(1)
def test_positions_are_those_of_a_plain_game_by_the_scheme(spec: str, kept: int) -> None:
    game = ft.load(spec)
    found = played(game, game.plies, kept)
    imitation, strong = (one.compiled() for one in random_networks(game, 2))
    dropped = 0
    for number, rng in enumerate(generators(GAMES, 5)):
        wanted = naive_game(game, imitation, strong, game.plies, kept, rng)
        rows = np.flatnonzero(found.games == number)
        assert len(rows) == len(wanted)
        dropped += not wanted
        for row, (facts, won) in zip(rows, wanted, strict=True):
            assert found.facts[row, : found.known[row]].tolist() == facts
            assert found.results[row] == won
    assert 0 < dropped < GAMES


def test_one_position_of_a_game_really() -> None:
    found = played(ft.load("tic_tac_toe"), 4, 1)
    assert found.rows > GAMES // 2
    assert len(np.unique(found.games)) == found.rows


def test_the_random_move_is_anywhere_up_to_the_last_ply() -> None:
    """The number of stones on the board is the ply of the random move, which is uniform."""
    game = ft.load("hex(size=3)")
    imitation, strong = (one.compiled() for one in random_networks(game, 2))
    job = ValueGamesJob(reference_to(game), imitation, strong, 3, 1, 600, (6,))
    found = play_value_games(job, lambda: False)
    empty = found.known.min()
    _, counts = np.unique(found.known - empty, return_counts=True)
    assert len(counts) == 3
    assert counts / 600 == pytest.approx([1 / 3] * 3, abs=0.08)
    with pytest.raises(Stopped):
        play_value_games(job, lambda: True)


def length_of_a_game(game: ft.Game, player: object, rng: np.ndarray) -> int:
    state, plies = game.start(), 0
    while not state.is_terminal:
        legal = state.legal_actions()
        if state.is_chance:
            choice = choose(np.array(state.chance()), len(legal), rng)
        elif len(legal) == 1:
            choice = 0
        else:
            choice = choose(policy_of(player, state.facts(state.player), legal), len(legal), rng)
        state.apply(legal[choice])
        plies += 1
    return plies


def test_the_last_ply_is_that_of_the_longest_of_some_games_unless_it_is_given() -> None:
    """Othello 4 x 4 may last 24 plies, as a pass may follow each of 12 discs; no game does."""
    game = ft.load("othello(size=4)")
    stage = ValueStage(pipeline_of(game))
    imitation = stage.pipeline.compiled(stage.pipeline.networks[IMITATION])
    longest = max(length_of_a_game(game, imitation, rng) for rng in generators(TOGETHER, 3, GAMES_OF_A_RUN, 0))
    assert next(stage._jobs(1)).last_ply == longest < game.plies
    assert next(ValueStage(pipeline_of(game, **{"value.last_ply": 5}))._jobs(1)).last_ply == 5


def test_first_rows_of_each_game() -> None:
    assert first_rows(np.array([2, 0, 2, 2, 0, 1], np.int32), 2).tolist() == [0, 1, 2, 4, 5]
    assert first_rows(np.zeros(0, np.int32), 1).tolist() == []


def test_memory_keeps_what_was_added() -> None:
    memory, rng = PositionMemory(300), np.random.default_rng(1)
    for known in (3, 7, 5):
        facts = np.zeros((4, 300), np.int32)
        facts[:, :known] = rng.integers(300, size=(4, known))
        memory.add(
            ValuePositions(facts, np.full(4, known, np.int32), np.arange(4), rng.normal(size=4).astype(np.float32)),
            np.array([True, False, False, True]),
        )
        last = memory.samples(np.arange(len(memory))[-4:])
        assert last.facts[:, :known].tolist() == facts[:, :known].tolist()
        assert set(last.known.tolist()) == {known}
    other = PositionMemory(300)
    other.restore(memory.state())
    places = np.arange(12)
    assert all(np.array_equal(a, b) for a, b in zip(memory.samples(places), other.samples(places), strict=True))
    assert memory.samples(places).facts.shape == (12, 7)


def test_equal_positions_and_positions_of_one_game_are_on_one_side() -> None:
    game = ft.load("tic_tac_toe")
    stage = ValueStage(pipeline_of(game, **{"value.held_out": 0.5}))
    found = played(game, 4, 3)
    held_out = stage._held_out(found)
    for number in np.unique(found.games):
        assert len({*held_out[found.games == number].tolist()}) == 1
    assert stage._held_out(found).tolist() == held_out.tolist()
    single = played(game, 4, 1)
    sides = dict[tuple[int, ...], set[bool]]()
    for row, side in enumerate(stage._held_out(single)):
        sides.setdefault(tuple(single.facts[row, : single.known[row]].tolist()), set()).add(bool(side))
    assert len(sides) < single.rows  # some positions came twice
    assert all(len(side) == 1 for side in sides.values())


def test_errors_are_means_of_squares() -> None:
    game = ft.load("tic_tac_toe")
    memory, network = PositionMemory(game.facts), random_networks(game, 1)[0].compiled()
    found = played(game, 4, 1)
    memory.add(found, np.zeros(found.rows, bool))
    values = [answer_of(network, found.facts[row, : found.known[row]].tolist(), [0])[1][0] for row in range(found.rows)]
    wanted = np.mean((np.array(values) - found.results) ** 2)
    assert squared_error(network, game, memory.samples(np.arange(found.rows))) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("per_game", [1, 4])
def test_exactly_as_many_positions_as_are_asked_for(tmp_path: Path, per_game: int) -> None:
    settings = only("value") | {"value.positions_per_game": per_game, "value.last_ply": 3}
    reports = finished(small_run(tmp_path / "run", **settings))
    assert [report.values["positions"] for report in reports] == [60, 120]
    assert reports[-1].values["value_train_error"] > 0.0
    assert reports[-1].values["value_test_error"] > 0.0
    assert 0.0 <= reports[-1].values["dropped"] < 1.0


def test_it_learns_who_wins(tmp_path: Path) -> None:
    settings = only("value") | {"value.positions": 2_000, "value.steps": 150, "value.rate": 0.003, "value.last_ply": 6}
    reports = finished(small_run(tmp_path / "run", "hex(size=3)", **settings))
    assert reports[-1].values["value_test_error"] < 0.85  # knowing nothing is 1
    assert reports[-1].values["value_train_error"] < reports[-1].values["value_test_error"] + 0.1


def test_games_that_all_end_too_early_are_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forethought.learn.alphago.value.MANY_GAMES", 256)
    run = small_run(tmp_path / "run", **(only("value") | {"value.last_ply": 10**6, "value.positions": 10}))
    with pytest.raises(ForethoughtError, match=r"Almost all games end before their random move; lower value\.last_ply"):
        finished(run)
