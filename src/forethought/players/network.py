"""A player that asks a trained network, and does not search."""

from forethought.game import Game, Observation
from forethought.nets.inference import policy_of
from forethought.nets.mlp import Mlp, load_mlp
from forethought.players.player import NewPlayer, Policy
from forethought.runs import weights_of


class NetworkPlayer:
    """Plays the policy of a network."""

    def __init__(self, network: Mlp) -> None:
        self.network = network

    def think(self, observation: Observation) -> Policy:
        found = policy_of(self.network, observation.facts, observation.legal_actions)
        return Policy(observation.legal_actions, tuple(found.tolist()))


def net(game: Game, run: str) -> NewPlayer:
    """Plays what the network of a run says, without search: net:RUN, or net:RUN@iteration."""
    network = load_mlp(weights_of(run), game)
    return lambda _rng: NetworkPlayer(network)
