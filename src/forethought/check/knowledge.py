"""The laws that take two histories to break: what an observer knows must agree with what it can have learnt."""

from collections.abc import Callable
from typing import Any

from forethought.check.laws import named
from forethought.check.positions import LawBrokenError, Position, asking
from forethought.game import PUBLIC


class Knowledge:
    """Remembers every position seen and compares each new one with those that look the same to somebody.

    Each law here is of one form: equal keys must have equal values. The shortest history is kept for each key.
    """

    def __init__(self) -> None:
        self._known: dict[Any, tuple[Any, tuple[int, ...]]] = {}

    def compare(self, position: Position) -> None:
        """Check all two-history laws for this position against all before it."""
        self._decisions(position)
        for observer in position.state.game.observers:
            if position.state.game.hidden:
                self._recall(position, observer)
                self._secrets(position, observer)
        self._drawing(position)

    def _agree(self, law: str, key: Any, value: Any, position: Position, message: str) -> None:
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

    def _recall(self, position: Position, observer: int) -> None:
        facts = position.answers.facts[observer]
        if observer != PUBLIC:
            message = f"equal facts of {named(observer)}, but other decisions of its own (facts, action)"
            self._agree("recall", (observer, facts), position.decided[observer], position, message)
            message = f"equal facts of {named(observer)}, but other public facts"
            self._agree("public", (observer, facts), position.answers.facts[PUBLIC], position, message)

    def _secrets(self, position: Position, observer: int) -> None:
        """A leak: facts tell more than was seen. Something forgotten: they tell less."""
        if "sees" not in position.state.game.source:
            return
        facts, noticed = position.answers.facts[observer], position.noticed[observer]
        message = f"a leak: {named(observer)} saw and did the same, yet knows different facts"
        self._agree("secrets", ("leak", observer, noticed), facts, position, message)
        message = f"forgotten: {named(observer)} knows the same facts, yet saw or did different things"
        self._agree("secrets", ("forgotten", observer, facts), noticed, position, message)

    def _drawing(self, position: Position) -> None:
        """What somebody is shown may tell no more than its facts do."""
        state, game, player = position.state, position.state.game, position.answers.player
        if not game.hidden:
            return
        for observer in range(game.players) if game.shows_observers and player >= 0 else ():
            turn = "where it is to move" if observer == player else "where others act"
            self._shown(position, observer, f"it is shown different things {turn}", state.show)
        for observer in game.observers if "draw" in game.source else ():
            self._shown(position, observer, "different things are drawn for it", state.drawing)
        for owner in range(game.players) if "hand" in game.source else ():
            self._shown(position, owner, "its hand has different names", state.hand)

    def _shown(self, position: Position, observer: int, what: str, ask: Callable[[int], Any]) -> None:
        shown = asking(position.state.game, position.history, lambda: ask(observer))
        key = (what, observer, position.answers.facts[observer])
        self._agree("drawing", key, shown, position, f"equal facts of {named(observer)}, but {what}")
