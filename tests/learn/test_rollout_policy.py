"""The fast roll-out policy: it learns what recorded games follow, and its gradient is that of the softmax."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.arrays import Float64s
from forethought.learn.played_moves import MEASURES, make_move_work, weigh_moves
from forethought.learn.rollout_policy import (
    Judgement,
    RolloutFit,
    improved,
    judged,
    model_of,
    model_size,
    starting_model,
    taught,
    with_new_patterns,
)
from forethought.patterns.instances import activity, cells_of, compile_patterns
from forethought.patterns.model import CE, OBJECTIVES, PatternModel, model_content
from forethought.patterns.pattern import Pattern, canonical
from forethought.patterns.policies import join, make_policies
from forethought.patterns.text import from_text, to_text
from forethought.players.linear import PatternPlayer
from forethought.records.data_set import ALL, HELD_OUT, TRAIN, RecordSet, RecordSetBuilder
from forethought.records.formats import CheckedGame
from forethought.tensors import tensors_to_bytes
from tests.records.reading import played_game

HEX, WALKING = "hex(size=4)", "breakthrough(rows=5,columns=3)"
OPENING = 4  # plies
RULE = "to f@1,0 e@-1,0"  # of two cells, so that no atomic pattern says it


def set_of(game: ft.Game, games: Sequence[CheckedGame], path: Path) -> RecordSet:
    builder = RecordSetBuilder(game)
    for one in games:
        builder.add(one)
    return builder.finish(path / "games", 1, 0.25)


def games_by(game: ft.Game, model: PatternModel, count: int) -> list[CheckedGame]:
    """Games in which both players draw their moves from a policy, after an opening that is only set up."""
    player, rng, found = PatternPlayer(game, model.policies(game, CE, CE)), np.random.default_rng(1), []
    for _ in range(count):
        s, actions = game.start(), list[int]()
        while not s.is_terminal:
            policy = player.think(s.observation(s.player))
            chances = policy.probabilities if len(actions) >= OPENING else None
            actions.append(int(rng.choice(policy.actions, p=chances)))
            s.apply(actions[-1])
        found.append(CheckedGame(actions, OPENING, tuple(s.returns()), (), ()))
    return found


def planted(patterns: Sequence[Pattern], weights: Float64s) -> PatternModel:
    return model_of([tuple(patterns)] * 2, [weights] * 2)


# What is learned.


def test_a_planted_rule_is_learned_as_well_as_it_can_be(tmp_path: Path) -> None:
    """Weights so large that the policy is all but certain: what it plays can be predicted, in games never seen."""
    game = ft.load(HEX)
    own = starting_model(game).patterns[0]
    rule = planted(own, np.random.default_rng(5).normal(0.0, 20.0, len(own)))
    data, model = set_of(game, games_by(game, rule, 500), tmp_path), starting_model(game)
    assert judged(model, data, HELD_OUT).accuracy < 0.2
    for number in range(10):
        model = improved(model, data, RolloutFit(rate=0.1, batch=64, growth_positions=0), (1, number))
    found, perfect = judged(model, data, HELD_OUT), judged(rule, data, HELD_OUT)
    assert found.positions > 700
    assert perfect.accuracy > 0.94  # some positions have moves that are alike
    assert found.accuracy > perfect.accuracy - 0.015
    assert found.log_loss < perfect.log_loss + 0.03


@pytest.mark.slow
def test_a_pattern_that_was_missing_is_found(tmp_path: Path) -> None:
    game, rule = ft.load("hex(size=5)"), from_text(RULE)
    data = set_of(game, games_by(game, planted([rule], np.array([6.0])), 400), tmp_path)
    atoms, grown = (starting_model(game) for _ in range(2))
    for number in range(2):
        atoms = improved(atoms, data, RolloutFit(rate=0.05, growth_positions=0), (1, number))
        grown = improved(grown, data, RolloutFit(rate=0.05), (1, number))
    assert model_size(grown) == model_size(atoms) + 4
    assert all(rule_in(own, game) for own in grown.patterns)
    without, found = judged(atoms, data, HELD_OUT), judged(grown, data, HELD_OUT)
    assert found.log_loss < without.log_loss - 0.02
    assert found.accuracy > without.accuracy


def rule_in(patterns: Sequence[Pattern], game: ft.Game) -> bool:
    """Whether one of the patterns is the planted one, however it is turned."""
    assert game.board is not None
    tiling = game.board.grid.tiling
    return canonical(from_text(RULE), tiling) in {canonical(pattern, tiling) for pattern in patterns}


# Against references.


@pytest.mark.parametrize("spec", [HEX, WALKING, "connect_four", "go(size=4)"])
@pytest.mark.quick_cases(1)
def test_gradients_errors_and_measures_are_those_of_the_softmax(spec: str, tmp_path: Path) -> None:
    game = ft.load(spec)
    data, model = set_of(game, [played_game(game, seed) for seed in range(6)], tmp_path), with_weights(game)
    positions = data.positions(data.games(ALL))
    rows, weights = np.arange(positions.rows)[::3], np.concatenate(model.total(CE))
    policies = make_policies(join(model.patterns, game.board))
    gradient, errors, measures = np.zeros(len(weights)), np.zeros((len(rows), game.table.choices)), np.zeros(MEASURES)
    work = make_move_work(game, policies.patterns)
    weigh_moves(policies, positions, rows, weights, work, gradient, errors, measures)
    expected, loss, correct = np.zeros(len(weights)), 0.0, 0.0
    instances = [compile_patterns(own, game.board) for own in model.patterns]
    for place, row in enumerate(rows):
        player, count, played = positions.movers[row], positions.counts[row], positions.played[row]
        cells = cells_of(game.board, positions.facts[row, : positions.known[row]].tolist())
        active = activity(instances[player], game.board, cells, positions.actions[row, :count].tolist())
        logits = active @ model.total(CE)[player]
        chances = np.exp(logits) / np.exp(logits).sum()
        error = chances - (np.arange(count) == played)
        assert errors[place, :count] == pytest.approx(error, abs=1e-9)
        offset = player * len(model.patterns[0])
        expected[offset : offset + active.shape[1]] += error @ active
        loss -= np.log(chances[played])
        best = chances > chances.max() - 1e-9
        correct += best[played] / best.sum()
    assert gradient == pytest.approx(expected, abs=1e-9)
    assert measures == pytest.approx([loss, correct])


def with_weights(game: ft.Game) -> PatternModel:
    patterns, rng = starting_model(game).patterns, np.random.default_rng(3)
    return model_of(patterns, [rng.normal(0.0, 0.5, len(own)) for own in patterns])


def test_moves_that_are_equally_likely_share_the_accuracy(tmp_path: Path) -> None:
    game = ft.load(HEX)
    data = set_of(game, [played_game(game, seed) for seed in range(20)], tmp_path)
    uniform, counts = judged(starting_model(game), data, ALL), data.positions(data.games(ALL)).counts
    assert uniform == pytest.approx(Judgement((1.0 / counts).mean(), np.log(counts).mean(), len(counts)))


# What decides it.


def test_the_same_data_and_seed_give_the_same_model(tmp_path: Path) -> None:
    game = ft.load(HEX)
    data = set_of(game, [played_game(game, seed) for seed in range(40)], tmp_path)

    def after(rounds: int, seed: int) -> PatternModel:
        model = starting_model(game)
        for number in range(rounds):
            model = improved(model, data, RolloutFit(), (seed, number))
        return model

    written = [tensors_to_bytes(*model_content(after(2, seed), game)) for seed in (1, 1, 2)]
    assert written[0] == written[1] != written[2]
    assert all((after(1, 1).weights[name][0] == 0.0).all() for name in OBJECTIVES if name != CE)


def test_games_that_are_held_out_are_not_learned_from(tmp_path: Path) -> None:
    """Other games in their place change nothing."""
    game = ft.load(HEX)
    data = set_of(game, [played_game(game, seed) for seed in range(40)], tmp_path)
    builder = RecordSetBuilder(game)
    for number in data.games(TRAIN):
        builder.add(data[int(number)])
    fewer = builder.finish(tmp_path / "fewer", 1, 0.25)
    assert 0 < len(fewer) < len(data)
    models = [improved(starting_model(game), one, RolloutFit(), (1,)) for one in (data, fewer)]
    assert all(np.array_equal(a, b) for a, b in zip(models[0].total(CE), models[1].total(CE), strict=True))


def test_what_cannot_be_fitted_is_said(tmp_path: Path) -> None:
    game = ft.load(HEX)
    nothing = RecordSetBuilder(game).finish(tmp_path / "none", 1, 0.25)
    with pytest.raises(ft.ForethoughtError, match="has no games to learn from"):
        improved(starting_model(game), nothing, RolloutFit(), (1,))
    with pytest.raises(ft.ForethoughtError, match="patterns need a game of two players on a board"):
        starting_model(ft.load("leduc", compiled=False))
    model = with_weights(game)
    assert judged(model, nothing, ALL) == Judgement(0.0, 0.0, 0)


def test_learning_and_growing_keep_what_was_there(tmp_path: Path) -> None:
    game = ft.load(HEX)
    data, model = set_of(game, [played_game(game, seed) for seed in range(30)], tmp_path), with_weights(game)
    grown = with_new_patterns(model, data, 50, (1,))
    for own, more, old, new in zip(model.patterns, grown.patterns, model.total(CE), grown.total(CE), strict=True):
        assert more[: len(own)] == own
        assert len({to_text(one) for one in more}) == len(more) <= len(own) + 1
        assert new.tolist() == [*old.tolist(), *[0.0] * (len(more) - len(own))]
    assert taught(grown, data, RolloutFit(), (1,)).patterns == grown.patterns
