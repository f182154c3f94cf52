"""The player that asks a trained network, and does not search."""

from dataclasses import dataclass

from forethought.game import Game, Observation
from forethought.nets.networks import Network, load_network, policy_of
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player
from forethought.runs import weights_of
from forethought.settings import setting


class NetworkPlayer:
    """Plays the policy of a network; where nothing is hidden, its most probable action: there mixing gains nothing."""

    def __init__(self, network: Network, mixes: bool) -> None:
        self.network, self._mixes = network, mixes

    def think(self, observation: Observation) -> Policy:
        found = policy_of(self.network, observation.facts, observation.legal_actions)
        if not self._mixes:
            found = (found == found.max()) / (found == found.max()).sum()
        return Policy(observation.legal_actions, tuple(found.tolist()))


@register_player("net", label="Network without search")
@dataclass(frozen=True, kw_only=True)
class NetworkSettings(PlayerSettings):
    """Plays the policy of a run's network, without search."""

    run: str = setting("the run, or run@iteration, whose network plays", names="run")

    def new_player(self, game: Game) -> NewPlayer:
        network = load_network(weights_of(self.run), game)
        return lambda _rng: NetworkPlayer(network, mixes=game.hidden)
