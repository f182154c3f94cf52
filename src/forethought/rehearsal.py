"""Play a few interpreted games before a game is compiled, and say in a sentence which line of which rule failed."""

import random

from forethought.endless import interrupted_if_endless
from forethought.errors import ForethoughtError, reason_of
from forethought.game import Game, State
from forethought.interpreter import place_of

GAMES = 8
PLIES = 200  # enough of long games


def rehearse(game: Game) -> None:
    """Play random games with every index checked."""
    dice, games = random.Random(0), 0
    played: list[int] = []  # actions of all games
    while games < GAMES and len(played) < PLIES:
        try:
            with interrupted_if_endless(lambda: len(played)):
                _play(game, dice, played)
            games += 1
        except ForethoughtError:
            raise
        except Exception as error:
            raise broken_rule(game, error) from error


def _play(game: Game, dice: random.Random, played: list[int]) -> None:
    """Play a game, and add its actions to those that were played."""
    state = game.start()
    for _ in range(game.plies + 1):
        legal = examine(state)
        if not legal:
            return
        played.append(dice.choice(legal))
        game.table.apply(state.memory, played[-1])
    raise game.mistake(f"a random game went on for more than the declared {game.plies} plies")


def examine(state: State) -> list[int]:
    """Ask every rule about a state, and return what may be done there; nothing at the end."""
    for observer in state.game.observers:
        state.facts(observer)
    if state.is_terminal:
        state.returns()
        return []
    state.chance()
    return state.legal_actions()


def broken_rule(game: Game, error: Exception, where: str = "") -> ForethoughtError:
    """Name file, line and rule in which an interpreted rule failed, and where in play, if that is known."""
    place = "" if isinstance(error, ForethoughtError) else place_of(game.source, error) or f"{game.name}: "
    return ForethoughtError(f"{place}{reason_of(error)}{where}.")
