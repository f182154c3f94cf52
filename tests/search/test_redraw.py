"""What is hidden, drawn anew: the player cannot tell, and every past that is possible is drawn."""

import pytest

from forethought.game import Game, State
from forethought.games import load
from forethought.randomness import generator
from forethought.search.beliefs import histories
from forethought.search.oos.targeting import make_target
from forethought.search.redraw import redrawn_history


def after(game: Game, actions: list[int]) -> State:
    state = game.start()
    for action in actions:
        state.apply(action)
    return state


def noticed(game: Game, actions: list[int], observer: int) -> list[object]:
    return [one for ply, action in enumerate(actions) if (one := after(game, actions[:ply]).noticed(action, observer))]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "actions"),
    [
        ("leduc", [0, 2, 1, 2, 1, 4]),  # both checked or raised, and a public card
        ("goofspiel(cards=4)", [0, 2]),  # lost to any other card
        ("tests/userfiles/dark_claims.py", [0, 0, 1, 1, 2]),  # the second try of player 0 fails
    ],
)
@pytest.mark.quick_cases(1)
def test_every_past_that_looks_the_same_is_drawn_and_no_other(spec: str, actions: list[int]) -> None:
    game = load(spec)
    state = after(game, actions)
    player = state.player
    observation = state.observation(player)
    possible = histories(
        game, make_target(game, player, observation.facts), lambda history: history.state.player == player, 100_000
    )
    assert possible
    drawn = [redrawn_history(game, observation, generator(1, number)) for number in range(60 * len(possible))]
    assert all(found is not None for found in drawn)
    for found in drawn:
        assert after(game, found or []).observation(player) == observation
        assert noticed(game, found or [], player) == noticed(game, actions, player)
    assert len({tuple(found or ()) for found in drawn}) == len(possible) > 1


def test_what_cannot_be_is_not_drawn() -> None:
    game = load("tests/userfiles/dark_claims.py")
    observation = after(game, [0, 1]).observation(0)
    never = type(observation)(game, 0, (0, 2 + 2 * 0), (), observation.legal_actions)  # its first try failed
    assert redrawn_history(game, never, generator(1)) is None
