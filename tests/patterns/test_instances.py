"""Patterns on boards: the arrays against a slow reference, on positions of every board game and of a user's."""

from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pytest

from forethought.board import NOWHERE, Board, Move, make_board, placements, square_grid
from forethought.games import GAMES, load
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.instances import (
    Instances,
    activity,
    cells_of,
    compile_patterns,
    count_held,
    site_count,
    sites_of,
    targets_of,
)
from forethought.patterns.pattern import EMPTY, ENEMY, FRIEND, FROM, OFF, TO, Element, Pattern
from tests.naive.patterns import is_active, landing_cell
from tests.patterns.samples import BOARD_GAMES, QUICK_GAMES, positions, random_pattern, seen_cells
from tests.tiers import others_slow

USERS_GAME = str(Path(__file__).with_name("wander.py"))
TURNING_GAMES = ("connect_four", "othello", "teeko", "fanorona", "yavalath(side=4)", "hex(size=5)", USERS_GAME)
SMALL = make_board(square_grid(2, 3), placements(square_grid(2, 3)))


def some_patterns(board: Board, seed: int = 1) -> list[Pattern]:
    """List some atomic patterns and some larger ones."""
    rng = np.random.default_rng(seed)
    return atomic_patterns(board)[::3] + [random_pattern(rng, board) for _ in range(30)]


def test_every_board_game_is_among_the_samples():
    boards = [name for name in GAMES.names() if load(name, compiled=False).board is not None]
    assert sorted({spec.split("(")[0] for spec in BOARD_GAMES}) == boards


@pytest.mark.parametrize("spec", others_slow([*BOARD_GAMES, USERS_GAME], (*QUICK_GAMES, USERS_GAME)))
@pytest.mark.quick_cases(2)
def test_activity_is_that_of_the_reference(spec):
    game = load(spec)
    board = game.board
    patterns = some_patterns(board)
    instances = compile_patterns(patterns, board)
    rng = np.random.default_rng(3)
    seen = np.zeros(len(patterns), int)
    cases = 0
    for state in islice(positions(game, seed=2, every=6), 8):
        cells = seen_cells(state, board)
        actions = state.legal_actions()
        actions = rng.permutation(actions)[:4].tolist()
        expected = [[is_active(pattern, board, cells, action) for pattern in patterns] for action in actions]
        assert activity(instances, board, np.array(cells, np.int8), actions).tolist() == expected
        seen += np.sum(expected, axis=0)
        cases += len(actions)
    assert ((seen > 0) & (seen < cases)).sum() > 10  # the reference says both


@pytest.mark.parametrize("spec", others_slow(TURNING_GAMES, (*QUICK_GAMES, USERS_GAME)))
def test_folding_a_position_carries_activity_along(spec):
    game = load(spec)
    board = game.board
    instances = compile_patterns(some_patterns(board, seed=5), board)
    assert len(board.symmetries) > 1
    for state in islice(positions(game, seed=4, every=5), 5):
        cells, actions = cells_of(board, state.facts(state.player)), state.legal_actions()
        before = activity(instances, board, cells, actions)
        for symmetry in board.symmetries:
            folded = np.zeros_like(cells)
            folded[symmetry.cells] = cells
            assert (activity(instances, board, folded, symmetry.actions[actions]) == before).all()


@pytest.mark.parametrize("spec", ["hex(size=5)", "teeko", "connect_four"])
def test_changes_add_up_in_any_order(spec):
    """Change one cell after another as the lists say, and compare with counting anew."""
    board = load(spec, compiled=False).board
    instances = compile_patterns(some_patterns(board), board)
    rng = np.random.default_rng(6)
    cells = np.zeros(board.cells, np.int8)
    held, fresh = instances.on_empty.copy(), instances.on_empty.copy()
    for _ in range(60):
        cell = int(rng.integers(board.cells))
        after = int(rng.choice([state for state in (EMPTY, FRIEND, ENEMY) if state != cells[cell]]))
        change = (cell * 3 + int(cells[cell])) * 3 + after
        gained = instances.gained[instances.gained_begin[change] : instances.gained_begin[change + 1]]
        lost = instances.lost[instances.lost_begin[change] : instances.lost_begin[change + 1]]
        np.add.at(held, gained, 1)
        np.subtract.at(held, lost, 1)
        cells[cell] = after
        count_held(instances, cells, fresh)
        assert (held == fresh).all()
        assert (held >= 0).all()
        assert (held <= instances.needed).all()


@pytest.mark.parametrize("spec", ["hex(size=5)", "fanorona", "connect_four"])
def test_slots_are_the_sites_and_patterns_that_have_instances(spec):
    board = load(spec, compiled=False).board
    patterns = some_patterns(board)
    found = compile_patterns(patterns, board)
    places = list(zip(found.site.tolist(), found.pattern.tolist(), strict=True))
    slots = list(zip(found.slot_site.tolist(), found.slot_pattern.tolist(), strict=True))
    assert places == sorted(places)
    assert slots == sorted(set(places))
    assert [slots[slot] for slot in found.slot] == places
    assert len(found.site_begin) == site_count(board) + 1
    for site, (begin, end) in enumerate(pairwise(found.site_begin)):
        assert slots[begin:end] == [slot for slot in slots if slot[0] == site]
    assert found.site_begin[-2] == found.site_begin[-1] == len(slots)  # nowhere has none
    assert found.patterns == len(patterns)


