"""TSPG: linear policies on patterns that grow, learned from tree search which they bias (Soemers and others, 2019).

Both players search, each with a tree, a memory, patterns and weights of its own. After every move both learn from what
they remember of earlier games; before every game but the first each gains a pattern. All of it, memories included, is
in the checkpoint of a game, and everything random in a game is drawn from generators that the run's seed and the game's
number decide. So a run that is stopped goes on as if it never had: the game that was being played is played again.
"""

import time
from dataclasses import asdict, dataclass, field

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, State
from forethought.learn.biased_expert import BiasedExpert
from forethought.learn.configuration import TspgConfiguration
from forethought.learn.episodes import pass_chance
from forethought.learn.events import ITERATION, IterationReport
from forethought.learn.gradients import Batch, cross_entropy, policy_of
from forethought.learn.loop import GAMES, GROWTH, LESSONS, Listener, Loop
from forethought.learn.pattern_learner import Experience, PatternLearner, learner_of, state_of
from forethought.learn.progress import Examiner, Measured
from forethought.learn.run import Run
from forethought.learn.samples import Example, samples_of
from forethought.patterns.atomic import starting_patterns
from forethought.patterns.incremental import make_standing
from forethought.patterns.model import CE, OBJECTIVES, PLAYERS, TSPG, PatternModel, board_of, save_model
from forethought.patterns.policies import Policies, join, make_policies, write_weights
from forethought.players.linear import PatternPlayer
from forethought.randomness import choose, generator
from forethought.search.mcts.forest import Found

SMALLEST = 1e-300  # probability whose logarithm is taken


@dataclass
class Played:
    """A game of self-play, and how the lessons during it went."""

    actions: list[int] = field(default_factory=list)
    experiences: tuple[list[Experience], ...] = field(default_factory=lambda: ([], []))  # by player
    examples: list[Example] = field(default_factory=list)
    walks: int = 0
    seconds: float = 0.0  # of searching
    losses: list[float] = field(default_factory=list)  # divergence of ce from the shares of visits
    entropies: list[float] = field(default_factory=list)  # of ce


