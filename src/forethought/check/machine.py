"""The law 'compiled': machine code leads to the same records as the interpreted rules, and gives the same answers."""

from dataclasses import fields
from typing import Any

import numpy as np

from forethought.check.positions import Answers, ImpureError, LawBrokenError, Position, Probe, asking
from forethought.errors import ForethoughtError
from forethought.game import PUBLIC, Game, State
from forethought.games import load


class Machine:
    """The machine code of a game, beside which positions are looked at."""

    def __init__(self, game: Game) -> None:
        try:
            self._probe = Probe(load(game))
        except ForethoughtError as error:
            raise LawBrokenError("compiled", str(error)) from error

    def compare(self, position: Position) -> None:
        """Come to a position in machine code from the one before it, and ask there."""
        try:
            self._compare(position)
        except (ForethoughtError, ImpureError) as error:
            raise LawBrokenError("compiled", f"only in machine code: {error}", position.history) from error

    def _compare(self, position: Position) -> None:
        parent = position.parent
        memory = self._probe.apply(parent.state.memory, position.history.event) if parent else self._probe.start()
        if memory.tobytes() != position.state.memory.tobytes():
            reached = State(position.game, memory).view
            message = f"machine code gives another record: {reached} instead of {position.state.view}"
            raise LawBrokenError("compiled", message, position.history)
        found = self._probe.ask(memory)
        if found != position.answers:
            raise LawBrokenError("compiled", _difference(found, position.answers), position.history)
        self._compare_reaches(position)

    def _compare_reaches(self, position: Position) -> None:
        """Ask both whether the action that led here does, and whether each other one would have."""
        parent, game = position.parent, position.game
        if parent is None or "reaches" not in game.source or position.answers.player < 0:
            return
        for observer in (position.answers.player, PUBLIC):
            target = position.answers.facts[observer]
            facts = np.array(target or (0,), np.int64)
            for action in parent.answers.legal:
                question: tuple[Any, ...] = (parent.state.memory, action, observer, facts, len(target))
                meant = asking(game, position.history, lambda q=question: bool(game.table.reaches(*q)))  # type: ignore[misc]
                said = bool(self._probe.game.table.reaches(*question))
                if said != meant:
                    message = (
                        f"the compiled rule 'reaches' answers {said} for action {action}, the interpreted one {meant}"
                    )
                    raise LawBrokenError("compiled", message, position.history)


def _difference(machine: Answers, interpreted: Answers) -> str:
    for rule in (field.name for field in fields(Answers)):
        said, meant = getattr(machine, rule), getattr(interpreted, rule)
        if said != meant:
            return f"the compiled rule '{rule}' answers {said}, the interpreted one {meant}"
    return "machine code answers differently"
