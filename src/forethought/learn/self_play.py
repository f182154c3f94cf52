"""Self-play by Online Outcome Sampling: what the expert finds at each decision becomes a training example.

The expert plays all seats of a game. All seats share one search: it holds nothing that is hidden, only what walks
through the whole game have taught. At each decision it is aimed at what the player to move observes.
"""

from dataclasses import dataclass
from threading import Event

import numpy as np

from forethought.game import Game
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.samples import Example, samples_of
from forethought.nets.mlp import Mlp
from forethought.randomness import Generator, below, choose, uniform
from forethought.runtime.executor import Stopped
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.solve.mccfr import average_policy


@dataclass(frozen=True)
class Expert:
    """How the expert thinks and plays."""

    settings: OosSettings
    simulations: int  # walks a decision
    exploration: float  # share of moves drawn uniformly
    network: Mlp | None  # whose policy the roll-outs follow; uniform without
    aside: int = 0  # examples from information sets of the search beside those that were played


def play_episode(game: Game, expert: Expert, rng: Generator, stop: Event) -> Episode:
    """Play one game."""
    search = OnlineOutcomeSampling(game, expert.settings, rng, expert.network, labelled=expert.aside > 0)
    state, examples, actions = game.start(), list[Example](), list[int]()
    pass_chance(state, actions, rng)
    while not state.is_terminal:
        if stop.is_set():
            raise Stopped
        observation = state.observation(state.player)
        legal = observation.legal_actions
        search.aim_at(observation)
        search.simulate(expert.simulations)
        found = search.policy(observation)
        examples.append((observation.facts, legal, found.tolist()))
        explores = expert.exploration > 0.0 and uniform(rng) < expert.exploration
        choice = below(len(legal), rng) if explores else choose(found, len(legal), rng)
        actions.append(legal[choice])
        state.apply(legal[choice])
        pass_chance(state, actions, rng)
    examples += concluded(search, expert.aside, rng) if expert.aside > 0 else []
    return Episode(samples_of(game, examples), actions, state.returns(), search.simulated)


def concluded(search: OnlineOutcomeSampling, count: int, rng: Generator) -> list[Example]:
    """Return so many of the strategies that a search has found, drawn in proportion to their weight in the averages.

    That is how often a player comes to an information set by its own choices: what it would not play towards, it need
    not learn to play well. Without replacement (Efraimidis and Spirakis).
    """
    found = average_policy(search.game, search.table, {})
    offsets = found.action_offsets
    entries = np.arange(offsets[-1]) + np.repeat(offsets[1:], np.diff(offsets))
    totals = np.add.reduceat(search.table.entries[entries], offsets[:-1]) * (np.diff(offsets) > 1)
    draws = np.array([uniform(rng) for _ in range(len(totals))])
    keys = np.where(totals > 0.0, np.log(1.0 - draws) / np.maximum(totals, 1e-300), -np.inf)
    best = [int(row) for row in np.argsort(-keys, kind="stable")[:count] if keys[row] > -np.inf]
    return [
        (
            found.facts[found.fact_offsets[row] : found.fact_offsets[row + 1]].tolist(),
            found.actions[offsets[row] : offsets[row + 1]].tolist(),
            found.probabilities[offsets[row] : offsets[row + 1]].tolist(),
        )
        for row in best
    ]
