"""AlphaGo's search: a mix of what other searches do, node by node, and of what a run's file holds."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.nets.evaluator import answer_of, policy_of
from forethought.nets.formats import IMITATION, REINFORCED, VALUE
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.patterns.instances import compile_patterns
from forethought.patterns.model import CE, OBJECTIVES, ROLLOUT, PatternModel, model_content
from forethought.player import find_player
from forethought.randomness import generator
from forethought.search.mcts.alphago import AlphaGoSettings
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.search import TreeSearch
from forethought.search.mcts.settings import MctsSettings
from forethought.search.player import SearchPlayer
from forethought.tensors import Content, write_parts, write_tensors
from tests.naive import mcts as naive
from tests.naive.biased import Mixed
from tests.search.tables import decisions_of_a_game
from tests.search.test_biased import assert_same, patterns_for, weights_for

GAME = "connect_four"
DICE_RACE = "tests/userfiles/dice_race.py"
ALONE = "prior_temperature=1,virtual_loss=1,parallel_simulations=1"  # as other searches are by default
SEED, WALKS = 4, 60


def network(game: ft.Game, seed: int, values: int) -> MlpWeights:
    shapes = parameters_of(make_mlp(game.facts, game.actions, (16,), np.random.default_rng(1), values))
    rng = np.random.default_rng(seed)
    return MlpWeights(
        {name: rng.normal(0.0, 0.4, array.shape).astype(np.float32) for name, array in shapes.items()}, values
    )


def rollout_model(game: ft.Game) -> PatternModel:
    patterns = patterns_for(game)
    weights = weights_for(patterns, SEED)
    offsets = {name: tuple(np.zeros(len(own)) for own in patterns) for name in OBJECTIVES}
    return PatternModel(tuple(map(tuple, patterns)), offsets | {CE: tuple(weights)})


def parts_for(game: ft.Game) -> dict[str, Content]:
    """Networks that differ; the value network has policies of its own, which nobody should ask."""
    networks = {IMITATION: network(game, 1, 0), REINFORCED: network(game, 2, 0), VALUE: network(game, 3, 1)}
    contents = {name: weights.content(game) for name, weights in networks.items()}
    return contents | {ROLLOUT: model_content(rollout_model(game), game)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_parts(tmp_path / "all.safetensors", parts_for(ft.load(GAME)))
    return tmp_path / "all.safetensors"


def searched(spec: str, walks: int = WALKS) -> naive.Summary:
    """The tree of a player after a search from the start."""
    game = ft.load(GAME)
    player = find_player(spec).new_player(game)(generator(SEED))
    assert isinstance(player, SearchPlayer)
    assert isinstance(player.search, TreeSearch)
    player.search.simulate(walks)
    return naive.known_to(player.search._forest)


# Lambda of 0 and of 1.


def test_lambda_0_is_the_search_of_alphazero(tmp_path: Path) -> None:
    """Where both networks are the same, nothing but AlphaZero's own search is left."""
    game = ft.load(GAME)
    both = network(game, 1, 1).content(game)
    write_tensors(tmp_path / "one.safetensors", *both)
    write_parts(tmp_path / "two.safetensors", {IMITATION: both, VALUE: both})
    for more in ("", ",exploration=3", ",first_play_urgency=loss"):
        expected = searched(f"az(run={tmp_path}/one.safetensors,rollout_weight=0{more})")
        assert searched(f"alphago(run={tmp_path}/two.safetensors,lambda=0,{ALONE}{more})") == expected
    parallel = "parallel_simulations=5,virtual_loss=3,prior_temperature=0.67"
    expected = searched(f"az(run={tmp_path}/one.safetensors,{parallel})")
    assert searched(f"alphago(run={tmp_path}/two.safetensors,lambda=0,{parallel})") == expected


@pytest.mark.parametrize("weight", [1.0, 0.5])
@pytest.mark.parametrize("prior", [IMITATION, REINFORCED])
@pytest.mark.quick_cases(1)
def test_priors_values_and_roll_outs_are_those_of_the_reference(path: Path, weight: float, prior: str) -> None:
    game = ft.load(GAME)
    policy, value = network(game, 1 if prior == IMITATION else 2, 0).compiled(), network(game, 3, 1).compiled()

    def evaluate(s: ft.State) -> naive.Answer:
        asked = s.facts(s.player), s.legal_actions()
        mine = float(answer_of(value, *asked)[1][0])
        return policy_of(policy, *asked).tolist(), [mine, -mine] if s.player == 0 else [-mine, mine]

    model, words = rollout_model(game), [int(word) for word in generator(SEED)]
    reference = Mixed(
        words,
        game.start(),
        evaluate,
        selection="puct",
        exploration=1.5,
        rollout_weight=weight,
        instances=[compile_patterns(own, game.board) for own in model.patterns],
        playing=list(model.total(CE)),
    )
    for _ in range(WALKS):
        reference.walk()
    known = searched(f"alphago(run={path},lambda={weight},prior={prior},{ALONE})")
    assert_same(known, reference.root.summary())


