"""Players that a test makes itself, in matches."""

from dataclasses import dataclass

from forethought.evaluate.rounds import Entrant
from forethought.game import Game
from forethought.player import NewPlayer, PlayerSettings


@dataclass(frozen=True, kw_only=True)
class GivenPlayer(PlayerSettings):
    """Settings of a player that is made already."""

    made: NewPlayer

    def new_player(self, game: Game) -> NewPlayer:  # noqa: ARG002
        return self.made


def given(name: str, made: NewPlayer) -> Entrant:
    return Entrant(name, GivenPlayer(made=made))
