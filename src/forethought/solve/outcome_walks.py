"""The walks of outcome sampling: one game each. See `OutcomeSampling` in mccfr.py for what they add up, and why."""

from typing import NamedTuple

import numpy as np

from forethought.compiler import kernel, pointer
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.randomness import Generator, choose
from forethought.search.infosets import NO_ROW
from forethought.search.playouts import Scratch, make_scratch
from forethought.solve.regrets import Ints, Reals, Regrets, add_to_average, entry_of, has_room, match_regrets


class Path(NamedTuple):
    """The memory of one walk that is one game; the last four describe each decision of the updated player."""

    scratch: Scratch
    facts: Ints  # [fact_count]
    strategy: Reals  # [choices]
    reach: Reals  # [players] probability of each player's actions so far, as sampled
    firsts: Ints  # [plies] where its regrets begin, or NO_ROW
    counts: Ints  # [plies]
    choices: Ints  # [plies]
    probabilities: Reals  # [plies] of the choice, under the current strategy


def make_path(game: Game) -> Path:
    plies = game.plies
    return Path(
        make_scratch(game),
        facts=np.zeros(game.facts, np.int64),
        strategy=np.zeros(game.table.choices),
        reach=np.zeros(game.players),
        firsts=np.zeros(plies, np.int64),
        counts=np.zeros(plies, np.int64),
        choices=np.zeros(plies, np.int64),
        probabilities=np.zeros(plies),
    )


@kernel
def outcome_walks(
    game: Table, walked: int, walks: int, epsilon: float, table: Regrets, path: Path, rng: Generator
) -> int:
    """Do so many walks or as many as there is room for; return how many, -1 if a law of games broke."""
    scratch, reach, strategy = path.scratch, path.reach, path.strategy
    s, out, weights = pointer(scratch.state), pointer(scratch.choices), scratch.weights
    for walk in range(walks):
        if not has_room(game, table, game.plies):
            return walk
        updated = (walked + walk) % game.players
        scratch.state[:] = 0
        game.start(s)
        player = game.player(s)
        reach[:] = 1.0
        everybody = 1.0  # the product of `reach`
        decisions = plies = 0
        while player != TERMINAL:
            count = game.legal(s, out)
            if count < 1 or count > game.choices or plies == game.plies:
                return -1
            if player == CHANCE:
                game.chance(s, pointer(weights))
                choice = choose(weights, count, rng)
            else:
                known = game.facts(s, player, pointer(path.facts))
                first = entry_of(table, path.facts, known, scratch.choices, count)
                match_regrets(table.regrets, first, count, strategy)
                if player == updated:
                    explore(strategy, count, epsilon, weights)
                    choice = choose(weights, count, rng)
                    probability = weights[choice]
                    path.firsts[decisions], path.counts[decisions], path.choices[decisions] = first, count, choice
                    path.probabilities[decisions] = strategy[choice]
                    decisions += 1
                else:
                    add_to_average(table.averages, first, count, strategy, reach[player] / everybody)
                    choice = choose(strategy, count, rng)
                    probability = strategy[choice]
                reach[player] *= probability
                everybody *= probability
            game.apply(s, scratch.choices[choice])
            player = game.player(s)
            plies += 1
        game.returns(s, pointer(scratch.returns))
        learn_upwards(table.regrets, path, decisions, scratch.returns[updated] / reach[updated])
    return walks


@kernel
def explore(strategy: Reals, count: int, epsilon: float, weights: Reals) -> None:
    """Write the strategy mixed with uniform play."""
    for i in range(count):
        weights[i] = epsilon / count + (1.0 - epsilon) * strategy[i]


@kernel
def learn_upwards(regrets: Reals, path: Path, decisions: int, won: float) -> None:
    """Update regrets from the last decision to the first; `won` is weighted by importance."""
    for i in range(decisions - 1, -1, -1):
        after, first = won, path.firsts[i]
        won *= path.probabilities[i]
        if first != NO_ROW:
            for action in range(first, first + path.counts[i]):
                regrets[action] -= won
            regrets[first + path.choices[i]] += after