class TspgTraining(Loop):
    """A run of TSPG."""

    def __init__(self, run: Run, game: Game) -> None:
        super().__init__(run, game)
        assert isinstance(run.configuration, TspgConfiguration)  # noqa: S101 (`training_of` has seen to it)
        self._chosen, self._board = run.configuration, board_of(game)
        self.method = BiasedExpert(game, run.configuration)
        exam, seed = run.configuration.evaluation, run.configuration.seed
        self._examiner = Examiner(game, exam.against, max(exam.games, game.players), seed)
        checkpoint, pace = run.newest_checkpoint(), self.method.pace
        if checkpoint is None:
            first, capacity = starting_patterns(game), self._chosen.memory.capacity
            self.learners = [PatternLearner(first, pace, capacity) for _ in range(PLAYERS)]
        else:
            self.iteration = checkpoint.iteration
            self.learners = [
                learner_of(checkpoint.arrays, checkpoint.about, player, pace, self._chosen.memory.capacity)
                for player in range(PLAYERS)
            ]
        self.network = self._compiled()

    def _iterate(self, iteration: int, listen: Listener) -> IterationReport:
        began, chosen = time.perf_counter(), self._chosen
        if chosen.learning.grow:
            self._grow(iteration)
        self.network = self._compiled()
        played = self._play(iteration)
        for learner, experiences in zip(self.learners, played.experiences, strict=True):
            learner.memory.extend(experiences)
        listen(iteration, 1)
        self._keep(iteration, played)
        exam = self._examine(iteration)
        report = IterationReport(
            iteration=iteration,
            games=1,
            samples=len(played.examples),
            walks=played.walks,
            seconds=time.perf_counter() - began,
            search_seconds=played.seconds,
            walks_per_second=played.walks / max(played.seconds, 1e-9),
            games_per_second=1.0 / (time.perf_counter() - began),
            loss=float(np.mean(played.losses)) if played.losses else 0.0,
            entropy=float(np.mean(played.entropies)) if played.entropies else 0.0,
            remembered=sum(len(learner.memory) for learner in self.learners),
            **(asdict(exam) if exam else {}),
        )
        self.run.report(ITERATION, **asdict(report))
        self.run.save_checkpoint(iteration, *state_of(self.learners))
        self.iteration = iteration
        return report

    def _grow(self, iteration: int) -> None:
        """Give each player that remembers anything one more pattern."""
        standing = make_standing(self.game, self.network.patterns)
        for player, learner in enumerate(self.learners):
            learner.study(self.game, self.network, standing, player)
            seed = (self._chosen.seed, GROWTH, iteration, player)
            learner.grow(self.game, self._board, player, self._chosen.learning.batch, seed)

    def _compiled(self) -> Policies:
        policies = make_policies(join([learner.patterns for learner in self.learners], self._board))
        self._write_weights(policies)
        return policies

    def _write_weights(self, policies: Policies) -> None:
        playing = self._chosen.search.playouts
        write_weights(policies, *([one.total(name) for one in self.learners] for name in (CE, playing)))

    def _play(self, iteration: int) -> Played:
        """Play a game, and learn after every move."""
        seed, standing = (self._chosen.seed, GAMES, iteration), make_standing(self.game, self.network.patterns)
        for player, learner in enumerate(self.learners):
            learner.study(self.game, self.network, standing, player)
        lots, lessons = generator(*seed, PLAYERS), self._rng(LESSONS, iteration)
        forests = [self.method.forest(self.network, generator(*seed, player)) for player in range(PLAYERS)]
        state, played = self.game.start(), Played()
        while True:
            pass_chance(state, played.actions, lots)
            if state.is_terminal or len(played.actions) >= self._chosen.play.plies:
                return played
            forest = forests[state.player]
            before, began = int(forest.simulated[0]), time.perf_counter()
            forest.aim(0, state)
            forest.search(self.method.simulations)
            played.walks += int(forest.simulated[0]) - before
            played.seconds += time.perf_counter() - began
            shares = self._note(state, forest.found(0), played)
            action = forest.found(0).actions[choose(shares, len(shares), lots)]
            played.actions.append(int(action))
            state.apply(int(action))
            self._learn(played, lessons)

    def _note(self, state: State, found: Found, played: Played) -> Float64s:
        """Remember what the search found; return the shares of visits."""
        mover = state.player
        shares: Float64s = found.visits / found.visits.sum()
        values = np.where(found.visits > 0, found.values, -1.0)
        played.experiences[mover].append(Experience(state.memory.copy(), found.actions, shares, values))
        played.examples.append((state.facts(mover), found.actions.tolist(), shares.tolist()))
        return shares

    def _learn(self, played: Played, rng: np.random.Generator) -> None:
        """Let both players take a step of each objective."""
        for learner in self.learners:
            batch = learner.learn(self._chosen.learning.batch, rng)
            if batch is not None:
                loss, entropy = _progress(batch, learner.total(CE))
                played.losses.append(loss)
                played.entropies.append(entropy)
        self._write_weights(self.network)

    def _keep(self, iteration: int, played: Played) -> None:
        """Write the game, and the policies for players."""
        state = self.game.start()
        for action in played.actions:
            state.apply(action)
        returns = state.returns() if state.is_terminal else [0.0] * self.game.players
        about = {"actions": played.actions, "returns": returns, "walks": played.walks}
        self.run.save_game(iteration, 0, samples_of(self.game, played.examples), about)
        self.run.close_iteration(iteration)
        save_model(self.run.weights_file(iteration), self.model(), self.game)

    def model(self) -> PatternModel:
        """Return the policies as they are now."""
        patterns = tuple(tuple(learner.patterns) for learner in self.learners)
        weights = {name: tuple(learner.weights[name].copy() for learner in self.learners) for name in OBJECTIVES}
        return PatternModel(patterns, weights)

    def _examine(self, iteration: int) -> Measured | None:
        if not self._exam_due(iteration):
            return None
        policies = self.model().policies(self.game, priors=TSPG, playing=TSPG)
        return self._examiner.match(lambda _rng: PatternPlayer(self.game, policies))


def _progress(batch: Batch, weights: Float64s) -> tuple[float, float]:
    """Return how far a policy is from the shares of visits, and its entropy; in nats, means over the batch."""
    policy, lessons = policy_of(batch, weights), len(batch.first)
    entropy = -float(policy @ np.log(np.maximum(policy, SMALLEST))) / lessons
    visited = batch.targets[batch.targets > 0.0]
    return cross_entropy(batch, weights) + float(visited @ np.log(visited)) / lessons, entropy
