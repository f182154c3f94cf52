"""What a planner thinks of a person's decision, from what that person may know, reported while the search runs."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Observation, State
from forethought.player import NewPlayer, Player
from forethought.randomness import Generator, generator
from forethought.search.action_values import action_values
from forethought.search.beliefs import Beliefs
from forethought.search.player import SearchPlayer, current_policy, shares_of
from forethought.serve.schemas.thought import (
    ActionThoughtSchema,
    HandProbabilitySchema,
    LineMoveSchema,
    RangeSchema,
    StrategyRowSchema,
    StrategySchema,
    ThoughtSchema,
)
from forethought.serve.stoppable_search import SearchProgress, search_in_portions

PERIOD = 0.2  # seconds between two reports
TINY = 1e-300
LONGEST_LINE = 8  # moves
EXPECTED = "expected return"  # in what the game pays; a tree search's value is a share of the largest return

Report = Callable[[ThoughtSchema], None]


def think_aloud(
    new_player: NewPlayer, state: State, ply: int, most_seconds: float, stop: Event, report: Report
) -> None:
    """Search for the player to move, and report several times per second."""
    observation = state.observation(state.player)
    names = {action: state.action_name(action) for action in observation.legal_actions}
    beliefs = Beliefs(state.game, observation) if state.game.hidden else None
    planner = DecisionPlanner(new_player(_rng_of(observation)), observation, names, beliefs, ply)
    progress, reported = SearchProgress(0, 0.0), 0.0
    for progress in search_in_portions(planner.player, observation, stop, most_seconds):
        if progress.seconds - reported >= PERIOD:
            reported = progress.seconds
            report(planner.thought(progress, done=False))
    report(planner.thought(progress, done=True))


@dataclass(frozen=True)
class DecisionPlanner:
    """A player that thinks about one decision."""

    player: Player
    observation: Observation
    names: dict[int, str]  # of the legal actions
    beliefs: Beliefs | None  # where information is hidden, and hands are to be told
    ply: int

    def thought(self, progress: SearchProgress, *, done: bool) -> ThoughtSchema:
        """Describe what the player thinks so far."""
        simulations, seconds, cut = progress
        actions = self._actions(self._expected_returns() if done else {})
        return ThoughtSchema(
            ply=self.ply,
            simulations=simulations,
            seconds=seconds,
            simulations_per_second=simulations / seconds if seconds > 0.0 else 0.0,
            value=_value(actions),
            shares="strategy" if all(one.share == one.probability for one in actions) else "share of visits",
            done=done,
            cut=cut,
            actions=actions,
            line=self._line(),
            strategy=self._strategy_grid(),
            ranges=self._ranges(),
        )

    def _actions(self, expected: dict[str, Float64s]) -> list[ActionThoughtSchema]:
        policy = current_policy(self.player, self.observation)
        player = self.player
        measured = player.search.about_actions(self.observation) if isinstance(player, SearchPlayer) else {}
        shares = shares_of(
            policy, {name: list(numbers) for name, numbers in measured.items()}, self.observation.game.hidden
        )
        measures = expected | _shown_measures(measured)
        return [
            ActionThoughtSchema(
                action=action,
                name=self.names[action],
                probability=probability,
                share=shares[place],
                measures={name: float(numbers[place]) for name, numbers in measures.items()},
            )
            for place, (action, probability) in enumerate(zip(*policy, strict=True))
        ]

    def _expected_returns(self) -> dict[str, Float64s]:
        """Return what each action wins on average if all play as the planner does, where hands are few."""
        values = None if self.beliefs is None else action_values(self.beliefs, self._strategy)
        return {} if values is None else {EXPECTED: values}

    def _line(self) -> list[LineMoveSchema]:
        state, found = self.observation.state, list[LineMoveSchema]()
        expected = self.player.search.principal_line() if isinstance(self.player, SearchPlayer) else []
        if state is None:
            return []
        ahead = state.clone()
        for action in expected[:LONGEST_LINE]:
            found.append(LineMoveSchema(player=ahead.player, action=action, name=ahead.action_name(action)))
            ahead.apply(action)
        return found

    def _strategy(self, observation: Observation) -> Sequence[float]:
        return current_policy(self.player, observation).probabilities

    def _strategy_grid(self) -> StrategySchema | None:
        grid = None if self.beliefs is None else self.beliefs.strategy_grid(self._strategy)
        if grid is None:
            return None
        rows = [
            StrategyRowSchema(hand=row.hand, own=row.mine, probabilities=list(row.probabilities)) for row in grid.rows
        ]
        return StrategySchema(actions=list(grid.names), rows=rows)

    def _ranges(self) -> list[RangeSchema] | None:
        ranges = None if self.beliefs is None else self.beliefs.opponent_ranges(self._strategy)
        if ranges is None:
            return None
        return [
            RangeSchema(seat=seat, hands=[HandProbabilitySchema(**held._asdict()) for held in hands])
            for seat, hands in ranges.items()
        ]


def _shown_measures(measured: dict[str, Float64s]) -> dict[str, Float64s]:
    """Return what people can read: regrets divided by the largest, and then no visits, since those explore."""
    if "regret" not in measured:
        return measured
    regrets = measured["regret"]
    return {"relative regret": regrets / max(float(np.abs(regrets).max()), TINY)}


def _value(actions: list[ActionThoughtSchema]) -> float | None:
    """Return the value for the player to move: what its policy expects, or the mean over all simulations."""
    if actions and EXPECTED in actions[0].measures:
        return sum(one.probability * one.measures[EXPECTED] for one in actions)
    if not actions or "value" not in actions[0].measures:
        return None
    visits = sum(one.measures["visits"] for one in actions)
    return sum(one.measures["visits"] * one.measures["value"] for one in actions) / visits if visits else None


def _rng_of(observation: Observation) -> Generator:
    """Return a generator seeded by the observation alone, so that no thought depends on what is hidden."""
    digest = hashlib.sha256(repr((observation.player, observation.facts)).encode()).digest()
    return generator(int.from_bytes(digest[:8], "big"))
