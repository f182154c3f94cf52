"""Self-play of Neural Fictitious Self-Play, in lock-step (`evaluate/lockstep.py`).

In each game each player decides once for all whether it plays its best response or its average strategy. What is
learned from are its decisions: the action values from all of them, the average strategy from best responses alone.
Random actions of a best response are explored, and not imitated.
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
    responding: Bytes  # [rows] whether the action is a best response, and not a random one in its place


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


class FictitiousExperience(NamedTuple):
    """What games teach."""

    transitions: Transitions
    imitations: Imitations
    games: int


class PlayNotes(NamedTuple):
    """What is noted of games in progress, and the memory of the networks."""

    responding: Bytes  # [games, players] who plays its best response
    steps: Steps  # room for all decisions
    written: Int64s  # [1] how many of them there are
    average_scratch: MlpScratch
    response_scratch: MlpScratch


def play_games(game: Game, players: FictitiousPlayers, unit: float, rngs: Generator) -> FictitiousExperience:
    """Play a game for each generator, all at once; returns are divided by a unit."""
    games, notes = GamesInProgress(game, rngs), _notes(game, players, len(rngs))
    draw_sides(notes.responding, players.anticipation, rngs)
    seats = games.seats(range(game.players))
    games.checked(play_to_ends(game.table, players, games.play, seats, notes, rngs))
    return experience_of(Steps._make(array[: notes.written[0]] for array in notes.steps), games.play.returns / unit)


def _notes(game: Game, players: FictitiousPlayers, games: int) -> PlayNotes:
    """Return room for the notes of so many games; what is not written to costs nothing."""
    rows = games * game.plies
    steps = Steps(
        np.empty((rows, game.table.state_bytes), np.uint8),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty(rows, np.uint8),
    )
    scratch = players.average.scratch(games), players.response.scratch(games)
    return PlayNotes(np.zeros((games, game.players), np.uint8), steps, np.zeros(1, np.int64), *scratch)


def experience_of(steps: Steps, returns: Float64s) -> FictitiousExperience:
    """Return what decisions teach, given the returns [games, players] of their games."""
    rows = len(steps.games)
    transitions = Transitions(
        steps.states.copy(),
        steps.players.copy(),
        steps.actions.copy(),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.uint8),
        steps.states.copy(),  # where a game ended, any position will do
    )
    link(steps, returns, np.full(returns.shape, NONE), transitions)
    chosen = steps.responding > 0
    imitations = Imitations(steps.states[chosen], steps.players[chosen], steps.actions[chosen])
    return FictitiousExperience(transitions, imitations, len(returns))


def joined_experience(parts: list[FictitiousExperience]) -> FictitiousExperience:
    """Return the games of all parts, one after another."""
    transitions = (np.concatenate(arrays) for arrays in zip(*(part.transitions for part in parts), strict=True))
    imitations = (np.concatenate(arrays) for arrays in zip(*(part.imitations for part in parts), strict=True))
    return FictitiousExperience(
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
    game: Table, players: FictitiousPlayers, play: Lockstep, seats: Bytes, notes: PlayNotes, rngs: Generator
) -> int:
    """Play all games to their ends and note their decisions; return 0, or BROKEN."""
    questions, values = play.questions, notes.response_scratch
    asked = ask_together(game, play, seats, rngs)
    while asked > 0:
        answer(players.average, questions, asked, notes.average_scratch)
        propagate(players.response, questions.facts, questions.known, asked, values)
        for row in range(asked):
            g = play.asking[row]
            best = notes.responding[g, play.movers[g]] == 1
            if best and uniform(rngs[g]) < players.epsilon:
                choice, best = below(questions.counts[row], rngs[g]), False
            elif best:
                choice = best_choice(questions, row, values.here[row])
            else:
                choice = choose(questions.policies[row], questions.counts[row], rngs[g])
            note_step(play, row, choice, best, notes)
            play_choice(game, play, row, choice)
        asked = ask_together(game, play, seats, rngs)
    return asked


@inlined_kernel
def note_step(play: Lockstep, row: int, choice: int, best: bool, notes: PlayNotes) -> None:
    g, at, steps = play.asking[row], notes.written[0], notes.steps
    copy_row(play.states[g], steps.states[at])
    steps.games[at], steps.players[at], steps.responding[at] = g, play.movers[g], best
    steps.actions[at] = play.questions.actions[row, choice]
    notes.written[0] = at + 1


@inlined_kernel
def best_choice(questions: Questions, row: int, values: Float32s) -> int:
    """Return the place of the legal action of the highest value."""
    best = 0
    for k in range(1, questions.counts[row]):
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
