"""What a viewer may see of a game: every position, action and name passes through here before it is sent.

The viewer is the seat of a person, or PUBLIC for who only watches a game that hides something. It is EVERYONE where
nothing is hidden, where only bots play, and when the game is over.
"""

from collections.abc import Iterable

from pydantic import TypeAdapter, ValidationError

from forethought.board import NOWHERE, Board
from forethought.board.grids import centre
from forethought.drawing.positions import Items
from forethought.game import PUBLIC, Game, State
from forethought.serve.schemas.drawing import Item
from forethought.serve.schemas.play import BoardMoveSchema, BoardSchema, CellSchema, PositionSchema

_DRAWING = TypeAdapter(list[Item])


def position_view(state: State, viewer: int, ply: int, last: int | None) -> PositionSchema:
    """Describe a position; `last` is the action that led to it, if the viewer saw it."""
    seen = state.seen_by(viewer)
    pieces = None if seen.board is None else list(seen.pieces)
    text = "" if viewer == PUBLIC else seen.text  # the law 'drawing' does not say what `show` shows the public
    return PositionSchema(ply=ply, pieces=pieces, last=last, text=text, drawing=_drawing(state.game, seen.items))


def replay_views(first: State, viewer: int, actions: Iterable[int]) -> list[PositionSchema]:
    """Describe a first position, and those after each action of which the viewer noticed something."""
    state = first.clone()
    views = [position_view(state, viewer, 0, None)]
    for action in actions:
        noticed = state.noticed(action, viewer)
        state.apply(action)
        if noticed is not None:
            views.append(position_view(state, viewer, len(views), noticed.action))
    return views


def board_view(game: Game) -> BoardSchema | None:
    """Describe the board, which stays the same during a game."""
    board = game.board
    if board is None:
        return None
    moves = zip(board.origins.tolist(), board.targets.tolist(), board.kinds.tolist(), strict=True)
    return BoardSchema(
        tiling=board.drawn_as,
        cells=[_cell(board, cell) for cell in range(board.cells)],
        lines=[[a, b] for a, b in board.lines],
        moves=[BoardMoveSchema(origin=origin, target=target, kind=kind) for origin, target, kind in moves],
        stacks=board.stacks,
        checkered=board.drawn_as == "square" and _only_moves(board),
    )


def _drawing(game: Game, items: Items | None) -> list[Item] | None:
    try:
        return None if items is None else _DRAWING.validate_python(items)
    except ValidationError as error:  # its text may contain what is hidden
        message = "the rule 'draw' returns something that cannot be drawn; docs/drawing.md lists what can"
        raise game.mistake(message) from error


def _cell(board: Board, cell: int) -> CellSchema:
    x, y = centre(board.grid.tiling, *board.grid.places[cell])
    return CellSchema(x=round(x, 4), y=round(y, 4), name=board.grid.name(cell))


def _only_moves(board: Board) -> bool:
    """Whether pieces move and are never placed, as in chess."""
    return all(
        origin != NOWHERE or target == NOWHERE for origin, target in zip(board.origins, board.targets, strict=True)
    )
