"""Another past that a player could not tell from the true one: what is hidden is drawn anew.

Play is drawn from the start of the game: chance by its probabilities, the others at random, each time among the actions
after which the player can still come to know exactly what it knows. Where that leads nowhere, it begins again.
"""

import numpy as np

from forethought.game import Game, Observation, State
from forethought.randomness import Generator, choose
from forethought.search.oos.targeting import Target, make_target

TRIES = 2_000


def redrawn_history(game: Game, observation: Observation, rng: Generator) -> list[int] | None:
    """Return actions that lead to a decision of the player who observes this; None if none were found."""
    target = make_target(game, observation.player, observation.facts)
    tries = (_attempt(game, observation, target, rng) for _ in range(TRIES))
    return next((actions for actions in tries if actions is not None), None)


def _attempt(game: Game, observation: Observation, target: Target, rng: Generator) -> list[int] | None:
    state, actions = game.start(), list[int]()
    while state.player != observation.player or tuple(state.facts(observation.player)) != observation.facts:
        possible = _possible(state, target)
        if not possible:
            return None
        weights = np.array(list(possible.values()))
        actions.append(list(possible)[choose(weights / weights.sum(), len(weights), rng)])
        state.apply(actions[-1])
    return actions


def _possible(state: State, target: Target) -> dict[int, float]:
    """Return the actions after which the target can be reached, as far as facts and `reaches` tell, with weights."""
    table, legal = state.game.table, state.legal_actions()
    weights = state.chance() if state.is_chance else [1.0] * len(legal)
    found = {}
    for action, weight in zip(legal, weights, strict=True):
        after = state.clone()
        after.apply(action)
        fits = bool(target.holds[after.facts(target.observer)].all())
        if fits and table.has_reaches:
            fits = bool(table.reaches(state.memory, action, target.observer, target.facts, target.known))
        if fits:
            found[action] = weight
    return found
