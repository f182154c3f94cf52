"""Data sets: what is written is read, games are divided by themselves alone, and positions are those of the rules."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.values import won_values
from forethought.records.data_set import (
    ALL,
    DATA_SET,
    HELD_OUT,
    TRAIN,
    RecordSet,
    RecordSetBuilder,
    folded_digest,
    read_record_set,
)
from forethought.records.formats import CheckedGame
from forethought.tensors import read_tensors, write_tensors
from tests.records.reading import played_game, read_file, same

SPECS = ["go(size=5)", "othello", "hex(size=4,swap=true)", "leduc", "goofspiel(cards=4)", "connect_four"]


def built(game: Game, games: list[CheckedGame], path: Path, seed: int = 0, share: float = 0.3) -> RecordSet:
    builder = RecordSetBuilder(game)
    for one in games:
        builder.add(one)
    records = builder.finish(path / "games.safetensors", seed, share)
    records.write()
    return records


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_written_is_read(spec: str, tmp_path: Path) -> None:
    game = ft.load(spec)
    games = [played_game(game, seed, (f"player {seed % 3}", "ü]")) for seed in range(20)]
    games += [played_game(game, seed, plies=3)._replace(setup=2) for seed in range(20, 23)]
    built(game, games, tmp_path)
    records = read_record_set(tmp_path / "games.safetensors")
    assert len(records) == len(games)
    for one, other in zip(records, games, strict=True):
        assert same(one, other) or (not other.names and one[:3] == other[:3])
    assert records.names == ["", "player 0", "ü]", "player 1", "player 2"]
    assert records.actions.dtype.itemsize == 1 if game.actions < 256 else 2


def test_actions_take_two_bytes_where_one_is_too_few(tmp_path: Path) -> None:
    records = built(ft.load("go(size=19)", compiled=False), [CheckedGame([360, 361], 0, None, (), ())], tmp_path)
    assert records.actions.dtype == np.uint16
    assert records[0].actions == [360, 361]


def test_the_division_depends_on_each_game_and_the_seed_alone(tmp_path: Path) -> None:
    game = ft.load("hex(size=5)")
    games = [played_game(game, seed) for seed in range(400)]
    one = built(game, games, tmp_path, seed=1)
    other = built(game, games[::-1][:300], tmp_path, seed=1)
    assert one.held_out[::-1][:300].tolist() == other.held_out.tolist()
    assert 80 < one.held_out.sum() < 160
    assert (built(game, games, tmp_path, seed=2).held_out != one.held_out).sum() > 50
    assert sorted([*one.games(TRAIN), *one.games(HELD_OUT)]) == list(range(400)) == one.games(ALL).tolist()
    assert not built(game, games, tmp_path, share=0.0).held_out.any()
    assert built(game, games, tmp_path, share=1.0).held_out.all()


def test_a_game_and_its_reflection_are_on_the_same_side(tmp_path: Path) -> None:
    game = ft.load("connect_four")
    games = [played_game(game, seed) for seed in range(100)]
    mirrored = [one._replace(actions=[6 - action for action in one.actions]) for one in games]
    records = built(game, games + mirrored, tmp_path, share=0.5)
    assert records.held_out[:100].tolist() == records.held_out[100:].tolist()
    assert len({folded_digest(game, one.actions) for one in games}) == 100


def naive_positions(game: Game, one: CheckedGame) -> list[tuple[Any, ...]]:
    """List facts, legal actions, the action played, the mover and the values of each decision."""
    state, found = game.start(), []
    returns = one.returns or (np.nan,) * game.players
    for ply, action in enumerate(one.actions):
        legal = state.legal_actions()
        if not state.is_chance and len(legal) > 1 and ply >= one.setup:
            values = won_values(game, [state.player], returns)[0].tolist()
            found.append((state.facts(state.player), legal, action, state.player, values))
        state.apply(action)
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_positions_are_those_of_the_rules(spec: str, tmp_path: Path) -> None:
    game = ft.load(spec)
    games = [played_game(game, seed) for seed in range(12)]
    games += [played_game(game, 20, plies=4), played_game(game, 21, plies=4)._replace(setup=2)]
    records = built(game, games, tmp_path)
    chosen = np.array([13, 0, 5, 12])
    found = records.positions(chosen)
    expected = [(number, *row) for number in chosen.tolist() for row in naive_positions(game, games[number])]
    assert found.rows == len(expected) > 0
    for row, (number, facts, legal, action, mover, values) in enumerate(expected):
        assert found.games[row] == number
        assert found.facts[row, : found.known[row]].tolist() == facts
        assert found.actions[row, : found.counts[row]].tolist() == legal
        assert legal[found.played[row]] == action
        assert found.movers[row] == mover
        np.testing.assert_array_equal(found.values[row], np.array(values, np.float32))
    assert not found.facts[np.arange(found.facts.shape[1]) >= found.known[:, None]].any()


def test_batches_have_every_game_of_a_part_once(tmp_path: Path) -> None:
    game = ft.load("tic_tac_toe")
    records = built(game, [played_game(game, seed) for seed in range(50)], tmp_path)
    for seed in (None, 3):
        train, held_out = (
            [np.unique(batch.games) for batch in records.batches(part, games=7, seed=seed)]
            for part in (TRAIN, HELD_OUT)
        )
        assert {len(batch) for batch in train[:-1]} == {7}
        assert sorted(np.concatenate(train)) == records.games(TRAIN).tolist()
        assert sorted(np.concatenate(held_out)) == records.games(HELD_OUT).tolist()
    first, again, other = (next(iter(records.batches(games=7, seed=seed))).games.tolist() for seed in (3, 3, 4))
    assert first == again != other
    with pytest.raises(ForethoughtError, match="'test' is no part of a data set; parts are train, held_out, all"):
        records.games("test")


def test_no_games_have_no_positions(tmp_path: Path) -> None:
    game = ft.load("tic_tac_toe")
    records = built(game, [played_game(game, 0)], tmp_path, share=0.0)
    assert list(records.batches(HELD_OUT)) == []
    assert records.positions(np.zeros(0, np.int64)).rows == 0


def test_a_data_set_is_a_format_too(tmp_path: Path) -> None:
    game = ft.load("connect_four")
    games = [played_game(game, seed, ("a", "b")) for seed in range(10)]
    built(game, games, tmp_path)
    found = read_file("data-set", "connect_four", tmp_path / "games.safetensors")
    assert all(same(*pair) for pair in zip(found.games, games, strict=True))
    other = read_file("data-set", "othello", tmp_path / "games.safetensors")
    assert "is a data set of connect_four, not of othello" in other.tally.examples[0].reason


@pytest.mark.parametrize(
    "spoil",
    [
        lambda arrays: arrays.pop("ends"),
        lambda arrays: arrays.update(more=arrays["ends"]),
        lambda arrays: arrays.update(ends=arrays["ends"][::-1].copy()),
        lambda arrays: arrays.update(ends=arrays["ends"] + 1),
        lambda arrays: arrays.update(ends=arrays["ends"].astype(np.float64)),
        lambda arrays: arrays.update(ends=np.zeros((), np.int64)),
        lambda arrays: arrays.update(setups=arrays["setups"] - 1),
        lambda arrays: arrays.update(setups=arrays["setups"][:-1].copy()),
        lambda arrays: arrays.update(setups=arrays["setups"] + 50),
        lambda arrays: arrays.update(players=arrays["players"] + 50),
        lambda arrays: arrays.update(returns=arrays["returns"][:, :1].copy()),
        lambda arrays: arrays.update(held_out=arrays["ends"]),
        lambda arrays: arrays.update(actions=arrays["actions"] + 7),
        lambda arrays: arrays.update(names=np.array([255], np.uint8)),
    ],
)
@pytest.mark.quick_cases(7)
def test_arrays_that_do_not_fit_are_refused(spoil: Any, tmp_path: Path) -> None:
    game = ft.load("connect_four")
    records = built(game, [played_game(game, seed) for seed in range(5)], tmp_path)
    file = read_tensors(records.path, DATA_SET)
    arrays = dict(file.arrays)
    spoil(arrays)
    write_tensors(records.path, DATA_SET, arrays, file.about)
    with pytest.raises(ForethoughtError, match="is damaged, or no data set of games"):
        read_record_set(records.path)


def test_games_that_the_rules_do_not_allow_are_refused(tmp_path: Path) -> None:
    game = ft.load("connect_four")
    records = built(game, [CheckedGame([3] * 6, 0, None, (), ())], tmp_path)
    full = dataclasses.replace(records, actions=np.full(7, 3, np.uint8), ends=np.array([7]))
    with pytest.raises(ForethoughtError, match="holds a game that connect_four does not allow"):
        full.positions(np.array([0]))


def test_a_damaged_file_and_one_that_names_code_are_refused(tmp_path: Path) -> None:
    game = ft.load("connect_four")
    records = built(game, [played_game(game, 1)], tmp_path)
    content = records.path.read_bytes()
    records.path.write_bytes(content[:-3])
    with pytest.raises(ForethoughtError, match="is damaged"):
        read_record_set(records.path)
    records.path.write_bytes(content)
    file = read_tensors(records.path, DATA_SET)
    write_tensors(records.path, DATA_SET, file.arrays, file.about | {"spec": "evil.py:factory"})
    with pytest.raises(ForethoughtError, match="which is code: name the game yourself"):
        read_record_set(records.path)
    with pytest.raises(ForethoughtError, match="There is no data set of games"):
        read_record_set(tmp_path / "none.safetensors")
