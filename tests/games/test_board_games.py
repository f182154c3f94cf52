"""What every board game is held to: recorded games, counts of move sequences, random play, symmetries, OpenSpiel."""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyspiel
import pytest

from forethought.board import NOWHERE, Symmetry
from forethought.check import check_game
from forethought.compiler import kernel, row_pointer
from forethought.game import TERMINAL, Game, State, Table
from forethought.games import GAMES, load
from forethought.playouts import playouts
from forethought.randomness import generator
from tests.games.boards import KNOWN, PASS, Known, owners
from tests.tiers import others_slow

RECORDS = Path(__file__).parent / "records"
RANDOM_GAMES = 20_000


def where(fact: str) -> pytest.MarkDecorator:
    """Run a test for each game of which this is known."""
    chosen = others_slow([known for known in KNOWN if getattr(known, fact)], [known for known in KNOWN if known.quick])
    return pytest.mark.parametrize("known", chosen, ids=str)


# Recorded games.


@where("record")
@pytest.mark.quick_cases(5)
def test_games_go_as_recorded(known):
    record = json.loads((RECORDS / f"{known.record}.json").read_text())
    sites = np.argsort(record["cells"]).tolist()
    assert len(record["games"]) == 20
    for played in record["games"]:
        state = known.game.start()
        left = replay(known, state, played, sites)
        assert all(tuple(ply[2:4]) == PASS for ply in left)  # a game that is over is passed out there
        assert [owners(state, known.board)[cell] for cell in record["cells"]] == played["owners"]
        assert state.is_terminal == (played["winner"] >= 0)
        if state.is_terminal:
            assert state.returns()[0] == {0: 0, 1: 1, 2: -1}[played["winner"]]


def replay(known, state, played, sites):
    """Play until the game is over or the record ends; return the recorded plies that are left."""
    x = played["seed"]
    for place, (mover, count, origin, target, *captured) in enumerate(played["plies"]):
        if state.is_terminal:
            return played["plies"][place:]
        owner = owners(state, known.board)
        moves = {action: known.move_of(known.board, owner, action, sites) for action in state.legal_actions()}
        assert (state.player, len(moves)) == (mover - 1, count)
        x = (1103515245 * x + 12345) % 2**31
        action = sorted(moves, key=lambda action: order(moves[action]))[(x >> 8) % count]
        assert moves[action] == (origin, target, captured[0] if captured else [])
        state.apply(action)
    return []


def order(move):
    return move[:2] == PASS, *move[:2], str(move[2])


# Counts of move sequences.


@where("perft")
def test_move_sequences_are_as_many_as_known(known):
    assert perft(known.game, len(known.perft)) == list(known.perft)


def perft(game: Game, depth: int) -> list[int]:
    """Count the move sequences of each length up to the depth; one that ends the game is not continued."""
    counts = np.zeros(depth, np.int64)
    choices = np.zeros((depth, game.table.choices), np.int64)
    states = np.zeros((depth + 1, game.table.state_bytes), np.uint8)
    game.table.start(states[0])
    count_sequences(game.table, states, choices, np.zeros((depth, 2), np.int64), counts)
    return counts.tolist()


@kernel
def count_sequences(
    game: Table,
    states: npt.NDArray[np.uint8],
    choices: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],  # [depth, 2] the next choice, and how many there are
    counts: npt.NDArray[np.int64],
) -> None:
    last = len(counts) - 1
    places[0, 1] = game.legal(row_pointer(states, 0), row_pointer(choices, 0))
    ply = 0
    while ply >= 0:
        if places[ply, 0] == places[ply, 1]:
            ply -= 1
            continue
        for i in range(game.state_bytes):
            states[ply + 1, i] = states[ply, i]
        game.apply(row_pointer(states, ply + 1), choices[ply, places[ply, 0]])
        places[ply, 0] += 1
        counts[ply] += 1
        if ply < last and game.player(row_pointer(states, ply + 1)) != TERMINAL:
            ply += 1
            places[ply, 0] = 0
            places[ply, 1] = game.legal(row_pointer(states, ply), row_pointer(choices, ply))


# Random play.


@where("statistics")
def test_random_games_go_as_elsewhere(known):
    """All stays within four standard errors, those of the other's count included."""
    expected = known.statistics
    found = playouts(known.game, RANDOM_GAMES, generator(20))
    spread = 4 * np.sqrt(1 / RANDOM_GAMES + 1 / expected.games)
    decided = found.deviations[0] ** 2 + found.mean_returns[0] ** 2
    first, second = (decided + found.mean_returns[0]) / 2, (decided - found.mean_returns[0]) / 2
    assert abs(found.plies / RANDOM_GAMES - expected.plies) < expected.deviation * spread
    for share, odds in ((first, expected.first), (second, expected.second)):
        assert abs(share - odds) < np.sqrt(odds * (1 - odds)) * spread


