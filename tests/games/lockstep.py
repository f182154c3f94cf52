"""Two implementations of a game play the same random games, and must agree at every ply."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

import forethought as ft
from forethought.game import CHANCE, TERMINAL, Game, State

SPIEL_KINDS = {int(pyspiel.PlayerId.CHANCE): CHANCE, int(pyspiel.PlayerId.TERMINAL): TERMINAL}


def assert_compiled_equals_interpreted(spec: str, games: int = 200) -> None:
    """Play random games with machine code and with Python; everything a state can be asked must be equal."""
    compiled, interpreted = ft.load(spec), ft.load(spec, compiled=False)
    assert compiled.machine is not None, "NUMBA_DISABLE_JIT is set: there is no machine code to compare"
    assert interpreted.machine is None
    for seed in range(games):
        rng = np.random.default_rng(seed)
        ours, reference = compiled.start(), interpreted.start()
        assert everything(ours) == everything(reference)
        while not reference.is_terminal:
            action = int(rng.choice(reference.legal_actions()))
            ours.apply(action)
            reference.apply(action)
            assert everything(ours) == everything(reference)


def everything(state: State) -> tuple[Any, ...]:
    """List all that can be asked of a state."""
    return (
        state.memory.tobytes(),
        state.player,
        state.legal_actions(),
        state.chance(),
        state.returns() if state.is_terminal else None,
        [state.facts(observer) for observer in state.game.observers],
    )


def assert_plays_like_open_spiel(
    game: Game, spiel_name: str, meaning: Callable[[State, int], str], spiel_meaning: Callable[[Any, int], str]
) -> None:
    """Play 300 random games here and in OpenSpiel.

    Actions are matched by their place among the legal ones; the two `meaning` functions put the names that each side
    gives them into the same words, so that a wrong match is noticed.
    """
    spiel_game = pyspiel.load_game(spiel_name)
    for seed in range(300):
        rng = np.random.default_rng(seed)
        state, spiel = game.start(), spiel_game.new_initial_state()
        while not state.is_terminal:
            assert_same_choices(state, spiel, meaning, spiel_meaning)
            place = rng.integers(len(state.legal_actions()))
            state.apply(state.legal_actions()[place])
            spiel.apply_action(spiel.legal_actions()[place])
        assert kind(spiel) == TERMINAL
        assert state.returns() == spiel.returns()


def assert_same_choices(
    state: State, spiel: Any, meaning: Callable[[State, int], str], spiel_meaning: Callable[[Any, int], str]
) -> None:
    assert state.player == kind(spiel)
    here = [meaning(state, action) for action in state.legal_actions()]
    there = [spiel_meaning(spiel, action) for action in spiel.legal_actions()]
    assert here == there
    if state.is_chance:
        odds = [probability for _, probability in spiel.chance_outcomes()]
        np.testing.assert_allclose(state.chance(), odds, rtol=1e-15)


def kind(spiel: Any) -> int:
    """Say who acts, in our words."""
    return SPIEL_KINDS.get(int(spiel.current_player()), int(spiel.current_player()))


def spiel_name_of(spiel: Any, action: int) -> str:
    """Return OpenSpiel's name for an action."""
    return str(spiel.action_to_string(spiel.current_player(), action))


def spiel_uniform_value(spiel_name: str) -> float:
    """Return what player 0 wins in OpenSpiel's game when all play uniformly, by the full tree."""
    return _expected(pyspiel.load_game(spiel_name).new_initial_state())


def _expected(spiel: Any) -> float:
    if spiel.is_terminal():
        return float(spiel.returns()[0])
    if spiel.is_chance_node():
        return sum(probability * _expected(spiel.child(action)) for action, probability in spiel.chance_outcomes())
    actions = spiel.legal_actions()
    return sum(_expected(spiel.child(action)) for action in actions) / len(actions)
