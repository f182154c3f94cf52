"""Formats of records. A format is a class in a file of its own, registered under a name, here or in any package:

@register_record_format("sgf")
class Sgf(RecordFormat): ...
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, ClassVar, NamedTuple, Self, TypeVar

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.records.transcript import Transcript
from forethought.registry import Registry


class RecordSource:
    """A file or directory that is read, and how far it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO | None = None
        self._size = 0

    @property
    def file(self) -> BinaryIO:
        """The file, opened when it is first asked for."""
        if self._file is None:
            try:
                self._file = self.path.open("rb")
                self._size = self.path.stat().st_size
            except OSError as error:
                raise ForethoughtError(f"{self.path} cannot be read: {error.strerror}.") from error
        return self._file

    @property
    def part(self) -> float:
        """The part of the file that has been read, from 0 to 1."""
        return self._file.tell() / self._size if self._file is not None and self._size else 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()


class CheckedGame(NamedTuple):
    """A game that the rules have played."""

    actions: list[int]  # outcomes of chance and forced passes included
    setup: int  # so many of them only set up the position
    returns: tuple[float, ...] | None  # None: it was not finished, and nobody said who won
    names: tuple[str, ...]  # by seat; empty if nobody said
    ratings: tuple[float, ...]  # by seat, NaN where not known; empty if nobody said


class RecordFormat(ABC):
    """How games are read from files of a kind, and written to them."""

    label: ClassVar[str]  # what people call it
    suffixes: ClassVar[tuple[str, ...]] = ()  # of its files
    games: ClassVar[tuple[str, ...]] = ()  # names of the games that it knows; empty: all
    needs_result: ClassVar[bool] = False  # whether only games can be written of which it is known who won

    def accepts(self, path: Path) -> bool:
        """Whether a path looks like one of this format."""
        return path.suffix.lower() in self.suffixes

    @abstractmethod
    def read(self, source: RecordSource, game: Game) -> Iterator[Transcript]:
        """Yield the games of a file, one by one; what cannot be read is a transcript with a problem."""

    def write(self, game: Game, games: Collection[CheckedGame]) -> Iterator[bytes]:  # noqa: ARG002 (for those that can)
        """Yield the content of a file, part by part."""
        raise ForethoughtError(f"Files of {self.label} can be read, not written.")

    def check_game(self, game: Game) -> None:
        """Refuse a game that the format has no words for."""
        if self.games and game.name not in self.games:
            listed = ", ".join(self.games)
            raise ForethoughtError(f"{self.label} is for {listed} here, not for {game.name}; use the format json.")


RECORD_FORMATS: Registry[RecordFormat] = Registry(
    "format of records",
    "forethought.records",
    ("forethought.records", "forethought.learn"),
    "register_record_format",
)

FormatClass = TypeVar("FormatClass", bound=type[RecordFormat])


def register_record_format(name: str) -> Callable[[FormatClass], FormatClass]:
    """Register a format of records: a decorator of its class."""

    def register(format: FormatClass) -> FormatClass:
        RECORD_FORMATS.add(name, format(), format.__module__)
        return format

    return register


def format_of(path: Path, name: str | None = None) -> RecordFormat:
    """Return the format that is named, or else the one that accepts the path."""
    if name is not None:
        return RECORD_FORMATS.find(name)
    accepting = next((known for _, known in RECORD_FORMATS if known.accepts(path)), None)
    if accepting is None:
        known = ", ".join(RECORD_FORMATS.names())
        raise ForethoughtError(f"The name of {path} does not tell its format; name one of {known} with --format.")
    return accepting
