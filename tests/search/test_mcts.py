"""Tree search equals a slow reference draw for draw, node by node; what it plays follows from what it found."""

import numpy as np
import pytest

import forethought as ft
from forethought.playouts import largest_return
from forethought.randomness import generator
from forethought.search.mcts.forest import Forest, Found
from forethought.search.mcts.search import TreeSearch, learning_policy, playing_policy
from forethought.search.mcts.settings import MctsSettings
from tests.naive import mcts as naive
from tests.tiers import others_slow

TAKE_AWAY, DICE_RACE, ULTIMATUM = (f"tests/userfiles/{name}.py" for name in ("take_away", "dice_race", "ultimatum"))
GAMES = ["tic_tac_toe", "connect_four", "hex(size=4)", TAKE_AWAY, DICE_RACE, ULTIMATUM]
PUCT = {"selection": "puct", "exploration": 1.5}
WAYS = {
    "uct": {},
    "uct that is cut": {"rollout_limit": 3, "exploration": 0.5},
    "ucb1 with values": {"rollout_weight": 0.0},
    "puct": PUCT | {"rollout_weight": 0.0},
    "puct, pessimistic": PUCT | {"rollout_weight": 0.0, "first_play_urgency": "loss"},
    "puct, mixed values": PUCT | {"rollout_weight": 0.3},
    "uct, expanded late": {"expansion_threshold": 3},
    "puct, mixed values, expanded late": PUCT | {"rollout_weight": 0.3, "expansion_threshold": 4},
    "puct, tempered": PUCT | {"rollout_weight": 0.0, "prior_temperature": 0.67},
    "puct, mixed values that are cut": PUCT | {"rollout_weight": 0.3, "rollout_limit": 2},
}
WALKS = 40  # at each move
UNKNOWN = float("nan")


# Against the reference.


@pytest.mark.parametrize("spec", others_slow(GAMES, ("tic_tac_toe", DICE_RACE, ULTIMATUM)))
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", others_slow([1, 2], (1,)))
@pytest.mark.quick_cases(12)
def test_walks_as_the_reference_does(spec: str, way: str, seed: int) -> None:
    """At every node of the tree, which is kept from move to move."""
    game, asks = ft.load(spec), not way.startswith("uct")
    forest = Forest(game, MctsSettings(**WAYS[way]), [generator(seed)], naive.hashed_evaluator(game) if asks else None)
    words, worth = [int(word) for word in generator(seed)], largest_return(game) if asks else 1.0
    reference = naive.Search(words, game.start(), naive.hashed_evaluate if asks else None, worth=worth, **WAYS[way])
    for action in actions_of_a_game(game, seed)[:7]:
        if reference.position.player >= 0:
            forest.aim(0, reference.position)
            assert naive.known_to(forest) == reference.root.summary()
            forest.search(WALKS)
            for _ in range(WALKS):
                reference.walk()
            assert naive.known_to(forest) == reference.root.summary()
            assert found_as_known(forest.found(0), reference)
        reference.play(action)


def actions_of_a_game(game: ft.Game, seed: int) -> list[int]:
    rng, found, s = np.random.default_rng(seed), [], game.start()
    while not s.is_terminal:
        found.append(int(rng.choice(s.legal_actions())))
        s.apply(found[-1])
    return found


def found_as_known(found: Found, reference: naive.Search) -> bool:
    """Whether what is reported of the root is what the reference has there."""
    root, edges = reference.root, [edge for _, edge in sorted(reference.root.edges.items())]
    values = [edge.total / max(1, edge.visits) / reference.largest for edge in edges]
    return (
        found.actions.tolist() == sorted(root.edges)
        and found.visits.tolist() == [edge.visits for edge in edges]
        and found.values.tolist() == pytest.approx(values, abs=1e-12)
        and found.priors.tolist() == [edge.prior for edge in edges]
        and found.value == pytest.approx(root.total / root.visits / reference.largest)
        and bool(np.isnan(found.proven).all())
    )


# What is played.


def found(visits: list[int], proven: list[float] | None = None, priors: list[float] | None = None) -> Found:
    count = len(visits)
    return Found(
        actions=np.arange(count),
        visits=np.array(visits, np.float64),
        values=np.zeros(count),
        priors=np.array(priors or [0.0] * count),
        proven=np.array(proven or [UNKNOWN] * count),
        noise=np.zeros(count),
        value=0.0,
    )


def test_the_most_visited_is_played() -> None:
    assert playing_policy(found([1, 5, 3]), 0.0).tolist() == [0, 1, 0]
    assert playing_policy(found([5, 5, 3]), 0.0).tolist() == [0.5, 0.5, 0]


def test_temperature_is_the_inverse_of_an_exponent() -> None:
    assert playing_policy(found([1, 2, 3]), 1.0) == pytest.approx([1 / 6, 2 / 6, 3 / 6])
    assert playing_policy(found([1, 2, 3]), 0.5) == pytest.approx([1 / 14, 4 / 14, 9 / 14])
    assert playing_policy(found([0, 2, 3]), 2.0) == pytest.approx(np.sqrt([0, 2, 3]) / np.sqrt([0, 2, 3]).sum())
    assert playing_policy(found([998, 1000]), 1e-9) == pytest.approx([0, 1])  # no power overflows


