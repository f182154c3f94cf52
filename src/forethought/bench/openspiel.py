"""OpenSpiel as a peer: its games, driven from Python as fast as a Python loop can, or in C++ where it has a loop.

Each loop was chosen as the fastest of several: bound methods, one call to learn who moves, no `random.choice`, chance
drawn while its outcomes are read. A faster loop is welcome: it makes the comparison fairer.
"""

import itertools
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.result import Claim, Result

ABSENT = "OpenSpiel is not installed: pip install 'forethought[dev]'"
TERMINAL = -4  # pyspiel.PlayerId.TERMINAL; as an enumeration it would slow the loop down
SILENT = {"solve": False, "seed": 0, "verbose": False}

draw = random.random

RandomGames = Callable[[int], float]


def beside_openspiel(claim: Claim, ours: Work, theirs: Work | None, budget: Budget) -> Result:
    """Measure a rate of work in turns with OpenSpiel's; alone, without a verdict, if it is not installed."""
    if theirs is None:
        return claim.by_rate(best_rates([ours], budget)[0], None, ABSENT)
    our_rate, their_rate = best_rates([ours, theirs], budget)
    return claim.by_rate(our_rate, their_rate)


def random_games(spec: str) -> RandomGames | None:
    """Return what plays so many random games and sums player 0's returns; None if OpenSpiel is not installed."""
    try:
        pyspiel = import_module("pyspiel")
        if spec.startswith("python_"):
            import_module("open_spiel.python.games")  # which registers the games written in Python
    except ImportError:
        return None
    game = pyspiel.load_game(spec)
    at_once = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    play = play_at_once if at_once else play_in_turns
    return lambda games: sum(play(game) for _ in range(games))


def random_rollouts(spec: str) -> RandomGames | None:
    """Return what does the same without Python, for a game without chance: OpenSpiel's own loop, in C++.

    It is reached by way of a tree search of one simulation, which is evaluated at the root by so many random games.
    """
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game, seeds = pyspiel.load_game(spec), itertools.count(1)

    def play(games: int) -> float:
        rollouts = pyspiel.RandomRolloutEvaluator(games, next(seeds))
        searcher = pyspiel.MCTSBot(game, rollouts, uct_c=1, max_simulations=1, max_memory_mb=1, **SILENT)
        return games * float(searcher.mcts_search(game.new_initial_state()).total_reward)

    return play


def play_in_turns(game: Any) -> float:
    """Play one random game: actions uniform, chance by its probabilities."""
    state = game.new_initial_state()
    player, legal, apply = state.current_player, state.legal_actions, state.apply_action
    while (mover := player()) != TERMINAL:
        if mover >= 0:
            actions = legal()
            apply(actions[int(draw() * len(actions))])
        else:
            rest = draw()
            for outcome, probability in state.chance_outcomes():
                rest -= probability
                if rest < 0.0:
                    apply(outcome)
                    break  # else rounding has left a sliver of probability: draw again
    return float(state.returns()[0])


def play_at_once(game: Any) -> float:
    """Play one random game of two players who move at once and never by chance.

    Joint actions are 1.3 times as fast as the same game turned sequential by `load_game_as_turn_based`.
    """
    state = game.new_initial_state()
    legal, apply = state.legal_actions, state.apply_actions
    while first := legal(0):  # nothing is legal at the end
        second = legal(1)
        apply([first[int(draw() * len(first))], second[int(draw() * len(second))]])
    return float(state.returns()[0])
