"""Updates by baselines (VR-MCCFR, Schmid and others, 2019): the same expectation, with less noise.

Every action of an information set has a baseline, a moving average of what followed it. The value of an action is its
baseline and, for the choice, also (what followed - baseline) / (probability of sampling the choice): unbiased whatever
the baselines are, and without noise where they are right.
"""

from forethought.compiler import inlined_kernel
from forethought.game import CHANCE
from forethought.search.oos.memory import OosAim, Walks
from forethought.search.regret import Regrets


@inlined_kernel
def keep_step(walks: Walks, slot: int, player: int, first: int, choice: int, sampled: float, weight: float) -> None:
    """Keep a step until the walk's end, for an update by baselines."""
    path, steps, count = walks.path, walks.path.steps, walks.questions.counts[slot]
    last = path.decisions[slot]
    path.firsts[slot, last], path.counts[slot, last], path.choices[slot, last] = first, count, choice
    steps.owners[slot, last], steps.sampled[slot, last], steps.weights[slot, last] = player, sampled, weight
    policy = walks.strategy if player == path.updated[slot] else walks.sampling
    for i in range(count):
        steps.policies[slot, last, i] = policy[i]
    path.decisions[slot] = last + 1


@inlined_kernel
def back_up_by_baselines(aim: OosAim, table: Regrets, walks: Walks, slot: int, returned: float) -> None:
    """Update the regrets on the path of a finished walk, and the baselines."""
    path, steps, updated, won = walks.path, walks.path.steps, walks.path.updated[slot], returned
    for i in range(path.decisions[slot] - 1, -1, -1):
        first, count, choice = path.firsts[slot, i], path.counts[slot, i], path.choices[slot, i]
        owner, policy, sampled = steps.owners[slot, i], steps.policies[slot, i], steps.sampled[slot, i]
        sign = 1.0 if owner == updated else -1.0
        if owner == CHANCE or (owner != updated and not aim.opposed):
            won *= policy[choice] / sampled
            continue
        surprise = (sign * won - table.baselines[first + choice]) / sampled
        mean = policy[choice] * surprise
        for k in range(count):
            mean += policy[k] * table.baselines[first + k]
        if owner == updated:
            for k in range(count):
                table.entries[first + k] += steps.weights[slot, i] * (table.baselines[first + k] - mean)
            table.entries[first + choice] += steps.weights[slot, i] * surprise
        move_baseline(table, first + choice, first + count + choice, sign * won, aim.baseline_rate)
        won = sign * mean


@inlined_kernel
def move_baseline(table: Regrets, place: int, visits: int, value: float, rate: float) -> None:
    """Move a baseline towards a value: their mean at first, then a moving average."""
    table.baselines[visits] += 1.0
    table.baselines[place] += max(rate, 1.0 / table.baselines[visits]) * (value - table.baselines[place])
