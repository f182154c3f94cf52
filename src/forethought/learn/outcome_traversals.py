"""Traversals of Deep CFR by outcome sampling, in lock-step (`evaluate/lockstep.py`), and what they teach.

In each game one player is the *traverser*: it explores, with a share of random actions, while chance and the other
play as they do. So a history is sampled with the probability of the traverser's sampled actions times that with which
chance and the other come there, and importance weights contain the first alone.

What an action would be worth is estimated with a control variate (Schmid et al., 2019; Steinberger et al., 2020): the
baseline b(h, a) for an action that was not sampled, b(h, a) + (u - b(h, a)) / q for one that was, with the probability
q, where u is the estimate at the next decision. It is unbiased for any b, and the better b is, the less it varies.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float32s, Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel, row_pointer
from forethought.compiler.rows import copy_row
from forethought.evaluate.lockstep import GamesInProgress, Lockstep, ask_together, play_choice
from forethought.game import Game, Table
from forethought.learn.recording import note_choice
from forethought.nets.critic import CriticQuestions, ask_critic, make_critic_questions
from forethought.nets.mlp import Mlp, MlpScratch, propagate
from forethought.randomness import Generator, choose
from forethought.search.regret import mix_uniform


class TraversalNetworks(NamedTuple):
    """Who decides, and what is expected of it."""

    advantages: Mlp  # of the mover's actions; the strategy is their regret matching
    baseline: Mlp  # knows the facts of all players; what the mover is expected to win by each action


class Visits(NamedTuple):
    """A row for each decision, in the order in which they were made."""

    states: Bytes  # [rows, state_bytes]
    games: Int32s  # [rows]
    players: Int32s  # [rows] who decided
    actions: Int32s  # [rows, choices] the legal ones
    counts: Int32s  # [rows] how many of them
    choices: Int32s  # [rows] the place of the one that was sampled
    strategies: Float64s  # [rows, choices] by regret matching
    baselines: Float64s  # [rows, choices] what the mover is expected to win
    probabilities: Float64s  # [rows] with which the choice was sampled
    reaches: Float64s  # [rows] the product of those of the traverser's earlier choices


class TraversalNotes(NamedTuple):
    """What is noted of games in progress, and the memory of the networks."""

    traversers: Int32s  # [games]
    reaches: Float64s  # [games] the product of the probabilities of the traverser's choices so far
    sampling: Float64s  # [choices] the policy from which an action is drawn
    exploration: float  # share of uniform play in it, at decisions of the traverser
    histories: CriticQuestions  # the questions to the baseline
    advantage_scratch: MlpScratch
    baseline_scratch: MlpScratch
    visits: Visits  # room for all decisions
    written: Int64s  # [1] how many of them there are


class Traversed(NamedTuple):
    """What games came to."""

    visits: Visits
    traversers: Int32s  # [games]
    returns: Float64s  # [games] to the traverser


class SampledAdvantages(NamedTuple):
    """Estimated advantages at decisions of the traverser."""

    states: Bytes
    players: Int32s
    targets: Float32s  # [rows, choices]
    weights: Float32s


class SampledStrategies(NamedTuple):
    """Strategies at decisions of the other player, whose average is to be learned."""

    states: Bytes
    players: Int32s
    targets: Float32s  # [rows, choices]
    weights: Float32s


class HistoryTransitions(NamedTuple):
    """Decisions with what came next, from which the baseline is learned."""

    states: Bytes
    players: Int32s
    actions: Int32s
    rewards: Float32s  # what the player won, if there was no further decision; otherwise 0
    ended: Bytes  # whether there was none
    following: Bytes  # [rows, state_bytes] the next decision, whoever makes it
    following_players: Int32s


class TraversalExperience(NamedTuple):
    """What games teach."""

    advantages: SampledAdvantages
    strategies: SampledStrategies
    transitions: HistoryTransitions


def traverse_games(
    game: Game, networks: TraversalNetworks, exploration: float, unit: float, rngs: Generator
) -> Traversed:
    """Sample a game for each generator, all at once, with each player in turn as the traverser.

    Returns are divided by a unit.
    """
    games, notes = GamesInProgress(game, rngs), _notes(game, networks, exploration, len(rngs))
    seats = games.seats(range(game.players))
    games.checked(traverse(game.table, networks, games.play, seats, notes, rngs))
    visits = Visits._make(array[: notes.written[0]] for array in notes.visits)
    returns = games.play.returns[np.arange(len(rngs)), notes.traversers] / unit
    return Traversed(visits, notes.traversers, returns)


def _notes(game: Game, networks: TraversalNetworks, exploration: float, games: int) -> TraversalNotes:
    """Return room for the notes of so many games; what is not written to costs nothing."""
    rows, choices = games * game.plies, game.table.choices
    visits = Visits(
        np.empty((rows, game.table.state_bytes), np.uint8),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty((rows, choices), np.int32),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty((rows, choices)),
        np.empty((rows, choices)),
        np.empty(rows),
        np.empty(rows),
    )
    return TraversalNotes(
        (np.arange(games) % game.players).astype(np.int32),
        np.ones(games),
        np.zeros(choices),
        exploration,
        make_critic_questions(games, networks.baseline.facts),
        networks.advantages.scratch(games),
        networks.baseline.scratch(games),
        visits,
        np.zeros(1, np.int64),
    )


def experience_of(traversed: Traversed, iteration: int) -> TraversalExperience:
    """Return what games of an iteration teach; its advantages and strategies weigh as much as its number."""
    visits, estimates = traversed.visits, sampled_advantages(traversed)
    mine = visits.players == traversed.traversers[visits.games]
    weights = (iteration / visits.reaches).astype(np.float32)
    known = visits.states, visits.players

    def chosen(rows: Bytes, targets: Float64s) -> tuple[Bytes, Int32s, Float32s, Float32s]:
        return *(array[rows] for array in known), targets[rows].astype(np.float32), weights[rows]  # type: ignore[return-value]

    return TraversalExperience(
        SampledAdvantages(*chosen(mine, estimates)),
        SampledStrategies(*chosen(~mine, visits.strategies)),
        _transitions(traversed),
    )


def _transitions(traversed: Traversed) -> HistoryTransitions:
    visits = traversed.visits
    by_game = np.argsort(visits.games, kind="stable")
    following = np.arange(len(by_game))  # where there is no next decision, any position will do
    goes_on = visits.games[by_game[1:]] == visits.games[by_game[:-1]]
    following[by_game[:-1][goes_on]] = by_game[1:][goes_on]
    ended = following == np.arange(len(by_game))
    signs = np.where(visits.players == traversed.traversers[visits.games], 1.0, -1.0)
    return HistoryTransitions(
        visits.states,
        visits.players,
        visits.actions[np.arange(len(by_game)), visits.choices],
        (ended * signs * traversed.returns[visits.games]).astype(np.float32),
        ended.astype(np.uint8),
        visits.states[following],
        visits.players[following],
    )


def joined_experience(parts: list[TraversalExperience]) -> TraversalExperience:
    """Return what the games of all parts teach, one after another."""
    kinds = zip(*parts, strict=True)
    return TraversalExperience._make(
        type(kind[0])._make(np.concatenate(arrays) for arrays in zip(*kind, strict=True)) for kind in kinds
    )


def sampled_advantages(traversed: Traversed) -> Float64s:
    """Return how much more each action is worth to the traverser than the strategy, at each decision: [rows, choices].

    At decisions of the traverser, multiplied by 1 / reach, they are unbiased estimates of counterfactual regrets.
    """
    out = np.zeros_like(traversed.visits.strategies)
    estimate_back(traversed.visits, traversed.traversers, traversed.returns.copy(), out)
    return out


@kernel
def traverse(
    game: Table, networks: TraversalNetworks, play: Lockstep, seats: Bytes, notes: TraversalNotes, rngs: Generator
) -> int:
    """Sample all games to their ends and note their decisions; return 0, or BROKEN."""
    questions, histories = play.questions, notes.histories
    asked = ask_together(game, play, seats, rngs)
    while asked > 0:
        for row in range(asked):
            g = play.asking[row]
            ask_critic(game, row_pointer(play.states, g), play.movers[g], histories, row)
        propagate(networks.advantages, questions.facts, questions.known, asked, notes.advantage_scratch)
        propagate(networks.baseline, histories.facts, histories.known, asked, notes.baseline_scratch)
        for row in range(asked):
            choice = visit(play, row, notes, rngs[play.asking[row]])
            play_choice(game, play, row, choice)
        asked = ask_together(game, play, seats, rngs)
    return asked


@inlined_kernel
def visit(play: Lockstep, row: int, notes: TraversalNotes, rng: Generator) -> int:
    """Draw an action, note the decision, and return the action's place."""
    g, at, out, questions = play.asking[row], notes.written[0], notes.visits, play.questions
    count, actions = questions.counts[row], questions.actions[row]
    match_advantages(notes.advantage_scratch.here[row], actions, count, out.strategies[at])
    mine = play.movers[g] == notes.traversers[g]
    mix_uniform(out.strategies[at], count, notes.exploration if mine else 0.0, notes.sampling)
    choice = choose(notes.sampling, count, rng)
    note_choice(play, row, choice, out, at)
    copy_row(play.states[g], out.states[at])
    out.probabilities[at], out.reaches[at] = notes.sampling[choice], notes.reaches[g]
    for k in range(len(out.strategies[at])):
        legal = k < count
        out.baselines[at, k] = notes.baseline_scratch.here[row, actions[k]] if legal else 0.0
        if not legal:
            out.strategies[at, k] = 0.0
    if mine:
        notes.reaches[g] *= notes.sampling[choice]
    notes.written[0] = at + 1
    return choice


