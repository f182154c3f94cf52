"""Whatever the target, walks add on average exactly what the whole tree says: draws are enumerated, none is sampled."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import forethought as ft
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from tests.naive import oos as naive
from tests.naive.mccfr import Sums, matched
from tests.tiers import others_slow

ROOT = Path(__file__).parents[2]
KUHN3 = "tests/userfiles/kuhn3.py"


def settings(
    targeting: str, delta: float, epsilon: float, gamma: float = 0.0, baseline_rate: float = 0.0
) -> dict[str, Any]:
    return {
        "targeting": targeting,
        "delta": delta,
        "epsilon": epsilon,
        "gamma": gamma,
        "baseline_rate": baseline_rate,
    }


IN_ALL_WAYS = [
    settings(targeting, delta, epsilon, gamma)
    for targeting in ("infoset", "public")
    for delta in (0.0, 0.5, 0.9)
    for epsilon in (0.1, 0.4, 0.6)
    for gamma in (0.0, 0.01)
]
# Leduc has 1,100 histories for each of its 288 information sets to be the target of: not in all ways, but all of them.
IN_LEDUC = [
    settings("infoset", 0.9, 0.4),
    settings("infoset", 0.5, 0.6),
    settings("public", 0.0, 0.1),
    settings("public", 0.5, 0.4),
    settings("public", 0.9, 0.6, gamma=0.01),
]
# Where a third player never plays to, walks do not come, though the owner may: averages are whole only with mistakes.
IN_KUHN3 = [settings("infoset", 0.9, 0.4, gamma=0.01), settings("public", 0.5, 0.1, gamma=0.01)]
GOOFSPIEL = "goofspiel(cards=4)"
IN_GOOFSPIEL = [
    settings("infoset", 0.0, 0.6),
    settings("infoset", 0.9, 0.4),
    settings("infoset", 0.5, 0.1, gamma=0.01),
    settings("public", 0.9, 0.4),
    settings("public", 0.5, 0.1),
]
BY_FACTS = [settings("infoset", 0.9, 0.4, gamma=0.01), settings("public", 0.9, 0.4)]
WITH_BASELINES = [
    settings("infoset", 0.9, 0.4, 0.01, 0.05),
    settings("public", 0.5, 0.6, 0.0, 0.05),
    settings("public", 0.0, 0.1, 0.01, 0.05),
]
WITH_VALUES = [
    settings("infoset", 0.9, 0.4, 0.01) | {"leaf": "value"},
    settings("public", 0.5, 0.6, 0.0, 0.05) | {"leaf": "value"},
    settings("infoset", 0.5, 0.6, 0.01, 0.05) | {"leaf": "mix"},
]
JOBS = {
    "kuhn with values": ["kuhn", True, *WITH_VALUES],
    "goofspiel with values": [GOOFSPIEL, True, *WITH_VALUES[:2]],
    "kuhn with baselines": ["kuhn", True, *WITH_BASELINES],
    "kuhn for three with baselines": [KUHN3, True, *WITH_BASELINES[:1]],
    "leduc with baselines": ["leduc", True, *WITH_BASELINES[:2]],
    "goofspiel with baselines": [GOOFSPIEL, True, *WITH_BASELINES[:1]],
    "kuhn": ["kuhn", True, *IN_ALL_WAYS],
    "kuhn for three": [KUHN3, True, *IN_KUHN3],
    "leduc": ["leduc", True, *IN_LEDUC],
    "goofspiel": [GOOFSPIEL, True, *IN_GOOFSPIEL],
    "goofspiel by facts": [GOOFSPIEL, False, *BY_FACTS],
}
TARGETS = {  # information sets, public states; with values, of those in memory
    "kuhn with values": (9, 2),
    "goofspiel with values": (22, 3),
    "kuhn with baselines": (12, 3),
    "kuhn for three with baselines": (48, 11),
    "leduc with baselines": (288, 95),
    "goofspiel with baselines": (738, 39),
    "kuhn": (12, 3),
    "kuhn for three": (48, 11),
    "leduc": (288, 95),
    "goofspiel": (738, 39),
    "goofspiel by facts": (738, 39),
}


def enumerate_walks(jobs: list[list[Any]], **environment: str) -> list[list[dict[str, Any]]]:
    """Enumerate in a process of its own: there the kernels draw from a tape."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.search.forced", json.dumps(jobs)],
        env={**os.environ, **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    found: list[list[dict[str, Any]]] = json.loads(run.stdout)
    return found


QUICK = ("kuhn", "kuhn with baselines", "kuhn with values")


@cache
def enumerated(*names: str) -> dict[str, list[dict[str, Any]]]:
    """What kernels compiled with forced draws found; they call other functions, so their code is kept apart."""
    return dict(zip(names, enumerate_walks([JOBS[name] for name in names]), strict=True))


@pytest.mark.parametrize("name", others_slow(JOBS, QUICK))
@pytest.mark.quick_cases(1)
def test_kernels_are_unbiased_for_every_target(name: str) -> None:
    asked, found_by_job = JOBS[name][2:], enumerated(*(QUICK if name in QUICK else JOBS))
    assert len(found_by_job[name]) == len(asked)
    for found, each in zip(found_by_job[name], asked, strict=True):
        assert found["targets"] == TARGETS[name][each["targeting"] == "public"]
        assert found["error"] < 1e-10, each
        assert found["missing"] < 1e-10, each  # all probabilities sum to one


@pytest.mark.slow
def test_some_of_it_was_in_dead_ends() -> None:
    """With mistakes every action is possible, so dead ends are where facts alone did not see that a target is out of
    reach: two kings dealt, and a king on the board; and bids that leave no card for what is known of later rounds."""
    everything = enumerated(*JOBS)
    assert everything["leduc"][IN_LEDUC.index(settings("public", 0.9, 0.6, gamma=0.01))]["dead_ends"] > 0
    with_rule, by_facts = everything["goofspiel"], everything["goofspiel by facts"]
    assert by_facts[BY_FACTS.index(settings("infoset", 0.9, 0.4, gamma=0.01))]["dead_ends"] > 0
    assert with_rule[IN_GOOFSPIEL.index(settings("infoset", 0.5, 0.1, gamma=0.01))]["dead_ends"] == 0


@pytest.mark.slow
def test_the_source_of_the_kernels_is_unbiased_as_it_stands() -> None:
    asked = [each for each in IN_ALL_WAYS if each["delta"] == 0.9 and each["epsilon"] == 0.4]
    (found,) = enumerate_walks([["kuhn", True, *asked]], NUMBA_DISABLE_JIT="1")
    assert [each["targets"] for each in found] == [12, 12, 3, 3]
    assert max(each["error"] for each in found) < 1e-10
    assert max(each["missing"] for each in found) < 1e-10


@dataclass
class EveryDraw(naive.Draws):
    """Draws that go through all possibilities, walk by walk."""

    words: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    possible: list[list[int]] = field(default_factory=list)
    probability: float = 1.0

    def simulate(self) -> Iterator[None]:
        """Let a walk be made each time; go on until none is left."""
        prescribed: list[int] | None = []
        while prescribed is not None:
            self.choices, self.possible, self.probability, self.prescribed = [], [], 1.0, prescribed
            yield
            prescribed = None
            for place in reversed(range(len(self.choices))):
                later = [i for i in self.possible[place] if i > self.choices[place]]
                if later:
                    prescribed = [*self.choices[:place], later[0]]
                    break

    def choose(self, weights: list[float]) -> int:
        place, possible = len(self.choices), [i for i, weight in enumerate(weights) if weight > 0]
        self.choices.append(self.prescribed[place] if place < len(self.prescribed) else possible[0])
        self.possible.append(possible)
        self.probability *= weights[self.choices[-1]]
        return self.choices[-1]

    def coin(self, probability: float) -> bool:
        return self.choose([probability, 1 - probability]) == 0


@cache
def kuhn_decisions() -> dict[tuple[int, ...], ft.Observation]:
    found, states = {}, [ft.load("kuhn").start()]
    for s in states:
        if not (s.is_chance or s.is_terminal):
            found[tuple(s.facts(s.player))] = s.observation(s.player)
        for action in s.legal_actions():
            states.append(s.clone())
            states[-1].apply(action)
    return found


def kuhn_regrets() -> Sums:
    """No action is never played, so targets are never out of reach."""
    rng = np.random.default_rng(3)
    return {facts: rng.uniform(0.1, 1.0, 2).tolist() for facts in kuhn_decisions()}


def kuhn_targets() -> list[tuple[int, tuple[int, ...]]]:
    """Observers and what they know: every information set and every public state."""
    decisions = kuhn_decisions().values()
    public = {(ft.PUBLIC, each.public_facts) for each in decisions if each.public_facts}
    return [*((each.player, each.facts) for each in decisions), *sorted(public)]


@pytest.mark.parametrize("delta", [0.0, 0.5, 0.9])
@pytest.mark.parametrize(("epsilon", "gamma"), [(0.1, 0.0), (0.4, 0.0), (0.6, 0.01)])
@pytest.mark.quick_cases(2)
def test_the_reference_is_unbiased_for_every_target(delta: float, epsilon: float, gamma: float) -> None:
    root, regrets = ft.load("kuhn").start(), kuhn_regrets()
    policy = {facts: matched(row) for facts, row in regrets.items()}
    owners = {facts: each.player for facts, each in kuhn_decisions().items()}
    exact = naive.exact_increments(root, policy, owners, gamma)
    for observer, target in kuhn_targets():
        draws = EveryDraw()
        search = naive.Search(draws, delta, epsilon, gamma, observer, target)
        sums: tuple[Sums, Sums] = ({f: [0.0, 0.0] for f in policy}, {f: [0.0, 0.0] for f in policy})
        for updated in (0, 1):
            total = 0.0
            for _ in draws.simulate():
                search.regrets = {facts: row.copy() for facts, row in regrets.items()}
                search.averages = {facts: [0.0, 0.0] for facts in regrets}
                search.walk(root, updated)
                total += draws.probability
                for facts, strategy in policy.items():
                    added = [now - before for now, before in zip(search.regrets[facts], regrets[facts], strict=True)]
                    assert sum(p * x for p, x in zip(strategy, added, strict=True)) == pytest.approx(0.0, abs=1e-12)
                    for so_far, more in ((sums[0][facts], added), (sums[1][facts], search.averages[facts])):
                        so_far[:] = [a + draws.probability * b for a, b in zip(so_far, more, strict=True)]
            assert total == pytest.approx(1.0, abs=1e-12)
        for found, wanted in zip(sums, exact, strict=True):
            assert all(found[facts] == pytest.approx(wanted[facts], abs=1e-10) for facts in policy)


def test_the_two_scenarios_measure_each_other() -> None:
    """On average over untargeted walks s1 / s2 is 1; over targeted ones s2 / s1 is how often others hit."""
    root, regrets = ft.load("kuhn").start(), kuhn_regrets()
    for observer, target in kuhn_targets():
        draws = EveryDraw()
        search = naive.Search(draws, 0.5, 0.4, 0.01, observer, target, regrets=regrets)
        for updated in (0, 1):
            untargeted = targeted = in_target = 0.0
            for _ in draws.simulate():
                search.regrets = {facts: row.copy() for facts, row in regrets.items()}
                search.averages = {facts: [0.0, 0.0] for facts in regrets}
                search.walk(root, updated)
                s1, s2 = search.sampled
                if search.targeted:
                    targeted += draws.probability / 0.5 * s2 / s1
                else:
                    untargeted += draws.probability / 0.5 * s1 / s2
                    in_target += draws.probability / 0.5 * (s1 > 0)
            assert untargeted == pytest.approx(1.0, abs=1e-12)
            assert targeted == pytest.approx(in_target, abs=1e-12)
            assert 0.0 < in_target < 1.0


@pytest.mark.parametrize("spec", ["leduc", GOOFSPIEL])
def test_regrets_that_are_added_cancel_under_the_strategy(spec: str) -> None:
    """At every update of the kernel: what is added, weighted by the strategy, sums to nothing."""
    game = ft.load(spec)
    search = OnlineOutcomeSampling(game, OosSettings(), generator(5), labelled=True)
    s = game.start()
    while s.is_chance:
        s.apply(s.legal_actions()[-1])
    search.aim_at(s.observation(s.player))
    search.simulate(2000)
    updates = 0
    for _ in range(300):
        before, rows = search.table.entries.copy(), search.infosets
        search.simulate(1)
        entries, ends = search.table.entries[: len(before)].tolist(), search.table.labels.action_offsets.tolist()
        for row in range(rows):
            first, end = 2 * ends[row], ends[row] + ends[row + 1]
            if entries[first:end] != before[first:end].tolist():
                added = np.array(entries[first:end]) - before[first:end]
                largest = float(np.abs(added).max()) + float(np.abs(before[first:end]).max())
                assert abs(matched(before[first:end].tolist()) @ added) < 1e-12 * largest
                updates += 1
    assert updates > 100
