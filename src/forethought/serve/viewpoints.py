"""Who looks at a game: its host, a guest in a seat on another device, or a spectator. Each knows a secret address.

A seat is a bot's, the host's (`human`), or a guest's. All addresses are answered by the same routes; what each may see
and do follows from its viewpoint alone.
"""

from dataclasses import dataclass
from typing import Literal

HUMAN, GUEST = "human", "guest"  # in place of a player in a seat
PERSONS = (HUMAN, GUEST)

Role = Literal["host", "guest", "spectator"]


@dataclass(frozen=True)
class Viewpoint:
    """The host, who has no seat here since it may play several; or a guest and its seat; or a spectator."""

    role: Role = "host"
    seat: int | None = None

    def plays(self, seats: tuple[str, ...]) -> tuple[int, ...]:
        """Return the seats that it plays."""
        if self.role == "host":
            return tuple(seat for seat, player in enumerate(seats) if player == HUMAN)
        return () if self.seat is None else (self.seat,)

    def shown(self, seats: tuple[str, ...]) -> list[str]:
        """Return the seats as it sees them: its own are `human`, those of other persons `guest`."""
        own = self.plays(seats)
        return [HUMAN if seat in own else GUEST if player in PERSONS else player for seat, player in enumerate(seats)]


HOST = Viewpoint()
SPECTATOR = Viewpoint("spectator")
