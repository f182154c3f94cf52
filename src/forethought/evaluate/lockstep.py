"""Games in lock-step: many are played at once, and all decisions of one side are answered as one batch.

A *side* decides for some of the seats in all games. A compiled evaluator does so inside a kernel; a group of players is
asked from Python, once per batch. Sides take turns until all games are over. Each game has a generator of its own, and
a row is answered on its own, so a game is the same in whatever company it is played. Where only one action is legal
nobody is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, row_pointer
from forethought.evaluate.rounds import Entrant
from forethought.game import CHANCE, TERMINAL, Game, State, Table
from forethought.nets.evaluator import answer
from forethought.nets.questions import Questions, make_questions
from forethought.player import NewGroup
from forethought.randomness import Generator, choose, generators
from forethought.rollouts import draw_outcome, write_legal
from forethought.status import BROKEN, broken_law

IN_KERNELS = 1_024  # games at once, where a kernel decides
BY_GROUPS, BY_EACH = 64, 8  # where players are asked, who think together, or one after another: each has its memory


class Lockstep(NamedTuple):
    """Games in progress, and the questions of those that wait for an answer."""

    states: Bytes  # [games, state_bytes]
    movers: Int64s  # [games] who decides; TERMINAL when it is over
    plies: Int64s  # [games]
    returns: Float64s  # [games, players]
    weights: Float64s  # [choices] probabilities of chance
    asking: Int64s  # [rows] the game of each question
    questions: Questions


class GamesInProgress:
    """Games of which all sides know how far they are: one for each generator."""

    def __init__(self, game: Game, rngs: Generator) -> None:
        self.game, self.rngs, self.play = game, rngs, begun(game, len(rngs))

    def seats(self, chosen: Sequence[int]) -> Bytes:
        """Return which seats are chosen, for kernels."""
        seats = np.zeros(self.game.players, np.uint8)
        seats[list(chosen)] = 1
        return seats

    def checked(self, asked: int) -> int:
        """Return how many questions a kernel asked, unless the game broke its law."""
        if asked == BROKEN:
            raise broken_law(self.game)
        return asked


class Side(Protocol):
    """Who decides for some of the seats."""

    def move(self) -> int:
        """Decide in all games in which one of the seats is to move; return how many these are."""


def play_out(sides: Sequence[Side]) -> None:
    """Play all games to their ends."""
    while any([side.move() for side in sides]):  # noqa: C419 (all of them must move)
        pass


class Strategy(Protocol):
    """How to decide, frozen."""

    @property
    def at_once(self) -> int:
        """How many games are best played at once."""

    def side(self, games: GamesInProgress, seats: Sequence[int], *seed: int) -> Side:
        """Take these seats in games that begin; the seed is for players that draw numbers as they think."""


def strategy_of(player: Entrant, game: Game) -> Strategy:
    """Return how a player decides: in kernels, if it can."""
    compiled = player.compiled(game)
    if compiled is not None:
        return CompiledStrategy(compiled)
    return GroupStrategy(player.new_group(game), BY_GROUPS if player.settings.thinks_together else BY_EACH)


@dataclass(frozen=True)
class CompiledStrategy:
    """The policy of a compiled evaluator."""

    evaluator: Any
    at_once: int = IN_KERNELS

    def side(self, games: GamesInProgress, seats: Sequence[int], *_seed: int) -> Side:
        return CompiledSide(games, games.seats(seats), self.evaluator)


class CompiledSide:
    """Decides inside a kernel."""

    def __init__(self, games: GamesInProgress, seats: Bytes, evaluator: Any) -> None:
        self._games, self._seats, self._evaluator = games, seats, evaluator
        self._scratch = evaluator.scratch(len(games.rngs))

    def move(self) -> int:
        games = self._games
        decider = self._evaluator, self._scratch
        return games.checked(move_together(games.game.table, *decider, games.play, self._seats, games.rngs))


@dataclass(frozen=True)
class GroupStrategy:
    """What players decide who are asked from Python."""

    new_group: NewGroup
    at_once: int = BY_GROUPS

    def side(self, games: GamesInProgress, seats: Sequence[int], *seed: int) -> Side:
        return GroupSide(games, seats, self.new_group, *seed)


class GroupSide:
    """Asks a group, in which each seat of each game has a player."""

    def __init__(self, games: GamesInProgress, seats: Sequence[int], new_group: NewGroup, *seed: int) -> None:
        self._games, self._seats, self._order = games, games.seats(seats), list(seats)
        self._group = new_group(list(generators(len(games.rngs) * len(seats), *seed)))

    def move(self) -> int:
        games, play = self._games, self._games.play
        asked = games.checked(ask_together(games.game.table, play, self._seats, games.rngs))
        if not asked:
            return 0
        waiting = [(int(g), int(play.movers[g])) for g in play.asking[:asked]]
        states = [State(games.game, play.states[g]) for g, _ in waiting]
        slots = [g * len(self._order) + self._order.index(seat) for g, seat in waiting]
        seen = [state.observation(seat) for state, (_, seat) in zip(states, waiting, strict=True)]
        policies = self._group.think(slots, seen)
        for state, (g, _), (actions, chances) in zip(states, waiting, policies, strict=True):
            state.apply(actions[choose(np.array(chances), len(actions), games.rngs[g])])
            play.plies[g] += 1
        return asked


def begun(game: Game, games: int) -> Lockstep:
    """Return games that begin."""
    return Lockstep(
        np.repeat(game.start().memory[np.newaxis], games, axis=0),
        np.full(games, CHANCE),
        np.zeros(games, np.int64),
        np.zeros((games, game.players)),
        np.zeros(game.table.choices),
        np.zeros(games, np.int64),
        make_questions(game, games),
    )


@kernel
def move_together(game: Table, evaluator: Any, scratch: Any, play: Lockstep, seats: Bytes, rngs: Generator) -> int:
    """Let an evaluator decide in all games in which one of the seats is to move; return how many, or BROKEN."""
    asked = ask_together(game, play, seats, rngs)
    decide_together(game, evaluator, scratch, play, asked, rngs)
    return asked


@inlined_kernel
def decide_together(game: Table, evaluator: Any, scratch: Any, play: Lockstep, asked: int, rngs: Generator) -> None:
    """Let an evaluator answer the questions, draw from its policies, and play."""
    if asked > 0:
        answer(evaluator, play.questions, asked, scratch)
    for row in range(asked):
        chosen = choose(play.questions.policies[row], play.questions.counts[row], rngs[play.asking[row]])
        play_choice(game, play, row, chosen)


@kernel
def ask_together(game: Table, play: Lockstep, seats: Bytes, rngs: Generator) -> int:
    """Bring every game to its next decision or its end; write a question for each that one of the seats has to make.

    Return how many, or BROKEN.
    """
    asked = 0
    for g in range(len(play.movers)):
        if play.movers[g] == TERMINAL:
            continue
        mover = bring_to_decision(game, play, g, asked, rngs[g])
        if mover == BROKEN:
            return BROKEN
        if mover != TERMINAL and seats[mover]:
            ask_about(game, play, g, asked)
            asked += 1
    return asked


@inlined_kernel
def ask_about(game: Table, play: Lockstep, g: int, row: int) -> None:
    """Complete a question about a game, whose legal actions are written: note which it is, and what its mover knows."""
    play.asking[row] = g
    s, known = row_pointer(play.states, g), row_pointer(play.questions.facts, row)
    play.questions.known[row] = game.facts(s, play.movers[g], known)


@inlined_kernel
def bring_to_decision(game: Table, play: Lockstep, g: int, row: int, rng: Generator) -> int:
    """Bring a game to its next decision, or to its end, whose returns are written; return its mover, or BROKEN."""
    mover = play.movers[g] = come_to_decision(game, play, g, row, rng)
    if mover == TERMINAL:
        game.returns(row_pointer(play.states, g), row_pointer(play.returns, g))
    return mover


@inlined_kernel
def come_to_decision(game: Table, play: Lockstep, g: int, row: int, rng: Generator) -> int:
    """Let chance act, and who has a single action; return who has a choice, written as the actions of a question."""
    s, actions = row_pointer(play.states, g), play.questions.actions
    while True:
        mover = game.player(s)
        if mover == TERMINAL:
            return TERMINAL
        count = write_legal(game, s, row_pointer(actions, row))
        if count == BROKEN or play.plies[g] == game.plies:
            return BROKEN
        if mover != CHANCE and count > 1:
            play.questions.counts[row] = count
            return mover
        choice = draw_outcome(game, s, play.weights, count, rng) if mover == CHANCE else 0
        game.apply(s, actions[row, choice])
        play.plies[g] += 1


@inlined_kernel
def play_choice(game: Table, play: Lockstep, row: int, choice: int) -> None:
    """Play one of the legal actions of a question."""
    g = play.asking[row]
    game.apply(row_pointer(play.states, g), play.questions.actions[row, choice])
    play.plies[g] += 1
