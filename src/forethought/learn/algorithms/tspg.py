"""TSPG: linear policies on patterns that grow, learned from tree search which they bias (Soemers and others, 2019).

Both players search, each with a tree, a memory, patterns and weights of its own. After every move both learn from what
they remember of earlier games; before every game but the first each gains a pattern. All of it, memories included, is
in the checkpoint of a game, and everything random in a game is drawn from generators that the run's seed and the game's
number decide. So a run that is stopped goes on as if it never had: the game that was being played is played again.
"""

import math
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, State
from forethought.learn.configuration import Configuration
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.forecast import expected
from forethought.learn.gradients import PatternBatch, RMSPropParameters, cross_entropy, policy_of
from forethought.learn.learner import GAMES, GROWTH, LEARNING, Forecast, Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import ENTROPY, LOSS
from forethought.learn.pattern_learner import Experience, PatternLearner, learner_of, state_of
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.samples import Example, samples_of
from forethought.learn.sections import EvaluationSettings, LearningSettings
from forethought.learn.tree_forecast import forest_rate, tree_bytes
from forethought.patterns.atomic import starting_patterns
from forethought.patterns.incremental import make_pattern_memory
from forethought.patterns.model import CE, OBJECTIVES, PLAYERS, PatternModel, board_of, save_model, suits_patterns
from forethought.patterns.policies import Policies, join, make_policies, write_weights
from forethought.patterns.rollouts import pattern_rollouts
from forethought.player import PlayerSettings
from forethought.players.linear import LinearSettings
from forethought.randomness import Generator, choose, generator
from forethought.search.mcts.forest import Forest, Found
from forethought.search.mcts.players import BiasedSettings, PatternSearchSettings
from forethought.settings import Settings, changed, fixed, setting

SMALLEST = 1e-300  # probability whose logarithm is taken
REMEMBERED = Metric("remembered", "Decisions in memory", "decisions")
PATTERNS = Metric("patterns", "Patterns of both players", "patterns")


@dataclass(frozen=True, kw_only=True)
class TspgSearch(PatternSearchSettings):
    """How the expert thinks: tree search biased by the linear policies it teaches."""

    simulations: int = changed(PatternSearchSettings, "simulations", 1_600, low=2)  # the first only opens the root
    seconds: float = fixed(PatternSearchSettings, "seconds", 0.0)  # by the clock, nothing could be repeated
    temperature: float = fixed(PatternSearchSettings, "temperature", 1.0)


@dataclass(frozen=True, kw_only=True)
class TspgMemory(Settings):
    """What is remembered of each player: its latest decisions."""

    capacity: int = setting("decisions that each player remembers", 400, low=1)


@dataclass(frozen=True, kw_only=True)
class TspgLearning(Settings):
    """How linear policies learn: centred RMSProp, a step after every move."""

    rate: float = changed(LearningSettings, "rate", 0.005)
    divide_rate: bool = setting("divide the learning rate by the number of weights", True)
    momentum: float = setting("momentum of the steps", 0.9, low=0.0, high=1.0)
    decay: float = setting("decay of the means of gradients and of their squares", 0.9, low=0.0, high=1.0)
    batch: int = changed(LearningSettings, "batch", 30)
    grow: bool = setting("add a pattern to each player after every game", True)


@dataclass(frozen=True, kw_only=True)
class TspgPlay(Settings):
    """How self-play moves: in proportion to visits."""

    max_plies: int = setting("plies after which a game counts as a draw", 150, low=1)


@dataclass(frozen=True, kw_only=True)
class TspgEvaluation(EvaluationSettings):
    """How the learner is measured, where an iteration is a single game."""

    every: int = changed(EvaluationSettings, "every", 25)


@dataclass(frozen=True, kw_only=True)
class TspgConfiguration(Configuration):
    """Linear policies on patterns, learned from biased tree search; an iteration is one game."""

    algorithm: str = changed(Configuration, "algorithm", "tspg")
    iterations: int = changed(Configuration, "iterations", 200)
    games: int = fixed(Configuration, "games", 1)
    workers: int = fixed(Configuration, "workers", 1)  # every move is learned from before the next
    evaluation: TspgEvaluation = field(default_factory=TspgEvaluation)
    search: TspgSearch = field(default_factory=TspgSearch)
    memory: TspgMemory = field(default_factory=TspgMemory)
    learning: TspgLearning = field(default_factory=TspgLearning)
    play: TspgPlay = field(default_factory=TspgPlay)


@dataclass
class PlayedGame:
    """A game of self-play, and how the learning during it went."""

    actions: list[int] = field(default_factory=list)
    experiences: tuple[list[Experience], ...] = field(default_factory=lambda: ([], []))  # by player
    examples: list[Example] = field(default_factory=list)
    simulations: int = 0
    seconds: float = 0.0  # of searching
    losses: list[float] = field(default_factory=list)  # divergence of ce from the shares of visits
    entropies: list[float] = field(default_factory=list)  # of ce


