"""What a search has found elsewhere in its tree than at the decisions that were played, drawn to be learned from."""

import numpy as np

from forethought.arrays import Bools, Float64s, Int64s
from forethought.compiler import kernel
from forethought.learn.samples import Samples, no_samples
from forethought.randomness import Generator, uniforms
from forethought.search.oos.search import OnlineOutcomeSampling
from forethought.search.regret import Regrets, match_regrets


def drawn_samples(
    search: OnlineOutcomeSampling, by_weight: int, uniformly: int, rng: Generator, currents: bool = True
) -> Samples:
    """Return samples of some of the strategies that a search has found, drawn without replacement.

    Some by their weight in the averages, which is how often a player comes to an information set by its own choices:
    what it would not play towards, it need not learn to play well (Efraimidis and Spirakis). Of the others some
    uniformly, for their current policies: a player that does not come there now may do so later. Where nothing was
    added to an average, it is all zeros.
    """
    table, labels = search.table, search.table.labels
    offsets = labels.action_offsets[: int(table.infosets.used[0]) + 1]
    choices = np.diff(offsets)
    averages = table.entries[np.arange(offsets[-1]) + np.repeat(offsets[1:], choices)]
    totals = np.add.reduceat(averages, offsets[:-1])
    first = drawn_by_weight(totals, choices > 1, by_weight, rng)
    others = np.setdiff1d(np.flatnonzero(choices > 1), first)
    lots = uniforms(len(others), rng) if uniformly > 0 else np.zeros(0)
    rows = np.concatenate([first, others[np.argsort(lots, kind="stable")[:uniformly]]])
    width = int(np.diff(labels.fact_offsets)[rows].max(initial=0))
    samples = no_samples(width, search.game.actions, len(rows), currents=currents)
    write_samples(table, totals, rows, np.zeros(search.game.actions), samples)
    return samples


def drawn_by_weight(weights: Float64s, teaches: Bools, count: int, rng: Generator) -> Int64s:
    """Draw rows that teach something without replacement, in proportion to their weights; none of weight 0."""
    draws = uniforms(len(weights), rng)
    keys = np.where(weights > 0.0, np.log(1.0 - draws) / np.maximum(weights, 1e-300), -np.inf)
    keys[~teaches] = -np.inf
    return np.argsort(-keys, kind="stable")[: min(count, np.count_nonzero(keys > -np.inf))]


@kernel
def write_samples(table: Regrets, totals: Float64s, rows: Int64s, strategy: Float64s, out: Samples) -> None:
    """Write a sample for each of these rows of a table: the average policy, and the current one if it is wanted."""
    labels, entries = table.labels, table.entries
    for place in range(len(rows)):
        row = rows[place]
        first_fact, first = labels.fact_offsets[row], labels.action_offsets[row]
        known, count = labels.fact_offsets[row + 1] - first_fact, labels.action_offsets[row + 1] - first
        out.known[place], out.counts[place] = known, count
        for i in range(known):
            out.facts[place, i] = labels.facts[first_fact + i]
        for k in range(count):
            out.actions[place, k] = labels.actions[first + k]
            if totals[row] > 0.0:
                out.targets[place, k] = entries[2 * first + count + k] / totals[row]
        if out.currents.shape[1] > 0:
            match_regrets(table, 2 * first, count, strategy)
            for k in range(count):
                out.currents[place, k] = strategy[k]
