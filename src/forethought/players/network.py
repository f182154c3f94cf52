"""The player that asks a trained network, and does not search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from forethought.compiler import kernel
from forethought.game import Game, Observation
from forethought.nets.backends import BackendSettings, PolicyPartSettings, load_evaluator
from forethought.nets.evaluator import Evaluator, QuestionBatch, answer, is_compiled, policy_of
from forethought.nets.questions import Questions
from forethought.player import NewGroup, NewPlayer, PlayerSettings, Policy, register_player
from forethought.runs import weights_of
from forethought.settings import changed, setting
from forethought.thresholds import ThresholdSettings, thresholded


class NetworkPlayer:
    """Plays the policy of a network, or its more probable actions alone (see `thresholded`)."""

    def __init__(self, network: Evaluator, threshold: float) -> None:
        self.network, self._threshold = network, threshold

    def think(self, observation: Observation) -> Policy:
        found = policy_of(self.network, observation.facts, observation.legal_actions)
        return Policy(observation.legal_actions, tuple(thresholded(found, self._threshold).tolist()))


class Thresholded(NamedTuple):
    """The more probable actions of a compiled network, for kernels."""

    network: Any
    threshold: float

    def scratch(self, rows: int) -> Any:
        return self.network.scratch(rows)


@answer.register(Thresholded)
@kernel
def answer_above_threshold(net: Thresholded, questions: Questions, rows: int, scratch: Any) -> None:
    """Answer as `thresholded` does."""
    answer(net.network, questions, rows, scratch)
    for row in range(rows):
        policy, count = questions.policies[row], questions.counts[row]
        highest, total = 0.0, 0.0
        for k in range(count):
            highest = max(highest, policy[k])
        for k in range(count):
            if policy[k] < net.threshold * highest:
                policy[k] = 0.0
            total += policy[k]
        for k in range(count):
            policy[k] /= total


class NetworkGroup:
    """Players that ask one network about several games at once."""

    def __init__(self, network: Evaluator, game: Game, games: int, threshold: float) -> None:
        self._threshold, self._batch = threshold, QuestionBatch(network, game, games)

    def think(self, games: Sequence[int], observations: Sequence[Observation]) -> list[Policy]:  # noqa: ARG002
        found = self._batch.policies([(seen.facts, seen.legal_actions) for seen in observations])
        return [
            Policy(seen.legal_actions, tuple(thresholded(row, self._threshold).tolist()))
            for seen, row in zip(observations, found, strict=True)
        ]


@register_player("net", label="Network without search")
@dataclass(frozen=True, kw_only=True)
class NetworkSettings(PlayerSettings):
    """Plays the policy of a run's network, without search."""

    run: str = setting("the run, or run@iteration, whose network plays", names="run")
    greedy: str = setting(
        "play the most probable action alone; auto: where nothing is hidden", "auto", words=("auto", "always", "never")
    )
    threshold: float = changed(ThresholdSettings, "threshold")
    backend: str = changed(BackendSettings, "backend")
    policy: str = changed(PolicyPartSettings, "policy")

    def new_player(self, game: Game) -> NewPlayer:
        network = self._network(game)
        return lambda _rng: NetworkPlayer(network, self._threshold(game))

    def new_group(self, game: Game) -> NewGroup:
        network = self._network(game)
        return lambda rngs: NetworkGroup(network, game, len(rngs), self._threshold(game))

    def compiled(self, game: Game) -> Any | None:
        network = self._network(game)
        if not is_compiled(network):
            return None
        threshold = self._threshold(game)
        return Thresholded(network, threshold) if threshold > 0.0 else network

    def _network(self, game: Game) -> Evaluator:
        return load_evaluator(weights_of(self.run), game, self.backend, self.policy)

    def _threshold(self, game: Game) -> float:
        greedy = self.greedy == "always" or (self.greedy == "auto" and not game.hidden)
        return 1.0 if greedy else self.threshold
