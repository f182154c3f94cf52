"""check_game: every law of `game.py`, executed on all short histories and on random games."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from forethought.check.knowledge import Knowledge
from forethought.check.laws import LAWS, check_compiled
from forethought.check.positions import Answers, LawBrokenError, Position, Probe, first_position, next_position
from forethought.errors import ForethoughtError
from forethought.game import CHANCE, TERMINAL, Game
from forethought.games import load
from forethought.randomness import Generator, below, choose, generator

HISTORIES = 4_000
LAWFUL_PLIES = 4_000
COMPARED_PLIES = 100_000
SHORTENING_GAMES = 300

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
class Report:
    """What was checked, and the law that does not hold, if any."""

    game: str
    ok: bool
    histories: int
    exhaustive: bool
    plies: int
    compared_plies: int
    seconds: float
    violation: Violation | None = None


class Checker:
    """One check of one game."""

    def __init__(self, game: Game, seed: int, progress: Progress) -> None:
        self.game = load(game, compiled=False)
        self.knowledge = Knowledge()
        self.rng = generator(seed)
        self.progress = progress
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

    def explore(self, limit: int) -> None:
        """Check all histories in order of length, up to a limit; of states without secrets each record but once."""
        waiting, met = deque([first_position(self.game)]), set()
        while waiting and len(self.explored) < limit:
            position = waiting.popleft()
            self.inspect(position)
            self.explored.append(position)
            self.progress("all short histories", len(self.explored) / limit)
            for action in position.answers.legal:
                child = next_position(position, action)
                key = child.history if self.game.hidden else child.state.memory.tobytes()
                if key not in met:
                    met.add(key)
                    waiting.append(child)
        self.exhaustive = not waiting

    def sample(self, plies: int) -> None:
        """Check random games as well, unless every history was checked already."""
        while self.plies < plies and not self.exhaustive:
            self.attempt(self.inspected_game)
            self.progress("random games", self.plies / plies)

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
        while self.compared < plies:
            self.attempt(lambda: self.compared_game(machine))
            self.progress("machine code beside interpreted rules", self.compared / plies)

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
            shortest = broken
            for _ in range(SHORTENING_GAMES):
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
    progress: Progress | None = None,
) -> Report:
    """Execute every law on the shortest `histories` and on random games of `plies` plies."""
    began = time.perf_counter()
    checker = Checker(game, seed, progress or (lambda _what, _part: None))
    broken = checker.run(histories, plies)
    return Report(
        game=game.spec or game.name,
        ok=broken is None,
        histories=len(checker.explored),
        exhaustive=checker.exhaustive,
        plies=checker.plies,
        compared_plies=checker.compared,
        seconds=time.perf_counter() - began,
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
