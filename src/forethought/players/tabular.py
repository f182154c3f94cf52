"""Players that only look things up: at random, or in a table that was solved before."""

from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation
from forethought.players.player import NewPlayer, Policy, uniform_policy
from forethought.solve.mccfr import OutcomeSampling
from forethought.solve.policies import TabularPolicy, load_policy


class RandomPlayer:
    """Plays every legal action equally often."""

    def think(self, observation: Observation) -> Policy:
        return uniform_policy(observation)


class TablePlayer:
    """Plays what a table says; uniformly where it says nothing."""

    def __init__(self, table: TabularPolicy) -> None:
        self.table = table

    def think(self, observation: Observation) -> Policy:
        actions, probabilities = self.table.by_facts.get(observation.facts, ((), ()))
        if actions != observation.legal_actions:
            return uniform_policy(observation)
        return Policy(actions, probabilities)


def random(_game: Game) -> NewPlayer:
    """Plays every legal action equally often."""
    return lambda _rng: RandomPlayer()


def policy(game: Game, file: str) -> NewPlayer:
    """Plays a policy that `forethought solve --save FILE` has saved."""
    table = load_policy(Path(file), game)
    return lambda _rng: TablePlayer(table)


def mccfr(game: Game, walks: int, seed: int = 0) -> NewPlayer:
    """Solves the whole game before play, by so many walks of outcome sampling, and then looks things up."""
    if walks < 1:
        raise ForethoughtError(f"mccfr: walks must be at least 1, not {walks}.")
    solver = OutcomeSampling(game, seed)
    solver.walks(walks)
    table = solver.average_policy()
    return lambda _rng: TablePlayer(table)
