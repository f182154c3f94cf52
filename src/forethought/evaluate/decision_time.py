"""How long a player thinks about a decision, on this machine."""

import time

from forethought.game import Game
from forethought.player import PlayerSettings
from forethought.randomness import below, generator

DECISIONS = 20
GAMES = 1_000  # at most


def seconds_per_decision(game: Game, player: PlayerSettings, seed: int = 0, decisions: int = DECISIONS) -> float:
    """Return the mean time of decisions in random games; the first is not counted, as it may compile and load."""
    new_player, taken, number = player.new_player(game), list[float](), 0
    while len(taken) <= decisions:
        if number == GAMES:
            raise game.mistake(f"in {GAMES} random games there were fewer than {decisions} decisions")
        rng = generator(seed, number)
        number += 1
        state, thinking = game.start(), [new_player(generator(seed, number, seat)) for seat in range(game.players)]
        while not state.is_terminal and len(taken) <= decisions:
            actions = state.legal_actions()
            if not state.is_chance and len(actions) > 1:
                observation, began = state.observation(state.player), time.perf_counter()
                thinking[state.player].think(observation)
                taken.append(time.perf_counter() - began)
            state.apply(actions[below(len(actions), rng)])
    return sum(taken[1:]) / decisions
