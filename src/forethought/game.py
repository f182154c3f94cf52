"""The contract of a game: its rules, its states, what a player may observe, and the laws all of them keep.

A game is plain data and plain functions. The data of a position is one record of numbers; the functions, the *rules*,
take that record as `s`:

    start(s)                      set up a zeroed record
    player(s)                     who acts: 0, 1, ..., or CHANCE, or TERMINAL
    legal(s, out)                 write the actions (at a chance node: the outcomes) to out; return how many
    chance(s, out)                write the probability of each legal outcome; only for games with chance
    apply(s, action)              play an action, in place
    returns(s, out)               write what each player has won, at a terminal state
    facts(s, observer, out)       write what the observer knows, as fact numbers; return how many

Optional rules, compiled too:

    reaches(s, action, observer, target, known)
                                  can play that goes on with `action` still arrive where the observer knows exactly
                                  target[0..known-1]?  Without it, a search asks whether the facts still fit.

Optional, never compiled:

    sees(s, action, observer)     does the observer see this action happen: True, False, or a number for what it
                                  learns instead (who won the round); an independent word on what is hidden
    show(s) or show(s, observer)  the position as text; with an observer, only what it may see
    draw(s, observer)             the position as cards, dice, chips and words, for a page: see docs/drawing.md
    hand(s, player)               what a player holds in secret, in a few characters
    action_name(s, action) or action_name(s, action, observer)
                                  the action in words; with an observer, only what it may know: where `sees` answers
                                  with a number, a name of what that number tells
    set_up(s, owners, player)     change a first position to any other of a board: owners[cell] is 1 + the player who
                                  has a piece there, or 0, and `player` is to move; or say in a few words why not.
                                  For games where nothing is hidden and a position is no more than this

A game on a board may say so with `board`, a `forethought.board.Board`: then its first facts are planes of cells. A game
may declare its `largest_return`, the most that a player can win or lose; else random games tell (`playouts.py`).

An observer is a player, or PUBLIC: a spectator who knows what everybody knows. `show` and `draw` may also be asked
for EVERYONE: all that the players know together.

The laws (`forethought check` executes each of them):

    runs            no rule fails: every index is in range, every value fits its field
    player          is a player of the game, CHANCE where there is chance, or TERMINAL
    terminates      every way of playing ends within `plies` actions, chance included
    legal           legal actions ascend, lie in 0..actions-1 (outcomes: 0..outcomes-1), and exist until the end
    chance          probabilities are written for every outcome, positive, and sum to one
    returns         are written for every player, and finite; they sum to zero if the game says so; none is larger
                    than a declared `largest_return`
    pure            asking changes nothing: only `apply` writes to the record
    deterministic   the same action on the same record gives the same record
    isolated        a state is only its record: rules remember nothing between calls
    facts           lie in 0..facts-1, without repetition
    decisions       equal facts of the player to move mean the same player and the same legal actions
    hidden          where the game says that nothing is hidden: `sees`, if given, is True of every action, and the facts
                    of one observer tell those of every other
    recall          where information is hidden: facts only grow, and they tell one's own past decisions
    public          who knows one's own facts knows the PUBLIC ones
    secrets         where `sees` is given: equal facts exactly when the observer saw and did the same
    drawing         what is shown to a player, drawn for an observer, or said to be a player's hand is the same where
                    its facts are the same (shown: while players act, and it is or is not to move both times); what is
                    drawn can be drawn
    board           of two players: planes agree on whose piece is on a cell, one's own first, and the public knows
                    no more of them than a player; where nothing is hidden, the fact of the player to move is there;
                    a piece leaves the origin of an action and comes to its target; a position that `set_up` makes
                    again has the same facts and legal actions
    symmetries      play that is folded by a symmetry of the board has the folded answers, where the first position is
                    the same when folded
    reaches         never excludes an action that did lead to the target
    named           legal actions have different names, which are text and not empty
    compiled        machine code and interpreted rules agree bit for bit
"""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from forethought.board import Board
from forethought.errors import ForethoughtError
from forethought.interpreter import Interpreter
from forethought.state import CHANCE, EVERYONE, PUBLIC, TERMINAL, Observation, State

__all__ = [
    "CHANCE",
    "COMPILED_RULES",
    "EVERYONE",
    "OPTIONAL_RULES",
    "PUBLIC",
    "RULES",
    "TERMINAL",
    "Game",
    "Observation",
    "State",
    "Table",
    "record",
]

