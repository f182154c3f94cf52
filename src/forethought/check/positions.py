"""A history of a game with everything the rules say about where it leads."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from forethought.errors import ForethoughtError
from forethought.game import CHANCE, TERMINAL, Game, State
from forethought.interpreter import Memory
from forethought.rehearsal import broken_rule

Answer = TypeVar("Answer")
Events = tuple[Any, ...]


class LawBrokenError(Exception):
    """A law of `game.py` does not hold; the histories show it, one alone or two against each other."""

    def __init__(self, law: str, message: str, *histories: tuple[int, ...]) -> None:
        super().__init__(message)
        self.law, self.message, self.histories = law, message, histories


@dataclass(frozen=True)
class Answers:
    """What the rules say of one record."""

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
    history: tuple[int, ...] = ()
    parent: "Position | None" = None
    noticed: dict[int, Events] = field(default_factory=dict)  # by observer
    decided: dict[int, Events] = field(default_factory=dict)  # by player: its own decisions

    def path(self) -> "Iterator[Position]":
        """Yield the positions from the start to here."""
        if self.parent:
            yield from self.parent.path()
        yield self


def asking(game: Game, history: tuple[int, ...], question: Callable[[], Answer]) -> Answer:
    """Ask a rule; a rule that fails breaks the law 'runs'."""
    try:
        return question()
    except Exception as error:
        mistake = error if isinstance(error, ForethoughtError) else broken_rule(game, error)
        raise LawBrokenError("runs", str(mistake), history) from error


class Probe:
    """Asks every rule of a game about a record, with buffers made once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._choices = np.zeros(game.table.choices, np.int64)
        self._weights = np.zeros(game.table.choices)
        self._returns = np.zeros(game.players)
        self._facts = np.zeros(game.facts, np.int64)

    def ask(self, memory: Memory) -> Answers:
        table = self.game.table
        player = table.player(memory)
        legal = () if player == TERMINAL else self._counted("legal", self._choices, table.legal(memory, self._choices))
        chance: tuple[float, ...] = ()
        returns: tuple[float, ...] = ()
        if player == CHANCE and self.game.outcomes:
            self._weights[:] = 0.0
            table.chance(memory, self._weights)
            chance = tuple(self._weights[: len(legal)].tolist())
        if player == TERMINAL:
            self._returns[:] = 0.0
            table.returns(memory, self._returns)
            returns = tuple(self._returns.tolist())
        facts = {
            observer: self._counted("facts", self._facts, table.facts(memory, observer, self._facts))
            for observer in self.game.observers
        }
        return Answers(player, legal, chance, returns, facts)

    def _counted(self, rule: str, out: npt.NDArray[np.int64], count: int) -> tuple[int, ...]:
        if not 0 <= count <= len(out):
            raise self.game.mistake(
                f"the rule '{rule}' says it wrote {count} numbers, but there is room for {len(out)}"
            )
        return tuple(out[:count].tolist())


@lru_cache(maxsize=4)
def _probe(game: Game) -> Probe:
    return Probe(game)


def answers(state: State) -> Answers:
    """Ask every rule about a state."""
    return _probe(state.game).ask(state.memory)


def first_position(game: Game) -> Position:
    state = asking(game, (), game.start)
    nothing: dict[int, Events] = dict.fromkeys(game.observers, ())
    return Position(state, _examined(state, ()), (), None, nothing, nothing)


def next_position(position: Position, action: int) -> Position:
    """Play an action and note who saw what of it."""
    game, before = position.state.game, position.state
    history = (*position.history, action)
    after = before.clone()
    asking(game, history, lambda: game.table.apply(after.memory, action))
    noticed = {o: (*seen, *_noticed(position, action, o)) for o, seen in position.noticed.items()}
    decided = dict(position.decided)
    mover = position.answers.player
    if mover >= 0:
        decided[mover] = (*decided[mover], (position.answers.facts[mover], action))
    return Position(after, _examined(after, history), history, position, noticed, decided)


def _examined(state: State, history: tuple[int, ...]) -> Answers:
    """Ask every rule for the first time; asking must not change the record."""
    before = state.memory.tobytes()
    found = asking(state.game, history, lambda: answers(state))
    if state.memory.tobytes() != before:
        raise LawBrokenError("pure", "a rule other than 'apply' changes the record", history)
    return found


def _noticed(position: Position, action: int, observer: int) -> Events:
    """What the observer learns of an action: its own act, the act it sees, or a glimpse, as `sees` tells."""
    game, mover = position.state.game, position.answers.player
    events: list[Any] = [("act", mover, action)] if mover == observer else []
    if "sees" in game.source:
        sees = game.source["sees"]
        history = (*position.history, action)
        glimpse = asking(game, history, lambda: sees(position.state.clone().view, action, observer))
        if isinstance(glimpse, bool):
            if glimpse and mover != observer:
                events.append(("act", mover, action))
        else:
            events.append(("glimpse", mover, int(glimpse)))
    return tuple(events)
