"""Hands that are possible: how a planner would play each hand of a player, and what the other players probably hold.

Only the observation of the player to move is used: the histories that are consistent with it are enumerated, without
looking at the true one. Where information is hidden, facts only grow, so a history is dropped as soon as it contradicts
what the observer knows. This is exact, and feasible where hands are few; where there are too many states, the answer is
None.
"""

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Int64s
from forethought.compiler import kernel, pointer
from forethought.game import CHANCE, PUBLIC, TERMINAL, Game, Observation, State, Table
from forethought.search.oos.targeting import Target, Trial, make_target, make_trial, mark_in_target

MOST_STATES = 20_000  # visited at most: a second or two

PolicyOf = Callable[[Observation], Sequence[float]]  # a strategy: probabilities over the legal actions


class Step(NamedTuple):
    """A state of a history, who acted there, and the place of the action among the legal ones."""

    state: State
    player: int
    place: int


class History(NamedTuple):
    """A sequence of actions and outcomes from the start to a state."""

    state: State
    chance: float  # the probability of its chance outcomes
    steps: tuple[Step, ...]

    def made_by(self, player: int) -> int:
        """Count the decisions of a player."""
        return sum(step.player == player for step in self.steps)


class Row(NamedTuple):
    """A hand that the player to move could hold, and how it would be played."""

    hand: str
    mine: bool  # whether it is the player's actual hand
    probabilities: tuple[float, ...]  # by the grid's actions; 0 where one is not legal


class StrategyGrid(NamedTuple):
    """A strategy for all hands of a public position."""

    actions: tuple[int, ...]  # those that are legal with some hand
    names: tuple[str, ...]
    rows: tuple[Row, ...]


class PossibleHand(NamedTuple):
    """A hand that another player may hold."""

    hand: str
    probability: float


class Beliefs:
    """All hands that are possible where a player is to move; enumerated once, for any number of strategies."""

    def __init__(self, game: Game, observation: Observation, most_states: int = MOST_STATES) -> None:
        if not game.hidden:
            raise game.mistake("nothing is hidden in it, so there are no hands to estimate")
        if not observation.legal_actions:
            raise game.mistake("hands are estimated only for the player to move")
        self.game, self.player, self._facts = game, observation.player, observation.facts
        self._own = histories(game, make_target(game, self.player, observation.facts), self._decides, most_states)
        self._possible = self._at_public_position(observation, most_states)

    def strategy_grid(self, policy_of: PolicyOf) -> StrategyGrid | None:
        """Return how the strategy plays each hand that the player could hold, given what is public."""
        if self._possible is None:
            return None
        names: dict[int, str] = {}
        for observation, state in self._possible:
            names |= {a: state.action_name(a) for a in observation.legal_actions if a not in names}
        actions = tuple(sorted(names))
        rows = []
        for observation, state in self._possible:
            played = dict(zip(observation.legal_actions, policy_of(observation), strict=True))
            mix = tuple(float(played.get(action, 0.0)) for action in actions)
            rows.append(Row(state.hand(self.player), observation.facts == self._facts, mix))
        return StrategyGrid(actions, tuple(names[action] for action in actions), tuple(rows))

    def opponent_ranges(self, policy_of: PolicyOf) -> dict[int, list[PossibleHand]] | None:
        """Return by seat what the other players may hold if they follow the strategy; own actions are given.

        If the strategy never reaches this position, the others are assumed to play at random.
        """
        if self._own is None:
            return None
        weights = self._likely_weights(policy_of)
        others = [seat for seat in range(self.game.players) if seat != self.player]
        return {seat: _range_of(seat, self._own, weights) for seat in others}

    def weighted_states(self, policy_of: PolicyOf) -> list[tuple[State, float]] | None:
        """Return the states in which the player may be, each with its probability up to a common factor."""
        if self._own is None:
            return None
        sums: dict[bytes, tuple[State, float]] = {}
        for history, weight in zip(self._own, self._likely_weights(policy_of), strict=True):
            key = history.state.memory.tobytes()
            sums[key] = history.state, weight + (sums[key][1] if key in sums else 0.0)
        return [(state, weight) for state, weight in sums.values() if weight > 0.0]

    def _decides(self, history: History) -> bool:
        return history.state.player == self.player

    def _at_public_position(self, observation: Observation, most: int) -> list[tuple[Observation, State]] | None:
        """List what the player may know after the same public facts and as many decisions of its own."""
        if self._own is None:
            return None
        if not self._own:
            raise self.game.mistake("no sequence of actions leads to what the player observes")
        made, player = self._own[0].made_by(self.player), self.player

        def arrived(history: History) -> bool:
            return self._decides(history) and history.made_by(player) == made

        found = histories(self.game, make_target(self.game, PUBLIC, observation.public_facts), arrived, most)
        if found is None:
            return None
        states = {tuple(end.state.facts(player)): end.state for end in found}
        return [(state.observation(player), state) for _, state in sorted(states.items(), key=lambda item: item[0])]

    def _likely_weights(self, policy_of: PolicyOf) -> list[float]:
        """Return the weights of the histories; where the strategy leads to none of them, as if all played at random."""
        weights = self._weights(policy_of)
        if any(weights):
            return weights
        return self._weights(lambda observation: [1.0 / len(observation.legal_actions)] * self.game.actions)

    def _weights(self, policy_of: PolicyOf) -> list[float]:
        """Return the probability of each of the player's histories, up to a common factor."""
        policies: dict[tuple[int, ...], Sequence[float]] = {}

        def probability(step: Step) -> float:
            facts = tuple(step.state.facts(step.player))
            if facts not in policies:
                policies[facts] = policy_of(step.state.observation(step.player))
            return float(policies[facts][step.place])

        return [
            chance * prod(probability(step) for step in steps if step.player not in (CHANCE, self.player))
            for _, chance, steps in self._own or ()
        ]


