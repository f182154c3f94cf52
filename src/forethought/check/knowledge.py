"""The laws that take two histories to break: what an observer knows must agree with what it can have learnt."""

from collections.abc import Hashable
from typing import Any

from forethought.check.event_sequences import EventSequence
from forethought.check.positions import LawBrokenError, Position, asking, named
from forethought.game import EVERYONE, PUBLIC

DIFFERENT = {
    "show": "it is shown different things",
    "draw": "different things are drawn for it",
    "hand": "its hand has different names",
}


class Knowledge:
    """Remembers every position seen and compares each new one with those that look the same to somebody.

    Each law here is of one form: equal keys must have equal values. The shortest history is kept for each key.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Any, EventSequence]] = {}

    def compare(self, position: Position) -> None:
        """Check all two-history laws for this position against all before it."""
        self._decisions(position)
        if not position.game.hidden:
            self._nothing_hidden(position)
            return
        for observer in position.game.observers:
            self._recall(position, observer)
            self._secrets(position, observer)
        self._drawing(position)

    def _agree(self, law: str, key: Hashable, value: Any, position: Position, message: str) -> None:
        history = position.history
        known, earlier = self._known.setdefault((law, key), (value, history))
        if known != value:
            raise LawBrokenError(law, f"{message}: {known} and {value}", earlier, history)
        if len(history) < len(earlier):
            self._known[law, key] = (value, history)

    def _decisions(self, position: Position) -> None:
        player, legal = position.answers.player, position.answers.legal
        if player >= 0:
            message = "equal facts of the player to move, but another player or other legal actions"
            self._agree("decisions", position.answers.facts[player], (player, legal), position, message)

    def _nothing_hidden(self, position: Position) -> None:
        """Facts may be told from each one's own side, but all know the same: the facts of one tell everybody's."""
        known = position.answers.facts
        for observer, facts in known.items():
            others = tuple(known[other] for other in known if other != observer)
            message = (
                f"the game says that nothing is hidden, but {named(observer)} has equal facts and the others have not"
            )
            self._agree("hidden", (observer, facts), others, position, message)

    def _recall(self, position: Position, observer: int) -> None:
        facts = position.answers.facts[observer]
        if observer != PUBLIC:
            message = f"equal facts of {named(observer)}, but other decisions of its own (facts, action)"
            self._agree("recall", (observer, facts), position.decided[observer], position, message)
            message = f"equal facts of {named(observer)}, but other public facts"
            self._agree("public", (observer, facts), position.answers.facts[PUBLIC], position, message)

    def _secrets(self, position: Position, observer: int) -> None:
        """A leak: facts tell more than was seen. Something forgotten: they tell less."""
        if "sees" not in position.game.source:
            return
        facts, noticed = position.answers.facts[observer], position.noticed[observer]
        message = f"a leak: {named(observer)} saw and did the same, yet knows different facts"
        self._agree("secrets", ("leak", observer, noticed), facts, position, message)
        message = f"forgotten: {named(observer)} knows the same facts, yet saw or did different things"
        self._agree("secrets", ("forgotten", observer, facts), noticed, position, message)

    def _drawing(self, position: Position) -> None:
        """What somebody is shown may tell no more than its facts do."""
        to_move = position.answers.player
        for (rule, observer), shown in position.shown.items():
            if observer == EVERYONE or (rule == "show" and (to_move < 0 or observer == PUBLIC)):
                continue
            what = DIFFERENT[rule]
            if rule == "show":
                what += " where it is to move" if observer == to_move else " where others act"
            message = f"equal facts of {named(observer)}, but {what}"
            self._agree("drawing", (what, observer, position.answers.facts[observer]), shown, position, message)
        for observer in range(position.game.players) if position.game.names_for_observers else ():
            self._named(position, observer)

    def _named(self, position: Position, observer: int) -> None:
        """The name of what is told of an action may tell no more than the number does."""
        state = position.state
        for action in position.answers.legal:
            noticed = state.noticed(action, observer)
            if noticed is not None and noticed.action is None and noticed.told is not None:
                key = ("name", observer, position.answers.facts[observer], noticed.told)
                message = f"equal facts of {named(observer)}, but what it is told of an action has different names"
                name = asking(
                    position.game,
                    position.history,
                    lambda a=action: state.action_name(a, observer),  # type: ignore[misc]
                )
                self._agree("drawing", key, name, position, message)
