"""Records: games from files to data sets, and from data sets to files."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from forethought.api.arguments import GameLike, PathLike, Progress, quiet
from forethought.arrays import Int64s
from forethought.errors import ForethoughtError
from forethought.files import check_can_write, write_parts_atomically
from forethought.games import load
from forethought.records.collection import ANY, ReadingTally, RecordReader, SkippedGame, Wanted, find_files
from forethought.records.data_set import ALL, HELD_OUT, TRAIN, RecordSet, RecordSetBuilder, read_record_set
from forethought.records.formats import CheckedGame, format_of
from forethought.records.identity import called
from forethought.records.ratings import wanted_rating
from forethought.records.summary import RecordsSummary, summary_of
from forethought.results import ResultBase

HELD_OUT_SHARE = 0.05


@dataclass(frozen=True)
class CheckedRecords(ResultBase):
    """What became of the games of some files."""

    game: str
    files: int
    games: int  # that were read
    kept: int
    skipped: dict[str, int]  # how many, by what is wrong with them
    disagreements: int  # games that are kept though the file names another winner than the rules
    plies: int  # of the games that are kept
    examples: list[SkippedGame]  # the first that are wrong
    seconds: float
    games_per_second: float


@dataclass(frozen=True)
class ImportedRecords(CheckedRecords):
    """A data set that was made of files."""

    output: str
    train: int  # games to learn from
    held_out: int  # games to judge by
    seed: int


@dataclass(frozen=True)
class ExportedRecords(ResultBase):
    """Files that were made of a data set."""

    output: str
    game: str
    format: str
    games: int
    left_out: int  # of which nobody knows who won, where the format must say it


def import_records(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    files: PathLike | Sequence[PathLike],
    output: PathLike,
    *,
    format: str | None = None,
    min_rating: str | float | None = None,
    result: str = ANY,
    held_out: float = HELD_OUT_SHARE,
    seed: int = 0,
    progress: Progress = quiet,
) -> ImportedRecords:
    """Read games from files, directories and runs, replay every move, and write those that are sound to a data set.

    A game that cannot be read, breaks the rules, is another game or is there already is skipped and counted.
    `min_rating` (1850, "6d") is for both players; `result` is "any", "known" or "decided". The share `held_out` of the
    games is not for training: which games these are depends on each game and the seed alone. Raises ForethoughtError if
    a file is missing, or no game is kept.
    """
    if not 0.0 <= held_out <= 1.0:
        raise ForethoughtError(f"held_out must be a share from 0 to 1, not {held_out}.")
    if not 0 <= seed < 2**63:
        raise ForethoughtError(f"seed must be a whole number at least 0, not {seed}.")
    path = Path(output)
    if path.suffix != ".safetensors":
        raise ForethoughtError(f"A data set is a file .safetensors, not '{path}'.")
    check_can_write(path, "data set")
    reader, found = _reader(game, min_rating, result), find_files(_listed(files), format)
    began, builder = time.monotonic(), RecordSetBuilder(reader.game)
    for one in reader.games(found, progress):
        builder.add(one)
    if reader.tally.kept == 0:
        raise _nothing_kept(reader.tally)
    records = builder.finish(path, seed, held_out)
    records.write()
    parts = [len(records.games(part)) for part in (TRAIN, HELD_OUT)]
    checked = _checked(reader, len(records.actions), time.monotonic() - began)
    return ImportedRecords(**vars(checked), output=str(path), train=parts[0], held_out=parts[1], seed=seed)


def verify_records(
    game: GameLike,
    files: PathLike | Sequence[PathLike],
    *,
    format: str | None = None,
    min_rating: str | float | None = None,
    result: str = ANY,
    progress: Progress = quiet,
) -> CheckedRecords:
    """Read games as `import_records` does, replay every move, and say what is wrong with which; nothing is written."""
    reader, found = _reader(game, min_rating, result), find_files(_listed(files), format)
    began = time.monotonic()
    plies = sum(len(one.actions) for one in reader.games(found, progress))
    return _checked(reader, plies, time.monotonic() - began)


def export_records(
    data_set: PathLike,
    output: PathLike,
    *,
    format: str | None = None,
    part: str = ALL,
    game: GameLike | None = None,
) -> ExportedRecords:
    """Write the games of a data set to a file: SGF, WTHOR, OpenSpiel's histories or JSON, as its name or `format` says.

    `part` is "train", "held_out" or "all". Raises ForethoughtError if the format does not know the game.
    """
    records, path = open_records(data_set, game=game), Path(output)
    kind = format_of(path, format)
    kind.check_game(records.game)
    check_can_write(path, "file")
    chosen = Chosen(records, records.games(part), kind.needs_result)
    if not len(chosen):
        raise ForethoughtError(f"{data_set} has no games to write to {kind.label}.")
    write_parts_atomically(path, kind.write(records.game, chosen))
    left_out = len(records.games(part)) - len(chosen)
    return ExportedRecords(str(path), called(records.game), kind.label, len(chosen), left_out)


def open_records(data_set: PathLike, *, game: GameLike | None = None) -> RecordSet:
    """Open a data set, to learn from its games: `positions` and `batches` return decisions as arrays.

    A game that is a file of your own must be named. Raises ForethoughtError if the data set is damaged or of another
    game.
    """
    return read_record_set(Path(data_set), None if game is None else load(game))


def describe_records(data_set: PathLike, *, game: GameLike | None = None) -> RecordsSummary:
    """Return what a data set holds, in numbers: games, results, ratings, first moves."""
    return summary_of(open_records(data_set, game=game))


class Chosen:
    """Some games of a data set, read when they are asked for."""

    def __init__(self, records: RecordSet, games: Int64s, known: bool) -> None:
        self._records = records
        self._games = [int(one) for one in games if not known or records[int(one)].returns is not None]

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[CheckedGame]:
        return map(self._records.__getitem__, self._games)

    def __contains__(self, game: object) -> bool:
        return any(one == game for one in self)


def _reader(game: GameLike, min_rating: str | float | None, result: str) -> RecordReader:
    rating = None if min_rating is None else wanted_rating(str(min_rating))
    return RecordReader(load(game), Wanted(rating, result))


def _listed(files: PathLike | Sequence[PathLike]) -> Sequence[PathLike]:
    return [files] if isinstance(files, str | Path) else files


def _checked(reader: RecordReader, plies: int, seconds: float) -> CheckedRecords:
    tally = reader.tally
    return CheckedRecords(
        called(reader.game),
        tally.files,
        tally.games,
        tally.kept,
        dict(sorted(tally.skipped.items())),
        tally.disagreements,
        plies,
        tally.examples,
        seconds,
        tally.games / seconds if seconds > 0 else 0.0,
    )


def _nothing_kept(tally: ReadingTally) -> ForethoughtError:
    """Return the refusal to make a data set of nothing, with the first reason."""
    first = f" The first: {tally.examples[0]}" if tally.examples else ""
    return ForethoughtError(f"None of {tally.games:,} games can be used; nothing is written.{first}")
