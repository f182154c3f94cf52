"""The laws of games on a board: its planes, what its actions do on it, and its symmetries."""

from collections.abc import Sequence

from forethought.board import NOWHERE, Board, Symmetry
from forethought.check.positions import Answers, LawBrokenError, Position, after, answers, named, start
from forethought.errors import ForethoughtError
from forethought.game import CHANCE, PUBLIC, State

SETTING_UP = 3  # every third position of a game is set up again, which takes as long as all else; both players' turns

Owners = dict[int, int]  # the player who has a piece on a cell


def check_planes(position: Position) -> None:
    """All who know the owner of a cell agree, and the public knows no more of the board than the players."""
    game = position.game
    seen = {observer: _owners(position, observer) for observer in game.observers}
    for observer in range(game.players):
        for cell in seen[PUBLIC].keys() | (set() if game.hidden else seen[observer].keys()):
            _agree_on_cell(position, cell, PUBLIC, seen[PUBLIC], observer, seen[observer])
        for other in range(observer):
            for cell in seen[observer].keys() & seen[other].keys():
                _agree_on_cell(position, cell, other, seen[other], observer, seen[observer])


def _owners(position: Position, observer: int) -> Owners:
    """Read planes 0 and 1 from the observer's side."""
    board, found = _board(position), Owners()
    first = max(observer, 0)
    for fact in position.answers.facts[observer]:
        plane, cell = divmod(fact, board.cells)
        if plane < 2:
            if cell in found:
                message = f"the facts of {named(observer)} put pieces of both players on {board.grid.name(cell)}"
                raise LawBrokenError("board", message, position.history)
            found[cell] = first if plane == 0 else 1 - first
    return found


def _agree_on_cell(
    position: Position, cell: int, one: int, seen_by_one: Owners, other: int, seen_by_other: Owners
) -> None:
    owners = [seen.get(cell) for seen in (seen_by_one, seen_by_other)]
    if owners[0] != owners[1]:
        said = ["no piece" if owner is None else f"a piece of player {owner}" for owner in owners]
        message = (
            f"on {_board(position).grid.name(cell)} {named(one)} knows {said[0]}, {named(other)} knows {said[1]}; "
            "plane 0 is one's own, plane 1 the other's, and for the public those of players 0 and 1"
        )
        raise LawBrokenError("board", message, position.history)


def check_turn_facts(position: Position) -> None:
    """Where nothing is hidden, the first two facts after the planes say who is to move."""
    game, board, player = position.game, _board(position), position.answers.player
    if game.hidden or player < 0:
        return
    first = board.planes * board.cells
    for observer, facts in position.answers.facts.items():
        if [fact for fact in facts if first <= fact < first + game.players] != [first + player]:
            message = (
                f"player {player} is to move, but {named(observer)} does not have the fact {first + player} for it"
            )
            raise LawBrokenError("board", message, position.history)


def check_moves(position: Position) -> None:
    """A piece leaves the origin of an action and comes to its target, unless pieces of the mover are removed."""
    board, parent = _board(position), position.parent
    if parent is None or parent.answers.player < 0:
        return
    mover, action = parent.answers.player, position.history.event
    observer = mover if position.game.hidden else PUBLIC
    before, after = _owners(parent, observer), _owners(position, observer)
    origin, target = int(board.origins[action]), int(board.targets[action])
    if origin != NOWHERE:
        _check_origin(position, origin, before, after)
    if target != NOWHERE:
        rest = board.resting_cell(target, [1 + before.get(cell, -1) for cell in range(board.cells)])
        added = 1 if origin == NOWHERE else 0
        removed = _count(after, mover) < _count(before, mover) + added
        tried = position.game.hidden and rest in after  # and found taken
        if after.get(rest) != mover and not removed and not tried:
            _complain(position, f"goes to {board.grid.name(rest)}, but no piece of player {mover} is there afterwards")


