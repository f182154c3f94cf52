"""Self-play of Neural Fictitious Self-Play, in lock-step (`evaluate/lockstep.py`).

In each game each player decides once for all whether it plays its best response or its average strategy. What is
learned from are its decisions: the action values from all of them, the average strategy from best responses alone.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float32s, Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel
from forethought.compiler.rows import copy_row
from forethought.evaluate.lockstep import GamesInProgress, Lockstep, ask_together, play_choice
from forethought.game import Game, Table
from forethought.nets.evaluator import answer
from forethought.nets.mlp import Mlp, MlpScratch, propagate
from forethought.nets.questions import Questions
from forethought.randomness import Generator, below, choose, uniform


class FictitiousPlayers(NamedTuple):
    """Who plays."""

    average: Mlp  # its policy
    response: Mlp  # its outputs are action values
    anticipation: float  # eta: the probability of a best response
    epsilon: float  # of a random action in its place


class Steps(NamedTuple):
    """A row for each decision, in the order in which they were made."""

    states: Bytes  # [rows, state_bytes]
    players: Int32s  # [rows] who decided
    actions: Int32s  # [rows] which was played
    games: Int32s  # [rows]
    responding: Bytes  # [rows] whether the player plays its best response


class Imitations(NamedTuple):
    """Actions of best responses, from which the average strategy is learned."""

    states: Bytes
    players: Int32s
    actions: Int32s


class Transitions(NamedTuple):
    """Decisions with what came of them, from which action values are learned."""

    states: Bytes
    players: Int32s
    actions: Int32s
    rewards: Float32s  # what was won, if the game ended before the player's next decision; otherwise 0
    ended: Bytes  # whether it did
    following: Bytes  # [rows, state_bytes] the player's next decision


class Experience(NamedTuple):
    """What games teach."""

    transitions: Transitions
    imitations: Imitations
    games: int


def play_games(game: Game, players: FictitiousPlayers, unit: float, rngs: Generator) -> Experience:
    """Play a game for each generator, all at once; returns are divided by a unit."""
    games, rows = GamesInProgress(game, rngs), len(rngs) * game.plies
    responding = np.zeros((len(rngs), game.players), np.uint8)
    steps = Steps(
        np.empty((rows, game.table.state_bytes), np.uint8),
        *(np.empty(rows, np.int32) for _ in range(3)),
        np.empty(rows, np.uint8),
    )
    scratch = players.average.scratch(len(rngs)), players.response.scratch(len(rngs))
    written, seats = np.zeros(1, np.int64), games.seats(range(game.players))
    draw_sides(responding, players.anticipation, rngs)
    games.checked(play_to_ends(game.table, players, *scratch, games.play, seats, responding, steps, written, rngs))
    return experience_of(Steps._make(array[: written[0]] for array in steps), games.play.returns / unit)


def experience_of(steps: Steps, returns: Float64s) -> Experience:
    """Return what decisions teach, given the returns [games, players] of their games."""
    rows = len(steps.games)
    transitions = Transitions(
        steps.states.copy(),
        steps.players.copy(),
        steps.actions.copy(),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.uint8),
        np.zeros_like(steps.states),
    )
    link(steps, returns, np.full(returns.shape, NONE), transitions)
    chosen = steps.responding > 0
    imitations = Imitations(steps.states[chosen], steps.players[chosen], steps.actions[chosen])
    return Experience(transitions, imitations, len(returns))


def joined_experience(parts: list[Experience]) -> Experience:
    """Return the games of all parts, one after another."""
    transitions = (np.concatenate(arrays) for arrays in zip(*(part.transitions for part in parts), strict=True))
    imitations = (np.concatenate(arrays) for arrays in zip(*(part.imitations for part in parts), strict=True))
    return Experience(
        Transitions._make(transitions), Imitations._make(imitations), sum(part.games for part in parts)
    )


NONE = -1  # in place of a row


@kernel
def draw_sides(responding: Bytes, anticipation: float, rngs: Generator) -> None:
    """Draw who plays its best response."""
    for g in range(responding.shape[0]):
        for player in range(responding.shape[1]):
            responding[g, player] = uniform(rngs[g]) < anticipation


@kernel
def play_to_ends(
    game: Table,
    players: FictitiousPlayers,
    average_scratch: MlpScratch,
    response_scratch: MlpScratch,
    play: Lockstep,
    seats: Bytes,
    responding: Bytes,
    out: Steps,
    written: Int64s,
    rngs: Generator,
) -> int:
    """Play all games to their ends and write their decisions; return 0, or BROKEN."""
    asked = ask_together(game, play, seats, rngs)
    while asked > 0:
        questions = play.questions
        answer(players.average, questions, asked, average_scratch)
        propagate(players.response, questions.facts, questions.known, asked, response_scratch)
        for row in range(asked):
            g, at = play.asking[row], written[0]
            mover = play.movers[g]
            if responding[g, mover] == 1:
                choice = respond(questions, row, response_scratch.here[row], players.epsilon, rngs[g])
            else:
                choice = choose(questions.policies[row], questions.counts[row], rngs[g])
            copy_row(play.states[g], out.states[at])
            out.games[at], out.players[at], out.responding[at] = g, mover, responding[g, mover]
            out.actions[at] = questions.actions[row, choice]
            written[0] = at + 1
            play_choice(game, play, row, choice)
        asked = ask_together(game, play, seats, rngs)
    return asked


@inlined_kernel
def respond(questions: Questions, row: int, values: Float32s, epsilon: float, rng: Generator) -> int:
    """Return the place of the action of the highest value; with probability epsilon, of any."""
    count, best = questions.counts[row], 0
    if uniform(rng) < epsilon:
        return below(count, rng)
    for k in range(1, count):
        if values[questions.actions[row, k]] > values[questions.actions[row, best]]:
            best = k
    return best


@kernel
def link(steps: Steps, returns: Float64s, later: Int64s, out: Transitions) -> None:
    """Go back through the decisions; `later` holds the row of each player's next one in each game."""
    for row in range(len(steps.games) - 1, -1, -1):
        g, player = steps.games[row], steps.players[row]
        following = later[g, player]
        if following == NONE:
            out.ended[row], out.rewards[row] = 1, returns[g, player]
        else:
            copy_row(steps.states[following], out.following[row])
        later[g, player] = row
