"""A search in one file: flat Monte Carlo, which plays random games after each action and chooses the best mean return.

FORETHOUGHT_PLUGINS=my_search.py forethought match tic_tac_toe flat:1000 random
"""

from dataclasses import dataclass

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import kernel, pointer
from forethought.game import Game, Observation, Table
from forethought.player import register_player
from forethought.playouts import PlayMemory, make_play_memory
from forethought.randomness import Generator
from forethought.rollouts import UniformRollouts, roll_out
from forethought.search.online import OnlineSearch
from forethought.search.player import NewSearch, SearchSettings
from forethought.settings import setting
from forethought.status import BROKEN, DONE, broken_law


@register_player("flat", label="Flat Monte Carlo", suits=lambda game: not game.hidden)
@dataclass(frozen=True, kw_only=True)
class FlatSettings(SearchSettings):
    """Plays random games after each action, and the action after which they went best."""

    temperature: float = setting("of a softmax of mean returns; 0: the best action alone", 0.0, low=0.0)

    def new_search(self, game: Game) -> NewSearch:
        if game.hidden:
            raise game.mistake("it hides something from its players; flat Monte Carlo must see the whole state")
        return lambda rng: FlatMonteCarlo(game, self, rng)


class FlatMonteCarlo(OnlineSearch):
    """The search of one player in one game. It remembers nothing from one decision to the next."""

    def __init__(self, game: Game, settings: FlatSettings, rng: Generator) -> None:
        super().__init__(game)
        self._settings, self._rng, self._memory = settings, rng, make_play_memory(game)
        self._simulated = 0
        self.aim_at(None)

    @property
    def simulated(self) -> int:
        return self._simulated

    @property
    def infosets(self) -> int:
        return 0

    def aim_at(self, observation: Observation | None) -> None:
        state = self.game.start() if observation is None else observation.state
        assert state is not None  # nothing is hidden
        self._root, self._actions = state.memory, np.array(state.legal_actions(), np.int64)
        self._visits, self._totals = np.zeros(len(self._actions)), np.zeros(len(self._actions))

    def simulate_until(self, end: int) -> None:
        status = play_after_each(
            self.game.table,
            self._root,
            self._actions,
            end - self._simulated,
            self._memory,
            self._visits,
            self._totals,
            self._rng,
        )
        if status == BROKEN:
            raise broken_law(self.game)
        self._simulated = end

    def policy(self, observation: Observation) -> Float64s:
        means, temperature = self._means(), self._settings.temperature
        behind = means - means.max()
        weights = np.exp(behind / temperature) if temperature else (behind == 0.0).astype(np.float64)
        return np.asarray(weights / weights.sum())

    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        return {"value": self._means(), "visits": self._visits.copy()}

    def _means(self) -> Float64s:
        return self._totals / np.maximum(self._visits, 1.0)


@kernel
def play_after_each(
    game: Table,
    root: Bytes,
    actions: Int64s,
    games: int,
    memory: PlayMemory,
    visits: Float64s,
    totals: Float64s,
    rng: Generator,
) -> int:
    """Play random games, each after the action that was tried least; return DONE or BROKEN."""
    mover, rollouts = game.player(pointer(root)), UniformRollouts(memory.weights)
    for _ in range(games):
        choice = 0
        for i in range(len(actions)):
            if visits[i] < visits[choice]:
                choice = i
        for i in range(game.state_bytes):
            memory.state[i] = root[i]
        game.apply(pointer(memory.state), actions[choice])
        if roll_out(rollouts, game, memory.state, memory.choices, game.plies, rng) < 0:
            return BROKEN
        game.returns(pointer(memory.state), pointer(memory.returns))
        visits[choice] += 1.0
        totals[choice] += memory.returns[mover]
    return DONE
