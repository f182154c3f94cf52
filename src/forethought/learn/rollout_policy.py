"""AlphaGo's fast roll-out policy: a linear softmax on patterns, fitted to the moves of recorded games.

    model = starting_model(game)
    for number in range(rounds):
        model = improved(model, data, RolloutFit(), seed=(1, number))
    judged(model, data, HELD_OUT)  # accuracy and log-loss

A round adds to each player the pattern that best explains what its policy gets wrong, as TSPG does, and then learns
from all games once. What a round does depends on the model, the data and the seed alone: a model is all that must be
kept to go on. Its weights are those of the objective `ce`; the offsets of the others stay zero.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.gradients import CentredRMSProp, RMSPropParameters
from forethought.learn.played_moves import CORRECT, LOG_LOSS, MEASURES, MoveWork, make_move_work, weigh_moves
from forethought.patterns.atomic import starting_patterns
from forethought.patterns.growth import best_pair
from forethought.patterns.instances import cells_of, targets_of
from forethought.patterns.model import CE, OBJECTIVES, PLAYERS, PatternModel, board_of
from forethought.patterns.pair_counts import Cases
from forethought.patterns.pattern import Pattern
from forethought.patterns.policies import Policies, join, make_policies
from forethought.randomness import generator
from forethought.records.data_set import TRAIN, RecordSet
from forethought.records.positions import Positions

GAMES_AT_ONCE = 64  # whose positions are made together


@dataclass(frozen=True)
class RolloutFit:
    """How the policy is fitted."""

    rate: float = 0.01
    batch: int = 256  # positions per step
    growth_positions: int = 100  # positions of each player by which a new pattern is chosen; 0: none is added


class Judgement(NamedTuple):
    """How well a policy predicts moves that were played."""

    accuracy: float  # share of positions in which the likeliest move was played
    log_loss: float  # mean of -log(probability of the move played), in nats
    positions: int


def starting_model(game: Game) -> PatternModel:
    """Return the atomic patterns, without weight: the uniform policy."""
    board_of(game)
    patterns = starting_patterns(game)
    return model_of([patterns] * PLAYERS, [np.zeros(len(patterns))] * PLAYERS)


def model_of(patterns: Sequence[Sequence[Pattern]], weights: Sequence[Float64s]) -> PatternModel:
    """Return a model with these weights, whatever the objective."""
    offsets = {name: tuple(np.zeros(len(own)) for own in patterns) for name in OBJECTIVES}
    return PatternModel(tuple(map(tuple, patterns)), offsets | {CE: tuple(weights)})


def improved(model: PatternModel, data: RecordSet, fit: RolloutFit, seed: Sequence[int]) -> PatternModel:
    """Return the model after one more round: a new pattern for each player, and a pass through the games."""
    if not len(data.games(TRAIN)):
        raise ForethoughtError(f"{data.path} has no games to learn from; import some, or hold out fewer.")
    grown = with_new_patterns(model, data, fit.growth_positions, seed) if fit.growth_positions else model
    return taught(grown, data, fit, seed)


def taught(model: PatternModel, data: RecordSet, fit: RolloutFit, seed: Sequence[int]) -> PatternModel:
    """Learn from all games for training once; the weights are the means over the second half of the steps."""
    moves, optimizer = (
        _Moves(data.game, model),
        CentredRMSProp(RMSPropParameters(fit.rate, divided=False), model_size(model)),
    )
    optimizer.weights = np.concatenate(model.total(CE))
    path = list[Float64s]()
    for positions, rows in _minibatches(data, fit.batch, seed):
        gradient, _, _ = moves.weighed(positions, rows, optimizer.weights)
        optimizer.follow(-gradient / len(rows))
        path.append(optimizer.weights)
    learned = np.mean(path[len(path) // 2 :], axis=0) if path else optimizer.weights
    return model_of(model.patterns, np.split(learned, [len(model.patterns[0])]))


def judged(model: PatternModel, data: RecordSet, part: str) -> Judgement:
    """Compare the policy with the moves of a part of the games."""
    moves, weights = _Moves(data.game, model), np.concatenate(model.total(CE))
    measures, count = np.zeros(MEASURES), 0
    for positions in data.batches(part, games=GAMES_AT_ONCE):
        measures += moves.weighed(positions, np.arange(positions.rows), weights)[2]
        count += positions.rows
    known = max(1, count)
    return Judgement(float(measures[CORRECT] / known), float(measures[LOG_LOSS] / known), count)


def with_new_patterns(model: PatternModel, data: RecordSet, positions: int, seed: Sequence[int]) -> PatternModel:
    """Add to each player the union of two of its patterns that best explains its errors in some positions, if any."""
    moves, board = _Moves(data.game, model), board_of(data.game)
    drawn = np.random.default_rng(seed).permutation(data.games(TRAIN))[:GAMES_AT_ONCE]
    seen, patterns, weights = data.positions(np.sort(drawn)), [*model.patterns], [*model.total(CE)]
    for player in range(PLAYERS):
        rows = np.flatnonzero(seen.movers == player)[:positions]
        if not len(rows):
            continue
        _, errors, _ = moves.weighed(seen, rows, np.concatenate(model.total(CE)))
        cases = _cases(data.game, seen, rows, errors)
        found, _ = best_pair(cases, patterns[player], weights[player], board, generator(*seed, player))
        if found is not None:
            patterns[player], weights[player] = (*patterns[player], found), np.append(weights[player], 0.0)
    return model_of(patterns, weights)


def model_size(model: PatternModel) -> int:
    """Return the number of patterns of both players."""
    return sum(map(len, model.patterns))


class _Moves:
    """Asks a policy about positions; the weights are given each time."""

    def __init__(self, game: Game, model: PatternModel) -> None:
        self._choices = game.table.choices
        self._policies: Policies = make_policies(join(model.patterns, board_of(game)))
        self._work: MoveWork = make_move_work(game, self._policies.patterns)

    def weighed(self, positions: Positions, rows: Int64s, weights: Float64s) -> tuple[Float64s, Float64s, Float64s]:
        """Return the gradient of the cross-entropy, the error of each move, and what is measured, as sums over rows."""
        gradient, errors, measures = np.zeros(len(weights)), np.zeros((len(rows), self._choices)), np.zeros(MEASURES)
        weigh_moves(self._policies, positions, rows, weights, self._work, gradient, errors, measures)
        return gradient, errors, measures


def _minibatches(data: RecordSet, size: int, seed: Sequence[int]) -> Iterator[tuple[Positions, Int64s]]:
    """Yield all positions for training once, in an order that the seed draws."""
    rng = np.random.default_rng(seed)
    batches: Iterable[Positions] = data.batches(TRAIN, games=GAMES_AT_ONCE, seed=int(rng.integers(2**62)))
    for positions in batches:
        order = rng.permutation(positions.rows)
        for begin in range(0, len(order), size):
            yield positions, order[begin : begin + size]


def _cases(game: Game, positions: Positions, rows: Int64s, errors: Float64s) -> Cases:
    """Return the moves of some positions, and by how much the policy is off for each."""
    board, counts = board_of(game), positions.counts[rows]
    cells = [cells_of(board, positions.facts[row, : positions.known[row]].tolist()) for row in rows]
    actions = [positions.actions[row, :count].astype(np.int64) for row, count in zip(rows, counts, strict=True)]
    targets = [targets_of(board, here, own) for here, own in zip(cells, actions, strict=True)]
    return Cases(
        np.array(cells),
        np.repeat(np.arange(len(rows)), counts),
        np.concatenate(targets),
        board.origins[np.concatenate(actions)],
        np.concatenate([row[:count] for row, count in zip(errors, counts, strict=True)]),
    )
