"""Games as plain data, for jobs: by the string that names them, with the loaded game where it is at hand.

To another process a game of a user's file goes as the text of that file, and is loaded there by its content: the other
machine need not have the file, and an edit while jobs are sent changes nothing.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import EXAMPLE, load
from forethought.games.userfile import is_file, path_and_function, source_of
from forethought.runtime.carried import CarriedFile
from forethought.runtime.local import KEPT, Local
from forethought.specs import split_spec


@dataclass(frozen=True)
class GameReference:
    """Names a game; elsewhere it is loaded again."""

    spec: str
    _loaded: Local[Game] = field(default_factory=Local, compare=False, repr=False)
    _file: CarriedFile | None = field(default=None, compare=False, repr=False)  # that was sent with the string
    _made_here: bool = field(default=False, compare=False, repr=False)  # by a program, so that no string names it

    @property
    def game(self) -> Game:
        return self._loaded.get(self._load)

    def _load(self) -> Game:
        """Load the game, from the file that was sent if there is one, under the string by which its sender knows it."""
        if self._file is None:
            return load(self.spec)
        name, _ = split_spec(self.spec, EXAMPLE)
        _, function = path_and_function(name)
        here = f"{self._file.path}:{function}" if function else str(self._file.path)
        return dataclasses.replace(load(here + self.spec.removeprefix(name)), spec=self.spec)

    def __reduce__(self) -> "tuple[Callable[..., GameReference], tuple[str, CarriedFile | None]]":
        if self._made_here:
            raise ForethoughtError(
                f"The game {self.spec} was made in this program and cannot be sent to another; "
                "put it into a file and name that: my_game.py."
            )
        name, _ = split_spec(self.spec, EXAMPLE)
        file = CarriedFile(path_and_function(name)[0], source_of(name)) if is_file(name) else None
        return _arrived, (self.spec, file)


def reference_to(game: Game) -> GameReference:
    """Return a reference to a loaded game."""
    return GameReference(game.spec or game.name, Local(game), _made_here=not game.spec)


def _arrived(spec: str, file: CarriedFile | None) -> GameReference:
    return GameReference(spec, _sent(spec, file.digest if file else ""), file)


@lru_cache(KEPT)
def _sent(_spec: str, _digest: str) -> Local[Game]:
    """Return what holds a game that was sent here, the same for all jobs."""
    return Local()
