"""What a training will take, said before it begins: measured on a short search and a few random games."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.randomness import below, choose, generator

PROBE_SECONDS, PROBE_GAMES = 0.5, 50
ROW_BYTES = 24  # of a sample beside its facts (4 bytes each) and actions (8 each)


@dataclass(frozen=True)
class Forecast:
    seconds_per_iteration: float
    memory_bytes: float


class Expert(Protocol):
    """What a forecast asks of an algorithm; `Method` says what it means."""

    @property
    def simulations(self) -> int: ...

    @property
    def capacity(self) -> int: ...

    def probe(self, network: Any, seconds: float) -> float: ...

    def tree_bytes(self, walks: float) -> float: ...


def forecast(game: Game, configuration: Configuration, method: Expert, network: Any) -> Forecast:
    """Search a little from the first decision of a game, and count the decisions of random games."""
    rate = method.probe(network, PROBE_SECONDS)
    decisions, facts = _decisions(game)
    walks = decisions * method.simulations
    rows = method.capacity * decisions
    played = configuration.games * configuration.iterations * decisions
    samples = min(rows, played) * (ROW_BYTES + 4 * facts + 8 * game.actions)
    memory = method.tree_bytes(walks) * configuration.threads + samples
    return Forecast(configuration.games * walks / rate / configuration.threads, memory)


def _decisions(game: Game) -> tuple[float, int]:
    """Return how many real choices a random game has, and how many facts one of them shows at most."""
    rng, choices, widest = generator(1), 0, 0
    for _ in range(PROBE_GAMES):
        state = game.start()
        while not state.is_terminal:
            legal = state.legal_actions()
            if state.is_chance:
                state.apply(legal[choose(np.array(state.chance()), len(legal), rng)])
                continue
            choices += len(legal) > 1
            widest = max(widest, len(state.facts(state.player)))
            state.apply(legal[below(len(legal), rng)])
    return max(1.0, choices / PROBE_GAMES), widest
