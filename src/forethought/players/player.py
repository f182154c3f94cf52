"""What a player is: given an observation, a probability for each legal action."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from forethought.game import Observation
from forethought.randomness import Generator


class Policy(NamedTuple):
    """Probabilities over the legal actions of one observation."""

    actions: tuple[int, ...]
    probabilities: tuple[float, ...]


class Player(Protocol):
    """Whoever can decide. A player sees observations only, never a hidden state."""

    def think(self, observation: Observation) -> Policy: ...


NewPlayer = Callable[[Generator], Player]


def uniform_policy(observation: Observation) -> Policy:
    actions = observation.legal_actions
    return Policy(actions, (1.0 / len(actions),) * len(actions))
