"""Self-play in lock-step: a kernel plays many games at once, and networks answer all of their decisions as one batch.

Each game has a generator of its own, and a network answers each row on its own. So a game is the same in whatever
company it is played. Where only one action is legal nobody is asked: there is nothing to learn.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float32s, Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import CHANCE, TERMINAL, Game, Table
from forethought.nets.evaluator import answer
from forethought.nets.mlp import Mlp, MlpScratch, propagate
from forethought.nets.questions import Questions, make_questions
from forethought.randomness import Generator, choose
from forethought.rollouts import draw_outcome, write_legal
from forethought.status import BROKEN, broken_law


class Networks(NamedTuple):
    """Who plays, and who judges."""

    actor: Mlp  # decides for all seats
    magnet: Mlp  # its policies are those that the actor's are drawn towards
    critic: Mlp  # its only output is what it expects the mover to win


class Decisions(NamedTuple):
    """A row for each decision, in the order in which they were made."""

    states: Bytes  # [rows, state_bytes]
    games: Int32s  # [rows]
    players: Int32s  # [rows] who decided
    actions: Int32s  # [rows, choices] the legal ones
    counts: Int32s  # [rows] how many of them
    choices: Int32s  # [rows] the place of the one that was played
    policies: Float32s  # [rows, choices] the actor's
    magnets: Float32s  # [rows, choices] the magnet's
    values: Float32s  # [rows] the critic's

    @property
    def rows(self) -> int:
        return len(self.games)


class Lockstep(NamedTuple):
    """Games in progress, and the questions of those that wait for an answer."""

    states: Bytes  # [games, state_bytes]
    movers: Int64s  # [games] who decides; TERMINAL when it is over
    plies: Int64s  # [games]
    returns: Float64s  # [games, players]
    weights: Float64s  # [choices] probabilities of chance
    asking: Int64s  # [rows] the game of each question
    actor: Questions  # answered by the actor
    magnet: Questions  # the same questions, answered by the magnet
    seen: Int64s  # [rows, facts] what the critic sees
    seen_count: Int64s  # [rows]


class Played(NamedTuple):
    """What games came to."""

    decisions: Decisions
    returns: Float64s  # [games, players]


def play_games(game: Game, networks: Networks, rngs: Generator) -> Played:
    """Play a game for each generator, all at once."""
    games, longest = len(rngs), len(rngs) * game.plies
    play, out = _lockstep(game, games, networks.critic.facts), _room(game, longest)
    scratch = networks.actor.scratch(games), networks.critic.scratch(games)
    rows = play_together(game.table, networks, *scratch, play, out, rngs)
    if rows == BROKEN:
        raise broken_law(game)
    return Played(Decisions._make(array[:rows].copy() for array in out), play.returns)


def joined(parts: list[Played]) -> Played:
    """Return the games of all parts, one after another."""
    firsts = np.cumsum([0, *(len(part.returns) for part in parts)])
    numbered = [
        part.decisions._replace(games=part.decisions.games + np.int32(first))
        for part, first in zip(parts, firsts, strict=False)
    ]
    decisions = Decisions._make(np.concatenate(arrays) for arrays in zip(*numbered, strict=True))
    return Played(decisions, np.concatenate([part.returns for part in parts]))


def _lockstep(game: Game, games: int, seen: int) -> Lockstep:
    questions, choices = make_questions(game, games), game.table.choices
    return Lockstep(
        np.zeros((games, game.table.state_bytes), np.uint8),
        np.zeros(games, np.int64),
        np.zeros(games, np.int64),
        np.zeros((games, game.players)),
        np.zeros(choices),
        np.zeros(games, np.int64),
        questions,
        questions._replace(policies=np.zeros((games, choices))),
        np.zeros((games, seen), np.int64),
        np.zeros(games, np.int64),
    )


def _room(game: Game, rows: int) -> Decisions:
    """Return room for decisions; what is not written to costs nothing."""
    choices = game.table.choices
    return Decisions(
        np.empty((rows, game.table.state_bytes), np.uint8),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty((rows, choices), np.int32),
        np.empty(rows, np.int32),
        np.empty(rows, np.int32),
        np.empty((rows, choices), np.float32),
        np.empty((rows, choices), np.float32),
        np.empty(rows, np.float32),
    )


@kernel
def play_together(
    game: Table,
    networks: Networks,
    scratch: MlpScratch,
    critic_scratch: MlpScratch,
    play: Lockstep,
    out: Decisions,
    rngs: Generator,
) -> int:
    """Play all games to their ends; return how many decisions were written, or BROKEN."""
    written = 0
    for g in range(len(play.movers)):
        play.states[g][:] = 0
        game.start(row_pointer(play.states, g))
        play.movers[g] = CHANCE
    while True:
        asked = ask_together(game, play, rngs)
        if asked <= 0:
            return BROKEN if asked == BROKEN else written
        answer(networks.actor, play.actor, asked, scratch)
        answer(networks.magnet, play.magnet, asked, scratch)
        propagate(networks.critic, play.seen, play.seen_count, asked, critic_scratch)
        for row in range(asked):
            out.values[written] = critic_scratch.here[row, 0]
            decide(game, play, row, out, written, rngs[play.asking[row]])
            written += 1


@kernel
def ask_together(game: Table, play: Lockstep, rngs: Generator) -> int:
    """Bring every game to its next decision or its end; write a question for each decision and return how many."""
    asked = 0
    for g in range(len(play.movers)):
        if play.movers[g] == TERMINAL:
            continue
        mover = come_to_decision(game, play, g, asked, rngs[g])
        if mover == BROKEN:
            return BROKEN
        play.movers[g] = mover
        if mover == TERMINAL:
            game.returns(row_pointer(play.states, g), row_pointer(play.returns, g))
            continue
        play.asking[asked] = g
        s, known = row_pointer(play.states, g), row_pointer(play.actor.facts, asked)
        play.actor.known[asked] = game.facts(s, mover, known)
        play.seen_count[asked] = show_critic(game, play, g, asked)
        asked += 1
    return asked


@inlined_kernel
def come_to_decision(game: Table, play: Lockstep, g: int, row: int, rng: Generator) -> int:
    """Let chance act, and who has a single action; return who has a choice, written as the actions of a question."""
    s, actions = row_pointer(play.states, g), play.actor.actions
    while True:
        mover = game.player(s)
        if mover == TERMINAL:
            return TERMINAL
        count = write_legal(game, s, row_pointer(actions, row))
        if count == BROKEN or play.plies[g] == game.plies:
            return BROKEN
        if mover != CHANCE and count > 1:
            play.actor.counts[row] = count
            return mover
        choice = draw_outcome(game, s, play.weights, count, rng) if mover == CHANCE else 0
        game.apply(s, actions[row, choice])
        play.plies[g] += 1


@inlined_kernel
def show_critic(game: Table, play: Lockstep, g: int, row: int) -> int:
    """Write what the critic sees: the mover's facts and, as far as there is room, those of the players after it."""
    s, total = row_pointer(play.states, g), 0
    for k in range(play.seen.shape[1] // game.fact_count):
        observer = (play.movers[g] + k) % game.players
        count = game.facts(s, observer, pointer(play.seen[row][total:]))
        for i in range(total, total + count):
            play.seen[row, i] += k * game.fact_count
        total += count
    return total


@inlined_kernel
def decide(game: Table, play: Lockstep, row: int, out: Decisions, at: int, rng: Generator) -> None:
    """Draw an action from the actor's policy, note the decision, and play it."""
    g, questions = play.asking[row], play.actor
    count = questions.counts[row]
    choice = choose(questions.policies[row], count, rng)
    copy_row(play.states[g], out.states[at])
    out.games[at], out.players[at], out.counts[at], out.choices[at] = g, play.movers[g], count, choice
    for k in range(len(out.actions[at])):
        legal = k < count
        out.actions[at, k] = questions.actions[row, k] if legal else 0
        out.policies[at, k] = questions.policies[row, k] if legal else 0.0
        out.magnets[at, k] = play.magnet.policies[row, k] if legal else 0.0
    game.apply(row_pointer(play.states, g), questions.actions[row, choice])
    play.plies[g] += 1


def advantages(played: Played, unit: float, gae_lambda: float) -> Float32s:
    """Return generalised advantage estimates (Schulman et al., 2016) without discount; returns are divided by a unit.

    The decisions of one player in one game are a trajectory. With a lambda of 1, an estimate is what was won
    less what the critic expected; with 0, what it expected at the player's next decision less that.
    """
    decisions, returns = played
    later, found = np.zeros((2, *returns.shape)), np.empty(decisions.rows, np.float32)
    later[0] = returns / unit
    estimate(decisions, later, gae_lambda, found)
    return found


@kernel
def estimate(decisions: Decisions, later: Float64s, gae_lambda: float, out: Float32s) -> None:
    """Go back through the decisions; `later` holds the value and the advantage of each player's next one."""
    for row in range(len(out) - 1, -1, -1):
        g, p = decisions.games[row], decisions.players[row]
        value = np.float64(decisions.values[row])
        advantage = later[0, g, p] - value + gae_lambda * later[1, g, p]
        later[0, g, p], later[1, g, p] = value, advantage
        out[row] = advantage
