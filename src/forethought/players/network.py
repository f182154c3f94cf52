"""The player that asks a trained network, and does not search."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from forethought.arrays import Float64s
from forethought.compiler import kernel
from forethought.game import Game, Observation
from forethought.nets.backends import BackendSettings, PolicyPartSettings, load_evaluator
from forethought.nets.evaluator import Evaluator, QuestionBatch, answer, is_compiled, policy_of
from forethought.nets.questions import Questions
from forethought.player import NewGroup, NewPlayer, PlayerSettings, Policy, register_player
from forethought.runs import weights_of
from forethought.settings import changed, setting


class NetworkPlayer:
    """Plays the policy of a network; where nothing is hidden, its most probable action: there mixing gains nothing."""

    def __init__(self, network: Evaluator, greedy: bool) -> None:
        self.network, self._greedy = network, greedy

    def think(self, observation: Observation) -> Policy:
        found = policy_of(self.network, observation.facts, observation.legal_actions)
        return Policy(observation.legal_actions, played(found, self._greedy))


def played(policy: Float64s, greedy: bool) -> tuple[float, ...]:
    """Return what is played of a policy: all of it, or the most probable actions alone."""
    best = policy == policy.max()
    return tuple((best / best.sum() if greedy else policy).tolist())


class Greedy(NamedTuple):
    """The most probable actions of a compiled network, for kernels."""

    network: Any

    def scratch(self, rows: int) -> Any:
        return self.network.scratch(rows)


@answer.register(Greedy)
@kernel
def answer_greedily(greedy: Greedy, questions: Questions, rows: int, scratch: Any) -> None:
    """Answer as `played` does: equally good actions share the probability."""
    answer(greedy.network, questions, rows, scratch)
    for row in range(rows):
        policy, count = questions.policies[row], questions.counts[row]
        highest, ties = 0.0, 0
        for k in range(count):
            if policy[k] > highest:
                highest, ties = policy[k], 0
            ties += policy[k] == highest
        for k in range(count):
            policy[k] = 1.0 / ties if policy[k] == highest else 0.0


class NetworkGroup:
    """Players that ask one network about several games at once."""

    def __init__(self, network: Evaluator, game: Game, games: int, greedy: bool) -> None:
        self._greedy, self._batch = greedy, QuestionBatch(network, game, games)

    def think(self, games: Sequence[int], observations: Sequence[Observation]) -> list[Policy]:  # noqa: ARG002
        found = self._batch.policies([(seen.facts, seen.legal_actions) for seen in observations])
        return [
            Policy(seen.legal_actions, played(row, self._greedy)) for seen, row in zip(observations, found, strict=True)
        ]


@register_player("net", label="Network without search")
@dataclass(frozen=True, kw_only=True)
class NetworkSettings(PlayerSettings):
    """Plays the policy of a run's network, without search."""

    run: str = setting("the run, or run@iteration, whose network plays", names="run")
    greedy: str = setting(
        "play the most probable action alone; auto: where nothing is hidden", "auto", words=("auto", "always", "never")
    )
    backend: str = changed(BackendSettings, "backend")
    policy: str = changed(PolicyPartSettings, "policy")

    def new_player(self, game: Game) -> NewPlayer:
        network = self._network(game)
        return lambda _rng: NetworkPlayer(network, self._greedy(game))

    def new_group(self, game: Game) -> NewGroup:
        network = self._network(game)
        return lambda rngs: NetworkGroup(network, game, len(rngs), self._greedy(game))

    def compiled(self, game: Game) -> Any | None:
        network = self._network(game)
        if not is_compiled(network):
            return None
        return Greedy(network) if self._greedy(game) else network

    def _network(self, game: Game) -> Evaluator:
        return load_evaluator(weights_of(self.run), game, self.backend, self.policy)

    def _greedy(self, game: Game) -> bool:
        return self.greedy == "always" or (self.greedy == "auto" and not game.hidden)
