"""Players that look their policy up in a table that was solved before."""

import hashlib
from dataclasses import dataclass

from forethought.errors import ForethoughtError
from forethought.game import Game, Observation
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player, uniform_policy
from forethought.runs import file_of
from forethought.search.oos.search import OosSettings
from forethought.settings import changed, setting
from forethought.solve.mccfr import OutcomeSampling
from forethought.solve.policies import PolicyTable, TabularPolicy, load_policy


class TablePlayer:
    """Plays what a table says; uniformly where it says nothing."""

    def __init__(self, table: TabularPolicy) -> None:
        self.table = table

    def think(self, observation: Observation) -> Policy:
        actions, probabilities = self.table.by_facts.get(observation.facts, ((), ()))
        if actions != observation.legal_actions:
            return uniform_policy(observation)
        return Policy(actions, probabilities)


class TableSettings(PlayerSettings):
    """Settings of players that have a table."""

    def table(self, game: Game) -> TabularPolicy:
        """Load the table, or make it."""
        raise NotImplementedError

    def new_player(self, game: Game) -> NewPlayer:
        table = self.table(game)
        return lambda _rng: TablePlayer(table)

    def compiled(self, game: Game) -> PolicyTable:
        return self.table(game).table


@register_player("policy", label="A solved policy")
@dataclass(frozen=True, kw_only=True)
class PolicySettings(TableSettings):
    """Plays a policy that `forethought solve --save FILE` has saved."""

    file: str = setting("the file of the policy; a name alone is looked for among the runs, too", names="file")

    def table(self, game: Game) -> TabularPolicy:
        return load_policy(file_of(self.file), game)


@dataclass(frozen=True, kw_only=True)
class SolvedSettings(TableSettings):
    """Plays a policy that is in memory; its name tells policies apart."""

    policy: TabularPolicy

    def table(self, game: Game) -> TabularPolicy:
        about = self.policy.about
        if (about.get("game"), about.get("facts")) != (game.name, game.facts):
            raise ForethoughtError(f"This is a policy of {about.get('spec')}, not of {game.spec or game.name}.")
        return self.policy

    def __str__(self) -> str:
        about, digest = self.policy.about, hashlib.sha256(self.policy.probabilities.tobytes()).hexdigest()
        return f"{about.get('algorithm', 'policy')} of {about.get('spec')} #{digest[:8]}"


@register_player("mccfr", label="Monte Carlo CFR")
@dataclass(frozen=True, kw_only=True)
class MccfrSettings(TableSettings):
    """Solves the whole game before play, by outcome sampling, and then looks its policy up."""

    iterations: int = setting("iterations of outcome sampling, before the first game", low=1, counts="iterations")
    seed: int = setting("seed of the sampling", 0, low=0)
    epsilon: float = changed(OosSettings, "epsilon", 0.6)
    linear: bool = changed(OosSettings, "linear")
    baseline_rate: float = changed(OosSettings, "baseline_rate")

    def table(self, game: Game) -> TabularPolicy:
        solver = OutcomeSampling(game, self.seed, self.epsilon, linear=self.linear, baseline_rate=self.baseline_rate)
        solver.simulate(self.iterations)
        return solver.average_policy()
