"""Every history of a small game: a slow, obvious walk, and a fast one in machine code that must count the same.

An information set is told apart by the facts of the player to move. The slow walk compares them as lists, the fast one
as sets of bits; where both are run, equal counts show that order carries nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.compiler import kernel, pointer
from forethought.compiler.rows import copy_row
from forethought.game import CHANCE, TERMINAL, Game, State, Table


class Visit(NamedTuple):
    """One history of the game, by the state it leads to."""

    state: State
    ply: int
    weight: float  # the probability that uniform play comes by


class Census(NamedTuple):
    """What there is in a game, counted over all histories."""

    chance: int
    decisions: int
    terminals: int
    information_sets: dict[tuple[int, int], int]  # how many, by player and ply
    uniform_value: list[float]  # what each player wins when all play uniformly
    imbalance: float  # the largest absolute sum of returns

    def information_sets_of(self, player: int) -> list[int]:
        """List how many information sets the player has, decision by decision."""
        return [count for (owner, _), count in sorted(self.information_sets.items()) if owner == player]


# The slow walk.


def play(game: Game, *names: str) -> State:
    """Play actions by their names from the start."""
    state = game.start()
    for name in names:
        named = {state.action_name(action): action for action in state.legal_actions()}
        state.apply(named[name])
    return state


def legal_names(state: State) -> list[str]:
    return [state.action_name(action) for action in state.legal_actions()]


def continuations(state: State) -> Iterator[tuple[int, State, float]]:
    """Yield each legal action, the state it leads to, and its probability in uniform play."""
    actions = state.legal_actions()
    shares = state.chance() if state.is_chance else [1 / len(actions) for _ in actions]
    for action, share in zip(actions, shares, strict=True):
        child = state.clone()
        child.apply(action)
        yield action, child, share


def without_twins(state: State) -> Iterator[tuple[State, float]]:
    """Yield the states that can follow; chance outcomes that lead to the same record count as one."""
    followers = [(child, share) for _, child, share in continuations(state)]
    if not state.is_chance:
        yield from followers
        return
    weights: defaultdict[bytes, float] = defaultdict(float)
    for child, share in followers:
        weights[child.memory.tobytes()] += share
    records = {child.memory.tobytes(): child for child, _ in followers}
    yield from ((child, weights[record]) for record, child in records.items())


def walk(game: Game, merge_twins: bool = False) -> Iterator[Visit]:
    """Yield every history of the game."""
    waiting = [Visit(game.start(), 0, 1.0)]
    while waiting:
        state, ply, weight = visit = waiting.pop()
        yield visit
        following = without_twins(state) if merge_twins else ((child, p) for _, child, p in continuations(state))
        waiting.extend(Visit(child, ply + 1, weight * share) for child, share in following)


def slow_census(game: Game, merge_twins: bool = False) -> Census:
    """Count everything with the Python face of the game."""
    kinds: Counter[int] = Counter()
    known: defaultdict[tuple[int, int], set[tuple[int, ...]]] = defaultdict(set)
    value, imbalance = np.zeros(game.players), 0.0
    for state, ply, weight in walk(game, merge_twins):
        player = state.player
        kinds[min(player, 0)] += 1
        if player >= 0:
            known[player, ply].add(tuple(state.facts(player)))
        elif player == TERMINAL:
            value += weight * np.array(state.returns())
            imbalance = max(imbalance, abs(sum(state.returns())))
    sets = {place: len(facts) for place, facts in known.items()}
    return Census(kinds[CHANCE], kinds[0], kinds[TERMINAL], sets, value.tolist(), imbalance)


def histories_by_record(game: Game) -> dict[bytes, tuple[State, int]]:
    """Map each distinct record to a state and the number of histories that lead there; quick where many meet.

    Goes ply by ply, so a record must not be found at two different plies; that is asserted.
    """
    start = game.start()
    layer = {start.memory.tobytes(): (start, 1)}
    found = dict(layer)
    while layer:
        following: dict[bytes, tuple[State, int]] = {}
        for state, count in layer.values():
            for _, child, _ in continuations(state):
                record = child.memory.tobytes()
                following[record] = (child, following.get(record, (child, 0))[1] + count)
        assert not found.keys() & following.keys()
        found |= following
        layer = following
    return found


# The fast walk.


class Scratch(NamedTuple):
    """The memory of the fast walk: what is open at each ply, and room for answers."""

    states: npt.NDArray[np.uint8]  # [plies + 1, state_bytes]
    choices: npt.NDArray[np.int64]  # [plies + 1, choices]
    shares: npt.NDArray[np.float64]  # [plies + 1, choices]
    counts: npt.NDArray[np.int64]  # [plies + 1] how many choices there are; 0 at the end
    tried: npt.NDArray[np.int64]  # [plies + 1]
    weights: npt.NDArray[np.float64]  # [plies + 1]
    facts: npt.NDArray[np.int64]
    returns: npt.NDArray[np.float64]


class Tally(NamedTuple):
    """What the fast walk counts."""

    kinds: npt.NDArray[np.int64]  # chance nodes, decisions, terminals
    value: npt.NDArray[np.float64]  # per player, then the largest imbalance
    knowledge: npt.NDArray[np.uint64]  # the facts at each decision, a bit each, while there is room
    places: npt.NDArray[np.int64]  # its ply * players + player


def fast_census(game: Game) -> Census:
    """Count the same as `slow_census`, hundreds of times faster, for games of at most 64 facts."""
    assert game.facts <= 64
    decisions = _run(game, room=0).kinds[1]
    tally = _run(game, room=decisions)
    sets = {
        (int(place % game.players), int(place // game.players)): len(np.unique(tally.knowledge[tally.places == place]))
        for place in np.unique(tally.places)
    }
    chance, decisions, terminals = tally.kinds.tolist()
    *value, imbalance = tally.value.tolist()
    return Census(chance, decisions, terminals, sets, value, imbalance)


def _run(game: Game, room: int) -> Tally:
    tally = Tally(np.zeros(3, int), np.zeros(game.players + 1), np.zeros(room, np.uint64), np.zeros(room, int))
    _walk_all(game.table, _scratch(game), tally)
    return tally


def _scratch(game: Game) -> Scratch:
    plies, choices = game.plies + 1, game.table.choices
    return Scratch(
        np.zeros((plies, game.record.itemsize), np.uint8),
        np.zeros((plies, choices), np.int64),
        np.zeros((plies, choices)),
        np.zeros(plies, np.int64),
        np.zeros(plies, np.int64),
        np.zeros(plies),
        np.zeros(game.facts, np.int64),
        np.zeros(game.players),
    )


@kernel
def _walk_all(game: Table, at: Scratch, tally: Tally) -> None:
    game.start(pointer(at.states[0]))
    at.weights[0] = 1.0
    _count(game, at, tally, 0)
    ply = 0
    while ply >= 0:
        i = at.tried[ply]
        if i == at.counts[ply]:
            ply -= 1
            continue
        at.tried[ply] += 1
        copy_row(at.states[ply], at.states[ply + 1])
        at.weights[ply + 1] = at.weights[ply] * at.shares[ply, i]
        ply += 1
        game.apply(pointer(at.states[ply]), at.choices[ply - 1, i])
        _count(game, at, tally, ply)


@kernel
def _count(game: Table, at: Scratch, tally: Tally, ply: int) -> None:
    """Count the history open at this ply and list how it can go on."""
    state = pointer(at.states[ply])
    player = game.player(state)
    at.tried[ply] = at.counts[ply] = 0
    if player == TERMINAL:
        _count_end(game, at, tally, ply)
        return
    count = at.counts[ply] = game.legal(state, pointer(at.choices[ply]))
    if player == CHANCE:
        tally.kinds[0] += 1
        game.chance(state, pointer(at.shares[ply]))
    else:
        at.shares[ply, :count] = 1.0 / count
        _count_decision(game, at, tally, ply, player)


@kernel
def _count_end(game: Table, at: Scratch, tally: Tally, ply: int) -> None:
    tally.kinds[2] += 1
    game.returns(pointer(at.states[ply]), pointer(at.returns))
    for player in range(game.players):
        tally.value[player] += at.weights[ply] * at.returns[player]
    tally.value[-1] = max(tally.value[-1], abs(at.returns.sum()))


@kernel
def _count_decision(game: Table, at: Scratch, tally: Tally, ply: int, player: int) -> None:
    n = tally.kinds[1]
    tally.kinds[1] += 1
    if n >= len(tally.knowledge):
        return
    for i in range(game.facts(pointer(at.states[ply]), player, pointer(at.facts))):
        tally.knowledge[n] |= np.uint64(1) << np.uint64(at.facts[i])
    tally.places[n] = ply * game.players + player


def assert_censuses_agree(slow: Census, fast: Census) -> None:
    """Compare two counts; values are sums in another order, so they may differ by rounding."""
    assert slow[:4] == fast[:4]
    np.testing.assert_allclose(slow.uniform_value, fast.uniform_value, atol=1e-12)
    assert slow.imbalance == fast.imbalance
