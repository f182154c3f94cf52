"""Play a few interpreted games before a game is compiled, and say in a sentence which line of which rule failed."""

import random
from collections.abc import Sequence

from forethought.endless import interrupted_if_endless
from forethought.errors import ForethoughtError, reason_of
from forethought.game import Game, State
from forethought.interpreter import place_of

GAMES = 8
PLIES = 200  # enough of long games


def rehearse(game: Game) -> None:
    """Play random games with every index checked."""
    dice, games, plies = random.Random(0), 0, 0
    while games < GAMES and plies < PLIES:
        play: list[int] = []
        try:
            with interrupted_if_endless(lambda: len(play)):  # noqa: B023 (called within this turn of the loop)
                _play(game, dice, play)
        except ForethoughtError:
            raise
        except Exception as error:
            raise broken_rule(game, error, after(play) if play else "") from error
        games += 1
        plies += len(play)


def _play(game: Game, dice: random.Random, play: list[int]) -> None:
    """Play a game, and note its actions."""
    state = game.start()
    while len(play) <= game.plies:
        legal = examine(state)
        if not legal:
            return
        play.append(dice.choice(legal))
        game.table.apply(state.memory, play[-1])
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


def after(play: Sequence[int]) -> str:
    """Say where in play something failed."""
    return f", after {list(play)}" if play else ", at the start"


def broken_rule(game: Game, error: Exception, where: str = "") -> ForethoughtError:
    """Name file, line and rule in which an interpreted rule failed, and where in play, if that is known."""
    place = "" if isinstance(error, ForethoughtError) else place_of(game.source, error) or f"{game.name}: "
    return ForethoughtError(f"{place}{reason_of(error)}{where}.")
