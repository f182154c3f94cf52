"""Games as SGF: Go, Gomoku, Othello and Hex."""

import math
from collections.abc import Collection, Iterable, Iterator
from itertools import islice, product

from forethought.game import Game
from forethought.records.formats import CheckedGame, RecordFormat, RecordSource, register_record_format
from forethought.records.ratings import read_rating
from forethought.records.sgf.dialects import BLACK, DIALECTS, WHITE, Dialect, Translation, WrittenMoves, komi_of
from forethought.records.sgf.grammar import Node, encoding_of, escaped, main_lines, nodes_of, text_of
from forethought.records.transcript import OTHER_GAME, SET_UP, UNREADABLE, Problem, Transcript

_DRAWS = ("0", "draw", "jigo")
_SETUPS = (b"AB", b"AW", b"AE")
_ANY_SETUP = frozenset(_SETUPS)


@register_record_format("sgf")
class Sgf(RecordFormat):
    label = "SGF"
    suffixes = (".sgf", ".hsgf")
    games = tuple(DIALECTS)

    def read(self, source: RecordSource, game: Game) -> Iterator[Transcript]:
        dialect, komi = DIALECTS[game.name](game), komi_of(game)
        number = 0
        for number, line in enumerate(main_lines(source.file), 1):
            nodes = nodes_of(line.text)
            problem = Problem(UNREADABLE, line.problem) if line.problem else None
            yield _transcript(number, nodes, dialect, komi, problem)
        if number == 0:
            yield Transcript(1, problem=Problem(UNREADABLE, "there is no SGF in the file"))

    def write(self, game: Game, games: Collection[CheckedGame]) -> Iterator[bytes]:
        dialect, komi = DIALECTS[game.name](game), komi_of(game)
        start = f"(;FF[4]CA[UTF-8]AP[forethought]GM[{dialect.number}]SZ[{dialect.size}]"
        start += "" if komi is None else f"KM[{komi:g}]"
        for one in games:
            about = "".join(f"{key}[{escaped(value)}]" for key, value in _about(one) if value)
            yield (start + about + dialect.write(one.actions, one.setup) + ")\n").encode()


def _transcript(
    number: int, nodes: list[Node], dialect: Dialect, komi: float | None, problem: Problem | None
) -> Transcript:
    """Make sense of the nodes of a main line."""
    root = nodes[0] if nodes else {}
    encoding = encoding_of(root)
    said = {name: text_of(root, name, encoding) for name in (b"RE", b"PB", b"PW", b"BR", b"WR", b"GM", b"SZ", b"KM")}
    other = _other_game(said[b"GM"], said[b"SZ"], dialect)
    if other is not None:
        return Transcript(number, problem=problem or other)
    prepared = _set_up(root, dialect)
    moves, misplaced = _moves(nodes)
    made = dialect.translate(moves) if prepared.problem is None else Translation()
    returns = _returns(said[b"RE"], made)
    by_seat = (b"B", b"W") if made.began == BLACK else (b"W", b"B")
    return Transcript(
        number,
        prepared.actions + made.actions,
        prepared.movers + made.movers,
        len(prepared.actions),
        returns,
        tuple(said[b"P" + colour] for colour in by_seat),
        tuple(read_rating(said[colour + b"R"]) for colour in by_seat),
        dialect.optional,
        komi is None or _is_komi(said[b"KM"], komi),
        prepared.problem or made.problem or misplaced or problem,
    )


def _other_game(number: str, size: str, dialect: Dialect) -> Problem | None:
    """Return what is wrong if a file is about another game, or another board."""
    if number and number != str(dialect.number):
        return Problem(OTHER_GAME, f"GM[{number[:20]}] is another game, not GM[{dialect.number}]")
    width, _, height = (size or str(dialect.standard_size)).partition(":")
    if {width.strip(), height.strip() or width.strip()} != {str(dialect.size)}:
        return Problem(OTHER_GAME, f"its board is {(size or width)[:20]}, not {dialect.size}")
    return None


def _is_komi(text: str, komi: float) -> bool:
    """Whether a file does not say that it has another komi."""
    try:
        return not text or float(text) == komi
    except ValueError:
        return False


def _set_up(root: Node, dialect: Dialect) -> Translation:
    """Return the actions that make the position with which a game begins."""
    most = dialect.cells + 1  # whoever sets up more, sets up too many
    black, white, empty = (list(islice(_points(root.get(name, [])), most)) for name in _SETUPS)
    return dialect.set_up(black, white) if black or white or empty else Translation()


def _points(values: Iterable[bytes]) -> Iterator[str]:
    """Yield points, those of a rectangle `aa:cc` one by one."""
    for value in values:
        text = value.decode("ascii", "replace").strip().lower()
        first, colon, last = text.partition(":")
        if colon and len(first) == len(last) == 2 and (first + last).isascii() and (first + last).isalpha():
            ranges = [range(ord(low), ord(high) + 1) for low, high in zip(first, last, strict=True)]
            yield from (chr(column) + chr(row) for row, column in product(ranges[1], ranges[0]))
        else:
            yield text


def _moves(nodes: list[Node]) -> tuple[WrittenMoves, Problem | None]:
    """Return the moves of all nodes, up to one that cannot be played."""
    colours: list[str] = []
    values: list[bytes] = []
    moves = WrittenMoves(colours, values)
    for place, node in enumerate(nodes):
        black, white = node.get(b"B"), node.get(b"W")
        if place and not _ANY_SETUP.isdisjoint(node):
            return moves, Problem(SET_UP, "stones are set up after it has begun", of_move=True)
        if black is not None and white is not None:
            return moves, Problem(UNREADABLE, "Black and White move at once", of_move=True)
        given = white if black is None else black
        if given is not None:
            colours.append(WHITE if black is None else BLACK)
            values.append(given[0] if given else b"")
    return moves, None


def _returns(result: str, made: Translation) -> tuple[float, float] | None:
    """Return what each seat has won: `B+R`, `W+3.5`, `0`, or the word of who resigns."""
    text = result.strip().lower()
    if text in ("b", "w") or (text[1:2] == "+" and text[0] in "bw"):
        winner = made.seat(text[0].upper())
    elif text in _DRAWS:
        return 0.0, 0.0
    elif made.resigned is not None:
        winner = 1 - made.resigned
    else:
        return None
    return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)


def _about(game: CheckedGame) -> Iterator[tuple[str, str]]:
    """Yield the properties of the root that tell of players and result."""
    yield from zip(("PB", "PW"), game.names, strict=False)
    known = (f"{rating:g}" if math.isfinite(rating) else "" for rating in game.ratings)
    yield from zip(("BR", "WR"), known, strict=False)
    if game.returns is None:
        yield "RE", "?"
    else:
        lead = game.returns[0] - game.returns[1]
        yield "RE", "0" if lead == 0 else "B+" if lead > 0 else "W+"
