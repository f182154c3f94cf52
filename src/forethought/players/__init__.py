"""Players, named by a string wherever one is wanted.

A string names a *maker*: whatever is costly, a policy file for one, is loaded once; each game then gets a new player,
with a generator of its own, that may remember what it thought earlier in that game.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.players.linear import biased, linear
from forethought.players.network import net
from forethought.players.player import NewPlayer, Player, Policy
from forethought.players.searching import ismcts, oos
from forethought.players.tabular import RandomPlayer, TablePlayer, mccfr, policy, random
from forethought.players.trees import az, uct
from forethought.randomness import Generator, choose, generator
from forethought.specs import did_you_mean, parameters, read_arguments, split_spec

__all__ = [
    "KINDS",
    "NewPlayer",
    "Player",
    "Policy",
    "RandomPlayer",
    "TablePlayer",
    "draw_action",
    "find_player",
    "read_player",
    "seated",
]

# Each kind of player: a function of the game and of what its string gives.
KINDS: dict[str, Callable[..., NewPlayer]] = {
    "random": random,
    "policy": policy,
    "mccfr": mccfr,
    "oos": oos,
    "ismcts": ismcts,
    "uct": uct,
    "az": az,
    "biased": biased,
    "linear": linear,
    "net": net,
}


def find_player(spec: str) -> Callable[[Game], NewPlayer]:
    """Return what makes the player a string names, for a game."""
    name, values = read_player(spec)
    return lambda game: KINDS[name](game, **values)


def read_player(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the kind of the player a string names, and what it gives: `random`, `kind:value` or `kind(key=value)`."""
    short, _, value = spec.strip().partition(":")
    name, arguments = (short, value) if short in KINDS else split_spec(spec, "random or oos:10000")
    if name not in KINDS:
        listed = ", ".join(KINDS)
        raise ForethoughtError(f"There is no player '{spec}'; {did_you_mean(short, KINDS)}players are {listed}.")
    return name, read_arguments(
        name, arguments, dict(list(parameters(KINDS[name]).items())[1:])
    )  # the first is the game


def seated(new_players: list[NewPlayer], *seed: int) -> list[Player]:
    """Make the players of one game, each with a generator that its seat and the game's seed give it."""
    return [new_player(generator(*seed, seat)) for seat, new_player in enumerate(new_players)]


def draw_action(state: State, players: list[Player], rng: Generator) -> int:
    """Let whoever acts here, a player or chance, draw an action."""
    if state.is_chance:
        actions, weights = tuple(state.legal_actions()), tuple(state.chance())
    else:
        actions, weights = players[state.player].think(state.observation(state.player))
    return actions[choose(np.array(weights), len(actions), rng)]
