"""Play a few interpreted games before a game is compiled, and say in a sentence which line of which rule failed."""

import random
import traceback
from pathlib import Path
from types import TracebackType

from forethought.errors import ForethoughtError, reason_of
from forethought.game import Game

GAMES = 8
PLIES = 200  # enough of long games


def rehearse(game: Game) -> None:
    """Play random games with every index checked; machine code checks none."""
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
        for observer in game.observers:
            state.facts(observer)
        if state.is_terminal:
            state.returns()
            return ply
        legal = state.legal_actions()
        state.chance()
        if not legal:
            raise game.mistake("the rule 'legal' finds no action although the game is not over")
        game.table.apply(state.memory, dice.choice(legal))
    raise game.mistake(f"a random game went on for more than the declared {game.plies} plies")


def broken_rule(game: Game, error: Exception) -> ForethoughtError:
    """Name file, line and rule in which an interpreted rule failed."""
    place = _place(game, error.__traceback__)
    reason = reason_of(error)
    return ForethoughtError(f"{place}{reason}." if place else f"{game.name}: {reason}.")


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
