"""A best response by tree search: Information Set MCTS in which one player has a tree, and the others a network.

Simulations are whole games. Chance and the others act as they do, so what the searching player comes to know is as
probable as it should be, and no hidden state need be guessed. Others that do not change make the game a problem of one
decider: UCB1 comes to a best response.
"""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Int32s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.compiler.rows import copy_row
from forethought.game import CHANCE, Game, Table
from forethought.nets.evaluator import answer
from forethought.nets.mlp import Mlp, MlpScratch
from forethought.randomness import Generator, below, choose
from forethought.search.infosets import NO_ROW, find_row, key_of
from forethought.search.ismcts.search import (
    InformationSetTreeSearch,
    IsmctsAim,
    IsmctsSettings,
    back_up,
    determinise,
    remember,
)
from forethought.search.ismcts.selection import Selection, SelectionScratch, select
from forethought.search.oos.kernels import Turns, chance_choice
from forethought.search.oos.memory import Walks
from forethought.search.oos.walks import find_or_add, move
from forethought.search.regret import Regrets, has_room
from forethought.status import BROKEN, DONE, NO_ROOM, broken_law


class Opposition(NamedTuple):
    """Who searches, and what the others play."""

    seat: int
    others: Mlp
    scratch: MlpScratch


class ResponseMoves(NamedTuple):
    """A row for each decision of a response."""

    states: Bytes  # [rows, state_bytes]
    players: Int32s  # [rows]
    actions: Int32s  # [rows]


class ResponseSearch(InformationSetTreeSearch):
    """The search of one seat for the best response to a network; the network may change between simulations."""

    def __init__(self, game: Game, seat: int, others: Mlp, exploration: float, rng: Generator) -> None:
        super().__init__(game, IsmctsSettings(exploration=exploration, begin="start"), rng)
        self._seat = seat
        self.oppose(others)

    def oppose(self, others: Mlp) -> None:
        """Let the other players play by this network from now on."""
        self._opposition = Opposition(self._seat, others, others.scratch(1))

    def _advance(self) -> int:
        walking = self._walks, self._turns, self._rng
        return walk_against(self.game.table, self.aim, self._rule, self._opposition, self.table, *walking)

    def play(self, games: int) -> ResponseMoves:
        """Play games by what was visited most, and return the decisions; where nothing is known, any is played."""
        rows, game = games * self.game.plies, self.game
        moves = ResponseMoves(
            np.empty((rows, game.table.state_bytes), np.uint8), np.empty(rows, np.int32), np.empty(rows, np.int32)
        )
        written, playing = np.zeros(1, np.int64), (self._opposition, self.table, self._walks)
        for _ in range(games):
            if play_response(game.table, self.aim, *playing, moves, written, self._rng) == BROKEN:
                raise broken_law(game)
        return ResponseMoves._make(array[: written[0]] for array in moves)


@kernel
def walk_against(
    game: Table,
    aim: IsmctsAim,
    rule: Selection,
    opposition: Opposition,
    table: Regrets,
    walks: Walks,
    turns: Turns,
    rng: Generator,
) -> int:
    """Run walks one after another; return DONE, NO_ROOM or BROKEN."""
    questions, scratch = walks.questions, SelectionScratch(walks.strategy, walks.sampling)
    while turns.begun[0] < turns.end[0]:
        if not has_room(game, table, 1):
            return NO_ROOM
        turns.begun[0] += 1
        player, in_tree = determinise(game, aim, walks, rng), True
        while player >= CHANCE:
            if player != opposition.seat:
                choice = choice_of_others(game, opposition, walks, player, rng)
            else:
                count, first = questions.counts[0], NO_ROW
                if in_tree:
                    first, in_tree = find_or_add(game, table, questions, 0, player)
                if first == NO_ROW:
                    choice = below(count, rng)
                else:
                    choice = select(rule, table, first, count, aim.largest[0], scratch, rng)
                    remember(aim, walks, player, first, choice)
            player = move(game, walks, 0, choice)
        if player == BROKEN:
            return BROKEN
        back_up(game, aim, rule, table, walks)
    return DONE


@kernel
def choice_of_others(game: Table, opposition: Opposition, walks: Walks, player: int, rng: Generator) -> int:
    """Return what chance, or a player whom the network plays, does."""
    questions = walks.questions
    if player == CHANCE:
        return chance_choice(game, walks, 0, rng)
    questions.known[0] = game.facts(row_pointer(questions.states, 0), player, row_pointer(questions.facts, 0))
    answer(opposition.others, questions, 1, opposition.scratch)
    return choose(questions.policies[0], questions.counts[0], rng)


@kernel
def play_response(
    game: Table,
    aim: IsmctsAim,
    opposition: Opposition,
    table: Regrets,
    walks: Walks,
    moves: ResponseMoves,
    written: Int64s,
    rng: Generator,
) -> int:
    """Play one game by the response, and note its decisions between several actions; return TERMINAL or BROKEN."""
    questions = walks.questions
    player = determinise(game, aim, walks, rng)
    while player >= CHANCE:
        count = questions.counts[0]
        if player != opposition.seat:
            choice = choice_of_others(game, opposition, walks, player, rng)
        else:
            choice = most_visited(game, table, walks, player)
            if choice != NO_ROW and count > 1:
                at = written[0]
                copy_row(questions.states[0], moves.states[at])
                moves.players[at], moves.actions[at] = player, questions.actions[0, choice]
                written[0] = at + 1
            elif choice == NO_ROW:
                choice = below(count, rng)
        player = move(game, walks, 0, choice)
    return player


@inlined_kernel
def most_visited(game: Table, table: Regrets, walks: Walks, player: int) -> int:
    """Return the place of the action that was visited most; NO_ROW where no simulation has been."""
    questions, facts, best = walks.questions, walks.questions.facts[0], 0
    known = game.facts(row_pointer(questions.states, 0), player, pointer(facts))
    first = find_row(table.infosets, key_of(facts, known))
    if first == NO_ROW:
        return NO_ROW
    for i in range(1, questions.counts[0]):
        if table.entries[first + i] > table.entries[first + best]:
            best = i
    return best