@where("open_spiel")
@pytest.mark.quick_cases(2)
def test_random_games_agree_with_open_spiel(known):
    play_beside_open_spiel(known, range(known.open_spiel.games // 10))


@pytest.mark.slow
@where("open_spiel")
def test_many_random_games_agree_with_open_spiel(known):
    play_beside_open_spiel(known, range(known.open_spiel.games // 10, known.open_spiel.games))


def play_beside_open_spiel(known: Known, seeds: range) -> None:
    game, there = known.game, known.open_spiel
    spiel_game = pyspiel.load_game(there.name)
    for seed in seeds:
        rng = np.random.default_rng(seed)
        state, spiel = game.start(), spiel_game.new_initial_state()
        while not state.is_terminal:
            legal = state.legal_actions()
            translated = there.actions(known.board, state, legal)
            assert state.player == spiel.current_player()
            assert sorted(translated) == spiel.legal_actions()
            place = rng.integers(len(legal))
            game.table.apply(state.memory, legal[place])
            spiel.apply_action(translated[place])
        assert spiel.is_terminal()
        assert state.returns() == spiel.returns()


# Symmetries.


@where("symmetries")
@pytest.mark.quick_cases(4)
def test_symmetries_keep_the_game(known):
    """Legal moves, facts and results of a folded game are those of the game, folded."""
    game, board = known.game, known.board
    assert len(board.symmetries) == len({tuple(symmetry.cells) for symmetry in board.symmetries}) == known.symmetries
    for seed, symmetry in enumerate(board.symmetries):
        assert sorted(symmetry.cells) == list(range(board.cells))
        assert sorted(symmetry.actions) == list(range(game.actions)) == list(range(board.actions))
        for number in range(known.images):
            play_image(known, symmetry, np.random.default_rng((seed, number)))


def play_image(known: Known, symmetry: Symmetry, rng: np.random.Generator) -> None:
    state = known.game.start()
    image = folded(state, symmetry, known.folded)
    while True:
        assert state.player == image.player
        for observer in known.game.observers:
            assert sorted(image.facts(observer)) == known.board.mapped_facts(symmetry, state.facts(observer))
        if state.is_terminal:
            break
        legal = state.legal_actions()
        assert image.legal_actions() == sorted(symmetry.actions[legal].tolist())
        action = int(rng.choice(legal))
        state.apply(action)
        image.apply(int(symmetry.actions[action]))
    assert state.returns() == image.returns()


def folded(state: State, symmetry: Symmetry, fields: tuple[str, ...]) -> State:
    """Return the state with the cells of these fields (one set of bits, or two) where the symmetry sends them."""

    def image(bits: int) -> int:
        return sum(1 << int(target) for cell, target in enumerate(symmetry.cells) if (bits >> cell) & 1)

    result = state.clone()
    for name in fields:
        field = getattr(result.view, name)
        if isinstance(field, int):
            setattr(result.view, name, image(field))
        else:
            field[0], field[1] = image(field[0]), image(field[1])
    return result


# The laws, and the description of the board.


@where("check")
@pytest.mark.quick_cases(2)
def test_the_laws_hold(known):
    report = check_game(load(known.made, compiled=False), histories=20, plies=300)
    assert report.ok, report.violation


def test_every_built_in_board_game_is_known_here():
    made = [load(name, compiled=False) for name in GAMES.names()]
    assert {game.name for game in made if game.board} == {known.made.name for known in KNOWN if known.check}


@where("factory")
def test_the_board_is_as_described(known):
    """Pieces appear and go exactly where the board says that actions come from and go to."""
    board = known.board
    for seed in range(3):
        rng = np.random.default_rng(seed)
        state = known.game.start()
        while not state.is_terminal:
            action, mover, before = int(rng.choice(state.legal_actions())), 1 + state.player, owners(state, board)
            origin, target = int(board.origins[action]), int(board.targets[action])
            while board.stacks and before[target]:
                target = int(board.grid.neighbours[target, 0])
            assert origin == NOWHERE or before[origin] == mover
            state.apply(action)
            after = owners(state, board)
            assert target == NOWHERE or (before[target] != mover and after[target] == mover)
            assert origin == NOWHERE or after[origin] == 0
