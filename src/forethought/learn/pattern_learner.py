"""One player's linear policies as they learn: patterns, weights under each objective, and what was seen of late.

The objectives share their patterns. `ce` learns what the search visits; `double` and `tspg` are offsets on top of it,
and see its weights as they are, without moving them.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Array, Bytes, Float64s, Int64s
from forethought.board import Board
from forethought.game import Game, State
from forethought.learn.gradients import (
    CentredRMSProp,
    PatternBatch,
    PatternSample,
    RMSPropParameters,
    batch_of,
    cross_entropy_gradient,
    expected_value_gradient,
    policy_of,
)
from forethought.patterns.growth import best_pair
from forethought.patterns.incremental import PatternMemory, list_active, update_from_empty
from forethought.patterns.instances import cells_of, targets_of
from forethought.patterns.model import CE, OBJECTIVES, TSPG
from forethought.patterns.pair_counts import Cases
from forethought.patterns.pattern import Pattern
from forethought.patterns.policies import Policies
from forethought.patterns.text import from_text, to_text
from forethought.randomness import generator


class Experience(NamedTuple):
    """A decision of self-play."""

    state: Bytes
    actions: Int64s
    targets: Float64s  # shares of visits
    values: Float64s  # mean values; -1 of what was never tried


class PatternLearner:
    """The learning half of one player."""

    def __init__(self, patterns: Sequence[Pattern], parameters: RMSPropParameters, capacity: int) -> None:
        self.patterns = list(patterns)
        self.optimizers = {name: CentredRMSProp(parameters, len(self.patterns)) for name in OBJECTIVES}
        self.memory: deque[Experience] = deque(maxlen=capacity)
        self._lessons: list[PatternSample] = []

    @property
    def weights(self) -> dict[str, Float64s]:
        """The weights under each objective, offsets as offsets."""
        return {name: optimizer.weights for name, optimizer in self.optimizers.items()}

    def total(self, objective: str) -> Float64s:
        """Return the weights that a policy plays with."""
        base = self.optimizers[CE].weights
        return base if objective == CE else base + self.optimizers[objective].weights

    def study(self, game: Game, policies: Policies, memory: PatternMemory, player: int) -> None:
        """Look up which patterns are active in all that is remembered; to be done when either has changed."""
        active = np.zeros(game.actions * len(self.patterns), np.int64)
        self._lessons = []
        for seen in self.memory:
            ends = np.zeros(len(seen.actions), np.int64)
            update_from_empty(game.table, policies, memory, seen.state)
            count = list_active(policies.patterns, memory.now, player, seen.actions, active, ends)
            self._lessons.append(PatternSample(active[:count].copy(), ends, seen.targets, seen.values))

    def learn(self, size: int, rng: np.random.Generator) -> PatternBatch | None:
        """Take one step of every objective on a batch of what is remembered, and return the batch."""
        if not self._lessons:
            return None
        batch = batch_of([self._lessons[place] for place in rng.integers(len(self._lessons), size=size)])
        for name, optimizer in self.optimizers.items():  # ce first: the others see what it has become
            uphill = expected_value_gradient if name == TSPG else _downhill
            optimizer.follow(uphill(batch, self.total(name)))
        return batch

    def grow(self, game: Game, board: Board, player: int, size: int, seed: Sequence[int]) -> Pattern | None:
        """Add the pattern that best explains what `ce` gets wrong on a batch of what is remembered, if there is one."""
        if not self._lessons:
            return None
        places = np.random.default_rng(list(seed)).integers(len(self._lessons), size=size).tolist()
        cases = self._cases(places, game, board, player)
        found, _ = best_pair(cases, self.patterns, self.total(CE), board, generator(*seed))
        if found is not None:
            self.patterns.append(found)
            for optimizer in self.optimizers.values():
                optimizer.grow(1)
        return found

    def _cases(self, places: Sequence[int], game: Game, board: Board, player: int) -> Cases:
        """Return the moves of some decisions, and by how much `ce` is off for each."""
        seen, batch = [self.memory[place] for place in places], batch_of([self._lessons[place] for place in places])
        cells = [cells_of(board, State(game, one.state).facts(player)) for one in seen]
        actions = np.concatenate([one.actions for one in seen])
        targets = [targets_of(board, here, one.actions) for here, one in zip(cells, seen, strict=True)]
        error = policy_of(batch, self.total(CE)) - batch.targets
        return Cases(np.array(cells), batch.lesson, np.concatenate(targets), board.origins[actions], error)


def _downhill(batch: PatternBatch, weights: Float64s) -> Float64s:
    return -cross_entropy_gradient(batch, weights)


# Learners in checkpoints


def state_of(learners: Sequence[PatternLearner]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return all that further learning depends on: arrays by name, and patterns in words."""
    arrays: dict[str, Array] = {}
    for player, learner in enumerate(learners):
        for name, optimizer in learner.optimizers.items():
            arrays |= {f"{player}.{name}.{part}": array for part, array in optimizer.state().items()}
        arrays |= {f"{player}.memory.{part}": array for part, array in _columns(learner.memory).items()}
    return arrays, {"patterns": [[to_text(pattern) for pattern in learner.patterns] for learner in learners]}


def learner_of(
    arrays: Mapping[str, Array], about: Mapping[str, Any], player: int, parameters: RMSPropParameters, capacity: int
) -> PatternLearner:
    """Return a player's learner as it was when its state was taken."""
    learner = PatternLearner([from_text(text) for text in about["patterns"][player]], parameters, capacity)
    for name, optimizer in learner.optimizers.items():
        optimizer.restore({part: arrays[f"{player}.{name}.{part}"] for part in optimizer.state()})
    ends = np.cumsum(arrays[f"{player}.memory.counts"])
    parts = [np.split(arrays[f"{player}.memory.{part}"], ends)[:-1] for part in ("actions", "targets", "values")]
    states = arrays[f"{player}.memory.states"]
    learner.memory.extend(Experience(*one) for one in zip(states, *parts, strict=True))
    return learner


def _columns(memory: Sequence[Experience]) -> dict[str, Array]:
    """Return what is remembered, decision after decision."""
    nothing = np.zeros(0)
    return {
        "states": np.array([one.state for one in memory], np.uint8),
        "counts": np.array([len(one.actions) for one in memory], np.int64),
        "actions": np.concatenate([nothing, *(one.actions for one in memory)]).astype(np.int64),
        "targets": np.concatenate([nothing, *(one.targets for one in memory)]),
        "values": np.concatenate([nothing, *(one.values for one in memory)]),
    }