def test_what_lambda_leaves_without_weight_is_not_even_read(path: Path) -> None:
    game, whole = ft.load(GAME), parts_for(ft.load(GAME))
    expected = {weight: searched(f"alphago(run={path},lambda={weight})") for weight in (0, 1)}
    wrong = whole | {ROLLOUT: whole[VALUE]}
    write_parts(path, wrong)
    assert searched(f"alphago(run={path},lambda=0)") == expected[0]
    with pytest.raises(ft.ForethoughtError, match="holds 'forethought mlp 2', not 'forethought patterns 2'"):
        find_player(f"alphago(run={path},lambda=0.5)").new_player(game)
    write_parts(path, {name: content for name, content in whole.items() if name != VALUE})
    assert searched(f"alphago(run={path},lambda=1)") == expected[1]
    with pytest.raises(ft.ForethoughtError, match="has no part 'value', only imitation, reinforced, rollout"):
        find_player(f"alphago(run={path},lambda=0.5)").new_player(game)


def test_without_a_fitted_policy_roll_outs_are_uniform(path: Path) -> None:
    game, whole = ft.load(GAME), parts_for(ft.load(GAME))
    by_patterns = searched(f"alphago(run={path},lambda=1,{ALONE})")
    write_parts(path, {name: content for name, content in whole.items() if name != ROLLOUT})
    uniform = searched(f"alphago(run={path},lambda=1,{ALONE})")
    forest = Forest(
        game,
        MctsSettings(selection="puct", exploration=1.5, rollout_weight=1.0),
        [generator(SEED)],
        network(game, 1, 0).compiled(),
    )
    forest.aim(0, game.start())
    forest.search(WALKS)
    assert uniform == naive.known_to(forest) != by_patterns


def test_the_published_constants_and_lambda_as_a_name() -> None:
    settings = find_player("alphago(run=a,lambda=0.25)")
    assert isinstance(settings, AlphaGoSettings)
    assert settings.rollout_weight == 0.25
    assert str(settings) == "alphago(run=a,rollout_weight=0.25)"
    assert find_player(str(settings)) == settings
    default = AlphaGoSettings(run="a")
    assert (default.rollout_weight, default.virtual_loss, default.prior_temperature) == (0.5, 3, 0.67)
    with pytest.raises(ft.ForethoughtError, match="the parameter 'rollout_weight' is given twice"):
        find_player("alphago(run=a,lambda=0.25,rollout_weight=0.5)")


@pytest.mark.slow
def test_players_of_several_games_decide_as_they_would_alone(path: Path) -> None:
    game = ft.load(GAME)
    settings = find_player(f"alphago(run={path},simulations=40,expansion_threshold=2)")
    seen = [s.observation(s.player) for s in decisions_of_a_game(game, 3)[:4]]
    together = settings.new_group(game)([generator(seed) for seed in range(4)]).think(range(4), seen)
    alone = [settings.new_player(game)(generator(seed)).think(one) for seed, one in enumerate(seen)]
    assert together == alone


# Several simulations at once.


TOGETHER = {
    "loss of one": {"rollout_weight": 0.0},
    "loss of three": {"rollout_weight": 0.0, "virtual_loss": 3},
    "no loss": {"rollout_weight": 0.0, "virtual_loss": 0},
    "mixed, expanded late": {"rollout_weight": 0.5, "virtual_loss": 3, "expansion_threshold": 4},
    "roll-outs alone, expanded late": {"rollout_weight": 1.0, "virtual_loss": 2, "expansion_threshold": 3},
}


@pytest.mark.parametrize("spec", ["tic_tac_toe", GAME, DICE_RACE])
@pytest.mark.parametrize("way", TOGETHER)
@pytest.mark.quick_cases(3)
def test_simulations_that_wait_together_are_those_of_the_reference(spec: str, way: str) -> None:
    """With virtual losses of any size; the tree is kept from move to move."""
    game, chosen = ft.load(spec), dict[str, Any](TOGETHER[way], selection="puct", exploration=1.5)
    settings, words = MctsSettings(parallel_simulations=4, **chosen), [int(word) for word in generator(SEED)]
    forest = Forest(game, settings, [generator(SEED)], naive.hashed_evaluator(game))
    reference = naive.Search(words, game.start(), naive.hashed_evaluate, worth=forest.rule.worth, **chosen)
    rng = np.random.default_rng(SEED)
    for _ in range(4):
        if reference.position.player >= 0:
            forest.aim(0, reference.position)
            forest.search(50)
            first = 0 if reference.root.edges else 1  # a new root is opened first
            reference.walk_together(first, 4)
            reference.walk_together(50 - first, 4)
            assert naive.known_to(forest) == reference.root.summary()
        reference.play(int(rng.choice(reference.position.legal_actions())))
        if reference.position.is_terminal:
            break


def test_a_late_expansion_asks_the_evaluator_once_for_each_position() -> None:
    game, asked = ft.load(GAME), list[bytes]()
    evaluator = naive.hashed_evaluator(game)

    class Counting:
        facts, actions, values = evaluator.facts, evaluator.actions, evaluator.values

        def scratch(self, rows: int) -> None:
            """Return nothing."""

        def answer(self, questions: Any, rows: int, scratch: None) -> None:
            asked.extend(questions.states[row].tobytes() for row in range(rows))
            evaluator.answer(questions, rows, scratch)

    settings = MctsSettings(selection="puct", rollout_weight=0.5, expansion_threshold=5, parallel_simulations=3)
    forest = Forest(game, settings, [generator(1)], Counting())
    forest.aim(0, game.start())
    forest.search(300)
    ends = sum(1 for player in forest._pool.nodes.player[: forest.nodes] if player < 0)
    assert len(asked) == forest.nodes - ends < 150
