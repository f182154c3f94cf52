"""Why the apprentice is a prior in the tree: the paper's loop levels off even if the apprentice makes no mistakes.

The apprentice is a table, so there is no error of a network. In the paper's loop every search begins from nothing, and
what was learned only plays roll-outs: the loop ends at what one search finds. With the last policies as prior
regrets and averages over iterations, the same number of simulations comes closer to equilibrium with each iteration.
"""

from collections.abc import Sequence

import numpy as np

import forethought as ft
from forethought.nets.evaluator import FunctionEvaluator
from forethought.nets.questions import Questions
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings
from forethought.solve.best_response import strength
from tests.naive.mccfr import Sums, matched
from tests.search.tables import by_facts
from tests.solve.trees import tree_of

SPEC, SIMULATIONS, SEARCHES, ITERATIONS, FADING = "goofspiel(cards=4)", 1_000, 8, 16, 0.8
PAPER = OosSettings(simulations=SIMULATIONS, targeting="none", weighting="none", prior=0.0)
PRIOR = OosSettings(
    simulations=SIMULATIONS,
    targeting="none",
    weighting="none",
    epsilon=0.6,
    linear=True,
    baseline_rate=0.05,
    prior=2e-3,
)


def tabular(game: ft.Game, policies: Sums) -> FunctionEvaluator:
    """What a table says; uniform where it says nothing."""

    def answer(questions: Questions, rows: int) -> None:
        for row in range(rows):
            count = questions.counts[row]
            found = policies.get(tuple(questions.facts[row, : questions.known[row]].tolist()))
            questions.policies[row, :count] = found if found is not None else 1.0 / max(count, 1)

    return FunctionEvaluator(game.facts, game.actions, 0, answer)


def nashconv(game: ft.Game, policies: Sums) -> float:
    tree = tree_of(SPEC)
    rows = [policies.get(tree.row_facts(row)) for row in range(tree.infosets)]
    counts = [len(tree.row_actions(row)) for row in range(tree.infosets)]
    flat = [found if found is not None else [1 / n] * n for found, n in zip(rows, counts, strict=True)]
    return strength(tree, np.concatenate(flat)).nashconv


def levels(settings: OosSettings) -> Sequence[float]:
    """NashConv after each iteration of expert iteration with a table."""
    game, averages, currents, found = ft.load(SPEC), dict[tuple[int, ...], np.ndarray](), Sums(), []
    for iteration in range(1, ITERATIONS + 1):
        grown = OosSettings(**{**vars(settings), "prior": settings.prior * iteration})
        average: Sums = {facts: (sums / sums.sum()).tolist() for facts, sums in averages.items()}
        evaluators = tabular(game, average), tabular(game, currents)
        averages = {facts: FADING * sums for facts, sums in averages.items()}
        last = dict[tuple[int, ...], list[np.ndarray]]()
        for one in range(SEARCHES):
            rng = generator(1, iteration, one)
            search = OnlineOutcomeSampling(game, grown, rng, evaluators[0], labelled=True, prior=evaluators[1])
            search.simulate(SIMULATIONS)
            regrets, sums = by_facts(search.table)
            whole = sum(map(sum, sums.values()))
            for facts, row in sums.items():
                if sum(row) > 0.0:
                    averages[facts] = averages.get(facts, np.zeros(len(row))) + np.array(row) / whole
                last.setdefault(facts, []).append(np.array(matched(regrets[facts])))
        currents |= {facts: np.mean(rows, axis=0).tolist() for facts, rows in last.items()}
        found.append(nashconv(game, {facts: (sums / sums.sum()).tolist() for facts, sums in averages.items()}))
    return found


def test_the_paper_levels_off_and_the_prior_falls_below_a_third_of_it() -> None:
    paper, prior = levels(PAPER), levels(PRIOR)
    early, late = np.mean(paper[4:8]), np.mean(paper[-4:])
    assert late > 0.8 * early  # it has levelled off
    assert np.mean(prior[-4:]) < late / 3
