"""A process that compiles what a game and its players need, so that the server only has to load it.

Numba compiles one function at a time in a process, and cannot be interrupted. Run as a program, this module reads a
request as JSON from its input, writes its progress line by line, and ends when the machine code is on the disk.
"""

import json
import os
import sys
from collections.abc import Sequence
from threading import Event
from typing import NamedTuple

import numpy as np

from forethought.compiler.announce import announcer, shown_by
from forethought.game import Game, State
from forethought.games import load
from forethought.randomness import choose, generator
from forethought.search.beliefs import Beliefs
from forethought.search.player import current_policy
from forethought.serve.player_catalogue import make_player
from forethought.serve.stoppable_search import search_in_portions

DECISIONS = 2  # of each player: at its second one a search looks for what it found before


class CompilationRequest(NamedTuple):
    """What is to be compiled."""

    game: str  # as the library names it
    players: tuple[str, ...]


def prepare(game: Game, players: Sequence[str]) -> None:
    """Let each player do briefly what it does in a session: that needs all its kernels."""
    choose(np.ones(1), 1, generator(0))
    for spec in players:
        player, state = make_player(spec, game)(generator(0)), game.start()
        for _ in range(DECISIONS):
            if not _goes_on(state):
                break
            observation = state.observation(state.player)
            for _progress in search_in_portions(player, observation, Event(), 0.0):
                pass
            current_policy(player, observation)
            if game.hidden:
                Beliefs(game, observation, most_states=1)
            state.apply(observation.legal_actions[0])


def _goes_on(state: State) -> bool:
    """Let chance act until a player is to move; False at the end of the game."""
    while state.is_chance:
        state.apply(state.legal_actions()[0])
    return not state.is_terminal


def main() -> None:
    """Compile for each request of the input, one after another."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # what rules print is no progress

    def report(_text: str) -> None:
        print(json.dumps(announcer.counts), file=output, flush=True)

    for name, players in json.load(sys.stdin):
        with shown_by(report), announcer.waiting():
            prepare(load(name), players)


if __name__ == "__main__":
    main()
