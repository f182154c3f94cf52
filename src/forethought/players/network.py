"""The player that asks a trained network, and does not search."""

from collections.abc import Sequence
from dataclasses import dataclass

from forethought.arrays import Float64s
from forethought.game import Game, Observation
from forethought.nets.backends import BackendSettings, load_evaluator
from forethought.nets.evaluator import Evaluator, QuestionBatch, policy_of
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

    def new_player(self, game: Game) -> NewPlayer:
        network = load_evaluator(weights_of(self.run), game, self.backend)
        return lambda _rng: NetworkPlayer(network, self._greedy(game))

    def new_group(self, game: Game) -> NewGroup:
        network = load_evaluator(weights_of(self.run), game, self.backend)
        return lambda rngs: NetworkGroup(network, game, len(rngs), self._greedy(game))

    def _greedy(self, game: Game) -> bool:
        return self.greedy == "always" or (self.greedy == "auto" and not game.hidden)
