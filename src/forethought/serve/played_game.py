"""The actions of a game so far, from its first position on, and what each observer noticed of them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from forethought.game import State
from forethought.serve.errors import bad_request
from forethought.state import Noticed


class PlayedAction(NamedTuple):
    """One action of the game so far."""

    player: int
    action: int
    name: str


class SeenAction(NamedTuple):
    """An action of which an observer noticed something: its place in the game, and what was noticed."""

    place: int
    noticed: Noticed
    name: str | None


class PlayedActions:
    """A game from its first position to the present one."""

    def __init__(self, first: State, observers: Iterable[int]) -> None:
        """Keep what some observers notice as it happens; what others noticed is found when it is asked for."""
        self.first, self._observers = first, tuple(observers)
        self.restart()

    def restart(self) -> None:
        self.state, self.history = self.first.clone(), list[PlayedAction]()
        self._seen: dict[int, list[SeenAction]] = {observer: [] for observer in self._observers}

    @property
    def actions(self) -> list[int]:
        """All actions so far, those of chance included."""
        return [played.action for played in self.history]

    def play(self, action: int) -> None:
        """Play a legal action for the player to move, or for chance."""
        state, place = self.state, len(self.history)
        if action not in state.legal_actions():
            raise bad_request(f"{action} is not a legal action here.")
        for observer in self._seen:
            self._seen[observer] += _noticed(state, action, place, observer)
        self.history.append(PlayedAction(state.player, action, state.action_name(action)))
        state.apply(action)

    def replay(self, actions: Sequence[int]) -> None:
        """Go to the position after these actions."""
        self.restart()
        for action in actions:
            self.play(action)

    def position(self, place: int) -> State:
        """Return the position after so many actions."""
        state = self.first.clone()
        for action in self.actions[:place]:
            state.apply(action)
        return state

    def seen_by(self, observer: int) -> list[SeenAction]:
        """Return the actions of which an observer noticed something: the game so far, as far as it knows."""
        if observer in self._seen:
            return self._seen[observer]
        state, found = self.first.clone(), list[SeenAction]()
        for place, action in enumerate(self.actions):
            found += _noticed(state, action, place, observer)
            state.apply(action)
        return found


def _noticed(state: State, action: int, place: int, observer: int) -> list[SeenAction]:
    """Return what an observer notices of an action, in a list; empty if it notices nothing."""
    noticed = state.noticed(action, observer)
    return [] if noticed is None else [SeenAction(place, noticed, state.name_of_noticed(action, observer))]
