"""What tests of searches share: positions, tables filled by hand, and what walks add to a table that is held fixed."""

from math import inf

import numpy as np
import numpy.typing as npt

import forethought as ft
from forethought.search.infosets import key_of
from forethought.search.oos.search import OnlineOutcomeSampling
from forethought.search.regret import Regrets, add_entry, make_regrets
from tests.naive.mccfr import Sums
from tests.solve.trees import tree_of


def decisions_of_a_game(game: ft.Game, seed: int) -> list[ft.State]:
    """The decisions of one random game."""
    rng, found, s = np.random.default_rng(seed), [], game.start()
    while not s.is_terminal:
        if not s.is_chance:
            found.append(s.clone())
        s.apply(int(rng.choice(s.legal_actions())))
    return found


def preloaded(spec: str, plies: float = inf) -> Regrets:
    """A table with all information sets in which so many facts at most are known, and room for no other."""
    tree, table = tree_of(spec), make_regrets(10**6, labelled=True, rows=2000)
    for row in range(tree.infosets):
        facts, actions = np.array(tree.row_facts(row), np.int64), np.array(tree.row_actions(row), np.int64)
        if len(facts) <= plies:
            add_entry(table, np.uint64(key_of(facts, len(facts))), facts, len(facts), actions, len(actions))
    return table._replace(max_rows=int(table.infosets.used[0]))


def by_facts(table: Regrets) -> tuple[Sums, Sums]:
    """Regrets and averages."""
    labels, regrets, averages = table.labels, {}, {}
    for row in range(int(table.infosets.used[0])):
        facts = tuple(labels.facts[labels.fact_offsets[row] : labels.fact_offsets[row + 1]].tolist())
        first, end = 2 * labels.action_offsets[row], 2 * labels.action_offsets[row + 1]
        middle = (first + end) // 2
        regrets[facts], averages[facts] = table.entries[first:middle].tolist(), table.entries[middle:end].tolist()
    return regrets, averages


def random_decision(game: ft.Game, seed: int, plies: int) -> ft.State:
    """A decision that a random game comes to after so many plies, or soon after."""
    rng, s = np.random.default_rng(seed), game.start()
    for _ in range(plies):
        s.apply(int(rng.choice(s.legal_actions())))
    while s.is_chance:
        s.apply(int(rng.choice(s.legal_actions())))
    return s


def fixed_increments(search: OnlineOutcomeSampling, batches: int, size: int) -> npt.NDArray[np.float64]:
    """What batches of so many walks add to each entry; the table is left with regrets at which it was held.

    The strategies are held fixed by regrets so large that what walks add to them makes no difference.
    """
    entries, used = search.table.entries, int(search.table.used[0])
    fixed = 1e9 * np.random.default_rng(4).uniform(0.2, 1.0, used)
    added = np.zeros((batches, used))
    for batch in range(batches):
        entries[:used] = fixed
        search.simulate(size)
        added[batch] = entries[:used] - fixed
    entries[:used] = fixed
    return added
