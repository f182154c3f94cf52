"""Time to strength: seconds until NashConv is low, of our learner and of OpenSpiel's, each in a process of its own.

Our learner is the one that `forethought train GAME` uses, as it stands. Each process has all cores; they run one after
another. Only learning counts: not compilation, imports and exams. A peer is stopped as soon as that proves the claim,
with some to spare, or after twenty minutes: that it did not reach the goal is an answer too.

This takes many minutes, so it runs only if it is asked for.
"""

from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from typing import NamedTuple

from forethought.bench.race import OURS, Goal
from forethought.bench.result import Benchmark, Claim, Result
from forethought.bench.startup import fresh_python
from forethought.games import load
from forethought.learn.learner import recommended_learner

FASTER = 10.0  # how many times, at least, ours is claimed to be
SPARE = 1.2
LONGEST = 20 * 60.0
RACE = "from forethought.bench.race import main; main()"
PEERS = ("NFSP", "Deep CFR", "PPO")
NEEDED = ("pyspiel", "torch", "tree")
ABSENT = "OpenSpiel's learners cannot be run: pip install open_spiel torch dm-tree"
UNCOUNTED = "neither compilation nor exams count; one run of each, seed 1"


class StrengthGoal(NamedTuple):
    """One game, as we and as OpenSpiel write it, and the NashConv to reach."""

    ours: str
    peer: str
    nashconv: float


CONTESTS = {
    "strength:leduc": StrengthGoal("leduc", "leduc_poker(suit_isomorphism=True)", 0.3),
    "strength:liars_dice(dice=1)": StrengthGoal("liars_dice(dice=1)", "liars_dice(numdice=1)", 0.2),
}


class Outcome(NamedTuple):
    """How far a learner came: the seconds to the goal, or None, and the lowest NashConv that was measured."""

    seconds: float | None
    nashconv: float | None


def time_to_strength(
    name: str, wanted: StrengthGoal, peers: tuple[str, ...] = PEERS, longest: float = LONGEST
) -> Result:
    """Let our learner reach the goal, and then each peer, in so many times as long, or in the longest time."""
    learner = recommended_learner(load(wanted.ours))
    claim = Claim(name, f"s of {learner} to NashConv {wanted.nashconv:g}", "", FASTER)
    if any(find_spec(module) is None for module in NEEDED):
        return claim.by_cost(0.0, None, ABSENT)
    ours = outcome_of(OURS, wanted, longest)
    if ours.seconds is None:
        note = f"not reached by ours: {_lowest(ours)} in at most {longest:,.3g} s; {UNCOUNTED}"
        return replace(claim.by_cost(longest, None, note), holds=False)
    bound = min(longest, SPARE * FASTER * ours.seconds)
    return verdict(claim, ours.seconds, {peer: outcome_of(peer, wanted, bound) for peer in peers}, bound)


def outcome_of(learner: str, wanted: StrengthGoal, seconds: float) -> Outcome:
    """Let one learner learn, in a process of its own."""
    with TemporaryDirectory(prefix="forethought-bench-") as directory:
        goal = Goal(*wanted, seconds)
        exams = fresh_python("-c", RACE, learner, *map(str, goal), directory)
    return read_exams(exams, wanted.nashconv)


def read_exams(lines: str, goal: float) -> Outcome:
    """Read what `race.py` printed: after so many seconds, this NashConv."""
    exams = [tuple(map(float, line.split())) for line in lines.splitlines()]
    reached = [seconds for seconds, nashconv in exams if nashconv <= goal]
    return Outcome(min(reached, default=None), min((nashconv for _, nashconv in exams), default=None))


def verdict(claim: Claim, ours: float, peers: dict[str, Outcome], bound: float) -> Result:
    """Compare with the fastest peer; if none came to the goal, with the bound, which each of them has exceeded."""
    times = {peer: outcome.seconds for peer, outcome in peers.items() if outcome.seconds is not None}
    missed = [f"{peer} ({_lowest(outcome)})" for peer, outcome in peers.items() if outcome.seconds is None]
    not_reached = f"not reached in {bound:,.3g} s by {', '.join(missed)}" if missed else ""
    note = f"peers are stopped after {SPARE * FASTER:g} times our seconds, {LONGEST:,.0f} s at most; {UNCOUNTED}"
    if times:
        fastest = min(times, key=times.__getitem__)
        named = replace(claim, peer_name="; ".join(filter(None, [f"s of OpenSpiel's {fastest}", not_reached])))
        return named.by_cost(ours, times[fastest], note)
    result = replace(claim, peer_name=f"s or more: {not_reached}").by_cost(ours, bound, note)
    return result if result.holds else replace(result, holds=None)  # too short a bound to tell


def _lowest(outcome: Outcome) -> str:
    return "no exam" if outcome.nashconv is None else f"lowest NashConv {outcome.nashconv:.3g}"


BENCHMARKS: dict[str, Benchmark] = {name: partial(time_to_strength, name, wanted) for name, wanted in CONTESTS.items()}
