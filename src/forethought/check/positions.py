"""A history of a game with everything the rules say about where it leads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from forethought.check.event_sequences import EventSequence
from forethought.errors import ForethoughtError
from forethought.game import CHANCE, EVERYONE, PUBLIC, TERMINAL, Game, State
from forethought.interpreter import Memory
from forethought.rehearsal import broken_rule

Answer = TypeVar("Answer")

UNWRITTEN = np.iinfo(np.int64).min  # what stands in the buffers before a rule writes its answer


class LawBrokenError(Exception):
    """A law of `game.py` does not hold; the histories show it, one alone or two against each other."""

    def __init__(self, law: str, message: str, *histories: Iterable[int]) -> None:
        super().__init__(message)
        self.law, self.message, self.histories = law, message, [tuple(history) for history in histories]

    @property
    def size(self) -> int:
        """How many actions the proof takes."""
        return sum(map(len, self.histories))


class ImpureError(Exception):
    """A rule has changed the record that it was asked about."""

    def __init__(self) -> None:
        super().__init__("a rule other than 'apply' changes the record")


@dataclass(frozen=True)
class Answers:
    """What the rules say of one record; NaN stands where nothing was written to."""

    player: int
    legal: tuple[int, ...]
    chance: tuple[float, ...]
    returns: tuple[float, ...]
    facts: dict[int, tuple[int, ...]]  # by observer


@dataclass(frozen=True)
class Position:
    """One history: how it came about, its state, the answers there, and what each observer saw and did on the way."""

    state: State
    answers: Answers
    history: EventSequence  # the actions
    parent: "Position | None"
    noticed: dict[int, EventSequence]  # by observer
    decided: dict[int, EventSequence]  # by player: its own decisions

    @property
    def game(self) -> Game:
        return self.state.game

    @cached_property
    def shown(self) -> dict[tuple[str, int], Any]:
        """What is shown and drawn here, and named as a hand, by rule and observer or player."""
        state, game, before = self.state, self.game, self.state.memory.tobytes()
        asks: dict[str, tuple[Callable[[int], Any], tuple[int, ...]]] = {
            "show": (state.show, (*game.observers, EVERYONE) if game.shows_observers else (EVERYONE,)),
            "draw": (state.drawing, (*game.observers, EVERYONE)),
            "hand": (state.hand, tuple(range(game.players))),
        }
        found: dict[tuple[str, int], Any] = {}
        for rule in (rule for rule in asks if rule in game.source):
            ask, observers = asks[rule]
            for observer in observers:
                found[rule, observer] = asking(game, self.history, lambda a=ask, o=observer: a(o))  # type: ignore[misc]
            if state.memory.tobytes() != before:
                raise LawBrokenError("pure", f"the rule '{rule}' changes the record", self.history)
        return found

    def path(self) -> "list[Position]":
        """List the positions from the start to here."""
        found = [self]
        while found[-1].parent:
            found.append(found[-1].parent)
        return found[::-1]


def asking(game: Game, history: Iterable[int], question: Callable[[], Answer]) -> Answer:
    """Ask a rule; a rule that fails breaks the law 'runs'."""
    try:
        return question()
    except ImpureError:
        raise
    except Exception as error:
        mistake = error if isinstance(error, ForethoughtError) else broken_rule(game, error)
        raise LawBrokenError("runs", str(mistake), history) from error


class Probe:
    """Asks every rule of a game about a record, with buffers made once; rules are given a copy of the record."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._copy = np.zeros(game.table.state_bytes, np.uint8)
        self._choices = np.zeros(game.table.choices, np.int64)
        self._weights = np.zeros(game.table.choices)
        self._returns = np.zeros(game.players)
        self._facts = np.zeros(game.facts, np.int64)

    def start(self) -> Memory:
        self._copy[:] = 0
        self.game.table.start(self._copy)
        return self._copy.copy()

    def apply(self, memory: Memory, action: int) -> Memory:
        """Return the record after an action."""
        self._copy[:] = memory
        self.game.table.apply(self._copy, action)
        return self._copy.copy()

    def ask(self, memory: Memory) -> Answers:
        """Return what all rules answer; none of them may change the record."""
        self._copy[:] = memory
        found = self._answers(self._copy)
        if self._copy.tobytes() != memory.tobytes():
            raise ImpureError
        return found

    def _answers(self, memory: Memory) -> Answers:
        table = self.game.table
        player = table.player(memory)
        legal: tuple[int, ...] = ()
        chance: tuple[float, ...] = ()
        returns: tuple[float, ...] = ()
        if player != TERMINAL:
            self._choices[:] = UNWRITTEN
            legal = self._counted("legal", self._choices, table.legal(memory, self._choices))
        if player == CHANCE and self.game.outcomes:
            self._weights[:] = np.nan
            table.chance(memory, self._weights)
            chance = tuple(self._weights[: len(legal)].tolist())
        if player == TERMINAL:
            self._returns[:] = np.nan
            table.returns(memory, self._returns)
            returns = tuple(self._returns.tolist())
        return Answers(player, legal, chance, returns, {one: self._known(memory, one) for one in self.game.observers})

    def _known(self, memory: Memory, observer: int) -> tuple[int, ...]:
        self._facts[:] = UNWRITTEN
        return self._counted("facts", self._facts, self.game.table.facts(memory, observer, self._facts))

    def _counted(self, rule: str, out: npt.NDArray[np.int64], count: int) -> tuple[int, ...]:
        if not 0 <= count <= len(out):
            raise self.game.mistake(
                f"the rule '{rule}' says it wrote {count} numbers, but there is room for {len(out)}"
            )
        written = tuple(out[:count].tolist())
        if UNWRITTEN in written:
            place = written.index(UNWRITTEN)
            raise self.game.mistake(
                f"the rule '{rule}' says it wrote {count} numbers, but wrote nothing to out[{place}]"
            )
        return written


