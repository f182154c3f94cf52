"""The memory of walks: the parameters and the target of a search, the path of each walk, and scratch arrays."""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s, Int64s
from forethought.game import Game
from forethought.nets.critic import CriticQuestions, make_critic_questions
from forethought.nets.questions import Questions, make_questions
from forethought.search.infosets import NO_ROW
from forethought.search.oos.targeting import Target, Trial, make_trial


class OosAim(NamedTuple):
    """The parameters and the target of a search, and its counters."""

    delta: float  # probability that a walk is targeted
    epsilon: float  # share of uniform play when the updated player samples
    gamma: float  # share of uniform play of the other players
    linear: bool  # the update of simulation t has the weight t
    baseline_rate: float  # of the moving averages that serve as baselines; 0: there are none
    opposed: bool  # two players whose returns cancel: a baseline of one is a baseline of the other
    prior: float  # regrets with which an information set begins, times an evaluator's policy
    rollout_weight: float  # of a roll-out's return in the value of a leaf; the rest is the critic's
    decay: float  # of the moving average below; 1 keeps it as it is
    hit: Float64s  # [1] estimate of the probability that an untargeted walk stays in target; its inverse scales updates
    target: Target
    watched: np.uint64  # key of the information set whose visits are counted
    visits: Int64s  # [choices] of each of its actions
    tally: Int64s  # [4] walks that were targeted, stayed in target, reached it, found no action in target


class PathSteps(NamedTuple):
    """What only baselines need of each step in the tree, chance included."""

    owners: Int64s  # [slots, plies] who acts
    policies: Float64s  # [slots, plies, choices] by which the owner plays: its strategy, with mistakes if not updated
    sampled: Float64s  # [slots, plies] probability of sampling the choice, given that the walk came here
    weights: Float64s  # [slots, plies] importance weight of what follows


class WalkPath(NamedTuple):
    """The decisions of the updated player on each walk, kept until its end; with baselines, all steps in the tree."""

    updated: Int64s  # [slots]
    plies: Int64s  # [slots]
    weights: Float64s  # [slots] importance weight of the walk's return
    decisions: Int64s  # [slots] number of decisions
    firsts: Int64s  # [slots, plies] offset of the regrets
    counts: Int64s  # [slots, plies]
    choices: Int64s  # [slots, plies]
    chances: Float64s  # [slots, plies] of the choice, under the current strategy
    steps: PathSteps


class Walks(NamedTuple):
    """The memory of concurrent walks: what each keeps, and scratch arrays that all share."""

    questions: Questions
    path: WalkPath
    newest: Int64s  # [slots] the information set that a walk has added, until it has its prior; else NO_ROW
    entering: Questions  # [slots] about those information sets
    critic: CriticQuestions  # [2 slots] about the leaf of each walk, then about where it has added an information set
    movers: Int64s  # [slots] the player to move at the leaf
    judged: Int64s  # [slots] whether a leaf is NOT_JUDGED, ASKED or ANSWERED
    trial: Trial
    reach: Float64s  # [players]
    strategy: Float64s  # [choices]
    sampling: Float64s  # [choices]
    restricted: Float64s  # [choices]
    returns: Float64s  # [players]


NOT_JUDGED, ASKED, ANSWERED = 0, 1, 2  # in Walks.judged


def make_walks(
    game: Game, slots: int = 1, baselines: bool = False, priors: bool = False, critic: bool = False
) -> Walks:
    """Return the memory of walks; that of baselines, priors and a critic only where it is used."""
    choices, plies = game.table.choices, game.plies
    steps = plies if baselines else 0
    return Walks(
        make_questions(game, slots),
        WalkPath(
            np.zeros(slots, np.int64),
            np.zeros(slots, np.int64),
            np.zeros(slots),
            np.zeros(slots, np.int64),
            np.zeros((slots, plies), np.int64),
            np.zeros((slots, plies), np.int64),
            np.zeros((slots, plies), np.int64),
            np.zeros((slots, plies)),
            PathSteps(
                np.zeros((slots, steps), np.int64),
                np.zeros((slots, steps, choices)),
                np.zeros((slots, steps)),
                np.zeros((slots, steps)),
            ),
        ),
        np.full(slots, NO_ROW),
        make_questions(game, slots if priors else 0),
        make_critic_questions(2 * slots if critic else 0, game.facts * game.players),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        make_trial(game),
        reach=np.zeros(game.players),
        strategy=np.zeros(choices),
        sampling=np.zeros(choices),
        restricted=np.zeros(choices),
        returns=np.zeros(game.players),
    )