@register_learner("tspg", TspgConfiguration, label="Tree-Search Policy Gradient", suits=suits_patterns)
class Tspg(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (LOSS, ENTROPY, REMEMBERED, PATTERNS)
    has_patterns: ClassVar[bool] = True

    def __init__(self, game: Game, configuration: TspgConfiguration) -> None:
        super().__init__(game, configuration)
        self._chosen, self._board, learning = configuration, board_of(game), configuration.learning
        self._optimizer_parameters = RMSPropParameters(
            learning.rate, learning.momentum, learning.decay, divided=learning.divide_rate
        )
        first = starting_patterns(game)
        self.learners = [
            PatternLearner(first, self._optimizer_parameters, configuration.memory.capacity) for _ in range(PLAYERS)
        ]
        self.policies = self._compiled()

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        if self._chosen.learning.grow:
            self._grow(number)
        self.policies = self._compiled()
        played = self._play(number)
        for learner, experiences in zip(self.learners, played.experiences, strict=True):
            learner.memory.extend(experiences)
        play.seconds += played.seconds
        play.keep(0, self._episode(played))
        play.complete()
        return {
            "loss": _mean(played.losses),
            "entropy": _mean(played.entropies),
            "remembered": sum(len(learner.memory) for learner in self.learners),
            "patterns": sum(len(learner.patterns) for learner in self.learners),
        }

    def state(self) -> LearnerState:
        return LearnerState(*state_of(self.learners))

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:  # noqa: ARG002
        self.learners = [
            learner_of(state.arrays, state.about, player, self._optimizer_parameters, self._chosen.memory.capacity)
            for player in range(PLAYERS)
        ]
        self.policies = self._compiled()

    def export(self, path: Path) -> None:
        save_model(path, self.model(), self.game)

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"linear": LinearSettings(run=run), "search": BiasedSettings(run=run)}

    def forecast(self) -> Forecast:
        search = self._chosen.search
        return expected(
            self.game,
            self._chosen,
            rate=forest_rate(self._forest(generator(0)), self.game, 1),
            simulations=search.simulations,
            capacity=self._chosen.memory.capacity,
            search_bytes=lambda simulations: tree_bytes(self.game, min(simulations, search.max_nodes)),
        )

    def _grow(self, iteration: int) -> None:
        """Give each player that remembers anything one more pattern."""
        memory = make_pattern_memory(self.game, self.policies.patterns)
        for player, learner in enumerate(self.learners):
            learner.study(self.game, self.policies, memory, player)
            seed = (self._chosen.seed, GROWTH, iteration, player)
            learner.grow(self.game, self._board, player, self._chosen.learning.batch, seed)

    def _compiled(self) -> Policies:
        policies = make_policies(join([learner.patterns for learner in self.learners], self._board))
        self._write_weights(policies)
        return policies

    def _forest(self, rng: Generator) -> Forest:
        """Return the search of one player for one game; it sees when weights are written anew."""
        return Forest(self.game, self._chosen.search, [rng], rollouts=pattern_rollouts(self.game, self.policies))

    def _write_weights(self, policies: Policies) -> None:
        playing = self._chosen.search.playouts
        write_weights(policies, *([one.total(name) for one in self.learners] for name in (CE, playing)))

    def _play(self, iteration: int) -> PlayedGame:
        """Play a game, and learn after every move."""
        seed, memory = (self._chosen.seed, GAMES, iteration), make_pattern_memory(self.game, self.policies.patterns)
        for player, learner in enumerate(self.learners):
            learner.study(self.game, self.policies, memory, player)
        lots, lessons = generator(*seed, PLAYERS), self.rng(LEARNING, iteration)
        forests = [self._forest(generator(*seed, player)) for player in range(PLAYERS)]
        state, played = self.game.start(), PlayedGame()
        while True:
            pass_chance(state, played.actions, lots)
            if state.is_terminal or len(played.actions) >= self._chosen.play.max_plies:
                return played
            forest = forests[state.player]
            before, began = int(forest.simulated[0]), time.perf_counter()
            forest.aim(0, state)
            forest.search(self._chosen.search.simulations)
            played.simulations += int(forest.simulated[0]) - before
            played.seconds += time.perf_counter() - began
            shares = self._note(state, forest.found(0), played)
            action = forest.found(0).actions[choose(shares, len(shares), lots)]
            played.actions.append(int(action))
            state.apply(int(action))
            self._learn(played, lessons)

    def _note(self, state: State, found: Found, played: PlayedGame) -> Float64s:
        """Remember what the search found; return the shares of visits."""
        mover = state.player
        shares: Float64s = found.visits / found.visits.sum()
        values = np.where(found.visits > 0, found.values, -1.0)
        played.experiences[mover].append(Experience(state.memory.copy(), found.actions, shares, values))
        played.examples.append((state.facts(mover), found.actions.tolist(), shares.tolist()))
        return shares

    def _learn(self, played: PlayedGame, rng: np.random.Generator) -> None:
        """Let both players take a step of each objective."""
        for learner in self.learners:
            batch = learner.learn(self._chosen.learning.batch, rng)
            if batch is not None:
                loss, entropy = _progress(batch, learner.total(CE))
                played.losses.append(loss)
                played.entropies.append(entropy)
        self._write_weights(self.policies)

    def _episode(self, played: PlayedGame) -> Episode:
        state = self.game.start()
        for action in played.actions:
            state.apply(action)
        returns = state.returns() if state.is_terminal else [0.0] * self.game.players
        return Episode(samples_of(self.game, played.examples), played.actions, returns, played.simulations)

    def model(self) -> PatternModel:
        """Return the policies as they are now."""
        patterns = tuple(tuple(learner.patterns) for learner in self.learners)
        weights = {name: tuple(learner.weights[name].copy() for learner in self.learners) for name in OBJECTIVES}
        return PatternModel(patterns, weights)


def _progress(batch: PatternBatch, weights: Float64s) -> tuple[float, float]:
    """Return how far a policy is from the shares of visits, and its entropy; in nats, means over the batch."""
    policy, lessons = policy_of(batch, weights), len(batch.first)
    entropy = -float(policy @ np.log(np.maximum(policy, SMALLEST))) / lessons
    visited = batch.targets[batch.targets > 0.0]
    return cross_entropy(batch, weights) + float(visited @ np.log(visited)) / lessons, entropy


def _mean(measured: Sequence[float]) -> float:
    """Return the mean; not a number where nothing was measured, as in the first game, before any learning."""
    return float(np.mean(measured)) if measured else math.nan
