"""Files to games: found, read, replayed, filtered, and without those that are there already."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from forethought.errors import ForethoughtError, reason_of
from forethought.game import Game
from forethought.records.data_set import digest
from forethought.records.formats import RECORD_FORMATS, CheckedGame, RecordFormat, RecordSource, format_of
from forethought.records.replay import Replayed, Replayer, position_after
from forethought.records.transcript import DUPLICATE, RATING, RESULT, UNREADABLE, Problem, Transcript
from forethought.runs import CONFIGURATION, runs_directory

EXAMPLES = 20  # of games that are wrong are told one by one; games that are not wanted are only counted
REPORTED_GAMES = 50  # between two reports of progress
ANY, KNOWN, DECIDED = "any", "known", "decided"
RESULTS = (ANY, KNOWN, DECIDED)

Report = Callable[[str, float], None]


class RecordFile(NamedTuple):
    """A file, or a run, and the format that reads it."""

    path: Path
    format: RecordFormat


class Wanted(NamedTuple):
    """Which games are kept."""

    rating: float | None = None  # of both players, at least
    result: str = ANY  # KNOWN: it is known who won, or that nobody did; DECIDED: somebody won

    def problem(self, game: CheckedGame) -> Problem | None:
        """Return why a game is not wanted."""
        if self.rating is not None and not (game.ratings and all(one >= self.rating for one in game.ratings)):
            return Problem(RATING, "a rating is lower, or not known")
        if self.result != ANY and game.returns is None:
            return Problem(RESULT, "its result is not known")
        if self.result == DECIDED and game.returns is not None and len({*game.returns}) == 1:
            return Problem(RESULT, "nobody won")
        return None


@dataclass(frozen=True)
class SkippedGame:
    """A game that is not used, and why."""

    file: str
    game: int  # its number in the file, from 1
    move: int  # the move at which the rules stopped, from 1; 0 if that is not the reason
    kind: str
    reason: str
    position: str  # drawn, before that move

    def __str__(self) -> str:
        game, move = f": game {self.game}" if self.game else "", f", move {self.move}" if self.move else ""
        return f"{self.file}{game}{move}: {self.reason}."


@dataclass
class ReadingTally:
    """What became of the games that were read."""

    files: int = 0
    games: int = 0
    kept: int = 0
    disagreements: int = 0  # games of which the file and the rules name different winners
    skipped: Counter[str] = field(default_factory=Counter)  # by what is wrong
    examples: list[SkippedGame] = field(default_factory=list)


class RecordReader:
    """Reads games from files, one by one."""

    def __init__(self, game: Game, wanted: Wanted) -> None:
        if wanted.result not in RESULTS:
            raise ForethoughtError(f"'{wanted.result}' is no choice of results; choices are {', '.join(RESULTS)}.")
        self.game, self.wanted, self.tally = game, wanted, ReadingTally()
        self._replayer = Replayer(game)
        self._seen: set[bytes] = set()

    def games(self, files: Sequence[RecordFile], report: Report) -> Iterator[CheckedGame]:
        """Yield the games that are kept."""
        for place, file in enumerate(files):
            file.format.check_game(self.game)
            with RecordSource(file.path) as source:
                for transcript in self._transcripts(file, source):
                    if self.tally.games % REPORTED_GAMES == 0:
                        report(f"{self.tally.games:,} games", (place + source.part) / len(files))
                    self.tally.games += 1
                    played = self._replayer.replay(transcript)
                    problem = played.problem or self._refusal(played.game)
                    if problem is None:
                        self.tally.kept += 1
                        self.tally.disagreements += played.disagrees
                        yield played.game
                    else:
                        self._skip(file.path, transcript.number, played, problem)
            self.tally.files += 1
        report(f"{self.tally.games:,} games", 1.0)

    def _transcripts(self, file: RecordFile, source: RecordSource) -> Iterator[Transcript]:
        """Yield what a file says; that it cannot be read is a problem of this file alone."""
        try:
            yield from file.format.read(source, self.game)
        except (ForethoughtError, OSError) as error:
            yield Transcript(0, problem=Problem(UNREADABLE, reason_of(error)))

    def _refusal(self, game: CheckedGame) -> Problem | None:
        """Return why a game that the rules allow is not kept."""
        unwanted = self.wanted.problem(game)
        if unwanted is not None:
            return unwanted
        known = digest(game.actions)
        if known in self._seen:
            return Problem(DUPLICATE, "the same game was there before")
        self._seen.add(known)
        return None

    def _skip(self, path: Path, number: int, played: Replayed, problem: Problem) -> None:
        self.tally.skipped[problem.kind] += 1
        if played.problem is not None and len(self.tally.examples) < EXAMPLES:
            drawn = position_after(self.game, played.game.actions) if played.move else ""
            self.tally.examples.append(SkippedGame(str(path), number, played.move, problem.kind, problem.reason, drawn))


def find_files(names: Sequence[str | Path], format: str | None) -> list[RecordFile]:
    """Return the files that are named: files, directories of files, and runs; each with its format."""
    found = [file for name in names for file in _found(name, format)]
    if not found:
        raise ForethoughtError("There are no files of records there; name files, directories or runs.")
    return found


def _found(name: str | Path, format: str | None) -> Iterator[RecordFile]:
    path = Path(name)
    run = runs_directory() / path
    if not path.exists() and (run / CONFIGURATION).is_file():
        path = run
    if not path.exists():
        raise ForethoughtError(f"There is no file, directory or run '{name}'.")
    if path.is_dir() and not (path / CONFIGURATION).is_file():
        known = [one for _, one in RECORD_FORMATS] if format is None else [RECORD_FORMATS.find(format)]
        for file in sorted(inner for inner in path.rglob("*") if inner.is_file()):
            accepting = next((one for one in known if one.accepts(file)), None)
            if accepting is not None:
                yield RecordFile(file, accepting)
    else:
        yield RecordFile(path, format_of(path, format))
