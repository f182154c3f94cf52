"""Players: given an observation, a probability for each legal action. Named by a string wherever a player is wanted.

A string names a *maker*: whatever is costly, a policy file for one, is loaded once; each game then gets a new player,
with a generator of its own, that may remember what it thought earlier in that game.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation, State
from forethought.randomness import Generator, choose, generator
from forethought.solve.policies import TabularPolicy, load_policy
from forethought.specs import did_you_mean, parameters, read_arguments, split_spec


class Policy(NamedTuple):
    """Probabilities over the legal actions of one observation."""

    actions: tuple[int, ...]
    probabilities: tuple[float, ...]


class Player(Protocol):
    """Whoever can decide. A player sees observations only, never a hidden state."""

    def think(self, observation: Observation) -> Policy: ...


NewPlayer = Callable[[Generator], Player]


class RandomPlayer:
    """Plays every legal action equally often."""

    def think(self, observation: Observation) -> Policy:
        actions = observation.legal_actions
        return Policy(actions, (1.0 / len(actions),) * len(actions))


def random(_game: Game) -> NewPlayer:
    """Plays every legal action equally often."""
    return lambda _rng: RandomPlayer()


class TablePlayer:
    """Plays what a table says; uniformly where it says nothing."""

    def __init__(self, table: TabularPolicy) -> None:
        self.table = table

    def think(self, observation: Observation) -> Policy:
        actions, probabilities = self.table.by_facts.get(observation.facts, ((), ()))
        if actions != observation.legal_actions:
            return RandomPlayer().think(observation)
        return Policy(actions, probabilities)


def policy(game: Game, file: str) -> NewPlayer:
    """Plays a policy that `forethought solve --save FILE` has saved."""
    table = load_policy(Path(file), game)
    return lambda _rng: TablePlayer(table)


# Each kind of player: a function of the game and of what its string gives.
KINDS: dict[str, Callable[..., NewPlayer]] = {"random": random, "policy": policy}


def find_player(spec: str) -> Callable[[Game], NewPlayer]:
    """Return what makes the player a string names, for a game: `random`, `kind:value` or `kind(key=value)`."""
    short, _, value = spec.strip().partition(":")
    name, arguments = (short, value) if short in KINDS else split_spec(spec, "random or policy:FILE")
    if name not in KINDS:
        listed = ", ".join(KINDS)
        raise ForethoughtError(f"There is no player '{spec}'; {did_you_mean(name, KINDS)}players are {listed}.")
    kind = KINDS[name]
    values = read_arguments(name, arguments, dict(list(parameters(kind).items())[1:]))  # the first is the game
    return lambda game: kind(game, **values)


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