def test_arrays_are_of_the_agreed_kinds_and_contiguous():
    found = compile_patterns(some_patterns(SMALL), SMALL)
    kinds = {
        "needed": np.int8,
        "on_empty": np.int8,
        "site_begin": np.int64,
        "gained_begin": np.int64,
        "lost_begin": np.int64,
    }
    for name in Instances._fields[:-1]:
        array = getattr(found, name)
        assert array.dtype == kinds.get(name, np.int32)
        assert array.flags.c_contiguous


def sites(found: Instances) -> dict[int, list[int]]:
    """List what the instances of each site need."""
    listed: dict[int, list[int]] = {}
    for site, needed in zip(found.site.tolist(), found.needed.tolist(), strict=True):
        listed.setdefault(site, []).append(needed)
    return listed


def test_the_edge_is_settled_once():
    """On two rows of three: what is true beyond the edge needs nothing, what is false there is left out."""
    neighbour = (1, 0)
    for kind in (EMPTY, FRIEND, ENEMY):
        asked = compile_patterns([Pattern(TO, (Element(*neighbour, kind, False),))], SMALL)
        assert sites(asked) == {0: [1] * 2, 1: [1] * 3, 2: [1] * 2, 3: [1] * 2, 4: [1] * 3, 5: [1] * 2}
        denied = compile_patterns([Pattern(TO, (Element(*neighbour, kind, True),))], SMALL)
        assert sites(denied) == {
            0: [0, 1, 1],
            1: [0, 1, 1, 1],
            2: [0, 1, 1],
            3: [0, 1, 1],
            4: [0, 1, 1, 1],
            5: [0, 1, 1],
        }
    off = compile_patterns([Pattern(TO, (Element(*neighbour, OFF, False),))], SMALL)
    assert sites(off) == {cell: [0] for cell in range(6)}
    corner = Pattern(TO, (Element(1, 0, OFF, False), Element(0, 1, OFF, False)))
    assert sites(compile_patterns([corner], SMALL)) == {0: [0], 2: [0], 3: [0], 5: [0]}
    far = compile_patterns([Pattern(TO, (Element(3, 0, FRIEND, False),)), Pattern(TO)], SMALL)
    assert far.pattern.tolist() == [1] * 6


def test_patterns_that_came_up_before_and_new_ones_give_the_same_as_all_at_once():
    patterns = some_patterns(SMALL, seed=9)
    compile_patterns(patterns[:-1], SMALL)
    twin = make_board(square_grid(2, 3), placements(square_grid(2, 3)))
    for one, other in zip(compile_patterns(patterns, SMALL), compile_patterns(patterns, twin), strict=True):
        assert np.array_equal(one, other)


def test_no_patterns_have_no_instances():
    found = compile_patterns([], SMALL)
    assert len(found.site) == len(found.slot_site) == len(found.gained) == len(found.lost) == found.patterns == 0
    assert not found.site_begin.any()


def test_discs_land_on_discs():
    game = load("connect_four", compiled=False)
    board = game.board
    for state in positions(game, seed=8):
        cells, actions = cells_of(board, state.facts(state.player)), state.legal_actions()
        assert targets_of(board, cells, actions).tolist() == [landing_cell(board, cells, action) for action in actions]
    assert any(target >= 2 * 7 for target in targets_of(board, cells, actions))


def test_pieces_that_do_not_pile_up_take_the_target_itself():
    board = load("breakthrough", compiled=False).board
    full = np.full(board.cells, ENEMY, np.int8)
    assert (targets_of(board, full, range(board.actions)) == board.targets).all()


def test_what_an_action_has_not_is_nowhere():
    grid = square_grid(2, 2)
    board = make_board(grid, [Move(target=3), Move(0, 1), Move()], keeps=lambda folding: (folding == range(4)).all())
    nowhere = site_count(board) - 1
    empty = np.zeros(4, np.int8)
    assert sites_of(board, empty, [0, 1, 2]).T.tolist() == [[3, nowhere, 8], [1, 4, 9], [nowhere, nowhere, 10]]
    assert targets_of(board, empty, [2]).tolist() == [NOWHERE]
    everywhere = compile_patterns([Pattern(TO), Pattern(FROM), Pattern(TO, (), (0, 1))], board)
    assert activity(everywhere, board, empty, [0, 1, 2]).tolist() == [[True, False, False], [True] * 3, [False] * 3]


def test_friends_are_the_pieces_of_the_player_to_move():
    game = load("tic_tac_toe", compiled=False)
    state = game.start()
    state.apply(4)
    assert cells_of(game.board, state.facts(1))[4] == ENEMY
    assert cells_of(game.board, state.facts(0))[4] == FRIEND
