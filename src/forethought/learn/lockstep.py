"""Games in lock-step (`evaluate/lockstep.py`) whose decisions are recorded, to be learned from.

In self-play the actor has all seats, and a kernel plays the games to their ends. Where it has some of them, other sides
move in turns with it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float32s, Float64s, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel, row_pointer
from forethought.compiler.rows import copy_row
from forethought.evaluate.lockstep import GamesInProgress, Lockstep, ask_together, play_choice
from forethought.game import Game, Table
from forethought.learn.recording import note_choice
from forethought.nets.critic import CriticQuestions, ask_critic, judge, make_critic_questions
from forethought.nets.evaluator import answer
from forethought.nets.mlp import Mlp, MlpScratch
from forethought.nets.questions import Questions
from forethought.randomness import Generator, choose


class Networks(NamedTuple):
    """Who plays, and who judges."""

    actor: Mlp  # decides
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


class Notes(NamedTuple):
    """What is noted of questions besides the actor's answers."""

    magnet: Questions  # the same questions, answered by the magnet
    critic: CriticQuestions  # the same positions, judged by the critic
    written: Int64s  # [1] how many decisions have been recorded


class Played(NamedTuple):
    """What games came to."""

    decisions: Decisions
    returns: Float64s  # [games, players]


def play_games(game: Game, networks: Networks, rngs: Generator) -> Played:
    """Play a game for each generator, all at once, with the actor in all seats."""
    games = GamesInProgress(game, rngs)
    side = RecordedSide(games, range(game.players), networks)
    side.play_alone()
    return side.played()


class RecordedSide:
    """The actor in some seats, with a record of its decisions."""

    def __init__(self, games: GamesInProgress, seats: Sequence[int], networks: Networks) -> None:
        self._games, self._seats, self._networks = games, games.seats(seats), networks
        count, questions = len(games.rngs), games.play.questions
        self._scratch = networks.actor.scratch(count), networks.critic.scratch(count)
        magnet = questions._replace(policies=np.zeros_like(questions.policies))
        self._notes = Notes(magnet, make_critic_questions(count, networks.critic.facts), np.zeros(1, np.int64))
        self._out = _room(games.game, count * games.game.plies)

    def move(self) -> int:
        return self._games.checked(record_together(*self._arguments()))

    def play_alone(self) -> None:
        """Play all games to their ends, if all seats are the actor's."""
        self._games.checked(play_together(*self._arguments()))

    def played(self) -> Played:
        """Return what the games came to that are over."""
        return Played(
            Decisions._make(array[: self._notes.written[0]].copy() for array in self._out), self._games.play.returns
        )

    def _arguments(self) -> tuple[Any, ...]:
        games = self._games
        record = self._notes, self._out
        return games.game.table, self._networks, *self._scratch, games.play, self._seats, *record, games.rngs


def joined(parts: list[Played]) -> Played:
    """Return the games of all parts, one after another."""
    firsts = np.cumsum([0, *(len(part.returns) for part in parts)])
    numbered = [
        part.decisions._replace(games=part.decisions.games + np.int32(first))
        for part, first in zip(parts, firsts, strict=False)
    ]
    decisions = Decisions._make(np.concatenate(arrays) for arrays in zip(*numbered, strict=True))
    return Played(decisions, np.concatenate([part.returns for part in parts]))


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
    seats: Bytes,
    notes: Notes,
    out: Decisions,
    rngs: Generator,
) -> int:
    """Play all games to their ends; return 0, or BROKEN."""
    asked = 1
    while asked > 0:
        asked = record_together(game, networks, scratch, critic_scratch, play, seats, notes, out, rngs)
    return asked


@kernel
def record_together(
    game: Table,
    networks: Networks,
    scratch: MlpScratch,
    critic_scratch: MlpScratch,
    play: Lockstep,
    seats: Bytes,
    notes: Notes,
    out: Decisions,
    rngs: Generator,
) -> int:
    """Let the actor decide in all games in which one of the seats is to move; return how many, or BROKEN."""
    asked = ask_together(game, play, seats, rngs)
    if asked <= 0:
        return asked
    for row in range(asked):
        g = play.asking[row]
        ask_critic(game, row_pointer(play.states, g), play.movers[g], notes.critic, row)
    answer(networks.actor, play.questions, asked, scratch)
    answer(networks.magnet, notes.magnet, asked, scratch)
    judge(networks.critic, notes.critic, asked, critic_scratch)
    for row in range(asked):
        at = notes.written[0]
        out.values[at] = notes.critic.values[row]
        decide(game, play, row, notes, out, at, rngs[play.asking[row]])
        notes.written[0] = at + 1
    return asked


@inlined_kernel
def decide(game: Table, play: Lockstep, row: int, notes: Notes, out: Decisions, at: int, rng: Generator) -> None:
    """Draw an action from the actor's policy, note the decision, and play it."""
    g, questions = play.asking[row], play.questions
    count = questions.counts[row]
    choice = choose(questions.policies[row], count, rng)
    copy_row(play.states[g], out.states[at])
    note_choice(play, row, choice, out, at)
    for k in range(len(out.policies[at])):
        legal = k < count
        out.policies[at, k] = questions.policies[row, k] if legal else 0.0
        out.magnets[at, k] = notes.magnet.policies[row, k] if legal else 0.0
    play_choice(game, play, row, choice)


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
