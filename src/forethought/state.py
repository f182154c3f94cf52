"""States: one position of a game, and what a player may observe of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from forethought.arrays import Float32s, Int64s
from forethought.drawing.positions import PositionView
from forethought.errors import ForethoughtError, reason_of
from forethought.interpreter import Memory, RecordView, place_of

if TYPE_CHECKING:
    from forethought.game import Game

CHANCE = -1
TERMINAL = -2
PUBLIC = -3
EVERYONE = -4


@dataclass(frozen=True)
class Observation:
    """All that a player may know when asked to act. The state itself is given only where nothing is hidden."""

    game: "Game" = field(repr=False, compare=False)
    player: int
    facts: tuple[int, ...]  # ascending or not, as the game writes them; each from 0 to game.facts - 1
    public_facts: tuple[int, ...]  # the part of them that everybody knows
    legal_actions: tuple[int, ...]
    state: "State | None" = None

    def vector(self) -> Float32s:
        """Return the facts as an array [game.facts] of ones where a fact is known, and zeros elsewhere."""
        known = np.zeros(self.game.facts, np.float32)
        known[list(self.facts)] = 1.0
        return known


@dataclass(frozen=True)
class Noticed:
    """What an observer learns when somebody acts: who does what, or only who acts and a number that `sees` tells."""

    player: int | None  # None: its facts have changed, and without a rule `sees` they tell no more than that
    action: int | None  # None: it does not see which
    told: int | None = None


class State:
    """One position of a game, for people. Kernels work on `memory` directly."""

    __slots__ = ("_plies", "game", "memory")

    def __init__(self, game: "Game", memory: Memory) -> None:
        self.game, self.memory = game, memory
        self._plies = 0  # played since this state was made, or the one it was copied from

    @property
    def player(self) -> int:
        """Who acts here: a player, CHANCE or TERMINAL."""
        player = self.game.table.player(self.memory)
        if TERMINAL <= player < self.game.players and (player != CHANCE or self.game.outcomes > 0):
            return player
        known = "players are 0 to" if player != CHANCE else "the game declares no outcomes; players are 0 to"
        raise self.game.mistake(f"the rule 'player' names {player}, but {known} {self.game.players - 1}")

    @property
    def is_terminal(self) -> bool:
        return self.player == TERMINAL

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE

    def legal_actions(self) -> list[int]:
        """List the actions of the player to move; at a chance node, the outcomes; at the end, nothing."""
        player = self.player
        if player == TERMINAL:
            return []
        declared = self.game.outcomes if player == CHANCE else self.game.actions
        out = np.empty(self.game.table.choices, np.int64)
        legal = self._written(out, self.game.table.legal(self.memory, out), "legal", declared)
        if not legal:
            raise self.game.mistake("the rule 'legal' finds no action although the game is not over")
        return legal

    def chance(self) -> list[float]:
        """List the probability of each legal outcome; empty where no chance acts."""
        if not self.is_chance:
            return []
        out = np.zeros(self.game.table.choices)[: len(self.legal_actions())]  # machine code may write to all of it
        self.game.table.chance(self.memory, out)
        return [float(p) for p in out]

    def apply(self, action: int) -> None:
        """Play a legal action, or let a legal outcome happen."""
        legal = self.legal_actions()
        if action not in legal:
            raise self.game.mistake(f"{action} is not a legal action here; legal are {legal}")
        if self._plies == self.game.plies:
            raise self.game.mistake(f"the game goes on after the {self.game.plies} plies that it declares")
        self.game.table.apply(self.memory, int(action))
        self._plies += 1

    def returns(self) -> list[float]:
        """List what each player has won. Only the end of a game has returns."""
        if not self.is_terminal:
            raise self.game.mistake("returns are known only at the end of the game")
        out = np.zeros(self.game.players)
        self.game.table.returns(self.memory, out)
        if not np.isfinite(out).all():
            raise self.game.mistake(f"the rule 'returns' writes {out.tolist()}, which are not all finite")
        return [float(value) for value in out]

    def facts(self, observer: int) -> list[int]:
        """List what a player, or PUBLIC, knows."""
        if observer not in self.game.observers:
            raise self.game.mistake(f"there is no observer {observer}; players are 0 to {self.game.players - 1}")
        out = np.empty(self.game.facts, np.int64)
        return self._written(out, self.game.table.facts(self.memory, observer, out), "facts", self.game.facts)

    def observation(self, player: int) -> Observation:
        """Return what a player may know: never the hidden state."""
        facts, public = tuple(self.facts(player)), tuple(self.facts(PUBLIC))
        legal = tuple(self.legal_actions()) if self.player == player else ()
        return Observation(self.game, player, facts, public, legal, None if self.game.hidden else self.clone())

    def clone(self) -> "State":
        """Return a copy, which can be played on without changing this one; `copy.copy` does the same."""
        copied = State(self.game, self.memory.copy())
        copied._plies = self._plies
        return copied

    def __copy__(self) -> "State":
        return self.clone()

    def __deepcopy__(self, _memo: dict[int, Any]) -> "State":
        return self.clone()

    def action_name(self, action: int, observer: int = EVERYONE) -> str:
        """Name an action in words, as the observer may know it, if the game does; else by its number."""
        if "action_name" not in self.game.source:
            return str(action)
        return str(self._ask("action_name", action, *([observer] if self.game.names_for_observers else [])))

    def name_of_noticed(self, action: int, observer: int) -> str | None:
        """Name what an observer notices of an action; None if it sees no more than that somebody acts."""
        noticed = self.noticed(action, observer)
        if noticed is None or (noticed.action is None and (noticed.told is None or not self.game.names_for_observers)):
            return None
        return self.action_name(action, observer if noticed.action is None else EVERYONE)

    def show(self, observer: int = EVERYONE) -> str:
        """Draw the position as the observer may see it; empty if the game cannot draw that."""
        if self.game.shows_observers:
            return str(self._ask("show", observer))
        if self.game.hidden and observer != EVERYONE:
            return ""
        return str(self._ask("show") if "show" in self.game.source else self.view)

    def drawing(self, observer: int = EVERYONE) -> list[dict[str, Any]] | None:
        """List what is to be drawn for the observer; None if the game does not say."""
        if "draw" not in self.game.source:
            return None
        drawn = self._ask("draw", observer)
        if not isinstance(drawn, list | tuple):
            raise self.game.mistake(f"the rule 'draw' must return a list, not {drawn!r}")
        return list(drawn)

    def seen_by(self, observer: int = EVERYONE) -> PositionView:
        """Return what an observer sees: the board and the pieces it knows of, what the game draws, and text."""
        return PositionView(self.show(observer), self.game.board, self._pieces(observer), self.drawing(observer))

    def _pieces(self, observer: int) -> list[int]:
        """List what an observer knows of each cell: 1 + the player who has a piece there, or 0."""
        board = self.game.board
        if board is None:
            return []
        if not self.game.hidden or observer == PUBLIC:
            return board.owners(self.facts(PUBLIC))
        observers = range(self.game.players) if observer == EVERYONE else (observer,)
        known = [board.owners(self.facts(player), player) for player in observers]
        return [max(owners) for owners in zip(*known, strict=True)]

    def noticed(self, action: int, observer: int) -> Noticed | None:
        """Return what an observer learns of an action; None if it does not notice that anybody acts.

        This alone decides what seats are told, in the terminal, on the page and in their histories. Nothing that a seat
        is told may count actions of which it notices nothing.
        """
        player = self.player
        if observer == EVERYONE or not self.game.hidden:
            return Noticed(player, action)
        seen = self._sees(action, observer)
        told = None if isinstance(seen, bool) else seen
        if player == observer or seen is True:
            return Noticed(player, action, told)
        if told is not None:
            return Noticed(player, None, told)
        if "sees" not in self.game.source and self._facts_after(action, observer) != self.facts(observer):
            return Noticed(None, None)
        return None

    def _sees(self, action: int, observer: int) -> bool | int:
        """Ask the rule `sees`; without it, an observer sees nothing."""
        answer = self._ask("sees", action, observer) if "sees" in self.game.source else False
        if isinstance(answer, bool | np.bool_):
            return bool(answer)
        if isinstance(answer, int | np.integer):
            return int(answer)
        raise self.game.mistake("the rule 'sees' must return True, False or a number")

    def _facts_after(self, action: int, observer: int) -> list[int]:
        after = self.clone()
        after.apply(action)
        return after.facts(observer)

    def arrange(self, owners: Sequence[int], player: int) -> str:
        """Change a first position to one with these pieces and this player to move; return why not, if it cannot be."""
        return str(self._ask("set_up", list(owners), player) or "")

    def hand(self, player: int) -> str:
        """Name what a player holds in secret; if the game does not, by the facts that are not public."""
        if "hand" in self.game.source:
            return str(self._ask("hand", player))
        public = self.facts(PUBLIC)
        return " ".join(str(fact) for fact in self.facts(player) if fact not in public)

    def _ask(self, rule: str, *arguments: Any) -> Any:
        """Ask a rule that is never compiled; if it fails, say where."""
        try:
            return self.game.source[rule](self.view, *arguments)
        except Exception as error:
            raise ForethoughtError(f"{place_of(self.game.source, error)}{reason_of(error)}.") from error

    def _written(self, out: Int64s, count: int, rule: str, declared: int) -> list[int]:
        """Return the numbers that a rule wrote, if there is room for as many, and such numbers are declared."""
        if not 0 <= count <= len(out):
            raise self.game.mistake(
                f"the rule '{rule}' says that it wrote {count} numbers; there is room for {len(out)}"
            )
        numbers = [int(value) for value in out[:count]]
        if numbers and not 0 <= min(numbers) <= max(numbers) < declared:
            wrong = min(numbers) if min(numbers) < 0 else max(numbers)
            raise self.game.mistake(f"the rule '{rule}' writes {wrong}, but declared are 0 to {declared - 1}")
        return numbers

    @property
    def view(self) -> RecordView:
        """The record, its fields as attributes."""
        return RecordView(self.game.record, self.memory)

    def __str__(self) -> str:
        return self.show()

    def _repr_html_(self) -> str:
        return self.seen_by().html()

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {self.view}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.memory.tobytes() == other.memory.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a state changes as it is played
