"""All deals of a game in which only the deal is hidden, and the test whether a game is one.

Chance acts only at first; afterwards every action is public. So all deals pass through the same public nodes, and a
player knows its hand (the facts that it was dealt) and what has happened since.

Most games store the deal in bits of the record that play never changes. Then it is enough to play one deal: the record
of any other combines the public bits of that one with its own hidden bits.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from forethought.arrays import Int64s, UInt64s
from forethought.game import PUBLIC, Game, State
from forethought.interpreter import Memory
from forethought.randomness import Generator, below, generator

MOST_DEALS = 100_000
SEQUENCES = 64  # random plays that the test checks
COMPANIONS = 16  # other deals with which each of them is compared
SEED = 5

Facts = tuple[int, ...]


class Deals(NamedTuple):
    """Every deal: its record, its probability, and the hand of each player, numbered."""

    words: UInt64s  # [deals, row_words] records, padded to whole words
    public: UInt64s  # [row_words] the bits in which all deals agree
    secrets: UInt64s  # [deals, row_words] the others
    kept: int  # number of deals that must be played: one if play changes public bits only, else all
    weights: npt.NDArray[np.float64]  # [deals]
    held: Int64s  # [2, deals] which hand
    hands: Int64s  # [2] number of hands
    examples: Int64s  # [2, hands] a deal in which the player holds the hand


class Examination(NamedTuple):
    """The result of the test: the deals, or the reason why the game is not of this kind."""

    reason: str | None
    deals: Deals | None = None


class Deal(NamedTuple):
    """One deal: the state that chance leaves, its probability, and the players' hands."""

    state: State
    weight: float
    hands: tuple[Facts, Facts]


class _NotPublicError(Exception):
    """Something other than the deal is hidden."""


def examine(game: Game) -> Examination:
    """Test whether only the deal is hidden in a game, on all deals and on seeded random plays."""
    if game.players != 2 or not game.zero_sum:
        return Examination("it is not a zero-sum game of two players")
    deals = list(islice(_deals(game), MOST_DEALS + 1))
    if len(deals) > MOST_DEALS:
        return Examination(f"it has more than {MOST_DEALS:,} deals")
    found, rng = _numbered(deals), generator(SEED)
    histories: dict[tuple[int, Facts], Facts] = {}
    separable = True
    try:
        _compare([deal.state for deal in deals], [deal.hands for deal in deals])
        for _ in range(SEQUENCES):
            chosen = _companions(found, below(len(deals), rng), rng)
            separable &= _follow([deals[n] for n in chosen], found.public, histories, rng)
    except _NotPublicError as error:
        return Examination(str(error))
    return Examination(None, found if separable else _kept(found))


def first_deal(deals: Deals) -> Deals:
    """Return the first deal as if it were the only one."""
    one = np.ones(2, np.int64)
    held = np.zeros((2, 1), np.int64)
    return Deals(deals.words[:1], deals.public, deals.secrets[:1], 1, deals.weights[:1], held, one, held)


def _kept(deals: Deals) -> Deals:
    """Return deals that are all played, without combining records."""
    return deals._replace(kept=len(deals.weights), public=~np.zeros_like(deals.public), secrets=0 * deals.secrets)


def _deals(game: Game) -> Iterator[Deal]:
    """Yield what chance can deal before the first decision."""
    waiting = [(game.start(), 1.0)]
    while waiting:
        state, weight = waiting.pop()
        if not state.is_chance:
            yield Deal(state, weight, (tuple(state.facts(0)), tuple(state.facts(1))))
            continue
        for outcome, probability in zip(state.legal_actions(), state.chance(), strict=True):
            waiting.append((_after(state, outcome), weight * probability))


def _after(state: State, action: int) -> State:
    child = state.clone()
    child.apply(action)
    return child


def _numbered(deals: list[Deal]) -> Deals:
    numbers: tuple[dict[Facts, int], dict[Facts, int]] = ({}, {})
    held = np.array([[numbers[i].setdefault(d.hands[i], len(numbers[i])) for d in deals] for i in range(2)], np.int64)
    hands = np.array([len(number) for number in numbers], np.int64)
    examples = np.zeros((2, int(hands.max())), np.int64)
    for i in range(2):
        examples[i, held[i]] = np.arange(len(deals))
    words = np.stack([_words(deal.state.memory) for deal in deals])
    public = ~np.bitwise_or.reduce(words ^ words[0])
    weights = np.array([deal.weight for deal in deals])
    return Deals(words, public, words & ~public, 1, weights, held, hands, examples)


def _words(memory: Memory) -> UInt64s:
    filled = np.zeros(-(-len(memory) // 8) * 8, np.uint8)
    filled[: len(memory)] = memory
    return filled.view(np.uint64)


def _companions(deals: Deals, deal: int, rng: Generator) -> list[int]:
    """Return a deal and others in which one player holds the same hand."""
    alike = np.flatnonzero((deals.held[0] == deals.held[0, deal]) | (deals.held[1] == deals.held[1, deal]))
    return [deal, *(int(alike[below(len(alike), rng)]) for _ in range(COMPANIONS))]


def _follow(deals: list[Deal], public: UInt64s, histories: dict[tuple[int, Facts], Facts], rng: Generator) -> bool:
    """Play the same random actions in some deals; return whether play changed public bits only."""
    states, hands = [deal.state.clone() for deal in deals], [deal.hands for deal in deals]
    path: Facts = ()
    separable = True
    while True:
        _compare(states, hands)
        played = _words(states[0].memory) & public
        rebuilt = [played | _words(deal.state.memory) & ~public for deal in deals]
        separable = separable and all(map(np.array_equal, rebuilt, (_words(state.memory) for state in states)))
        if states[0].is_terminal:
            return separable
        _tell_apart(states[0], path, histories)
        legal = states[0].legal_actions()
        action = legal[below(len(legal), rng)]
        path = (*path, action)
        for state in states:
            state.apply(action)


def _compare(states: Sequence[State], hands: Sequence[tuple[Facts, Facts]]) -> None:
    """Refuse states of different deals, after the same actions, that differ in more than the deal."""
    model = states[0]
    if model.is_chance:
        raise _NotPublicError("chance acts after the deal")
    since = [set(model.facts(i)) - set(hands[0][i]) for i in range(2)]
    for state, held in zip(states, hands, strict=True):
        if (state.player, state.legal_actions()) != (model.player, model.legal_actions()):
            raise _NotPublicError("who acts, or what is legal, depends on the deal")
        if state.facts(PUBLIC) != model.facts(PUBLIC):
            raise _NotPublicError("the deal, or a part of it, becomes public")
        if any(set(state.facts(i)) != since[i] | set(held[i]) for i in range(2)):
            raise _NotPublicError("what a player knows is not its hand and what is public")


def _tell_apart(state: State, path: Facts, histories: dict[tuple[int, Facts], Facts]) -> None:
    """Refuse different plays that look the same to an observer."""
    for action in state.legal_actions():
        child = _after(state, action)
        for observer in (0, 1, PUBLIC):
            history = (*path, action)
            if histories.setdefault((observer, tuple(child.facts(observer))), history) != history:
                raise _NotPublicError("different plays look the same: not every action is public")
