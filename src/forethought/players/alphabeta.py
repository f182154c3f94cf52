"""Alpha-beta search to a depth: the classical player of games in which nothing is hidden and no chance acts."""

from dataclasses import dataclass

import numpy as np

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player
from forethought.playouts import largest_return
from forethought.randomness import Generator, word
from forethought.settings import setting
from forethought.solve.alphabeta import AlphaBeta, check_solvable
from forethought.solve.leaves import make_leaves

TABLE_SIZE = 1 << 18  # places; a table is cleared for every depth


def is_solvable(game: Game) -> bool:
    """Whether positions of a game have exact values."""
    try:
        check_solvable(game)
    except ForethoughtError:
        return False
    return True


@register_player("alphabeta", label="Alpha-beta search", suits=is_solvable)
@dataclass(frozen=True, kw_only=True)
class AlphaBetaSettings(PlayerSettings):
    """Plans by alpha-beta search with iterative deepening; exact where the end of the game is within its depth."""

    depth: int = setting("plies that it looks ahead", 4, low=1, counts="plies ahead", served=6)
    rollouts: int = setting(
        "random games from a position at that depth, whose mean is its value; 0: it counts as a draw",
        8,
        low=0,
        served=16,
    )
    positions: int = setting(
        "positions searched per decision at most; then the last depth that was finished decides",
        100_000,
        low=1,
        served=200_000,
    )

    def new_player(self, game: Game) -> NewPlayer:
        check_solvable(game)
        return lambda rng: AlphaBetaPlayer(game, self, rng)


class AlphaBetaPlayer:
    """Plays any of the actions whose value is highest."""

    def __init__(self, game: Game, settings: AlphaBetaSettings, rng: Generator) -> None:
        self._settings = settings
        leaves = make_leaves(game, settings.rollouts, int(word(rng)))
        self._solver = AlphaBeta(game, TABLE_SIZE, largest_return(game), leaves)

    def think(self, observation: Observation) -> Policy:
        best = self.values(observation)
        best = best == best.max()
        return Policy(observation.legal_actions, tuple((best / best.sum()).tolist()))

    def values(self, observation: Observation) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the value of each legal action, from ever deeper searches."""
        solver, state = self._solver, observation.state
        found, end = np.zeros(len(observation.legal_actions)), solver.nodes + self._settings.positions
        if state is None:
            raise observation.game.mistake("alpha-beta search needs positions that players see as they are")
        for plies in range(1, self._settings.depth + 1):
            solver.forget()  # what an earlier search estimated would hide that this one meets its horizon
            before, values = solver.leaves, solver.values(state, end - solver.nodes, plies)
            complete = [value for value in values if value is not None]
            if len(complete) < len(values):
                break
            found = np.array(complete)
            if solver.leaves == before or abs(found.max()) >= solver.largest:
                break  # exact, or decided: a certain win, or nothing but certain losses
        return found
