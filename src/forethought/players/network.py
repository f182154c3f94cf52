"""A player that asks a trained network, and does not search."""

from forethought.game import Game, Observation
from forethought.nets.networks import Network, load_network, policy_of
from forethought.players.player import NewPlayer, Policy
from forethought.runs import weights_of


class NetworkPlayer:
    """Plays the policy of a network; where nothing is hidden, what it finds most likely: there mixing gains nothing."""

    def __init__(self, network: Network, mixes: bool) -> None:
        self.network, self._mixes = network, mixes

    def think(self, observation: Observation) -> Policy:
        found = policy_of(self.network, observation.facts, observation.legal_actions)
        if not self._mixes:
            found = (found == found.max()) / (found == found.max()).sum()
        return Policy(observation.legal_actions, tuple(found.tolist()))


def net(game: Game, run: str) -> NewPlayer:
    """Plays what the network of a run says, without search: net:RUN, or net:RUN@iteration."""
    network = load_network(weights_of(run), game)
    return lambda _rng: NetworkPlayer(network, mixes=game.hidden)