def histories(game: Game, target: Target, arrived: Callable[[History], bool], most_states: int) -> list[History] | None:
    """List the histories that have `arrived` and where the observer knows exactly the target; None if too many.

    In games with the rule `sees`, equal facts mean that the observer saw the same, in the same order (the law
    'secrets'). So all histories that fit pass through the same facts, those of the first one found.
    """
    found, looked_at, trial, actions = list[History](), 0, make_trial(game), np.zeros(game.table.choices, np.int64)
    on_the_way: set[tuple[int, ...]] = set()
    waiting = [History(game.start(), 1.0, ())]
    while waiting:
        looked_at += 1
        if looked_at > most_states:
            return None
        history = waiting.pop()
        facts = tuple(history.state.facts(target.observer))
        if not target.holds[list(facts)].all() or (on_the_way and facts not in on_the_way):
            continue
        if len(facts) < target.known or not arrived(history):
            waiting.extend(reversed(list(_followers(history, target, trial, actions))))
            continue
        found.append(history)
        if not on_the_way and "sees" in game.source:
            on_the_way = {facts, *(tuple(step.state.facts(target.observer)) for step in history.steps)}
    return found


def _followers(history: History, target: Target, trial: Trial, actions: Int64s) -> Iterator[History]:
    """Yield the histories that are one action longer and can lead to the target."""
    state, chance, steps = history
    table, player, odds = state.game.table, state.player, state.chance()
    if player == TERMINAL:
        return
    count = mark_actions(table, state.memory, actions, target, trial)
    for place in np.flatnonzero(trial.in_target[:count]).tolist():
        after = state.clone()
        table.apply(after.memory, int(actions[place]))
        yield History(after, chance * odds[place] if odds else chance, (*steps, Step(state, player, place)))


@kernel
def mark_actions(game: Table, state: Bytes, actions: Int64s, target: Target, trial: Trial) -> int:
    """Mark the actions that can lead to the target; return the number of legal actions."""
    count = game.legal(pointer(state), pointer(actions))
    mark_in_target(game, state, actions, count, target, trial)
    return count


def _range_of(seat: int, found: list[History], weights: list[float]) -> list[PossibleHand]:
    """Add up the weights of each hand of a seat."""
    total, sums = sum(weights), dict[str, float]()
    order = sorted(range(len(found)), key=lambda i: found[i].state.facts(seat))
    for i in order:
        hand = found[i].state.hand(seat)
        sums[hand] = sums.get(hand, 0.0) + weights[i] / total
    return [PossibleHand(hand, probability) for hand, probability in sums.items()]
