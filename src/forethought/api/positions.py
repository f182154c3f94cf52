"""Positions named by the moves that lead to them, as people write moves: by number, by name, or how a name begins."""

from collections.abc import Callable, Iterable

from forethought.api.arguments import GameLike
from forethought.errors import ForethoughtError
from forethought.game import State
from forethought.games import load
from forethought.player import draw_action
from forethought.randomness import generator


def position(game: GameLike, moves: str | Iterable[str | int] = "", *, seed: int = 0) -> State:
    """Return the position after some moves, in which a player is to move.

    `moves` are actions and outcomes, in a text with commas between them ("Ks, Qs, raise") or one by one; each is a
    number, a name, or the beginning of a name or of a word in it. Where they leave it to chance, chance draws by the
    seed. Raises ForethoughtError if a move is not possible there, or the game is over.
    """
    state, rng = load(game).start(), generator(seed, 1)
    for move in _split(moves):
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


def find_action(state: State, text: str) -> int | None:
    """Return the legal action that a person means; None if that is not clear."""
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


def listed_actions(state: State) -> str:
    """List the legal actions, with the numbers they may be called by."""
    return "   ".join(f"[{action}] {state.action_name(action)}" for action in state.legal_actions())


def _split(moves: str | Iterable[str | int]) -> list[str]:
    parts = moves.split(",") if isinstance(moves, str) else map(str, moves)
    return [part.strip() for part in parts if part.strip()]
