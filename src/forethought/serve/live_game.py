"""A game that is being played: its seats, its actions so far, and what the person may see. Plain and synchronous.

All chance comes from the game's seed, the ply and the number of undos. So a game that is read back after a restart
continues as it would have. After an undo what is still to come is drawn anew, and where information is hidden so is all
that the person did not know: to take back a decision tells nothing about the cards of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from forethought.game import EVERYONE, Game, State
from forethought.player import Policy
from forethought.randomness import Generator, choose, generator
from forethought.search.redraw import redrawn_history
from forethought.serve import views
from forethought.serve.errors import bad_request, conflict
from forethought.serve.player_catalogue import HUMAN
from forethought.serve.schemas.play import (
    HistoryEntrySchema,
    LegalActionSchema,
    PositionSchema,
    SessionGameSchema,
    SessionSchema,
)
from forethought.serve.schemas.requests import SavedGameSchema
from forethought.state import Noticed

# Streams of chance: of the game, of a bot's search, of a bot's choice, and of what is hidden after an undo.
DEALING, SEARCHING, CHOOSING, REDRAWING = range(4)


@dataclass(frozen=True)
class PlayedAction:
    """One action of the game so far."""

    player: int
    action: int
    name: str
    noticed: Noticed | None  # by the person, as it happened
    noticed_name: str | None


@dataclass
class LiveGame:
    """A game in progress."""

    id: str
    owner: str  # the client that started it
    spec: str
    game: Game
    seats: tuple[str, ...]
    seed: int
    history: list[PlayedAction] = field(default_factory=list)
    resigned: int | None = None
    undos: int = 0
    bots_remember_from: int = 0  # the number of actions at the last undo
    error: str | None = None  # why a bot could not move, in a sentence
    cut: bool = False  # the clock has stopped a bot's search since the person's last action

    def __post_init__(self) -> None:
        self.humans = [seat for seat, player in enumerate(self.seats) if player == HUMAN]
        check_seats(self.game, self.seats)
        self.state = self.game.start()
        self.board = views.board_view(self.game)

    # Playing

    @property
    def noticed(self) -> list[PlayedAction]:
        """The actions of which the person noticed something: the game so far, as far as the person knows."""
        return [played for played in self.history if played.noticed is not None]

    @property
    def ply(self) -> int:
        """How many actions the person noticed: a count of all of them would tell of those that are hidden."""
        return len(self.noticed)

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.state.is_terminal

    @property
    def viewer(self) -> int:
        """Whose view is sent: the person's where information is hidden, until the game is over."""
        return self.humans[0] if self.game.hidden and self.humans and not self.over else EVERYONE

    @property
    def human_to_move(self) -> bool:
        return not self.over and self.state.player in self.humans

    @property
    def bot_to_move(self) -> bool:
        return not self.over and self.state.player >= 0 and not self.human_to_move

    @property
    def actions(self) -> list[int]:
        """All actions so far, those of chance included."""
        return [played.action for played in self.history]

    def play_chance(self) -> None:
        """Draw the actions of chance until a player is to move."""
        while not self.over and self.state.is_chance:
            actions, weights = self.state.legal_actions(), np.array(self.state.chance())
            self.play(actions[choose(weights, len(actions), self.rng(DEALING))])

    def play(self, action: int) -> None:
        """Play a legal action for the player to move, or for chance."""
        state = self.state
        if action not in state.legal_actions():
            raise bad_request(f"{action} is not a legal action after {self.ply} plies.")
        noticed, seen = state.noticed(action, self.viewer), state.name_of_noticed(action, self.viewer)
        self.history.append(PlayedAction(state.player, action, state.action_name(action), noticed, seen))
        state.apply(action)
        self.error = None

    def play_policy(self, policy: Policy, cut: bool) -> None:
        """Play an action drawn from a bot's policy; `cut` if the clock stopped its search."""
        self.cut |= cut
        weights = np.array(policy.probabilities)
        self.play(policy.actions[choose(weights, len(weights), self.rng(CHOOSING))])
        self.play_chance()

    def move(self, action: int, ply: int) -> None:
        """Play a person's action. The action just played, sent a second time, changes nothing."""
        noticed = self.noticed
        if ply < len(noticed) and noticed[ply].player in self.humans and noticed[ply].action == action:
            return
        self.check_ply(ply)
        if not self.human_to_move:
            raise conflict("The game is over." if self.over else "It is not your turn; wait for the others.")
        self.cut = False
        self.play(action)
        self.play_chance()

    def check_ply(self, ply: int) -> None:
        """Refuse a request that was made for another position."""
        if ply != self.ply:
            raise conflict(f"The game is at ply {self.ply}, not {ply}; read the session again.")

    def decision_at(self, ply: int) -> State:
        """Return the position of a decision of the person's; of anybody's, where the viewer may know everything."""
        listed = [place for place, played in enumerate(self.history) if self.over or played.noticed is not None]
        if ply >= len(listed):
            self.check_ply(ply)
            if not self.human_to_move:
                raise conflict("The planner thinks about your decisions; it is not your turn.")
            return self.state.clone()
        place = listed[ply]
        decider = self.history[place].player
        if decider < 0 or (decider not in self.humans and self.viewer != EVERYONE):
            raise conflict("The planner thinks about your decisions; there you had none.")
        state = self.game.start()
        for action in self.actions[:place]:
            state.apply(action)
        return state

    def before_last_decision(self) -> list[int]:
        """Return actions that lead to the person's last decision: another past, if the person cannot tell it apart."""
        if self.over and self.game.hidden:
            raise conflict("The game is over and everything was shown; start a new one.")
        decisions = [ply for ply, played in enumerate(self.history) if played.player in self.humans]
        if not decisions:
            raise conflict("There is no decision of yours to take back.")
        actions = self.actions[: decisions[-1]]
        if not self.game.hidden:
            return actions
        state = self.game.start()
        for action in actions:
            state.apply(action)
        redrawn = redrawn_history(self.game, state.observation(state.player), self.rng(REDRAWING))
        if redrawn is None:
            raise conflict("What is hidden could not be drawn anew, so this cannot be taken back; play on.")
        return redrawn

    def undo(self, actions: Sequence[int]) -> None:
        """Continue after these actions instead; the bots begin to think anew."""
        self.replay(actions)
        self.undos, self.bots_remember_from, self.cut = self.undos + 1, len(self.history), False

    def replay(self, actions: Sequence[int]) -> None:
        """Set the game to the position after these actions."""
        self.state, self.history, self.resigned, self.error = self.game.start(), [], None, None
        for action in actions:
            self.play(action)

    def resign(self) -> None:
        if self.over:
            raise conflict("The game is over.")
        if not self.humans:
            raise conflict("Only bots play this game; nobody can resign for them.")
        self.resigned = self.state.player if self.human_to_move else self.humans[0]

    def rng(self, stream: int) -> Generator:
        """Return the generator of this ply; each use has a stream of its own."""
        return generator(self.seed, stream, self.undos, len(self.history))

    def player_rng(self, seat: int) -> Generator:
        """Return the generator of a bot, which it uses until an undo."""
        return generator(self.seed, SEARCHING, self.undos, seat)

    # Views

    def view(self) -> SessionSchema:
        """Describe all that the viewer may know."""
        game, state = self.game, self.state
        legal = state.legal_actions() if self.human_to_move else []
        history = [self._entry(ply, played) for ply, played in enumerate(self.history if self.over else self.noticed)]
        last = history[-1].action if history else None
        return SessionSchema(
            id=self.id,
            game=SessionGameSchema(
                spec=self.spec, name=game.name, hidden=game.hidden, players=game.players, plies=game.plies
            ),
            board=self.board,
            seats=list(self.seats),
            ply=len(history),
            position=views.position_view(state, self.viewer, len(history), last),
            history=history,
            legal=[LegalActionSchema(action=action, name=state.action_name(action)) for action in legal],
            to_move=self._known_mover(),
            busy=self.bot_to_move and self.error is None,
            over=self.over,
            resigned=self.resigned,
            returns=self._returns(),
            error=self.error,
            cut=self.cut,
        )

    def positions(self) -> list[PositionSchema]:
        """Describe every position so far, as the viewer may see it."""
        return views.replay_views(self.game, self.viewer, self.actions)

    def saved(self) -> SavedGameSchema:
        """Return the game as it is saved, to be continued or replayed."""
        if self.game.hidden and not self.over:
            raise conflict("A game with hidden information can be saved when it is over.")
        return SavedGameSchema(
            forethought=1, game=self.spec, seats=list(self.seats), actions=self.actions, resigned=self.resigned
        )

    def _known_mover(self) -> int | None:
        """Who is to move, if the viewer can know it: itself, or else the only other player."""
        if self.over:
            return None
        if self.viewer in (EVERYONE, self.state.player):
            return self.state.player
        others = [seat for seat in range(self.game.players) if seat != self.viewer]
        return others[0] if len(others) == 1 else None

    def _entry(self, ply: int, played: PlayedAction) -> HistoryEntrySchema:
        """Describe an action, as far as the viewer noticed it; when the game is over, all of it."""
        noticed = Noticed(played.player, played.action) if self.over or played.noticed is None else played.noticed
        name = played.name if self.over else played.noticed_name
        return HistoryEntrySchema(ply=ply, player=noticed.player, action=noticed.action, name=name)

    def _returns(self) -> list[float] | None:
        if self.resigned is None:
            return self.state.returns() if self.state.is_terminal else None
        if self.game.board is None:
            return None  # the rules do not say what resigning costs
        return [-1.0 if seat == self.resigned else 1.0 for seat in range(self.game.players)]


def check_seats(game: Game, seats: Sequence[str]) -> None:
    """Refuse a wrong number of seats, and persons who would see each other's hidden information."""
    if len(seats) != game.players:
        raise bad_request(f"{game.name} has {game.players} seats, not {len(seats)}.")
    if game.hidden and seats.count(HUMAN) > 1:
        raise bad_request("Where information is hidden only one seat can be a person's: all persons share this screen.")
