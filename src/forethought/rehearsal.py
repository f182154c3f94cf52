"""Play a few interpreted games before a game is compiled, and say in a sentence which line of which rule failed."""

import random
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from forethought.endless import interrupted_if_endless
from forethought.errors import ForethoughtError, reason_of
from forethought.game import CHANCE, TERMINAL, Game, State

GAMES = 8
PLIES = 200  # enough of long games


def rehearse(game: Game) -> None:
    """Play random games with every index checked."""
    dice = random.Random(0)
    games = plies = 0
    while games < GAMES and plies < PLIES:
        try:
            with interrupted_if_endless() as get_on:
                plies += _play(game, dice, get_on)
            games += 1
        except ForethoughtError:
            raise
        except Exception as error:
            raise broken_rule(game, error) from error


def _play(game: Game, dice: random.Random, get_on: Callable[[], None]) -> int:
    """Play a game and return its plies."""
    state = game.start()
    for ply in range(game.plies + 1):
        get_on()
        legal = examine(state)
        if not legal:
            return ply
        game.table.apply(state.memory, dice.choice(legal))
    raise game.mistake(f"a random game went on for more than the declared {game.plies} plies")


def examine(state: State) -> list[int]:
    """Ask every rule about a state, and return what may be done there; nothing at the end."""
    game, player = state.game, state.player
    if not TERMINAL <= player < game.players:
        raise game.mistake(f"the rule 'player' answers {player}; players are 0 to {game.players - 1}")
    for observer in game.observers:
        _expect_below(game.facts, state.facts(observer), "facts", game)
    if player == TERMINAL:
        state.returns()
        return []
    legal = state.legal_actions()
    state.chance()
    if not legal:
        raise game.mistake("the rule 'legal' finds no action although the game is not over")
    _expect_below(game.outcomes if player == CHANCE else game.actions, legal, "legal", game)
    return legal


def _expect_below(limit: int, numbers: list[int], rule: str, game: Game) -> None:
    for number in numbers:
        if not 0 <= number < limit:
            raise game.mistake(f"the rule '{rule}' writes {number}, which is not in 0..{limit - 1}")


def broken_rule(game: Game, error: Exception, where: str = "") -> ForethoughtError:
    """Name file, line and rule in which an interpreted rule failed, and where in play, if that is known."""
    place = "" if isinstance(error, ForethoughtError) else _place(game, error.__traceback__) or f"{game.name}: "
    return ForethoughtError(f"{place}{reason_of(error)}{where}.")


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
