"""Players: given an observation, a probability for each legal action. Named by a string wherever a player is wanted."""

from typing import NamedTuple, Protocol

from forethought.errors import ForethoughtError
from forethought.game import Observation

KINDS = ("random",)


class Policy(NamedTuple):
    """Probabilities over the legal actions of one observation."""

    actions: tuple[int, ...]
    probabilities: tuple[float, ...]


class Player(Protocol):
    """Whoever can decide. A player sees observations only, never a hidden state."""

    def think(self, observation: Observation) -> Policy: ...


class RandomPlayer:
    """Plays every legal action equally often."""

    def think(self, observation: Observation) -> Policy:
        actions = observation.legal_actions
        return Policy(actions, (1.0 / len(actions),) * len(actions))


def make_player(spec: str) -> Player:
    """Make the player a string names."""
    if spec.strip() == "random":
        return RandomPlayer()
    raise ForethoughtError(f"There is no player '{spec}'; players are {', '.join(KINDS)}.")
