"""Games as plain data, for jobs: by the string that names them, with the loaded game where it is at hand."""

from dataclasses import dataclass, field

from forethought.game import Game
from forethought.games import load
from forethought.runtime.local import Local


@dataclass(frozen=True)
class GameReference:
    """Names a game; elsewhere it is loaded again."""

    spec: str
    _loaded: Local[Game] = field(default_factory=Local, compare=False, repr=False)

    @property
    def game(self) -> Game:
        return self._loaded.get(lambda: load(self.spec))


def reference_to(game: Game) -> GameReference:
    """Return a reference to a loaded game."""
    return GameReference(game.spec or game.name, Local(game))
