"""Our own JSON: an object for each game, in a list, on lines or alone.

It is what `export` writes, what `forethought play --watch --json` prints, and what the page saves:

    {"game": "hex(size=5)", "actions": [12, 7], "players": ["a", "b"], "ratings": [1800, null], "returns": [1.0, -1.0]}

Only `game` and `actions` are needed. The page says `seats` for `players`, and `resigned` for the seat that gave up.
"""

import json
import math
import re
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO

from forethought.game import Game
from forethought.records.formats import CheckedGame, RecordFormat, RecordSource, register_record_format
from forethought.records.identity import called, is_same_game
from forethought.records.ratings import UNKNOWN
from forethought.records.transcript import LARGEST, OTHER_GAME, UNREADABLE, Problem, Transcript, read_numbers
from forethought.records.window import LONGEST_GAME, Window

# A string, in which a backslash takes the next byte as it is, or else a brace or an open quotation mark.
_BORDER = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}"]', re.DOTALL)
_PUNCTUATION = b" \t\r\n,[]"
LONGEST_NAME = 200


class NotPlainError(ValueError):
    """An object does not say what it should."""


@register_record_format("json")
class JsonText(RecordFormat):
    label = "JSON"
    suffixes = (".json", ".jsonl")

    def read(self, source: RecordSource, game: Game) -> Iterator[Transcript]:
        number = 0
        for number, found in enumerate(objects(source.file), 1):
            try:
                yield _transcript(number, found, game)
            except NotPlainError as error:
                yield Transcript(number, problem=Problem(UNREADABLE, str(error)))
        if number == 0:
            yield Transcript(1, problem=Problem(UNREADABLE, "there is no JSON in the file"))

    def write(self, game: Game, games: Collection[CheckedGame]) -> Iterator[bytes]:
        for one in games:
            ratings = [rating if math.isfinite(rating) else None for rating in one.ratings]
            told = {"game": called(game), "players": list(one.names), "ratings": ratings, "setup": one.setup}
            result = None if one.returns is None else list(one.returns)
            yield json.dumps(told | {"actions": one.actions, "returns": result}).encode() + b"\n"


def objects(file: BinaryIO) -> Iterator[bytes]:
    """Yield the text of each object of a file, and anything else that is more than a list's punctuation."""
    window, place = Window(file), 0
    while True:
        start = window.data.find(b"{", place)
        between = window.data[place : len(window.data) if start < 0 else start]
        if between.strip(_PUNCTUATION):
            yield between
        if start >= 0:
            text, place = _object(window, start)
            yield text
        elif window.ended:
            return
        else:
            window.move(len(window.data))
            place = 0


def _object(window: Window, start: int) -> tuple[bytes, int]:
    """Return the text of the object that starts here, as far as it goes, and the place after it."""
    depth, place = 0, start
    while True:
        for border in _BORDER.finditer(window.data, place):
            mark = window.data[border.start() : border.end()]
            if mark == b'"':  # the string goes on beyond the window
                place = border.start()
                break
            place = border.end()
            depth += (mark == b"{") - (mark == b"}")
            if depth == 0:
                return window.data[start:place], place
        else:
            place = len(window.data)
        if window.ended:
            return window.data[start:], len(window.data)
        if len(window.data) - start > LONGEST_GAME:
            return b"{", place + 1
        window.move(start)
        start, place = 0, place - start


def _transcript(number: int, text: bytes, game: Game) -> Transcript:
    """Make sense of an object."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise NotPlainError("it is not JSON") from None
    if not isinstance(told, dict) or not isinstance(told.get("game"), str):
        raise NotPlainError("it does not name its game")
    if not is_same_game(told["game"], game):
        return Transcript(number, problem=Problem(OTHER_GAME, f"it is {told['game'][:100]}, not {called(game)}"))
    if told.get("start") is not None:
        raise NotPlainError("it begins from a position that was set up, and not from the first one")
    actions = read_numbers(told.get("actions"))
    if actions is None:
        raise NotPlainError("its actions are not a list of numbers")
    names = _listed(told.get("players", told.get("seats")), game, str, "")
    ratings = _listed(told.get("ratings"), game, (int, float), UNKNOWN)
    setup = told.get("setup", 0)
    if type(setup) is not int or not 0 <= setup <= len(actions):
        raise NotPlainError("its setup is not a number of actions")
    return Transcript(
        number,
        actions,
        setup=setup,
        returns=_returns(told, game),
        names=tuple(name[:LONGEST_NAME] for name in names),
        ratings=tuple(map(_known, ratings)),
    )


def _listed(found: Any, game: Game, kind: Any, missing: Any) -> list[Any]:
    """Return something for each seat, what is missing where it is of another kind; nothing if it is no such list."""
    if not isinstance(found, list) or len(found) != game.players:
        return []
    return [one if isinstance(one, kind) and not isinstance(one, bool) else missing for one in found]


def _returns(told: dict[str, Any], game: Game) -> tuple[float, ...] | None:
    """Return what each seat has won, as the object says; who resigns loses."""
    resigned = told.get("resigned")
    if type(resigned) is int and game.players == 2 and resigned in (0, 1):
        return (-1.0, 1.0) if resigned == 0 else (1.0, -1.0)
    found = _listed(told.get("returns"), game, (int, float), UNKNOWN)
    known = tuple(map(_known, found))
    return known if known and all(map(math.isfinite, known)) else None


def _known(value: float) -> float:
    """Return a number that is of some use, or else that it is not known."""
    return float(value) if abs(value) < LARGEST else UNKNOWN