# What each rule takes.
RULES = {
    "start": ("s",),
    "player": ("s",),
    "legal": ("s", "out"),
    "chance": ("s", "out"),
    "apply": ("s", "action"),
    "returns": ("s", "out"),
    "facts": ("s", "observer", "out"),
    "reaches": ("s", "action", "observer", "target", "known"),
    "sees": ("s", "action", "observer"),
    "show": ("s", "observer"),
    "draw": ("s", "observer"),
    "hand": ("s", "player"),
    "action_name": ("s", "action", "observer"),
    "set_up": ("s", "owners", "player"),
}
COMPILED_RULES = tuple(RULES)[:8]
ANSWERING_RULES = ("player", "legal", "facts", "reaches")  # those that return a number
LARGEST_SIZE = 2**24  # of anything declared: searches have arrays of all of them
OPTIONAL_RULES = ("chance", "reaches", "sees", "show", "draw", "hand", "action_name", "set_up")


class Table(NamedTuple):
    """A game as kernels see it: its rules and its sizes. Rules take the record's memory in place of `s`."""

    start: Callable[..., None]
    player: Callable[..., int]
    legal: Callable[..., int]
    chance: Callable[..., None]
    apply: Callable[..., None]
    returns: Callable[..., None]
    facts: Callable[..., int]
    reaches: Callable[..., int]
    has_reaches: bool
    state_bytes: int
    players: int
    choices: int  # how many actions or outcomes there can be at once
    fact_count: int
    plies: int


