"""The player that plays at random."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from forethought.game import Game, Observation
from forethought.player import NewPlayer, PlayerSettings, Policy, register_player, uniform_policy

if TYPE_CHECKING:
    from forethought.solve.policies import PolicyTable


class RandomPlayer:
    """Plays every legal action with equal probability."""

    def think(self, observation: Observation) -> Policy:
        return uniform_policy(observation)


@register_player("random", label="Random")
@dataclass(frozen=True, kw_only=True)
class RandomSettings(PlayerSettings):
    """Plays every legal action with equal probability."""

    def new_player(self, game: Game) -> NewPlayer:  # noqa: ARG002
        return lambda _rng: RandomPlayer()

    def compiled(self, game: Game) -> "PolicyTable":  # noqa: ARG002
        from forethought.solve.policies import uniform_table  # noqa: PLC0415 (whoever only plays at random needs none)

        return uniform_table()
