"""Searching players: named by strings, reproducible, within their budget, on any game."""

import re

import pytest

import forethought as ft
from forethought.player import find_player
from forethought.randomness import generator
from forethought.search.player import SearchPlayer, Thought

DOUBT = "docs/games/doubt.py"  # the tutorial's


def first_decision(game: ft.Game) -> ft.State:
    state = game.start()
    while state.is_chance:
        state.apply(state.legal_actions()[0])
    return state


def study(game: ft.Game, spec: str, state: ft.State, seed: int = 1) -> Thought:
    player = find_player(spec).new_player(game)(generator(seed))
    assert isinstance(player, SearchPlayer)
    return player.study(state.observation(state.player))


@pytest.mark.parametrize(
    "spec",
    ["oos:500", "oos(simulations=500, targeting=public, delta=0.5)", "oos(weighting=exact)", "ismcts:500", "mccfr:500"],
)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "goofspiel(cards=4)", "liars_dice", "tic_tac_toe", DOUBT])
@pytest.mark.quick_cases(14)
def test_every_player_plays_every_game_to_its_end(spec: str, name: str) -> None:
    game = ft.load(name)
    state, maker = game.start(), find_player(spec).new_player(game)
    players = [maker(generator(1, seat)) for seat in range(game.players)]
    while not state.is_terminal:
        actions = state.legal_actions()
        if state.is_chance:
            state.apply(actions[-1])
            continue
        found = players[state.player].think(state.observation(state.player))
        assert found.actions == tuple(actions)
        assert sum(found.probabilities) == pytest.approx(1.0)
        state.apply(found.actions[max(range(len(actions)), key=found.probabilities.__getitem__)])


@pytest.mark.parametrize("spec", ["oos:2000", "ismcts:2000"])
def test_the_same_seed_thinks_the_same(spec: str) -> None:
    game = ft.load("leduc")
    state = first_decision(game)
    thoughts = [study(game, spec, state, seed) for seed in (1, 1, 2)]
    assert thoughts[0].policy == thoughts[1].policy
    assert thoughts[0].about_actions == thoughts[1].about_actions != thoughts[2].about_actions


def test_a_watched_search_finds_what_an_unwatched_one_does() -> None:
    game = ft.load("leduc")
    state, parts = first_decision(game), []
    player = find_player("oos:1234").new_player(game)(generator(1))
    watched = player.study(state.observation(state.player), parts.append)
    assert watched.simulations == 1234
    assert watched.policy == study(game, "oos:1234", state).policy
    assert parts == sorted(parts)
    assert parts[-1] == 1.0


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = ft.load("goofspiel(cards=5)")
    state, player = game.start(), find_player("oos:300").new_player(game)(generator(1))
    sizes = []
    while not state.is_terminal:
        sizes.append(player.study(state.observation(state.player)).infosets)
        state.apply(state.legal_actions()[0])
    assert sizes == sorted(sizes)
    assert sizes[-1] > sizes[0] > 250


def test_seconds_are_kept_and_something_is_always_thought() -> None:
    game = ft.load("leduc")
    state = first_decision(game)
    short, longer = (study(game, f"oos(seconds={seconds})", state) for seconds in (0.001, 0.3))
    assert 0 < short.simulations < longer.simulations
    assert longer.seconds >= 0.3


def test_visits_are_those_of_the_decision_at_hand() -> None:
    """Nearly every targeted walk comes by, and no action is visited that was not sampled."""
    game = ft.load("goofspiel(cards=4)")
    state = game.start()
    state.apply(1)
    thought = study(game, "oos(simulations=4000)", state)
    assert 0.85 * 4000 < sum(thought.about_actions["visits"]) <= 4000
    assert all(visits > 0 for visits in thought.about_actions["visits"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("oos:0", "simulations must be a whole number at least 1, not 0."),
        ("oos(seconds=-1)", "seconds must be a number at least 0, not -1.0."),
        ("oos(seconds=nan)", "seconds must be a number at least 0, not nan."),
        ("oos(max_infosets=0)", "max_infosets must be a whole number at least 1, not 0."),
        ("oos(targeting=all)", "targeting must be one of infoset, public, none, not 'all'."),
        ("oos(weighting=all)", "weighting must be one of ema, exact, none, not 'all'."),
        ("oos(delta=1.5)", "delta must be a number at least 0 and at most 1, not 1.5."),
        ("oos(epsilon=0)", "epsilon must be a number above 0 and at most 1, not 0.0."),
        ("oos(simulation=3)", "oos has no parameter 'simulation'; it takes simulations=10000, "),
        ("oos(net=nobody)", "There is no run 'nobody'"),
        ("ismcts(play=best)", "play must be one of most, visits, not 'best'."),
        ("mccfr:0", "iterations must be a whole number at least 1, not 0."),
        ("mccfr", "mccfr needs a value for 'iterations': mccfr(iterations=...)."),
        ("net:nobody", "There is no run 'nobody'"),
        ("oss:100", "did you mean oos"),
    ],
)
def test_bad_players_are_refused_in_one_sentence(spec: str, message: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=re.escape(message)) as refusal:
        find_player(spec).new_player(ft.load("kuhn"))
    assert "\n" not in str(refusal.value)
