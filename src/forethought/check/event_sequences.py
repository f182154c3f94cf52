"""Sequences that grow at their end and share their beginnings; equal ones are one object, quickly compared."""

from collections.abc import Hashable, Iterator
from typing import Any


class EventSequence:
    """A sequence of events; of one that is empty, all that begin there are made."""

    __slots__ = ("_longer", "event", "length", "shorter")

    def __init__(self, shorter: "EventSequence | None" = None, event: Any = None) -> None:
        self.shorter, self.event = shorter, event
        self.length: int = shorter.length + 1 if shorter else 0
        self._longer: dict[Hashable, EventSequence] = {}

    def then(self, event: Hashable) -> "EventSequence":
        """Return the sequence with one more event; the same object for the same event."""
        if event not in self._longer:
            self._longer[event] = EventSequence(self, event)
        return self._longer[event]

    def __len__(self) -> int:
        return self.length

    def __bool__(self) -> bool:
        return True  # also an empty one is there

    def __iter__(self) -> Iterator[Any]:
        events: list[Any] = []
        trail: EventSequence = self
        while trail.shorter is not None:
            events.append(trail.event)
            trail = trail.shorter
        return iter(events[::-1])

    def __repr__(self) -> str:
        return str(tuple(self))
