"""A table: one game in progress, who sits at it, and what the person there may see of it. Plain and synchronous.

All chance comes from the table's seed and the ply, so a game that is read back after a restart goes on as it would
have, and what is dealt after an undo is what would have been dealt.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from forethought.game import EVERYONE, Game
from forethought.player import Policy
from forethought.randomness import Generator, choose, generator
from forethought.serve import views
from forethought.serve.errors import bad_request, not_now
from forethought.serve.player_catalogue import HUMAN

FORMAT = 1
DEALING, SEARCHING, CHOOSING = range(3)  # streams of chance: of the game, of a bot's search, of a bot's choice


@dataclass(frozen=True)
class Entry:
    """One action of the game so far."""

    player: int
    action: int
    name: str
    seen: bool  # by the person at the table, as it happened


@dataclass
class Table:
    """A game in progress."""

    id: str
    owner: str  # the client that opened it
    spec: str
    game: Game
    seats: tuple[str, ...]
    seed: int
    entries: list[Entry] = field(default_factory=list)
    resigned: int | None = None
    note: str | None = None  # what went wrong, in a sentence

    def __post_init__(self) -> None:
        self.humans = [seat for seat, player in enumerate(self.seats) if player == HUMAN]
        check_seats(self.game, self.seats)
        self.state = self.game.start()
        self.board = views.board_of(self.game)

    # Playing

    @property
    def ply(self) -> int:
        return len(self.entries)

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.state.is_terminal

    @property
    def viewer(self) -> int:
        """Who looks on: the one person where something is hidden, until the game is over."""
        return self.humans[0] if self.game.hidden and self.humans and not self.over else EVERYONE

    @property
    def human_to_move(self) -> bool:
        return not self.over and self.state.player in self.humans

    @property
    def bot_to_move(self) -> bool:
        return not self.over and self.state.player >= 0 and not self.human_to_move

    def settle(self) -> None:
        """Let chance act until somebody is to move."""
        while not self.over and self.state.is_chance:
            actions, weights = self.state.legal_actions(), np.array(self.state.chance())
            self.advance(actions[choose(weights, len(actions), self.chance(DEALING))])

    def advance(self, action: int) -> None:
        """Play a legal action, whoever's it is."""
        state = self.state
        if action not in state.legal_actions():
            raise bad_request(f"{action} is no legal action after {self.ply} plies.")
        seen = views.sees(state, action, self.viewer)
        self.entries.append(Entry(state.player, action, state.action_name(action), seen))
        state.apply(action)
        self.note = None

    def choose(self, policy: Policy) -> None:
        """Play what a bot thinks right, by a draw."""
        weights = np.array(policy.probabilities)
        self.advance(policy.actions[choose(weights, len(weights), self.chance(CHOOSING))])
        self.settle()

    def move(self, action: int, ply: int) -> bool:
        """Play a person's action; False if it is the one just played, sent twice."""
        if ply < self.ply and self.entries[ply].player in self.humans and self.entries[ply].action == action:
            return False
        if ply != self.ply:
            raise not_now(f"The game has gone on: it is at ply {self.ply}, not {ply}; look again.")
        if not self.human_to_move:
            raise not_now("The game is over." if self.over else "It is not your turn; wait for the others.")
        self.advance(action)
        self.settle()
        return True

    def undo(self) -> None:
        """Go back to the person's last decision."""
        if self.over and self.game.hidden:
            raise not_now("The game is over and everything was shown; begin a new one.")
        decisions = [ply for ply, entry in enumerate(self.entries) if entry.player in self.humans]
        if not decisions:
            raise not_now("There is no decision of yours to take back.")
        self.replay([entry.action for entry in self.entries[: decisions[-1]]])

    def replay(self, actions: Sequence[int]) -> None:
        """Set the game to where these actions lead from the start."""
        self.state, self.entries, self.resigned, self.note = self.game.start(), [], None, None
        for action in actions:
            self.advance(action)

    def resign(self) -> None:
        if self.over:
            raise not_now("The game is over.")
        if not self.humans:
            raise not_now("Only bots play here; nobody can resign for them.")
        self.resigned = self.state.player if self.human_to_move else self.humans[0]

    def chance(self, stream: int) -> Generator:
        """Return the generator of this ply; each use has a stream of its own."""
        return generator(self.seed, stream, self.ply)

    # Telling

    def view(self) -> dict[str, Any]:
        """Tell all that the viewer may know."""
        game, state, mover = self.game, self.state, self.state.player
        legal = state.legal_actions() if self.human_to_move else []
        last = self.entries[-1] if self.entries else None
        return {
            "id": self.id,
            "game": {
                "spec": self.spec,
                "name": game.name,
                "hidden": game.hidden,
                "players": game.players,
                "plies": game.plies,
            },
            "board": self.board,
            "seats": list(self.seats),
            "ply": self.ply,
            "position": views.position(state, self.viewer, self.ply, self._shown(last) if last else None),
            "history": [self._told(ply, entry) for ply, entry in enumerate(self.entries)],
            "legal": [{"action": action, "name": state.action_name(action)} for action in legal],
            "to_move": mover if mover >= 0 and not self.over else None,
            "busy": self.bot_to_move and self.note is None,
            "over": self.over,
            "resigned": self.resigned,
            "returns": self._returns(),
            "note": self.note,
        }

    def positions(self) -> list[dict[str, Any]]:
        """Show every position so far, as the viewer may see it."""
        return views.positions(self.game, self.viewer, [(entry.action, self._shown(entry)) for entry in self.entries])

    def record(self) -> dict[str, Any]:
        """Return the saved game, from which it can be played on or replayed."""
        if self.game.hidden and not self.over:
            raise not_now("A game with hidden information can be saved when it is over.")
        return {
            "forethought": FORMAT,
            "game": self.spec,
            "seats": list(self.seats),
            "actions": [entry.action for entry in self.entries],
            "resigned": self.resigned,
        }

    def _shown(self, entry: Entry) -> int | None:
        return entry.action if entry.seen or self.over else None

    def _told(self, ply: int, entry: Entry) -> dict[str, Any]:
        name = entry.name if entry.seen or self.over else None
        return {"ply": ply, "player": entry.player, "action": self._shown(entry), "name": name}

    def _returns(self) -> list[float] | None:
        if self.resigned is None:
            return self.state.returns() if self.state.is_terminal else None
        if self.game.board is None:
            return None  # what giving up costs is not said by the rules
        return [-1.0 if seat == self.resigned else 1.0 for seat in range(self.game.players)]


def check_seats(game: Game, seats: Sequence[str]) -> None:
    """Refuse too many or too few seats, and persons who would see each other's secrets."""
    if len(seats) != game.players:
        raise bad_request(f"{game.name} has {game.players} seats, not {len(seats)}.")
    if game.hidden and seats.count(HUMAN) > 1:
        raise bad_request("Where something is hidden, only one seat can be a person's: they share this screen.")
