"""Whether a game that a file names is the one that is asked for. The file's words are compared, never loaded."""

from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import GAMES
from forethought.specs import parameters, read_arguments, split_spec

EXAMPLE = "go(size=19)"


def called(game: Game) -> str:
    """Return what names the game."""
    return game.spec or game.name


def parameters_of(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a registered game and all of its parameters, those that are not given too."""
    name, arguments = split_spec(spec, EXAMPLE)
    wanted = parameters(GAMES.find(name))
    return name, {key: one.default for key, one in wanted.items()} | read_arguments(name, arguments, wanted)


def is_same_game(spec: str, game: Game) -> bool:
    """Whether a string of a file names this game, with the same parameters."""
    if spec.strip() == called(game):
        return True
    try:
        if split_spec(spec, EXAMPLE)[0] != split_spec(called(game), EXAMPLE)[0]:
            return False
        return parameters_of(spec) == parameters_of(called(game))
    except ForethoughtError:
        return False
