"""A learner in one file: REINFORCE (Williams, 1992) with a policy that is linear in what a player knows, by NumPy.

FORETHOUGHT_PLUGINS=my_learner.py forethought train leduc --algorithm reinforce --run mine
FORETHOUGHT_PLUGINS=my_learner.py forethought match leduc reinforce:mine random
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from forethought.arrays import Float64s
from forethought.game import Game, Observation
from forethought.games.reference import GameReference, reference_to
from forethought.learn.configuration import Configuration
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.learner import GAMES, Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.samples import Example, samples_of
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player
from forethought.randomness import choose, generator
from forethought.runs import weights_of
from forethought.runtime.executor import Stopped, Stopping
from forethought.settings import Settings, setting
from forethought.tensors import Format, read_tensors, write_tensors

FORMAT = Format("my linear policy 1", "linear policy", "`forethought train GAME --algorithm reinforce` makes one")


def probabilities(weights: Float64s, facts: Sequence[int], actions: Sequence[int]) -> Float64s:
    """Return the policy over some actions: a softmax of the weights [facts, actions] of the facts that hold."""
    logits = weights[np.ix_(facts, actions)].sum(axis=0)
    chances = np.exp(logits - logits.max())
    return np.asarray(chances / chances.sum())


# The player that uses what was learned.


class LinearPolicyPlayer:
    """Draws its actions from the policy."""

    def __init__(self, weights: Float64s) -> None:
        self._weights = weights

    def think(self, observation: Observation) -> Policy:
        actions = observation.legal_actions
        return Policy(actions, tuple(probabilities(self._weights, observation.facts, actions).tolist()))


@register_player("reinforce", label="REINFORCE")
@dataclass(frozen=True, kw_only=True)
class LinearPolicySettings(PlayerSettings):
    """Plays the linear policy of a run."""

    run: str = setting("the run, or run@iteration, whose policy plays", names="run")

    def new_player(self, game: Game) -> NewPlayer:
        file = read_tensors(weights_of(self.run), FORMAT)
        file.check_about(game.spec, spec=game.spec)
        return lambda _rng: LinearPolicyPlayer(file.arrays["weights"])


# The learner.


@dataclass(frozen=True, kw_only=True)
class ReinforceLearning(Settings):
    """How the policy learns."""

    rate: float = setting("step along the gradient of the mean return", 0.2, above=0.0)


@dataclass(frozen=True, kw_only=True)
class ReinforceConfiguration(Configuration):
    """A training by REINFORCE; what other learners need too is inherited."""

    learning: ReinforceLearning = field(default_factory=ReinforceLearning)


@dataclass(frozen=True)
class SelfPlayGames:
    """Games to play with the policy as it is: plain data, for any executor."""

    reference: GameReference
    weights: Float64s
    seed: int
    iteration: int
    indexes: tuple[int, ...]


@register_learner("reinforce", ReinforceConfiguration, label="REINFORCE")
class Reinforce(Learner):
    """All seats play by one policy; an action becomes more probable the more its game was worth."""

    metrics: ClassVar[Sequence[Metric]] = (Metric("entropy", "Entropy of the policy", "nats"),)

    def __init__(self, game: Game, configuration: ReinforceConfiguration) -> None:
        super().__init__(game, configuration)
        self._rate = configuration.learning.rate
        self._weights = np.zeros((game.facts, game.actions))

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        reference, seed = reference_to(self.game), self.configuration.seed
        missing = play.missing(self.configuration.games)
        jobs = [SelfPlayGames(reference, self._weights.copy(), seed, number, (index,)) for index in missing]
        entropies = [self._learn(game) for game in play.episodes(play_games, jobs)]
        return {"entropy": float(np.mean(entropies))}

    def _learn(self, game: SavedGame) -> float:
        """Take a step for every decision of a game; return the mean entropy of the policy there."""
        gradient, entropy, rows = np.zeros_like(self._weights), 0.0, game.samples.rows
        for row in range(rows):
            facts, actions, played = game.samples.row(row)
            policy = probabilities(self._weights, facts, actions)
            gradient[np.ix_(facts, actions)] += game.samples.values[row, 0] * (np.array(played) - policy)
            entropy -= float(policy @ np.log(policy))
        self._weights += self._rate / self.configuration.games * gradient
        return entropy / max(1, rows)

    def state(self) -> LearnerState:
        return LearnerState({"weights": self._weights})

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:
        self._weights = state.arrays["weights"].copy()

    def export(self, path: Path) -> None:
        write_tensors(path, FORMAT, {"weights": self._weights}, {"spec": self.game.spec})

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        return {"policy": LinearPolicySettings(run=run)}


def play_games(job: SelfPlayGames, stopping: Stopping) -> list[Episode]:
    """Play the games of a job: a task for an executor. The seed, the iteration and the index decide each game."""
    return [play_game(job, index, stopping) for index in job.indexes]


def play_game(job: SelfPlayGames, index: int, stopping: Stopping) -> Episode:
    """Play one game; its samples tell what was played at each decision, and what whoever played it has won."""
    game, rng = job.reference.game, generator(job.seed, GAMES, job.iteration, index)
    state, actions, movers, examples = game.start(), list[int](), list[int](), list[Example]()
    while True:
        pass_chance(state, actions, rng)
        if state.is_terminal:
            break
        if stopping():
            raise Stopped
        legal, facts = state.legal_actions(), state.facts(state.player)
        choice = choose(probabilities(job.weights, facts, legal), len(legal), rng)
        examples.append((facts, legal, [float(place == choice) for place in range(len(legal))]))
        movers.append(state.player)
        actions.append(legal[choice])
        state.apply(legal[choice])
    returns = state.returns()
    values = np.array([[returns[mover]] for mover in movers], np.float32).reshape(-1, 1)
    return Episode(samples_of(game, examples, values), actions, returns, simulations=0)
