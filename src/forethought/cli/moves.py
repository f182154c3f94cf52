"""Actions as people write them: by number, by name, or by the beginning of a name or of a word in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.game import Game, State


def find_action(state: "State", text: str) -> int | None:
    """Return the legal action that a person means, None if that is not clear."""
    wanted = text.strip().lower()
    names = {action: state.action_name(action).lower() for action in state.legal_actions()}
    ways: tuple[Callable[[int, str], bool], ...] = (
        lambda action, name: wanted in (str(action), name),
        lambda _action, name: name.startswith(wanted),
        lambda _action, name: any(word.startswith(wanted) for word in name.split()),
    )
    for fits in ways if wanted else ():
        matches = [action for action, name in names.items() if fits(action, name)]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None


def listed_actions(state: "State") -> str:
    """List the legal actions, with the numbers they may be called by."""
    return "   ".join(f"[{action}] {state.action_name(action)}" for action in state.legal_actions())


def position_after(game: "Game", moves: str, seed: int) -> "State":
    """Play moves, with commas between them; let chance act where they leave it to. Then a player is to move."""
    from forethought.player import draw_action  # noqa: PLC0415 (imports Numba)
    from forethought.randomness import generator  # noqa: PLC0415

    state, rng = game.start(), generator(seed, 1)
    for move in filter(None, (part.strip() for part in moves.split(","))):
        if state.is_terminal:
            raise ForethoughtError(f"The game is over before '{move}'; give fewer moves.")
        action = find_action(state, move)
        if action is None:
            who = "chance" if state.is_chance else f"player {state.player}"
            raise ForethoughtError(f"'{move}' is no action of {who} there; possible are {listed_actions(state)}.")
        state.apply(action)
    while state.is_chance:
        state.apply(draw_action(state, [], rng))
    if state.is_terminal:
        raise ForethoughtError("The game is over after these moves; give fewer.")
    return state
