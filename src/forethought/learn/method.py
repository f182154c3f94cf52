"""What algorithms of expert iteration differ in: the expert and its self-play, the network, and what it learns from."""

from collections.abc import Sequence
from threading import Event
from typing import NamedTuple, Protocol

import numpy as np

from forethought.learn.episodes import Episode
from forethought.learn.models import Model
from forethought.nets.mlp import Parameters
from forethought.nets.networks import Network
from forethought.randomness import Generator


class Lessons(NamedTuple):
    """How the apprentice learns."""

    rate: float
    decay: float  # of weights
    steps: int  # an iteration
    batch: int  # rows
    symmetries: bool  # whether examples are turned and reflected at random
    threads: int  # of torch


class Method(Protocol):
    """One algorithm, for one game and configuration."""

    @property
    def lessons(self) -> Lessons: ...

    @property
    def simulations(self) -> int:
        """How many walks a decision takes."""

    @property
    def capacity(self) -> int:
        """How many games are remembered."""

    @property
    def beta(self) -> float:
        """How far memory reaches back, in capacities."""

    @property
    def together(self) -> int:
        """How many games one worker plays at once."""

    def new_network(self, rng: np.random.Generator) -> tuple[Model, Parameters]:
        """Return the kind of network to train, and where it begins."""

    def play(self, network: Network, rngs: Sequence[Generator], stop: Event) -> list[Episode]:
        """Play a game for each generator."""

    def accepts(self, candidate: Network, best: Network, seed: Sequence[int]) -> bool:
        """Whether a network that has learned takes the place of the one that plays."""

    def probe(self, network: Network, seconds: float) -> float:
        """Search for so long from the start of a game; return walks a second."""

    def tree_bytes(self, walks: float) -> float:
        """Return how much memory a game's search takes."""