@inlined_kernel
def match_advantages(advantages: Float32s, actions: Int64s, count: int, strategy: Float64s) -> None:
    """Write the strategy by regret matching; if no advantage is positive, the action of the highest (Brown et al.)."""
    total, best = 0.0, 0
    for k in range(count):
        strategy[k] = max(np.float64(advantages[actions[k]]), 0.0)
        total += strategy[k]
        if advantages[actions[k]] > advantages[actions[best]]:
            best = k
    for k in range(count):
        if total > 0.0:
            strategy[k] /= total
        else:
            strategy[k] = 1.0 if k == best else 0.0


@kernel
def estimate_back(visits: Visits, traversers: Int32s, values: Float64s, out: Float64s) -> None:
    """Go back through the decisions; `values` holds the estimate at each game's next one, at first its return."""
    for row in range(len(visits.games) - 1, -1, -1):
        g, count, choice = visits.games[row], visits.counts[row], visits.choices[row]
        sign = 1.0 if visits.players[row] == traversers[g] else -1.0
        value = 0.0
        for k in range(count):
            out[row, k] = sign * visits.baselines[row, k]
            if k == choice:
                out[row, k] += (values[g] - out[row, k]) / visits.probabilities[row]
            value += visits.strategies[row, k] * out[row, k]
        for k in range(count):
            out[row, k] -= value
        values[g] = value
