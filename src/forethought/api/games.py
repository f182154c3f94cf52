"""The games there are, and whether a game keeps the laws."""

from dataclasses import dataclass
from typing import Any

from forethought.api.arguments import GameLike, Progress, quiet
from forethought.check import HISTORIES, PLIES, SECONDS, Report, check_game
from forethought.errors import ForethoughtError
from forethought.games import GAMES, Factory, load
from forethought.games.about import about_game
from forethought.results import Listing, ResultBase
from forethought.specs import parameters


@dataclass(frozen=True)
class GameDescription(ResultBase):
    """A game that has a name."""

    name: str
    title: str  # for people
    parameters: dict[str, Any]  # with their defaults
    players: int
    actions: int
    facts: int
    chance: bool
    hidden: bool
    description: str


def games() -> Listing[GameDescription]:
    """List the games that have a name: those of this package and those that others have registered."""
    return Listing(_described(name, factory) for name, factory in GAMES)


def check(
    game: GameLike,
    *,
    histories: int = HISTORIES,
    plies: int = PLIES,
    seconds: float = SECONDS,
    seed: int = 0,
    progress: Progress = quiet,
) -> Report:
    """Execute every law of a game on short histories and on random games; see `forethought.game` for the laws.

    Up to `histories` of the shortest are checked, in a third of `seconds` at most; then, unless these were all, random
    games of `plies` plies in the rest of the time, compiling not counted. A broken law is in the report, with a proof.
    """
    for name, value in (("histories", histories), ("plies", plies), ("seconds", seconds)):
        if not value > 0:
            raise ForethoughtError(f"{name} must be above 0, not {value}.")
    made = load(game, compiled=False)
    return check_game(made, histories=histories, plies=plies, seed=seed, seconds=seconds, progress=progress)


def _described(name: str, factory: Factory) -> GameDescription:
    game = factory()
    defaults = {key: parameter.default for key, parameter in parameters(factory).items()}
    title, description = about_game(name, factory)
    sizes = (game.players, game.actions, game.facts)
    return GameDescription(name, title, defaults, *sizes, game.outcomes > 0, game.hidden, description)
