"""The player that looks one action ahead with a network of afterstates, as TD-Gammon did in its first version."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float32s, Float64s, Int64s
from forethought.compiler import kernel, pointer
from forethought.compiler.rows import copy_row
from forethought.game import TERMINAL, Game, Observation, Table
from forethought.nets.afterstates import AfterstateNetwork, load_network, suits_afterstates, value_of
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player
from forethought.playouts import largest_return
from forethought.runs import weights_of
from forethought.settings import setting


class Valuation(NamedTuple):
    """A network with what valuing afterstates by it needs, made once."""

    network: AfterstateNetwork
    largest: float  # return, the unit of values
    state: Bytes  # [state_bytes] after an action
    facts: Int64s  # [facts]
    hidden: Float32s  # [hidden]
    returns: Float64s  # [players]


def valuation_by(network: AfterstateNetwork, game: Game) -> Valuation:
    return Valuation(
        network,
        largest_return(game),
        np.zeros(game.table.state_bytes, np.uint8),
        np.zeros(game.facts, np.int64),
        np.zeros(len(network.hidden_biases), np.float32),
        np.zeros(game.players),
    )


@kernel
def afterstate_value(game: Table, valuation: Valuation, state: Bytes, mover: int) -> float:
    """Return what a position is worth to who has just acted: what it won if that was the end, else an estimate."""
    if game.player(pointer(state)) == TERMINAL:
        game.returns(pointer(state), pointer(valuation.returns))
        return valuation.returns[mover] / valuation.largest  # type: ignore[no-any-return]
    known = game.facts(pointer(state), mover, pointer(valuation.facts))
    return value_of(valuation.network, valuation.facts, known, valuation.hidden)


@kernel
def value_actions(
    game: Table, valuation: Valuation, state: Bytes, actions: Int64s, count: int, values: Float64s
) -> int:
    """Write what each action is worth to the player to move; return the place of the first of the best."""
    mover, best = game.player(pointer(state)), 0
    for k in range(count):
        copy_row(state, valuation.state)
        game.apply(pointer(valuation.state), actions[k])
        values[k] = afterstate_value(game, valuation, valuation.state, mover)
        if values[k] > values[best]:
            best = k
    return best


class AfterstatePlayer:
    """Plays the actions after which its network values the position highest."""

    def __init__(self, game: Game, network: AfterstateNetwork) -> None:
        self._game, self._valuation = game, valuation_by(network, game)

    def think(self, observation: Observation) -> Policy:
        assert observation.state is not None  # noqa: S101 (nothing is hidden in games that it plays)
        actions = np.array(observation.legal_actions)
        values, state = np.zeros(len(actions)), observation.state.memory
        value_actions(self._game.table, self._valuation, state, actions, len(actions), values)
        best = values == values.max()
        return Policy(observation.legal_actions, tuple((best / best.sum()).tolist()))


@register_player("td", label="Afterstates valued by a network", suits=suits_afterstates)
@dataclass(frozen=True, kw_only=True)
class AfterstateSettings(PlayerSettings):
    """Plays the action whose afterstate a run's network values highest, without search."""

    run: str = setting("the run, or run@iteration, whose network values afterstates", names="run")

    def new_player(self, game: Game) -> NewPlayer:
        network = load_network(weights_of(self.run), game)
        return lambda _rng: AfterstatePlayer(game, network)