@lru_cache(maxsize=4)
def _probe(game: Game) -> Probe:
    return Probe(game)


def start(game: Game) -> State:
    return State(game, asking(game, (), _probe(game).start))


def answers(state: State, history: Iterable[int]) -> Answers:
    """Ask every rule about a state that a history led to."""
    try:
        return asking(state.game, history, lambda: _probe(state.game).ask(state.memory))
    except ImpureError as error:
        raise LawBrokenError("pure", str(error), history) from None


def after(state: State, action: int, history: Iterable[int]) -> State:
    """Return the state after the last action of a history."""
    return State(state.game, asking(state.game, history, lambda: _probe(state.game).apply(state.memory, action)))


def first_position(game: Game) -> Position:
    state = start(game)
    noticed, decided = ({one: EventSequence() for one in game.observers} for _ in range(2))
    return Position(state, answers(state, ()), EventSequence(), None, noticed, decided)


def next_position(position: Position, action: int) -> Position:
    """Play an action and note who saw what of it."""
    state = played(position, action)
    history = position.history.then(action)
    decided = dict(position.decided)
    mover = position.answers.player
    if mover >= 0:
        decided[mover] = decided[mover].then((position.answers.facts[mover], action))
    return Position(state, answers(state, history), history, position, _noticed(position, action), decided)


def played(position: Position, action: int) -> State:
    """Play an action twice, which must come to the same."""
    history = chain(position.history, (action,))
    first, second = (after(position.state, action, history) for _ in range(2))
    if first != second:
        message = f"the same action on the same record gives different records: {first!r} and {second!r}"
        raise LawBrokenError("deterministic", message, history)
    return first


def glimpse(position: Position, action: int, observer: int) -> bool | int:
    """Ask `sees` what an observer learns of an action."""
    game, history = position.game, chain(position.history, (action,))
    answer = asking(game, history, lambda: game.source["sees"](position.state.clone().view, action, observer))
    if not isinstance(answer, bool | int):
        message = f"the rule 'sees' must return True, False or a whole number, not {answer!r}"
        raise LawBrokenError("runs", message, history)
    return answer


def _noticed(position: Position, action: int) -> dict[int, EventSequence]:
    """What each observer learns of an action: its own act, the act it sees, or a glimpse, as `sees` tells."""
    noticed, mover = dict(position.noticed), position.answers.player
    if not position.game.hidden or "sees" not in position.game.source:
        return noticed
    for observer, trail in position.noticed.items():
        seen = glimpse(position, action, observer)
        longer = trail.then(("act", mover, action)) if mover == observer or seen is True else trail
        noticed[observer] = longer if isinstance(seen, bool) else longer.then(("glimpse", mover, seen))
    return noticed


def named(observer: int) -> str:
    return "the public" if observer == PUBLIC else f"player {observer}"
