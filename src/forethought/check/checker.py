"""One check of one game: all short histories, then random games; all laws in each position, in machine code as well."""

from collections.abc import Callable, Hashable, Iterator
from functools import cached_property
from random import Random

from forethought.board import Symmetry
from forethought.check.boards import check_symmetry, kept_symmetries
from forethought.check.budget import TimeBudget
from forethought.check.knowledge import Knowledge
from forethought.check.laws import LAWS, check_isolated, some_of
from forethought.check.machine import Machine
from forethought.check.plays import Chooser, following, taste, variations
from forethought.check.positions import LawBrokenError, Position, first_position, next_position
from forethought.endless import EndlessRuleError, was_endless
from forethought.game import TERMINAL, Game
from forethought.games import load

EXPLORING = 1 / 3  # the part of the time in which all short histories are checked
INTERPRETED = 1 / 2  # the part after which rules are compiled, or after so many plies of random games
INTERPRETED_PLIES = 1_000
COMPARING = 3 / 4  # the part until which machine code is compared in positions that were checked before
SHORT = 50  # plies; of longer histories one in so many is played again, else it would take the square of their length
SHORTENING_GAMES = 300
ASKED_AGAIN = 50  # positions of a game
FOLDED = 2  # symmetries in which a random game is played again


class Checker:
    """Looks for a history that breaks a law."""

    def __init__(self, game: str | Game, seed: int, budget: TimeBudget) -> None:
        self.game = load(game, compiled=False)
        self.budget = budget
        self.rng = Random(seed)  # noqa: S311 (Python's own: rules are checked before Numba is needed)
        self.knowledge = Knowledge()
        self.machine: Machine | None = None
        self.explored: list[Position] = []
        self.uncompared: list[Position] = []  # checked before rules were compiled
        self.met: set[Hashable] = set()  # positions whose laws were checked
        self.plies = self.compared = 0
        self.exhaustive = False

    def run(self, histories: int, plies: int) -> LawBrokenError | None:
        """Breadth first, so that the first violation is a shortest one; then random games, for what lies deep."""
        try:
            self.explore(histories)
            if not self.exhaustive:
                self.sample(min(plies, INTERPRETED_PLIES), INTERPRETED)
            uncompiled = self.compile()
            if not self.exhaustive and not uncompiled:
                self.sample(plies)
        except LawBrokenError as broken:
            return broken
        except EndlessRuleError:  # in no rule
            return LawBrokenError("runs", "one position alone takes too long")
        return uncompiled

    @cached_property
    def first(self) -> Position:
        return first_position(self.game)

    @cached_property
    def symmetries(self) -> list[Symmetry]:
        return kept_symmetries(self.first)

    def key(self, position: Position) -> Hashable:
        """Return what tells positions apart: histories, but where nothing is hidden, records."""
        return position.history if self.game.hidden else position.state.memory.tobytes()

    def inspect(self, position: Position) -> None:
        """Execute the laws that can be executed in a position, unless that was done."""
        key = self.key(position)
        if key in self.met:
            return
        for law in LAWS:
            law(position)
        self.knowledge.compare(position)
        if self.machine:
            self.compare(self.machine, position)
        else:
            self.uncompared.append(position)
        self.met.add(key)

    def compare(self, machine: Machine, position: Position) -> None:
        machine.compare(position)
        self.compared += 1

    def explore(self, limit: int) -> None:
        """Check all histories in order of length, up to a limit; of states without secrets each record but once."""
        stage = self.budget.stage("all short histories", limit, EXPLORING)
        for position in self.short_histories():
            if self.key(position) in self.met:
                continue
            if not stage.goes_on(len(self.explored)):
                return
            self.inspect(position)
            if len(position.history) <= SHORT or len(position.history) % SHORT == 0:
                self.replay(position)
            self.explored.append(position)
        self.exhaustive = True

    def replay(self, position: Position) -> None:
        """Play a history again, as it is and folded, and ask at its end."""
        path = position.path()
        check_isolated(path, path[-1:])
        for symmetry in self.symmetries:
            check_symmetry(path, path[-1:], symmetry)

    def short_histories(self) -> Iterator[Position]:
        """Yield the start, and then whatever follows upon what is explored, which grows meanwhile."""
        yield self.first
        for position in self.explored:
            for action in position.answers.legal:
                yield next_position(position, action)

    def compile(self) -> LawBrokenError | None:
        """Compile the rules and compare them wherever other laws were checked; return why they cannot be compiled."""
        try:
            with self.budget.stopped():
                self.machine = Machine(self.game)
        except LawBrokenError as broken:
            return broken
        stage = self.budget.stage("machine code", len(self.uncompared), COMPARING)
        for position in self.uncompared:
            if not stage.goes_on(self.compared):
                break
            self.compare(self.machine, position)
        return None

    def sample(self, plies: int, until: float = 1.0) -> None:
        """Check random games; when a law breaks, look on for a shorter proof."""
        try:
            self.play_games(plies, until)
        except LawBrokenError as broken:
            raise self.shortened(broken) from broken.__cause__

    def play_games(self, plies: int, until: float = 1.0) -> None:
        """Check random games and variations of them."""
        stage = self.budget.stage("random games", plies, until)

        def goes_on() -> bool:
            return stage.goes_on(self.plies)

        while goes_on():
            chosen = taste(self.game, self.rng)
            path = self.play(self.first, chosen, goes_on)
            for position, otherwise in variations(path, chosen, self.rng):
                self.play(position, otherwise, goes_on)

    def play(self, position: Position, chosen: Chooser, goes_on: Callable[[], bool]) -> list[Position]:
        """Play on from a position to the end, or until time is over; return all positions from the start."""
        self.inspect(position)
        while position.answers.player != TERMINAL and goes_on():
            position = next_position(position, chosen(position))
            self.inspect(position)
            self.plies += 1
        path = position.path()
        check_isolated(path, some_of(path, ASKED_AGAIN, self.plies))
        for symmetry in some_of(self.symmetries, FOLDED, self.plies):
            check_symmetry(path, path, symmetry)
        return path

    def shortened(self, broken: LawBrokenError) -> LawBrokenError:
        """Play the proof again without one of its actions, many times; return the shortest of the same law."""
        if was_endless(broken):
            return broken  # once was long enough
        stage = self.budget.stage("looking for a shorter proof", SHORTENING_GAMES)
        games = 0

        def goes_on() -> bool:
            return stage.goes_on(games)

        while goes_on() and broken.size > 0:
            games += 1
            actions = list(broken.histories[-1])
            if actions:
                del actions[self.rng.randrange(len(actions))]
            try:
                self.play(self.first, following(actions, 0, taste(self.game, self.rng)), goes_on)
            except LawBrokenError as other:
                if other.law == broken.law and other.size < broken.size:
                    broken = other
        return broken
