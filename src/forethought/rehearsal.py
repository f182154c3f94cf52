"""Play a few interpreted games before a game is compiled, and say in a sentence which line of which rule failed."""

import random
import traceback
from pathlib import Path
from types import TracebackType

from forethought.errors import ForethoughtError, reason_of
from forethought.game import Game, State

GAMES = 8
PLIES = 200  # enough of long games


def rehearse(game: Game) -> None:
    """Play random games with every index checked."""
    dice = random.Random(0)
    games = plies = 0
    while games < GAMES and plies < PLIES:
        try:
            plies += _play(game, dice)
            games += 1
        except ForethoughtError:
            raise
        except Exception as error:
            raise broken_rule(game, error) from error


def _play(game: Game, dice: random.Random) -> int:
    """Play a game and return its plies."""
    state = game.start()
    for ply in range(game.plies + 1):
        legal = examine(state)
        if not legal:
            return ply
        game.table.apply(state.memory, dice.choice(legal))
    raise game.mistake(f"a random game went on for more than the declared {game.plies} plies")


def examine(state: State) -> list[int]:
    """Ask every rule about a state, and return what may be done there; nothing at the end."""
    for observer in state.game.observers:
        state.facts(observer)
    if state.is_terminal:
        state.returns()
        return []
    legal = state.legal_actions()
    state.chance()
    if not legal:
        raise state.game.mistake("the rule 'legal' finds no action although the game is not over")
    return legal


def broken_rule(game: Game, error: Exception, where: str = "") -> ForethoughtError:
    """Name file, line and rule in which an interpreted rule failed, and where in play, if that is known."""
    place = _place(game, error.__traceback__)
    return ForethoughtError(f"{place or f'{game.name}: '}{reason_of(error)}{where}.")


def _place(game: Game, trace: TracebackType | None) -> str:
    """Find the rule on the stack, and the deepest line in its own file."""
    codes = {rule.__code__: name for name, rule in game.source.items()}
    rule = file = ""
    line = 0
    for frame, number in traceback.walk_tb(trace):
        code = frame.f_code
        if code in codes:
            rule, file, line = codes[code], code.co_filename, number
        elif rule and code.co_filename == file:
            line = number
    return f"{Path(file).name}, line {line}, in the rule '{rule}': " if rule else ""