def _check_origin(position: Position, origin: int, before: Owners, after: Owners) -> None:
    board = _board(position)
    if origin not in before:
        _complain(position, f"comes from {board.grid.name(origin)}, but no piece is there before")
    if before[origin] == after.get(origin) and board.targets[position.history.event] != origin:
        _complain(position, f"comes from {board.grid.name(origin)}, but the piece is still there afterwards")


def _complain(position: Position, what: str) -> None:
    action = position.history.event
    raise LawBrokenError("board", f"action {action}, by the board's moves, {what}", position.history)


def _count(owners: Owners, player: int) -> int:
    return sum(owner == player for owner in owners.values())


def check_board(position: Position) -> None:
    """Check what a board of two players means; of others it is not laid down."""
    if position.game.board is not None and position.game.players == 2:
        check_planes(position)
        check_turn_facts(position)
        check_moves(position)
        check_set_up(position)


def check_set_up(position: Position) -> None:
    """A position that is set up again has the same facts and legal actions, whatever led to it."""
    game, given = position.game, position.answers
    if "set_up" not in game.source or given.player < 0 or len(position.history) % SETTING_UP:
        return
    try:
        again = game.set_up(_board(position).owners(given.facts[PUBLIC]), given.player)
    except ForethoughtError as error:
        raise LawBrokenError("board", f"it was played, but cannot be set up: {error}", position.history) from error
    found = answers(again, position.history)
    for what, played, made in (("legal actions", given.legal, found.legal), ("facts", given.facts, found.facts)):
        if made != played:
            message = f"set up again by the rule 'set_up', it has the {what} {made}, not {played}"
            raise LawBrokenError("board", message, position.history)


def kept_symmetries(first: Position) -> list[Symmetry]:
    """List the symmetries, but the identity, that fold the first position onto itself: games can be played folded."""
    board = first.game.board
    if board is None:
        return []
    facts = first.answers.facts.values()
    return [one for one in board.symmetries[1:] if all(board.mapped_facts(one, f) == sorted(f) for f in facts)]


def check_symmetry(path: Sequence[Position], asked: Sequence[Position], symmetry: Symmetry) -> None:
    """Play a history folded: where asked, all answers must be those of the history, folded.

    Nobody says what a symmetry makes of chance's outcomes, so play is followed up to the first of them.
    """
    image = start(path[0].game)
    there = set(map(id, asked))
    for position in path:
        if position.parent:
            if position.parent.answers.player == CHANCE:
                return
            image = after(image, int(symmetry.actions[position.history.event]), position.history)
        if id(position) in there:
            _compare_folded(position, image, symmetry)


def _compare_folded(position: Position, image: State, symmetry: Symmetry) -> None:
    found = _sorted(answers(image, position.history))
    for rule, meant in _folded(position, symmetry).items():
        if found[rule] != meant:
            folded = [int(symmetry.actions[action]) for action in position.history]
            message = (
                f"folded by a symmetry of the board, this play is {folded}; there '{rule}' answers {found[rule]}, not "
                f"{meant}; if the rules are not symmetric so, say it with make_board(..., keeps=...)"
            )
            raise LawBrokenError("symmetries", message, position.history)


def _folded(position: Position, symmetry: Symmetry) -> dict[str, object]:
    board, known = _board(position), position.answers
    acts = known.player >= 0
    return _sorted(known) | {
        "legal": sorted(int(symmetry.actions[action]) for action in known.legal) if acts else list(known.legal),
        "facts": {observer: board.mapped_facts(symmetry, facts) for observer, facts in known.facts.items()},
    }


def _sorted(known: Answers) -> dict[str, object]:
    facts = {observer: sorted(facts) for observer, facts in known.facts.items()}
    return {"player": known.player, "legal": list(known.legal), "returns": known.returns, "facts": facts}


def _board(position: Position) -> Board:
    assert position.game.board is not None  # noqa: S101 (for mypy)
    return position.game.board
