"""A game that is being played: its seats, its actions so far, and what each viewpoint may see. Plain and synchronous.

All chance comes from the game's seed, the ply and the number of undos. So a game that is read back after a restart
continues as it would have. After an undo what is still to come is drawn anew, and where information is hidden so is all
that the person did not know: to take back a decision tells nothing about the cards of the others.

What somebody may know is what an *observer* notices: a seat, PUBLIC for who plays no seat of a game that hides
something, or EVERYONE where nothing is hidden, where only bots play, and when the game is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from forethought.game import EVERYONE, PUBLIC, Game, State
from forethought.player import Policy, player_title
from forethought.randomness import Generator, choose, generator
from forethought.search.redraw import redrawn_history
from forethought.serve import views
from forethought.serve.errors import bad_request, conflict, forbidden, not_found
from forethought.serve.game_exports import is_sgf_game
from forethought.serve.played_game import PlayedAction, PlayedActions
from forethought.serve.schemas.play import (
    HistoryEntrySchema,
    LegalActionSchema,
    LinkSchema,
    PositionSchema,
    SeriesSchema,
    SessionGameSchema,
    SessionSchema,
)
from forethought.serve.schemas.requests import StartSchema
from forethought.serve.schemas.thought import ThoughtSchema
from forethought.serve.viewpoints import HOST, HUMAN, PERSONS, Viewpoint

# Streams of chance: of the game, of a bot's search, of a bot's choice, and of what is hidden after an undo.
DEALING, SEARCHING, CHOOSING, REDRAWING = range(4)


@dataclass
class LiveGame:
    """A game in progress."""

    id: str
    owner: str  # the client that started it
    spec: str
    title: str  # of the game, for people
    game: Game
    seats: tuple[str, ...]
    seed: int
    start: StartSchema | None = None  # pieces that were set up; None: the rules' first position
    links: dict[str, Viewpoint] = field(default_factory=dict)  # further addresses, of guests and spectators
    series: SeriesSchema | None = None  # the games before this one; None: it is the first
    next: str | None = None  # the session of the next game of the series
    thoughts: dict[int, ThoughtSchema] = field(default_factory=dict)  # of bots, by the number of actions before
    resigned: int | None = None
    undos: int = 0
    bots_remember_from: int = 0  # the number of actions at the last undo
    error: str | None = None  # why a bot could not move, in a sentence
    cut: bool = False  # the clock has stopped a bot's search since a person's last action

    def __post_init__(self) -> None:
        check_seats(self.game, self.seats)
        self.persons = [seat for seat, player in enumerate(self.seats) if player in PERSONS]
        first = self.game.start() if self.start is None else self.game.set_up(self.start.pieces, self.start.to_move)
        hides = self.game.hidden and self.persons  # a spectator's history is made when it is asked for
        self.played = PlayedActions(first, [*self.persons, EVERYONE] if hides else [EVERYONE])
        self.board = views.board_view(self.game)
        self.titles = [player_title(player) for player in self.seats]

    # Who may know and do what

    def observer(self, viewpoint: Viewpoint) -> int:
        """Return whose knowledge a viewpoint has."""
        if not self.game.hidden or not self.persons or self.over:
            return EVERYONE
        own = viewpoint.plays(self.seats)
        return own[0] if own else PUBLIC

    def ply(self, viewpoint: Viewpoint) -> int:
        """How many actions a viewpoint noticed: a count of all of them would tell of those that are hidden."""
        return len(self.played.seen_by(self.observer(viewpoint)))

    def plays_now(self, viewpoint: Viewpoint) -> bool:
        """Whether it is the viewpoint's turn."""
        return not self.over and self.state.player in viewpoint.plays(self.seats)

    def check_host(self, viewpoint: Viewpoint) -> None:
        if viewpoint != HOST:
            raise forbidden("Only who has started this game may do that.")

    # Playing

    @property
    def over(self) -> bool:
        return self.resigned is not None or self.state.is_terminal

    @property
    def bot_to_move(self) -> bool:
        return not self.over and self.state.player >= 0 and self.state.player not in self.persons

    @property
    def state(self) -> State:
        return self.played.state

    @property
    def history(self) -> list[PlayedAction]:
        return self.played.history

    @property
    def actions(self) -> list[int]:
        """All actions so far, those of chance included."""
        return self.played.actions

    def play_chance(self) -> None:
        """Draw the actions of chance until a player is to move."""
        while not self.over and self.state.is_chance:
            actions, weights = self.state.legal_actions(), np.array(self.state.chance())
            self.play(actions[choose(weights, len(actions), self.rng(DEALING))])

    def play(self, action: int) -> None:
        """Play a legal action for the player to move, or for chance."""
        self.played.play(action)
        self.error = None

    def play_policy(self, policy: Policy, thought: ThoughtSchema) -> None:
        """Play an action drawn from a bot's policy, and remember what it thought."""
        self.cut |= thought.cut
        self.thoughts[len(self.history)] = thought
        weights = np.array(policy.probabilities)
        self.play(policy.actions[choose(weights, len(weights), self.rng(CHOOSING))])
        self.play_chance()

    def move(self, viewpoint: Viewpoint, action: int, ply: int) -> None:
        """Play a person's action. The action just played, sent a second time, changes nothing."""
        own, seen = viewpoint.plays(self.seats), self.played.seen_by(self.observer(viewpoint))
        if not own:
            raise forbidden("You have no seat in this game.")
        if ply < len(seen):
            played = self.history[seen[ply].place]
            if played.player in own and played.action == action:
                return
        self.check_ply(viewpoint, ply)
        if not self.plays_now(viewpoint):
            raise conflict("The game is over." if self.over else "It is not your turn; wait for the others.")
        self.cut = False
        self.play(action)
        self.play_chance()

    def check_ply(self, viewpoint: Viewpoint, ply: int) -> None:
        """Refuse a request that was made for another position."""
        now = self.ply(viewpoint)
        if ply != now:
            raise conflict(f"The game is at ply {now}, not {ply}; read the session again.")

    def decision_at(self, viewpoint: Viewpoint, ply: int) -> State:
        """Return the position of a decision of one's own; of anybody's, where everything may be known."""
        observer = self.observer(viewpoint)
        seen = self.played.seen_by(observer)
        if ply >= len(seen):
            self.check_ply(viewpoint, ply)
            if not self.plays_now(viewpoint):
                raise conflict("The planner thinks about your decisions; it is not your turn.")
            return self.state.clone()
        place = seen[ply].place
        decider = self.history[place].player
        if decider < 0 or (decider not in viewpoint.plays(self.seats) and observer != EVERYONE):
            raise conflict("The planner thinks about your decisions; there you had none.")
        return self.played.position(place)

    def before_last_decision(self) -> list[int]:
        """Return actions that lead to the host's last decision: another past, if the host cannot tell it apart."""
        humans = HOST.plays(self.seats)
        if len(humans) < len(self.persons):
            raise conflict("Another person plays; nothing can be taken back.")
        if self.next is not None:
            raise conflict("The next game of this series has begun; nothing can be taken back.")
        if self.over and self.game.hidden:
            raise conflict("The game is over and everything was shown; start a new one.")
        decisions = [ply for ply, played in enumerate(self.history) if played.player in humans]
        if not decisions:
            raise conflict("There is no decision of yours to take back.")
        actions = self.actions[: decisions[-1]]
        if not self.game.hidden:
            return actions
        state = self.played.position(decisions[-1])
        redrawn = redrawn_history(self.game, state.observation(state.player), self.rng(REDRAWING))
        if redrawn is None:
            raise conflict("What is hidden could not be drawn anew, so this cannot be taken back; play on.")
        return redrawn

    def undo(self, actions: Sequence[int]) -> None:
        """Continue after these actions instead; the bots begin to think anew."""
        self.replay(actions)
        self.undos, self.bots_remember_from, self.cut = self.undos + 1, len(self.history), False
        kept = 0 if self.game.hidden else len(self.history)  # where something is hidden, it has been drawn anew
        self.thoughts = {place: thought for place, thought in self.thoughts.items() if place < kept}

    def replay(self, actions: Sequence[int]) -> None:
        """Set the game to the position after these actions."""
        self.played.replay(actions)
        self.resigned, self.error = None, None

    def resign(self, viewpoint: Viewpoint) -> None:
        own = viewpoint.plays(self.seats)
        if self.over:
            raise conflict("The game is over.")
        if not own:
            raise conflict("You have no seat in this game, and cannot resign for others.")
        self.resigned = self.state.player if self.plays_now(viewpoint) else own[0]

    def series_after(self) -> SeriesSchema:
        """Return the series with this game, whose result counts if it has one, by the seats of the next game."""
        before = self.series or SeriesSchema(games=0, totals=[0.0] * self.game.players)
        won = self.returns() or [0.0] * self.game.players
        first, *others = [total + value for total, value in zip(before.totals, won, strict=True)]
        return SeriesSchema(games=before.games + 1, totals=[*others, first])

    def rng(self, stream: int) -> Generator:
        """Return the generator of this ply; each use has a stream of its own."""
        return generator(self.seed, stream, self.undos, len(self.history))

    def player_rng(self, seat: int) -> Generator:
        """Return the generator of a bot, which it uses until an undo."""
        return generator(self.seed, SEARCHING, self.undos, seat)

    # Views

    def view(self, viewpoint: Viewpoint) -> SessionSchema:
        """Describe all that a viewpoint may know."""
        game, state, observer = self.game, self.state, self.observer(viewpoint)
        plays = self.plays_now(viewpoint)
        history = [
            HistoryEntrySchema(ply=ply, player=seen.noticed.player, action=seen.noticed.action, name=seen.name)
            for ply, seen in enumerate(self.played.seen_by(observer))
        ]
        last = history[-1].action if history else None
        return SessionSchema(
            id=self.address(viewpoint),
            role=viewpoint.role,
            links=self._links() if viewpoint == HOST else [],
            game=SessionGameSchema(
                spec=self.spec,
                name=game.name,
                title=self.title,
                hidden=game.hidden,
                players=game.players,
                plies=game.plies,
                sgf=is_sgf_game(self.spec) and self.start is None,
                can_set_up="set_up" in game.source,
            ),
            board=self.board,
            seats=viewpoint.shown(self.seats),
            titles=self.titles,
            ply=len(history),
            position=views.position_view(state, observer, len(history), last),
            history=history,
            legal=[
                LegalActionSchema(action=action, name=state.action_name(action))
                for action in (state.legal_actions() if plays else [])
            ],
            to_move=self._known_mover(observer),
            busy=not self.over and not plays and self.error is None,
            over=self.over,
            resigned=self.resigned,
            returns=self.returns(),
            series=self.series,
            has_next=self.next is not None,
            error=self.error,
            cut=self.cut,
        )

    def address(self, viewpoint: Viewpoint) -> str:
        """Return the id by which a viewpoint asks."""
        return next((link for link, known in self.links.items() if known == viewpoint), self.id)

    def positions(self, viewpoint: Viewpoint) -> list[PositionSchema]:
        """Describe every position so far, as a viewpoint may see it."""
        return views.replay_views(self.played.first, self.observer(viewpoint), self.actions)

    def bot_thought(self, viewpoint: Viewpoint, ply: int) -> ThoughtSchema:
        """Return what a bot thought when it decided; it would tell what the bot holds, so not before the end."""
        if self.observer(viewpoint) != EVERYONE:
            raise conflict("What a player thought is told when the game is over.")
        if ply not in self.thoughts:
            raise not_found("No bot has decided there.")
        return self.thoughts[ply]

    def _links(self) -> list[LinkSchema]:
        return [LinkSchema(id=link, seat=known.seat) for link, known in self.links.items()]

    def _known_mover(self, observer: int) -> int | None:
        """Who is to move, if the observer can know it: itself, or else the only other player."""
        if self.over:
            return None
        if observer in (EVERYONE, self.state.player):
            return self.state.player
        others = [seat for seat in range(self.game.players) if seat != observer]
        return others[0] if len(others) == 1 else None

    def returns(self) -> list[float] | None:
        """Return what each seat has won, if the game is over and the rules say it."""
        if self.resigned is None:
            return self.state.returns() if self.state.is_terminal else None
        if self.game.board is None:
            return None  # the rules do not say what resigning costs
        return [-1.0 if seat == self.resigned else 1.0 for seat in range(self.game.players)]


def check_seats(game: Game, seats: Sequence[str]) -> None:
    """Refuse a wrong number of seats, and persons who would see each other's hidden information on one screen."""
    if len(seats) != game.players:
        raise bad_request(f"{game.name} has {game.players} seats, not {len(seats)}.")
    if game.hidden and seats.count(HUMAN) > 1:
        raise bad_request(
            "Where information is hidden only one seat can be at this screen; others need their own, as guests."
        )
