"""Every move of a record, replayed through the rules."""

from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Int64s
from forethought.compiler import kernel, pointer
from forethought.game import TERMINAL, Game, State, Table
from forethought.records.formats import CheckedGame
from forethought.records.transcript import (
    AFTER_END,
    ILLEGAL,
    NO_MOVES,
    NOT_SAID,
    WRONG_TURN,
    Problem,
    Transcript,
)
from forethought.rollouts import write_legal
from forethought.status import BROKEN, broken_law

AGREED = ("go",)  # games whose players agree on the result: stones that are dead stay on the board in the end


class Replayed(NamedTuple):
    """What the rules say of a transcript."""

    game: CheckedGame  # as far as it could be played
    problem: Problem | None  # why it could not be played on
    move: int  # the file's number of the move that could not be played, from 1; 0 if none
    disagrees: bool  # the file names another winner than the rules


class Replayer:
    """Replays transcripts of one game; the memory it needs is made once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._state = np.zeros(game.table.state_bytes, np.uint8)
        self._choices = np.zeros(game.table.choices, np.int64)
        self._played = np.zeros(game.plies + 1, np.int64)

    def replay(self, transcript: Transcript) -> Replayed:
        """Play a transcript as far as the rules allow."""
        moves = np.array(transcript.actions, np.int64)
        movers = np.array(transcript.movers, np.int64) if transcript.movers else np.full(len(moves), NOT_SAID)
        memory = self._state, self._choices, self._played
        done = replay_moves(self.game.table, moves, movers, transcript.optional, *memory)
        if done == BROKEN:
            raise broken_law(self.game)
        plies = int(self._played[-1])
        actions = self._played[:plies].tolist()
        by_rules = self._returns()
        problem = transcript.problem
        if done < len(moves):
            problem = self._problem(int(moves[done]), int(movers[done]))
        elif problem is None and plies <= transcript.setup:
            problem = Problem(NO_MOVES, "it has no moves")
        agreed = self.game.name in AGREED and transcript.returns is not None
        decide = by_rules is not None and transcript.rules_decide and not agreed
        returns = by_rules if decide else transcript.returns
        played = CheckedGame(actions, transcript.setup, returns, transcript.names, transcript.ratings)
        move = max(0, done + 1 - transcript.setup) if problem is not None and problem.of_move else 0
        return Replayed(played, problem, move, _differ(by_rules, transcript.returns))

    def _returns(self) -> tuple[float, ...] | None:
        """Return what each player has won, if the game is over."""
        state = State(self.game, self._state)
        return tuple(state.returns()) if state.is_terminal else None

    def _problem(self, move: int, mover: int) -> Problem:
        """Say why the rules did not play a move in the position they have come to."""
        state = State(self.game, self._state)
        player = state.player
        if player == TERMINAL:
            return Problem(AFTER_END, "the game is over before it", of_move=True)
        name = state.action_name(move) if 0 <= move < self.game.actions and not state.is_chance else str(move)
        if mover not in (NOT_SAID, player):
            who = "chance" if state.is_chance else f"player {player}"
            return Problem(WRONG_TURN, f"it is player {mover}'s {name}, but {who} is to move", of_move=True)
        return Problem(ILLEGAL, f"{name} is not legal", of_move=True)


def position_after(game: Game, actions: list[int]) -> str:
    """Draw the position after some actions that the rules have played before."""
    state = game.start()
    for action in actions:
        game.table.apply(state.memory, action)
    return state.show()


def _differ(by_rules: tuple[float, ...] | None, by_file: tuple[float, ...] | None) -> bool:
    return by_rules is not None and by_file is not None and bool(np.any(np.sign(by_rules) != np.sign(by_file)))


@kernel
def replay_moves(  # noqa: PLR0913, PLR0917 (a kernel takes its arrays one by one)
    game: Table, moves: Int64s, movers: Int64s, optional: int, state: Bytes, choices: Int64s, played: Int64s
) -> int:
    """Play moves from the start; return how many of them the rules allow, or BROKEN.

    Actions are written to `played`, and their number to its last place. The `optional` action is played where it is
    the only legal one and the file has left it out, and passed over where the file has it after the end.
    """
    s, done, plies, last = pointer(state), 0, 0, len(played) - 1
    state[:] = 0
    game.start(s)
    played[last] = 0
    while done < len(moves):
        player = game.player(s)
        if player == TERMINAL and moves[done] == optional:
            done += 1
            continue
        if player == TERMINAL or plies == last:
            break
        count = write_legal(game, s, pointer(choices))
        if count == BROKEN:
            return BROKEN
        legal = False
        for i in range(count):
            legal |= choices[i] == moves[done]
        if legal and (movers[done] == player or movers[done] == NOT_SAID):
            played[plies] = moves[done]
            done += 1
        elif count == 1 and choices[0] == optional:
            played[plies] = optional
        else:
            break
        game.apply(s, played[plies])
        plies += 1
        played[last] = plies
    return done
