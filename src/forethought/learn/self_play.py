"""Self-play: the expert plays all seats of a game, and what it finds at each decision becomes a training example.

All seats share one search: it holds nothing that is hidden, only what walks through the whole game have taught. At each
decision it is aimed at what the player to move observes.
"""

import time
from dataclasses import dataclass
from threading import Event

import numpy as np

from forethought.game import Game
from forethought.learn.samples import Samples, samples_of
from forethought.nets.mlp import Mlp
from forethought.randomness import Generator, below, choose, uniform
from forethought.runtime import Stopped
from forethought.search.oos import OnlineOutcomeSampling, Settings


@dataclass(frozen=True)
class Expert:
    """How the expert thinks and plays."""

    settings: Settings
    simulations: int  # walks a decision
    exploration: float  # share of moves drawn uniformly
    network: Mlp | None  # whose policy the roll-outs follow; uniform without


@dataclass(frozen=True)
class Episode:
    """One game of self-play."""

    samples: Samples
    actions: list[int]  # chance's outcomes included
    returns: list[float]
    walks: int
    seconds: float  # of search


def play_episode(game: Game, expert: Expert, rng: Generator, stop: Event) -> Episode:
    """Play one game. Where only one action is legal there is nothing to think about, or to learn."""
    search = OnlineOutcomeSampling(game, expert.settings, rng, expert.network)
    state, examples, actions, searching = game.start(), [], [], 0.0
    while not state.is_terminal:
        legal = state.legal_actions()
        if state.is_chance:
            choice = choose(np.array(state.chance()), len(legal), rng)
        elif len(legal) == 1:
            choice = 0
        else:
            if stop.is_set():
                raise Stopped
            observation, began = state.observation(state.player), time.perf_counter()
            search.aim_at(observation)
            search.walks(expert.simulations)
            searching += time.perf_counter() - began
            found = search.policy(observation)
            examples.append((observation.facts, observation.legal_actions, found.tolist()))
            explores = expert.exploration > 0.0 and uniform(rng) < expert.exploration
            choice = below(len(legal), rng) if explores else choose(found, len(legal), rng)
        actions.append(legal[choice])
        state.apply(legal[choice])
    return Episode(samples_of(game, examples), actions, state.returns(), search.walked, searching)
