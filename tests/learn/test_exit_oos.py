"""Games of self-play: what they teach is what the expert found, and moves are drawn from it."""

import numpy as np
import pytest

import forethought as ft
from forethought.learn.algorithms.exit_oos import (
    ExitOosConfiguration,
    ExitOosPlay,
    ExitOosSearch,
    Expert,
    new_expert,
    play_game,
)
from forethought.learn.episodes import Episode
from forethought.learn.extra_samples import drawn_samples
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.randomness import choose, generator
from forethought.runtime.executor import Stopped
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from tests.naive.mccfr import matched
from tests.search.tables import by_facts

SPECS = ["kuhn", "leduc", "goofspiel(cards=4)", "liars_dice", "tests/userfiles/kuhn3.py"]


def episode(
    game: ft.Game, simulations: int, *seed: int, exploration: float = 0.0, extra: int = 0, asks_network: bool = False
) -> Episode:
    """A game of self-play; with the roll-outs of a new network, or uniform ones."""
    configuration = ExitOosConfiguration(
        game=game.spec,
        seed=1,
        search=ExitOosSearch(simulations=simulations, rollouts="network" if asks_network else "uniform"),
        play=ExitOosPlay(exploration=exploration, extra_samples=extra),
    )
    return play_game(expert(game, configuration), generator(*seed), lambda: False)


def expert(game: ft.Game, configuration: ExitOosConfiguration) -> Expert:
    """The expert of the first iteration, with a new network."""
    net = make_mlp(game.facts, game.actions, (8,), np.random.default_rng(1))
    return new_expert(game, configuration, MlpWeights(parameters_of(net)), iteration=1)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("asks_network", [False, True])
def test_every_decision_with_a_choice_becomes_a_sample(spec: str, asks_network: bool) -> None:
    game = ft.load(spec)
    played = episode(game, 60, 5, asks_network=asks_network)
    s, rows = game.start(), []
    for action in played.actions:
        legal = s.legal_actions()
        if not s.is_chance and len(legal) > 1:
            rows.append((tuple(s.facts(s.player)), tuple(legal)))
        s.apply(action)  # a game refuses what is not legal
    assert s.is_terminal
    assert played.returns == s.returns()
    found = [played.samples.row(place) for place in range(played.samples.rows)]
    assert [row[:2] for row in found] == rows
    for _, _, policy in found:
        assert sum(policy) == pytest.approx(1.0, abs=1e-6)
        assert min(policy) >= 0.0
    assert played.simulations == 60 * len(rows)


def test_one_search_serves_the_whole_game() -> None:
    """The samples are those of a search that is aimed at one decision after another, and is never told more."""
    game, rng = ft.load("leduc"), generator(5)
    played = episode(game, 200, 5)
    search, s, found = OnlineOutcomeSampling(game, ExitOosSearch(), rng), game.start(), []
    for action in played.actions:
        legal = s.legal_actions()
        if s.is_chance:
            weights = np.array(s.chance())
        else:
            observation = s.observation(s.player)
            assert observation.state is None
            search.aim_at(observation)
            search.simulate(200)
            weights = search.policy(observation)
            found.append(weights)
        assert legal[choose(weights, len(legal), rng)] == action
        s.apply(action)
    assert len(found) == played.samples.rows
    for place, policy in enumerate(found):
        assert played.samples.row(place)[2] == pytest.approx(policy, abs=1e-7)


def test_the_seed_decides_the_game() -> None:
    game = ft.load("goofspiel(cards=5)")
    games = [episode(game, 50, 1, seed, asks_network=True) for seed in (3, 3, 4)]
    assert games[0].actions == games[1].actions
    assert all(np.array_equal(a, b) for a, b in zip(games[0].samples, games[1].samples, strict=True))
    assert not np.array_equal(games[0].samples.targets, games[2].samples.targets)


def test_an_episode_asks_the_network() -> None:
    game = ft.load("leduc")
    with_network, without = (episode(game, 50, 5, asks_network=asks) for asks in (True, False))
    assert not np.array_equal(with_network.samples.targets[0], without.samples.targets[0])


@pytest.mark.parametrize("exploration", [0.0, 0.5, 1.0])
@pytest.mark.quick_cases(1)
def test_moves_are_drawn_from_what_was_found(exploration: float) -> None:
    """And from all actions alike where they explore: with so few simulations the first move is far from even."""
    game, games = ft.load("goofspiel(cards=3)"), 600
    played, wanted = np.zeros((games, 3)), np.zeros((games, 3))
    for seed in range(games):
        done = episode(game, 10, seed, exploration=exploration)
        _, actions, policy = done.samples.row(0)
        played[seed, actions.index(done.actions[0])] = 1.0
        wanted[seed] = (1.0 - exploration) * np.array(policy) + exploration / 3
    # against what was found in the same game, not on average: so moves that follow another game's policy would show
    surplus = ((played - wanted) * (wanted - 1 / 3)).sum(axis=1)
    spread = np.sqrt((played - wanted).var(axis=0) / games)
    assert np.all(np.abs((played - wanted).mean(axis=0)) < 5 * spread)
    assert abs(surplus.mean()) <= 5 * surplus.std() / np.sqrt(games)
    assert (np.abs(wanted - 1 / 3).max() > 0.2) == (exploration < 1.0)


def test_a_stopped_game_is_given_up() -> None:
    configuration = ExitOosConfiguration(game="kuhn", seed=1)
    with pytest.raises(Stopped):
        play_game(expert(ft.load("kuhn"), configuration), generator(1), lambda: True)


def test_a_game_may_also_teach_what_its_search_found_elsewhere() -> None:
    game = ft.load("leduc")
    alone, more = episode(game, 300, 5), episode(game, 300, 5, extra=40)
    assert more.actions == alone.actions  # they are drawn after the game
    assert more.samples.rows == alone.samples.rows + 40
    search = OnlineOutcomeSampling(game, OosSettings(), generator(5), labelled=True)
    search.simulate(3_000)
    regrets, averages = by_facts(search.table)
    found = drawn_samples(search, 100, 10_000, generator(6))
    rows = [found.row(place) for place in range(found.rows)]
    choices = {facts: sums for facts, sums in averages.items() if len(sums) > 1}
    assert sorted(facts for facts, _, _ in rows) == sorted(choices)
    for place, (facts, actions, policy) in enumerate(rows):
        sums = np.array(choices[facts])
        assert len(actions) == len(sums)
        assert policy == pytest.approx(sums / max(sums.sum(), 1e-300), abs=1e-6)
        assert found.currents[place, : len(sums)] == pytest.approx(matched(regrets[facts]), abs=1e-6)
    assert all(sum(choices[facts]) > 0.0 for facts, _, _ in rows[:100])


def test_samples_from_elsewhere_are_drawn_by_their_weight() -> None:
    """So an information set is met as often as its player would come there by its own choices."""
    game, draws = ft.load("leduc"), 400
    search = OnlineOutcomeSampling(game, OosSettings(), generator(5), labelled=True)
    search.simulate(3_000)
    weights = {facts: sum(sums) for facts, sums in by_facts(search.table)[1].items()}
    heavy = sorted(weights, key=lambda facts: -weights[facts])[:6]
    share = sum(weights[facts] for facts in heavy) / sum(weights.values())
    drawn = [drawn_samples(search, 1, 0, generator(6, seed)).row(0)[0] for seed in range(draws)]
    met = sum(facts in heavy for facts in drawn) / draws
    assert 0.1 < share < 0.9
    assert met == pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / draws))
