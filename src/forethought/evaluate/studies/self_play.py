"""Games of a planner against itself, each as the few numbers that a study needs."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from forethought.evaluate.rounds import Entrant, draw_outcome
from forethought.game import Game, State
from forethought.games.reference import GameReference
from forethought.player import Player, seated
from forethought.randomness import Generator, choose, generator
from forethought.runtime.executor import Stopped, Stopping
from forethought.search.player import Thought, study

GAMES_PER_JOB = 4
_PLAYERS, _DEALS = 0, 1  # what a generator of a game is for


class StudiedGame(NamedTuple):
    """What remains of a game."""

    returns: tuple[float, ...]
    choices: tuple[int, ...]  # legal actions of the player to move, move by move; chance does not count
    leads: tuple[float, ...]  # by how much player 0 is ahead, by the value of the planner, decision by decision


class StudiedGamesJob(NamedTuple):
    """Games to play: a planner in all seats."""

    reference: GameReference
    planner: Entrant
    seed: int
    numbers: tuple[int, ...]


def play_studied_games(job: StudiedGamesJob, stopping: Stopping) -> list[StudiedGame]:
    """Play the games of a job: the seed and the number decide each. A task for an executor."""
    game = job.reference.game
    new_player = job.planner.settings.new_player(game)
    played = []
    for number in job.numbers:
        players = seated([new_player] * game.players, job.seed, number, _PLAYERS)
        played.append(_play(game.start(), players, generator(job.seed, number, _DEALS), stopping))
    return played


def has_leads(game: Game) -> bool:
    """Whether a planner's value says who is ahead: where nothing is hidden, and one wins what the other loses.

    Under hidden information each player has a value of its own, and both may think that they are ahead.
    """
    return not game.hidden and game.players == 2 and game.zero_sum


def _play(state: State, players: Sequence[Player], rng: Generator, stopping: Stopping) -> StudiedGame:
    choices, leads = list[int](), list[float]()
    while not state.is_terminal:
        if stopping():
            raise Stopped
        if state.is_chance:
            draw_outcome(state, rng)
            continue
        mover, legal = state.player, state.legal_actions()
        choices.append(len(legal))
        if len(legal) == 1:
            state.apply(legal[0])
            continue
        thought = study(players[mover], state.observation(mover))
        if has_leads(state.game) and (value := _value(thought)) is not None:
            leads.append(value if mover == 0 else -value)
        actions, weights = thought.policy
        state.apply(actions[choose(np.array(weights), len(actions), rng)])
    return StudiedGame(tuple(state.returns()), tuple(choices), tuple(leads))


def _value(thought: Thought) -> float | None:
    """Return what a position is worth to its mover, in shares of the largest return; None if no values were found."""
    values = thought.about_actions.get("value")
    return None if values is None else float(np.dot(thought.policy.probabilities, values))