@pytest.mark.parametrize("halving", [False, True])
def test_a_proven_win_is_played(halving: bool) -> None:
    assert playing_policy(found([9, 1, 5], [0.0, 1.0, UNKNOWN]), 1.0, halving).tolist() == [0, 1, 0]


@pytest.mark.parametrize("halving", [False, True])
def test_a_proven_loss_is_not_played_if_there_is_anything_else(halving: bool) -> None:
    assert playing_policy(found([9, 1], [-1.0, UNKNOWN]), 1.0, halving).tolist() == [0, 1]
    assert playing_policy(found([9, 0], [-1.0, UNKNOWN]), 0.0, halving).tolist() == [0, 1]
    assert playing_policy(found([9, 0], [-1.0, UNKNOWN], [0.8, 0.2]), 0.0, halving).tolist() == [0, 1]
    assert playing_policy(found([9, 1], [-1.0, -1.0]), 0.0, halving).tolist() == [1, 0]


def test_where_all_is_proven_the_best_is_played() -> None:
    assert playing_policy(found([9, 1, 3, 2], [0.25, 0.5, -1.0, 0.5]), 1.0) == pytest.approx([0, 1 / 3, 0, 2 / 3])


def test_without_walks_priors_are_played_or_anything() -> None:
    assert playing_policy(found([0, 0], None, [0.7, 0.3]), 0.0).tolist() == [0.7, 0.3]
    assert playing_policy(found([0, 0]), 0.0).tolist() == [0.5, 0.5]


def test_an_apprentice_learns_the_share_of_visits() -> None:
    assert learning_policy(found([1, 2, 3]), halving=False) == pytest.approx([1 / 6, 2 / 6, 3 / 6])


# The search of one player.


def test_a_search_begins_at_the_start() -> None:
    for spec in ("tic_tac_toe", DICE_RACE):
        search = TreeSearch(ft.load(spec), MctsSettings(), generator(1))
        search.simulate(50)
        assert search.simulated == 50


def test_a_search_walks_the_same_in_any_portions() -> None:
    game = ft.load("tic_tac_toe")
    searches = [TreeSearch(game, MctsSettings(), generator(1)) for _ in range(2)]
    searches[0].simulate(500)
    for portion in (1, 99, 400):
        searches[1].simulate(portion)
    observation = game.start().observation(0)
    assert searches[0].about_actions(observation)["visits"].tolist() == (
        searches[1].about_actions(observation)["visits"].tolist()
    )


def test_every_player_wants_its_own_best() -> None:
    """Whoever is offered anything takes it, so whoever offers keeps nine of ten: nobody loses what another wins."""
    game = ft.load(ULTIMATUM)
    search = TreeSearch(game, MctsSettings(exploration=0.5), generator(5))
    search.simulate(20_000)
    about = search.about_actions(game.start().observation(0))
    assert search.policy(game.start().observation(0)).tolist() == [1] + [0] * 8
    assert about["value"][0] == pytest.approx(1.0, abs=0.05)  # nine coins are the most that was seen
    s = game.start()
    s.apply(0)
    search.aim_at(s.observation(1))
    assert search.about_actions(s.observation(1))["value"] == pytest.approx([0, 1 / 9])


def test_three_players_take_what_wins() -> None:
    game = ft.load(TAKE_AWAY)
    for stones, wins in ((1, 0), (2, 1), (3, 2)):
        s = game.start()
        for action in {1: (2, 2, 2), 2: (2, 2, 1), 3: (2, 2, 0)}[stones]:
            s.apply(action)
        search = TreeSearch(game, MctsSettings(), generator(stones))
        search.aim_at(s.observation(s.player))
        search.simulate(200)
        assert search.policy(s.observation(s.player)).argmax() == wins


# What is refused.


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"selection": "best"}, "selection must be one of ucb1, puct, not 'best'"),
        ({"rollout_weight": 1.5}, "rollout_weight must be a number at least 0 and at most 1"),
        ({"exploration": -1.0}, "exploration must be a number at least 0"),
        ({"dirichlet_alpha": 0.0}, "dirichlet_alpha must be a number above 0"),
        ({"parallel_simulations": 0}, "parallel_simulations must be a whole number at least 1"),
        ({"max_considered_actions": 4, "simulations": 17, "temperature": 1.0}, "needs selection=puct"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=message):
        MctsSettings(**settings)


@pytest.mark.parametrize("spec", ["kuhn", "leduc", "goofspiel(cards=4)", "liars_dice"])
def test_hidden_games_are_refused_in_one_sentence(spec: str) -> None:
    game = ft.load(spec)
    with pytest.raises(ft.ForethoughtError) as refusal:
        TreeSearch(game, MctsSettings(), generator(1))
    assert str(refusal.value).startswith(f"{game.name}: it hides something")
    assert str(refusal.value).count(".") == 1


@pytest.mark.parametrize("settings", [PUCT, {"rollout_weight": 0.5}, {"dirichlet_epsilon": 0.25}])
def test_without_an_evaluator_only_uct_goes(settings: dict[str, object]) -> None:
    with pytest.raises(ft.ForethoughtError, match="Only UCB1 with roll-outs"):
        TreeSearch(ft.load("tic_tac_toe"), MctsSettings(**settings), generator(1))
