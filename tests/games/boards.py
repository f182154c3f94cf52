"""What every board game is held to: recorded games, counts of move sequences, random play, symmetries, OpenSpiel.

The records are games that Ludii played (a program by others, with rules of its own), each move picked among the legal
ones by a rule that needs nothing but a seed: so a legal move too many, too few or elsewhere shows at once. Sites are
Ludii's cells; `cells` of a record says which of ours each is.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyspiel

from forethought.check import check_game
from forethought.compiler import kernel, row_pointer
from forethought.game import PUBLIC, TERMINAL, Game, State, Table
from forethought.games import load
from forethought.games.boards import NOWHERE, Board, Symmetry
from forethought.randomness import generator
from forethought.search.playouts import playouts

RECORDS = Path(__file__).parent / "records"
RANDOM_GAMES = 20_000

Site = int
Move = tuple[Site, Site, list[Site]]  # from, to, and what is captured

MoveOf = Callable[[list[int], int, list[Site]], Move]  # of the owners of cells, an action, and the site of each cell

PASS = (-1, -1)


def owners(state: State, board: Board) -> list[int]:
    """List who owns each cell: 0 nobody, 1 player 0, 2 player 1, as far as the public facts tell."""
    found = [0] * board.cells
    for fact in state.facts(PUBLIC):
        if fact < 2 * board.cells:
            found[fact % board.cells] = 1 + fact // board.cells
    return found


# Recorded games.


def assert_replays(game: Game, board: Board, name: str, move_of: MoveOf) -> None:
    """Play the recorded games; `move_of(owners, action, sites)` puts an action into the record's terms."""
    record = json.loads((RECORDS / f"{name}.json").read_text())
    sites = np.argsort(record["cells"]).tolist()
    assert len(record["games"]) == 20
    for played in record["games"]:
        state = game.start()
        left = _replay(state, played, board, lambda owner, action: move_of(owner, action, sites))
        assert all(tuple(ply[2:4]) == PASS for ply in left)  # a game that is over is passed out there
        assert [owners(state, board)[cell] for cell in record["cells"]] == played["owners"]
        assert state.is_terminal == (played["winner"] >= 0)
        if state.is_terminal:
            assert state.returns()[0] == {0: 0, 1: 1, 2: -1}[played["winner"]]


def _replay(
    state: State, played: dict[str, Any], board: Board, move_of: Callable[[list[int], int], Move]
) -> list[list[Any]]:
    """Play until the game is over or the record ends; return the recorded plies that are left."""
    x = played["seed"]
    for place, (mover, count, origin, target, *captured) in enumerate(played["plies"]):
        if state.is_terminal:
            return list(played["plies"][place:])
        owner = owners(state, board)
        moves = {action: move_of(owner, action) for action in state.legal_actions()}
        assert (state.player, len(moves)) == (mover - 1, count)
        x = (1103515245 * x + 12345) % 2**31
        action = sorted(moves, key=lambda action: _order(moves[action]))[(x >> 8) % count]
        assert moves[action] == (origin, target, captured[0] if captured else [])
        state.apply(action)
    return []


def _order(move: Move) -> tuple[Any, ...]:
    return move[:2] == PASS, *move[:2], str(move[2])


def placement(owner: list[int], action: int, sites: list[Site]) -> Move:
    """Put an action that is a cell, or else a pass, into a record's terms."""
    return (sites[action], sites[action], []) if action < len(sites) else (*PASS, [])


def step(board: Board) -> MoveOf:
    """Return what puts a move from cell to cell, capturing what stands there, into a record's terms."""

    def move_of(owner: list[int], action: int, sites: list[Site]) -> Move:
        origin, target = sites[board.origins[action]], sites[board.targets[action]]
        return origin, target, [target] if owner[board.targets[action]] else []

    return move_of


# Counts of move sequences.


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


class Statistics(NamedTuple):
    """What random games came to elsewhere."""

    plies: float
    deviation: float
    first: float  # share of games that player 0 wins
    second: float
    games: int


def assert_statistics(game: Game, known: Statistics) -> None:
    """Play 20,000 random games and stay within four standard errors, those of the other's count included."""
    found = playouts(game, RANDOM_GAMES, generator(20))
    spread = 4 * np.sqrt(1 / RANDOM_GAMES + 1 / known.games)
    decided = found.deviations[0] ** 2 + found.mean_returns[0] ** 2
    first, second = (decided + found.mean_returns[0]) / 2, (decided - found.mean_returns[0]) / 2
    assert abs(found.plies / RANDOM_GAMES - known.plies) < known.deviation * spread
    for share, expected in ((first, known.first), (second, known.second)):
        assert abs(share - expected) < np.sqrt(expected * (1 - expected)) * spread


# Symmetries.


def assert_symmetric(
    game: Game, board: Board, symmetries: int, folded_start: Callable[[Symmetry], State] | None = None, games: int = 3
) -> None:
    """Play random games and their images: legal moves, facts and results must be images too.

    A game whose first position a symmetry does not keep gives the folded one.
    """
    assert len(board.symmetries) == symmetries
    for seed, symmetry in enumerate(board.symmetries):
        assert sorted(symmetry.cells) == list(range(board.cells))
        assert sorted(symmetry.actions) == list(range(game.actions)) == list(range(board.actions))
        for number in range(games):
            image = folded_start(symmetry) if folded_start else game.start()
            _play_image(game, board, symmetry, image, np.random.default_rng((seed, number)))
    assert len({tuple(symmetry.cells) for symmetry in board.symmetries}) == symmetries


def folded(state: State, symmetry: Symmetry, *fields: str) -> State:
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


def _play_image(game: Game, board: Board, symmetry: Symmetry, image: State, rng: np.random.Generator) -> None:
    state = game.start()
    while True:
        assert state.player == image.player
        for observer in game.observers:
            assert sorted(image.facts(observer)) == board.mapped_facts(symmetry, state.facts(observer))
        if state.is_terminal:
            break
        legal = state.legal_actions()
        assert image.legal_actions() == sorted(symmetry.actions[legal].tolist())
        action = int(rng.choice(legal))
        state.apply(action)
        image.apply(int(symmetry.actions[action]))
    assert state.returns() == image.returns()


# The laws, and the description of the board.


def assert_lawful(game: Game) -> None:
    """Execute the laws; the test of all built-in games does it at length."""
    report = check_game(load(game, compiled=False), histories=20, plies=300)
    assert report.ok, report.violation


def assert_described(game: Game, board: Board) -> None:
    """Play a random game: pieces appear and go exactly where the board says that actions come from and go to."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        state = game.start()
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


# OpenSpiel.


def assert_plays_like_open_spiel(
    game: Game,
    spiel_name: str,
    there: Callable[[State, list[int]], list[int]] = lambda _state, actions: actions,
    games: int = 1000,
) -> None:
    """Play random games here and there; `there` translates our actions. Legal moves and results must be the same."""
    spiel_game = pyspiel.load_game(spiel_name)
    for seed in range(games):
        rng = np.random.default_rng(seed)
        state, spiel = game.start(), spiel_game.new_initial_state()
        while not state.is_terminal:
            legal = state.legal_actions()
            translated = there(state, legal)
            assert state.player == spiel.current_player()
            assert sorted(translated) == spiel.legal_actions()
            place = rng.integers(len(legal))
            game.table.apply(state.memory, legal[place])
            spiel.apply_action(translated[place])
        assert spiel.is_terminal()
        assert state.returns() == spiel.returns()
