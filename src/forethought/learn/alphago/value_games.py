"""Games for the value network, by AlphaGo's scheme: one position of each.

    U is drawn uniformly. The moves before U are the imitation network's, the move at U is uniformly random, and all
    later ones are the policy-gradient network's. The position after the random move is kept, with what was won.

The random move leads to positions that neither network would come to, and one position per game keeps a network from
learning games by heart: all positions of a game have the same result. Plies of chance, and those where only one action
is legal, count but are nobody's decision: the random move is made at the first decision at or after U, and the position
is that of the next decision. A game that ends before is dropped. For comparison, later positions may be kept as well.
Games may last much longer than they do, so the last U is measured: the plies of the longest of some games.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Bools, Float32s, Int32s, Int64s
from forethought.compiler import kernel
from forethought.evaluate.lockstep import (
    CompiledSide,
    GamesInProgress,
    Lockstep,
    ask_about,
    bring_to_decision,
    decide_together,
    play_choice,
    play_out,
)
from forethought.game import TERMINAL, Game, Table
from forethought.games.reference import GameReference
from forethought.learn.recording import MovesSide
from forethought.playouts import largest_return
from forethought.randomness import Generator, below, generators
from forethought.runtime.executor import Stopped, Stopping
from forethought.status import BROKEN


@dataclass(frozen=True)
class ValueGamesJob:
    """Games to be played together by one worker. Plain data."""

    reference: GameReference
    imitation: Any  # a compiled network: plays before the random move
    strong: Any  # likewise: plays after it
    last_ply: int
    positions_per_game: int
    games: int
    seed: tuple[int, ...]


class ValuePositions(NamedTuple):
    """Positions, and what the mover won in the end: a row each."""

    facts: Int32s  # [rows, facts] of the mover
    known: Int32s  # [rows] how many of them
    games: Int64s  # [rows]
    results: Float32s  # [rows] from -1 to 1

    @property
    def rows(self) -> int:
        return len(self.known)


def play_value_games(job: ValueGamesJob, stopping: Stopping) -> ValuePositions:
    """Play the games of a job, in lock-step; return their positions. A task for an executor."""
    if stopping():
        raise Stopped
    game, count = job.reference.game, job.games
    games = GamesInProgress(game, generators(count, *job.seed))
    begins, opened = np.array([1 + below(job.last_ply, rng) for rng in games.rngs]), np.zeros(count, np.bool_)
    decider = job.imitation, job.imitation.scratch(count)
    while games.checked(open_games(game.table, *decider, games.play, begins, opened, games.rngs)):
        pass
    side = MovesSide(games, range(game.players), job.strong)
    play_out([side])
    moves, returns = side.moves(), games.play.returns / largest_return(game)
    kept = moves.chosen(first_rows(moves.games, job.positions_per_game))
    results = returns[kept.games, kept.players].astype(np.float32)
    return ValuePositions(kept.facts.copy(), kept.known, kept.games.astype(np.int64), results)


def longest_game(game: Game, player: Any, count: int, *seed: int) -> int:
    """Return the plies of the longest of some games that a compiled network plays against itself."""
    games = GamesInProgress(game, generators(count, *seed))
    play_out([CompiledSide(games, games.seats(range(game.players)), player)])
    return int(games.play.plies.max())


def first_rows(games: Int32s, count: int) -> Int64s:
    """Return the places of the first so many rows of each game."""
    order = np.argsort(games, kind="stable")
    begins = np.searchsorted(games[order], games[order])
    return np.sort(order[np.arange(len(order)) - begins < count])


@kernel
def open_games(
    game: Table, evaluator: Any, scratch: Any, play: Lockstep, begins: Int64s, opened: Bools, rngs: Generator
) -> int:
    """Move once in all games whose random move has not been made, which is made at or after the ply that begins them.

    Return in how many games the evaluator decided, or BROKEN.
    """
    asked = 0
    for g in range(len(opened)):
        if opened[g] or play.movers[g] == TERMINAL:
            continue
        mover = bring_to_decision(game, play, g, asked, rngs[g])
        if mover == BROKEN:
            return BROKEN
        if mover == TERMINAL:
            continue
        if play.plies[g] + 1 >= begins[g]:
            play.asking[asked] = g
            play_choice(game, play, asked, below(play.questions.counts[asked], rngs[g]))
            opened[g] = True
        else:
            ask_about(game, play, g, asked)
            asked += 1
    decide_together(game, evaluator, scratch, play, asked, rngs)
    return asked