def record(**fields: Any) -> np.dtype[Any]:
    """Describe the data of a position: `record(turn=np.int8, board=(np.int8, (3, 3)))`."""
    for name in fields:
        if name.startswith("_"):
            raise ForethoughtError(f"the record's field '{name}' begins with an underscore; give it another name")
    layout = []
    for name, kind in fields.items():
        scalar, shape = kind if isinstance(kind, tuple) else (kind, ())
        try:
            base = np.dtype(scalar)
        except TypeError:
            raise ForethoughtError(f"the record's field '{name}' must be a NumPy number type such as int8") from None
        if base.kind not in "iufb" or base.itemsize > 8:
            raise ForethoughtError(f"the record's field '{name}' must hold numbers such as int8, not {base}")
        try:
            layout.append((name, np.dtype((base, shape))))
        except (TypeError, ValueError):
            raise ForethoughtError(f"the record's field '{name}' cannot have the shape {shape}") from None
    return np.dtype(layout, align=True)


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """Rules and their sizes. Rules are recognised by their names; as made here they run interpreted."""

    name: str
    players: int
    actions: int
    facts: int
    plies: int
    record: np.dtype[Any]
    hidden: bool
    rules: Sequence[Callable[..., Any]]
    outcomes: int = 0
    zero_sum: bool = True
    largest_return: float | None = None  # what a player can win or lose at most; None: not declared
    board: Board | None = None
    spec: str = ""
    machine: Table | None = None

    def __post_init__(self) -> None:
        self._check_sizes()
        for rule in self.rules:
            if not inspect.isfunction(rule):
                raise self.mistake(f"rules are functions, and {rule!r} is none")
        self._check_rules([rule.__name__ for rule in self.rules])
        if self.largest_return is not None and not 0.0 < self.largest_return < math.inf:
            raise self.mistake(f"largest_return must be a number above 0, not {self.largest_return}")
        if self.board is not None:
            self._check_board(self.board)

    def _check_rules(self, given: list[str]) -> None:
        unknown = [name for name in given if name not in RULES]
        missing = [name for name in RULES if name not in given and name not in OPTIONAL_RULES]
        if unknown:
            raise self.mistake(f"'{unknown[0]}' is no rule; rules are {', '.join(RULES)}")
        if missing:
            raise self.mistake(f"the rule '{missing[0]}' is missing")
        if len(set(given)) < len(given):
            raise self.mistake(f"the rule '{max(given, key=given.count)}' is given twice")
        for name, rule in self.source.items():
            takes, wanted = len(inspect.signature(rule).parameters), RULES[name]
            if takes != len(wanted) and (name, takes) not in (("show", 1), ("action_name", 2)):
                raise self.mistake(f"the rule '{name}' must take ({', '.join(wanted)})")
        if (self.outcomes > 0) != ("chance" in given):
            raise self.mistake("a game with chance has both a rule 'chance' and a number of outcomes above 0")
        if "set_up" in given and (self.hidden or self.board is None):
            raise self.mistake("the rule 'set_up' is for games on a board where nothing is hidden")

    def _check_sizes(self) -> None:
        for name in ("players", "actions", "outcomes", "facts", "plies"):
            if not isinstance(getattr(self, name), int | np.integer):
                raise self.mistake(f"{name} must be a whole number, not {getattr(self, name)!r}")
        for name in ("players", "actions", "facts", "plies"):
            if getattr(self, name) < 1:
                raise self.mistake(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("players", "actions", "outcomes", "facts", "plies"):
            if getattr(self, name) > LARGEST_SIZE:
                raise self.mistake(f"{name} must be at most {LARGEST_SIZE:,}, not {getattr(self, name):,}")
        if self.record.itemsize > LARGEST_SIZE:
            raise self.mistake(f"the record has {self.record.itemsize:,} bytes; at most {LARGEST_SIZE:,} are possible")

    def _check_board(self, board: Board) -> None:
        planes = board.planes * board.cells
        if board.planes < 2:
            raise self.mistake("a board has at least two planes: one's own pieces and the other's")
        if board.actions != self.actions:
            raise self.mistake(f"the board has {board.actions} actions, and the game {self.actions}; make them equal")
        if planes > self.facts:
            raise self.mistake(f"the board's planes take {planes} facts, but the game declares {self.facts} only")

    def mistake(self, message: str) -> ForethoughtError:
        return ForethoughtError(f"{self.name}: {message}.")

    @cached_property
    def source(self) -> Mapping[str, Callable[..., Any]]:
        """The rules as the author wrote them, by name."""
        return {rule.__name__: rule for rule in self.rules}

    @cached_property
    def table(self) -> Table:
        """The rules as they run: machine code if the game was compiled, else interpreted."""
        if self.machine is not None:
            return self.machine
        interpreter = Interpreter(self.record)
        run: dict[str, Any] = {
            name: interpreter.wrap(self.source.get(name, _absent), name in ANSWERING_RULES) for name in COMPILED_RULES
        }
        return Table(**run, **self.sizes)

    @property
    def sizes(self) -> dict[str, Any]:
        """The part of the table that is not rules."""
        return {
            "has_reaches": "reaches" in self.source,
            "state_bytes": self.record.itemsize,
            "players": self.players,
            "choices": max(self.actions, self.outcomes),
            "fact_count": self.facts,
            "plies": self.plies,
        }

    @property
    def observers(self) -> tuple[int, ...]:
        return (*range(self.players), PUBLIC)

    @property
    def shows_observers(self) -> bool:
        """Whether the drawing can be limited to what one observer may see."""
        return "show" in self.source and len(inspect.signature(self.source["show"]).parameters) > 1

    @property
    def names_for_observers(self) -> bool:
        """Whether the name of an action can be limited to what one observer may know of it."""
        return "action_name" in self.source and len(inspect.signature(self.source["action_name"]).parameters) > 2

    def start(self) -> State:
        """Return the first state."""
        state = State(self, np.zeros(self.record.itemsize, np.uint8))
        self.table.start(state.memory)
        return state

    def set_up(self, owners: Sequence[int], player: int) -> State:
        """Return a position: owners[cell] is 1 + the player who has a piece there, or 0, and a player is to move.

        Raises ForethoughtError if the game cannot be set up, or the rules cannot have that position.
        """
        self._check_set_up(owners, player)
        others = [other for other in range(self.players) if other != player]
        for mover in (*others, player):  # a game may look for the winner among those who are not to move only
            state = self.start()
            reason = state.arrange(owners, mover)
            if not reason and state.is_terminal:
                raise self.mistake("the game is over in that position; take pieces away")
        if reason:
            raise self.mistake(f"that position cannot be: {reason}")
        return state

    def board_to_set_up(self) -> Board:
        """Return the board, if positions can be set up; else say why not."""
        if self.hidden:
            raise self.mistake("where information is hidden no position can be set up; play moves to it instead")
        if "set_up" not in self.source or self.board is None:
            what = "a position is more than pieces on cells and who is to move"
            raise self.mistake(f"{what}, so it cannot be set up; play moves to it instead")
        return self.board

    def _check_set_up(self, owners: Sequence[int], player: int) -> None:
        cells = self.board_to_set_up().cells
        if len(owners) != cells:
            raise self.mistake(f"the board has {cells} cells, not {len(owners)}")
        if not all(0 <= owner <= self.players for owner in owners):
            raise self.mistake(f"the owner of a cell is a number from 0, for nobody, to {self.players}")
        if not 0 <= player < self.players:
            raise self.mistake(f"there is no player {player} to move; players are 0 to {self.players - 1}")

    def __repr__(self) -> str:
        return f"<Game {self.spec or self.name}>"

    def __copy__(self) -> "Game":
        return self  # it never changes

    def __deepcopy__(self, _memo: dict[int, Any]) -> "Game":
        return self


def _absent(*_: Any) -> None:
    raise ForethoughtError("this game has no such rule")
