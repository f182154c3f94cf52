"""Why a linear policy moves as it does: which of its patterns weigh most, and which of them speak about a move."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from forethought.game import Game, State
from forethought.patterns.incremental import list_active, make_pattern_memory, update_from_empty
from forethought.patterns.model import OBJECTIVES, PatternModel
from forethought.patterns.pattern import Pattern
from forethought.players.linear import PatternPlayer


@dataclass(frozen=True)
class WeighedPattern:
    """A player's pattern and what it weighs in each policy; rank 1 weighs most, for good or ill."""

    player: int
    rank: int
    pattern: Pattern
    weights: dict[str, float]


@dataclass(frozen=True)
class ExplainedMove:
    """A legal move: how likely each policy makes it, and the patterns for and against it, strongest first.

    Patterns that are active for every legal move are left out: they tell none from another.
    """

    action: int
    probabilities: dict[str, float]
    supporting: list[WeighedPattern]
    opposing: list[WeighedPattern]


def by_strength(model: PatternModel, player: int, policy: str) -> list[WeighedPattern]:
    """List a player's patterns by how much they weigh in a policy, strongest first."""
    return sorted(_weighed(model, player, policy), key=lambda one: one.rank)


def explain_moves(game: Game, model: PatternModel, state: State, policy: str) -> list[ExplainedMove]:
    """Explain the legal moves of a position, those first that the policy finds likeliest."""
    actions, chances = _probabilities(game, model, state)
    active = _active(game, model, state, actions)
    always = set.intersection(*active)
    weighed = _weighed(model, state.player, policy)
    explained = []
    for place, action in enumerate(actions):
        heard = sorted((weighed[number] for number in active[place] - always), key=lambda one: one.rank)
        explained.append(
            ExplainedMove(
                action,
                {name: probabilities[place] for name, probabilities in chances.items()},
                [one for one in heard if one.weights[policy] > 0.0],
                [one for one in heard if one.weights[policy] < 0.0],
            )
        )
    return sorted(explained, key=lambda move: -move.probabilities[policy])


def _weighed(model: PatternModel, player: int, policy: str) -> list[WeighedPattern]:
    """Weigh a player's patterns, in the order in which the model has them."""
    totals = {name: model.total(name)[player] for name in OBJECTIVES}
    order = np.argsort(-np.abs(totals[policy]), kind="stable")
    ranks = np.argsort(order) + 1
    return [
        WeighedPattern(
            player, int(ranks[number]), pattern, {name: float(total[number]) for name, total in totals.items()}
        )
        for number, pattern in enumerate(model.patterns[player])
    ]


def _probabilities(
    game: Game, model: PatternModel, state: State
) -> tuple[tuple[int, ...], dict[str, tuple[float, ...]]]:
    """Return the legal actions, and how likely they are in each policy as it plays."""
    observation = state.observation(state.player)
    players = {name: PatternPlayer(game, model.policies(game, name, name)) for name in OBJECTIVES}
    return observation.legal_actions, {
        name: player.think(observation).probabilities for name, player in players.items()
    }


def _active(game: Game, model: PatternModel, state: State, actions: Sequence[int]) -> list[set[int]]:
    """Return the numbers of the patterns that are active for each action."""
    policies = model.policies(game)
    memory = make_pattern_memory(game, policies.patterns)
    found = np.zeros(len(actions) * len(model.patterns[state.player]), np.int64)
    ends = np.zeros(len(actions), np.int64)
    update_from_empty(game.table, policies, memory, state.memory)
    count = list_active(policies.patterns, memory.now, state.player, np.array(actions), found, ends)
    return [set(part.tolist()) for part in np.split(found[:count], ends[:-1])]
