"""What a training will take, said before it begins: measured on a short search and a few random games."""

import time
from dataclasses import dataclass

import numpy as np

from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.learn.training import expert_of
from forethought.nets.mlp import Mlp
from forethought.randomness import below, choose, generator
from forethought.search.oos import OnlineOutcomeSampling

PROBE_SECONDS, PROBE_GAMES = 0.5, 50
ROW_BYTES = 24  # of a sample beside its facts (4 bytes each) and actions (8 each)
INDEX_BYTES = 32  # of an information set in a search, beside its actions (16 each)


@dataclass(frozen=True)
class Forecast:
    seconds_per_iteration: float
    memory_bytes: float


def forecast(game: Game, configuration: Configuration, network: Mlp) -> Forecast:
    """Search a little from the first decision of a game, and count the decisions of random games."""
    expert = expert_of(configuration, network if configuration.search.rollouts == "network" else None)
    search = OnlineOutcomeSampling(game, expert.settings, generator(0), expert.network)
    search.walks(0)  # compiles what must be, before the clock starts
    began = time.perf_counter()
    search.walks_for(PROBE_SECONDS)
    rate = search.walked / (time.perf_counter() - began)
    decisions, facts = _decisions(game)
    walks = decisions * expert.simulations
    rows = configuration.memory.capacity * decisions
    played = configuration.games * configuration.iterations * decisions
    tree = min(walks, configuration.search.max_infosets) * (INDEX_BYTES + 16 * game.actions)
    samples = min(rows, played) * (ROW_BYTES + 4 * facts + 8 * game.actions)
    return Forecast(configuration.games * walks / rate / configuration.threads, tree * configuration.threads + samples)


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
