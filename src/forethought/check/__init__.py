"""check_game: every law of `game.py`, executed on all short histories and on random games."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from forethought.check.knowledge import Knowledge
from forethought.check.laws import LAWS, check_compiled
from forethought.check.positions import Answers, LawBrokenError, Position, Probe, first_position, next_position
from forethought.drawing.markup import block, element, note, table
from forethought.errors import ForethoughtError
from forethought.game import CHANCE, TERMINAL, Game
from forethought.games import load
from forethought.randomness import Generator, below, choose, generator
from forethought.results import ResultBase

HISTORIES = 4_000
LAWFUL_PLIES = 4_000
COMPARED_PLIES = 100_000
SHORTENING_GAMES = 300
SECONDS = 15.0
STAGES = 3

Progress = Callable[[str, float], None]


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
    histories: int
    exhaustive: bool
    plies: int
    compared_plies: int
    seconds: float
    violation: Violation | None = None

    def _repr_html_(self) -> str:
        histories = f"{self.histories:,}{' (all)' if self.exhaustive else ''}"
        columns = ["histories", "random plies", "compiled = interpreted", "seconds"]
        counts = [histories, f"{self.plies:,}", f"{self.compared_plies:,} plies", f"{self.seconds:.1f}"]
        if self.violation is None:
            return block(f"{self.game} keeps all laws, as far as was checked", table(columns, [counts]))
        shown = zip(self.violation.histories, self.violation.names, self.violation.drawings, strict=True)
        proof = [
            [note(f"after {history} {', '.join(names)}"), element("pre", drawing)] for history, names, drawing in shown
        ]
        title = f"{self.game} breaks the law '{self.violation.law}': {self.violation.message}"
        return block(title, proof, table(columns, [counts]))


class Stage:
    """A part of a check: it goes on until enough is done, or its time is over. In wide games positions take long."""

    def __init__(self, name: str, enough: int, seconds: float, progress: Progress) -> None:
        self.name, self.enough, self.seconds, self.progress = name, enough, seconds, progress
        self.began = perf_counter()

    def goes_on(self, done: int) -> bool:
        part = max(done / self.enough, (perf_counter() - self.began) / self.seconds)
        self.progress(self.name, min(part, 1.0))
        return part < 1.0


class Checker:
    """One check of one game."""

    def __init__(self, game: Game, seed: int, seconds: float, progress: Progress) -> None:
        self.game = load(game, compiled=False)
        self.knowledge = Knowledge()
        self.rng = generator(seed)
        self.seconds, self.progress = seconds, progress
        self.explored: list[Position] = []
        self.plies = self.compared = 0
        self.exhaustive = False

    def run(self, histories: int, plies: int) -> LawBrokenError | None:
        """Breadth first, so that the first violation is a shortest one; then random games, for what lies deep."""
        try:
            self.explore(histories)
            self.sample(min(plies, LAWFUL_PLIES))
            self.compare(self.compiled(), plies)
        except LawBrokenError as broken:
            return broken
        return None

    def inspect(self, position: Position) -> None:
        for law in LAWS:
            law(position)
        self.knowledge.compare(position)

    def stage(self, name: str, enough: int) -> Stage:
        return Stage(name, enough, self.seconds / STAGES, self.progress)

    def explore(self, limit: int) -> None:
        """Check all histories in order of length, up to a limit; of states without secrets each record but once."""
        stage, met = self.stage("all short histories", limit), set()
        for position in self.short_histories():
            key = position.history if self.game.hidden else position.state.memory.tobytes()
            if key in met:
                continue
            if not stage.goes_on(len(self.explored)):
                return
            self.inspect(position)
            met.add(key)
            self.explored.append(position)
        self.exhaustive = True

    def short_histories(self) -> Iterator[Position]:
        """Yield the start, and then whatever follows upon what is explored, which grows meanwhile."""
        yield first_position(self.game)
        for position in self.explored:
            for action in position.answers.legal:
                yield next_position(position, action)

    def sample(self, plies: int) -> None:
        """Check random games as well, unless every history was checked already."""
        stage = self.stage("random games", plies)
        while not self.exhaustive and stage.goes_on(self.plies):
            self.attempt(self.inspected_game)

    def inspected_game(self) -> None:
        position = first_position(self.game)
        self.inspect(position)
        while position.answers.player != TERMINAL:
            position = next_position(position, _random_action(position.answers, self.rng))
            self.inspect(position)
            self.plies += 1

    def compiled(self) -> Probe:
        try:
            return Probe(load(self.game))
        except ForethoughtError as error:
            raise LawBrokenError("compiled", str(error)) from error

    def compare(self, machine: Probe, plies: int) -> None:
        """Play in machine code and interpreted, side by side: the histories explored, then random games."""
        for position in self.explored:
            memory = position.parent.state.memory.copy() if position.parent else machine.game.start().memory
            if position.parent:
                machine.game.table.apply(memory, position.history[-1])
            check_compiled(machine, memory, position.state, position.answers, position.history)
        stage = self.stage("machine code beside interpreted rules", plies)
        while stage.goes_on(self.compared):
            self.attempt(lambda: self.compared_game(machine))

    def compared_game(self, machine: Probe) -> None:
        state, memory, interpreted = self.game.start(), machine.game.start().memory, Probe(self.game)
        history: list[int] = []
        while True:
            answers = interpreted.ask(state.memory)
            check_compiled(machine, memory, state, answers, tuple(history))
            if answers.player == TERMINAL:
                return
            action = _random_action(answers, self.rng)
            history.append(action)
            self.game.table.apply(state.memory, action)
            machine.game.table.apply(memory, action)
            self.compared += 1

    def attempt(self, play: Callable[[], None]) -> None:
        """Play a random game; when a law breaks, look on for a shorter proof."""
        try:
            play()
        except LawBrokenError as broken:
            shortest, played = broken, 0
            stage = self.stage("looking for a shorter proof", SHORTENING_GAMES)
            while stage.goes_on(played):
                played += 1
                try:
                    play()
                except LawBrokenError as other:
                    if other.law == shortest.law and _size(other) < _size(shortest):
                        shortest = other
            raise shortest from None


def check_game(
    game: Game,
    *,
    histories: int = HISTORIES,
    plies: int = COMPARED_PLIES,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Progress | None = None,
) -> Report:
    """Execute every law on the shortest `histories` and on random games of `plies` plies, as far as `seconds` allow."""
    began = perf_counter()
    checker = Checker(game, seed, seconds, progress or (lambda _what, _part: None))
    broken = checker.run(histories, plies)
    return Report(
        game=game.spec or game.name,
        ok=broken is None,
        histories=len(checker.explored),
        exhaustive=checker.exhaustive,
        plies=checker.plies,
        compared_plies=checker.compared,
        seconds=perf_counter() - began,
        violation=_violation(checker.game, broken) if broken else None,
    )


def _random_action(answers: Answers, rng: Generator) -> int:
    legal = answers.legal
    if answers.player == CHANCE:
        return legal[choose(np.array(answers.chance), len(legal), rng)]
    return legal[below(len(legal), rng)]


def _size(broken: LawBrokenError) -> int:
    return sum(map(len, broken.histories))


def _violation(game: Game, broken: LawBrokenError) -> Violation:
    told = [_told(game, history) for history in broken.histories]
    return Violation(
        broken.law,
        broken.message,
        [list(history) for history in broken.histories],
        [names for names, _ in told],
        [drawing for _, drawing in told],
    )


def _told(game: Game, history: tuple[int, ...]) -> tuple[list[str], str]:
    """Name the actions of a history and draw its end, as far as the broken game allows."""
    names: list[str] = []
    try:
        state = game.start()
        for action in history:
            names.append(state.action_name(action))
            game.table.apply(state.memory, action)
        return names, state.show()
    except Exception as error:  # the very rule that is broken may be the one that names or draws
        return names + ["?"] * (len(history) - len(names)), f"(cannot be drawn: {error})"
