"""The players of bots: each is kept from decision to decision, so that it remembers what it found earlier in its game.

A player that is not there any more, after a restart or because others needed the memory, is made again: it thinks once
more about its earlier decisions, and then knows what it knew, unless the clock limits it.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from threading import Event
from typing import NamedTuple

from forethought.game import Observation, State
from forethought.player import Player, Policy
from forethought.randomness import Generator
from forethought.search.player import SearchPlayer, current_policy
from forethought.serve.planner_thoughts import DecisionPlanner
from forethought.serve.player_catalogue import make_player
from forethought.serve.schemas.thought import ThoughtSchema
from forethought.serve.stoppable_search import SearchProgress, search_in_portions

MOST_TOLD = 12  # actions of a decision


class Seat(NamedTuple):
    """A bot's seat in a session; after an undo its player begins anew."""

    session: str
    number: int
    undos: int


class PlayerMemory:
    """The players that are kept. When they remember too much together, those used longest ago are dropped."""

    def __init__(self, most_infosets: int) -> None:
        self._most = most_infosets
        self._players: OrderedDict[Seat, Player] = OrderedDict()

    def take(self, seat: Seat) -> Player | None:
        """Take a player out: one that is stopped while it thinks must not be used again."""
        return self._players.pop(seat, None)

    def keep(self, seat: Seat, player: Player) -> None:
        self._players[seat] = player
        while len(self._players) > 1 and sum(map(_remembered, self._players.values())) > self._most:
            self._players.popitem(last=False)

    def forget(self, session: str) -> None:
        for seat in [seat for seat in self._players if seat.session == session]:
            del self._players[seat]


def _remembered(player: Player) -> int:
    """Count the information sets that a player has in memory; at least 1, so that their number is limited, too."""
    return 1 + (player.search.infosets if isinstance(player, SearchPlayer) else 0)


class Decided(NamedTuple):
    """What a bot decided, and what it thought: for others only where nothing is hidden, or when the game is over."""

    player: Player
    policy: Policy
    thought: ThoughtSchema


@dataclass(frozen=True)
class BotDecision:
    """A decision of a bot: all that a thread needs to make it."""

    first: State  # of the game
    spec: str
    seat: int
    rng: Generator  # of a player that is made for it
    actions: Sequence[int]  # the game so far
    since: int  # the ply from which the player remembers
    most_seconds: float

    def decide(self, player: Player | None, stop: Event) -> Decided:
        """Think; without a player that remembers, one is made. Raises `Stopped` when `stop` is set."""
        *earlier, present = self._observations()
        if player is None:
            player = make_player(self.spec, self.first.game)(self.rng)
            self._remember(player, earlier, stop)
        *_, progress = SearchProgress(0, 0.0), *search_in_portions(player, present, stop, self.most_seconds)
        return Decided(player, current_policy(player, present), self._thought(player, present, progress))

    def _thought(self, player: Player, present: Observation, progress: SearchProgress) -> ThoughtSchema:
        """Describe what the bot found about its likeliest actions."""
        state = self.first.clone()
        for action in self.actions:
            state.apply(action)
        names = {action: state.action_name(action) for action in present.legal_actions}
        whole = DecisionPlanner(player, present, names, None, len(self.actions)).thought(progress, done=True)
        likeliest = sorted(whole.actions, key=lambda one: -one.share)[:MOST_TOLD]
        return whole.model_copy(update={"actions": sorted(likeliest, key=lambda one: one.action)})

    def _remember(self, player: Player, earlier: Sequence[Observation], stop: Event) -> None:
        """Let a new player think about its earlier decisions, not longer than about one."""
        if isinstance(player, SearchPlayer) and player.settings.seconds > 0.0:
            return  # it would not find the same again
        left = self.most_seconds
        for observation in earlier:
            spent = 0.0
            for progress in search_in_portions(player, observation, stop, left):
                spent = progress.seconds
            current_policy(player, observation)
            left -= spent

    def _observations(self) -> Iterator[Observation]:
        """Yield what the seat observed at its decisions since it remembers, and now."""
        state = self.first.clone()
        for ply, action in enumerate(self.actions):
            if state.player == self.seat and ply >= self.since:
                yield state.observation(self.seat)
            state.apply(action)
        yield state.observation(self.seat)
