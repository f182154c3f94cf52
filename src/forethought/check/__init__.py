"""check_game: every law of `game.py`, executed on all short histories and on random games."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from forethought.check.budget import Progress, TimeBudget
from forethought.check.checker import Checker
from forethought.check.positions import LawBrokenError
from forethought.drawing.markup import block, element, note, table
from forethought.endless import interrupted_if_endless
from forethought.game import Game
from forethought.results import ResultBase

HISTORIES = 4_000
PLIES = 100_000
SECONDS = 15.0


@dataclass(frozen=True)
class Violation:
    """A broken law, the shortest action sequences found that show it, in numbers and words, and where they lead."""

    law: str
    message: str
    histories: list[list[int]]
    names: list[list[str]]
    drawings: list[str]


@dataclass(frozen=True)
class Report(ResultBase):
    """What was checked, and the law that does not hold, if any."""

    game: str
    ok: bool
    positions: int  # in which all laws were executed; where nothing is hidden, different records
    exhaustive: bool  # these are all positions of the game
    plies: int  # of random games
    compared: int  # positions in which machine code and interpreted rules were compared
    seconds: float  # those in which rules were compiled included
    violation: Violation | None = None

    @property
    def verdict(self) -> str:
        """What was found, in a few words."""
        if self.violation is not None:
            return f"'{self.violation.law}' is broken"
        return f"no law broken in {self.positions:,} positions{', all there are' if self.exhaustive else ''}"

    def _repr_html_(self) -> str:
        columns = ["random plies", "compiled = interpreted", "seconds"]
        counts = [f"{self.plies:,}", f"{self.compared:,} positions", f"{self.seconds:.1f}"]
        if self.violation is None:
            return block(f"{self.game}: {self.verdict}", table(columns, [counts]))
        shown = zip(self.violation.histories, self.violation.names, self.violation.drawings, strict=True)
        proof = [
            [note(f"after {history} {', '.join(names)}"), element("pre", drawing)] for history, names, drawing in shown
        ]
        title = f"{self.game} breaks the law '{self.violation.law}': {self.violation.message}"
        return block(title, proof, table(columns, [counts]))


def check_game(
    game: str | Game,
    *,
    histories: int = HISTORIES,
    plies: int = PLIES,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Report:
    """Execute every law on the shortest `histories` and on random games of `plies` plies, as far as `seconds` allow."""
    began = perf_counter()
    budget = TimeBudget(seconds, progress or (lambda _what, _part: None))
    checker = Checker(game, seed, budget)
    with budget.interrupted_if_endless():
        broken = checker.run(histories, plies)
    return Report(
        game=checker.game.spec or checker.game.name,
        ok=broken is None,
        positions=len(checker.met),
        exhaustive=checker.exhaustive,
        plies=checker.plies,
        compared=checker.compared,
        seconds=perf_counter() - began,
        violation=_violation(checker.game, broken) if broken else None,
    )


def _violation(game: Game, broken: LawBrokenError) -> Violation:
    told = [_told(game, history) for history in broken.histories]
    return Violation(
        broken.law,
        broken.message,
        [list(history) for history in broken.histories],
        [names for names, _ in told],
        [drawing for _, drawing in told],
    )


def _told(game: Game, history: Sequence[int]) -> tuple[list[str], str]:
    """Name the actions of a history and draw its end, as far as the broken game allows."""
    names: list[str] = []
    try:
        with interrupted_if_endless():
            state = game.start()
            for action in history:
                names.append(state.action_name(action))
                game.table.apply(state.memory, action)
            return names, state.show()
    except Exception as error:  # the very rule that is broken may be the one that names or draws
        return names + ["?"] * (len(history) - len(names)), f"(cannot be drawn: {error})"
