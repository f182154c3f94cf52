"""Positions named by their pieces, and by the moves that lead to them: by number, by name, or how a name begins."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from forethought.api.arguments import GameLike
from forethought.board.notation import read_owners
from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.games import load
from forethought.player import draw_action
from forethought.randomness import generator


def position(
    game: GameLike,
    moves: str | Iterable[str | int] = "",
    *,
    board: str | Sequence[int] | None = None,
    to_move: int = 0,
    seed: int = 0,
) -> State:
    """Return the position after some moves, in which a player is to move.

    `moves` are actions and outcomes, in a text with commas between them ("Ks, Qs, raise") or one by one; each is the
    number of an action, or a text as `find_action` takes it. Where they leave it to chance, chance draws by the seed.
    Games on a board where nothing is hidden can begin from any pieces: `board` is a text of rows from the top, such as
    "3/1X1/2O" (X and O are pieces, a number that many empty cells), or 1 + the owner of each cell; then `to_move`
    is to move.
    Raises ForethoughtError if a move is not possible there, the game is over, or the rules cannot have that board.
    """
    state, rng = _first(load(game), board, to_move), generator(seed, 1)
    for move in _split(moves):
        if state.is_terminal:
            raise ForethoughtError(f"The game is over before '{move}'; give fewer moves.")
        action = find_action(state, move) if isinstance(move, str) else move
        if action not in state.legal_actions():
            who = "chance" if state.is_chance else f"player {state.player}"
            raise ForethoughtError(
                f"'{move}' is no action of {who} there; possible are {', '.join(listed_actions(state))}."
            )
        state.apply(action)
    while state.is_chance:
        state.apply(draw_action(state, [], rng))
    if state.is_terminal:
        raise ForethoughtError("The game is over after these moves; give fewer.")
    return state


def _first(game: Game, board: str | Sequence[int] | None, to_move: int) -> State:
    """Return the first position of a game, or one that is set up."""
    if board is None:
        if to_move != 0:
            raise ForethoughtError("Who is to move is chosen together with a board; moves decide it otherwise.")
        return game.start()
    grid = game.board_to_set_up().grid
    return game.set_up(read_owners(grid, board) if isinstance(board, str) else board, to_move)


def find_action(state: State, text: str) -> int | None:
    """Return the legal action that a person means: by its name, by the beginning of it or of a word in it, or by its
    number, unless the names are numbers themselves; None if that is not clear.
    """
    wanted, names = text.strip().lower(), _names(state)
    numbered = not _are_numbers(names)
    ways: tuple[Callable[[int, str], bool], ...] = (
        lambda action, name: wanted == name.lower() or (numbered and wanted == str(action)),
        lambda _action, name: name.lower().startswith(wanted),
        lambda _action, name: any(word.startswith(wanted) for word in name.lower().split()),
    )
    for fits in ways if wanted else ():
        matches = [action for action, name in names.items() if fits(action, name)]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None


def listed_actions(state: State) -> list[str]:
    """List the legal actions as a person may call them, by name and number."""
    names = _names(state)
    alone = _are_numbers(names)
    return [name if alone else f"[{action}] {name}" for action, name in names.items()]


def possible_answers(state: State) -> str:
    """List what a person may answer, in short."""
    names = _names(state)
    return ", ".join(names.values()) if _are_numbers(names) else f"{', '.join(map(str, names))}, or a name"


def _names(state: State) -> dict[int, str]:
    return {action: state.action_name(action) for action in state.legal_actions()}


def _are_numbers(names: Mapping[int, str]) -> bool:
    """Whether some name is a number and not its own action's: then numbers in brackets would mean two things."""
    return any(name.strip().isdecimal() and name.strip() != str(action) for action, name in names.items())


def _split(moves: str | Iterable[str | int]) -> list[str | int]:
    parts = moves.split(",") if isinstance(moves, str) else moves
    stripped = (part.strip() if isinstance(part, str) else int(part) for part in parts)
    return [part for part in stripped if part != ""]
