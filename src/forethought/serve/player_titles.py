"""Texts of the library name players as they are written; people read their titles."""

import re
from collections.abc import Iterable

from forethought.player import player_title


def with_titles(text: str, players: Iterable[str]) -> str:
    """Put the title of each of these players where the text has it as written: `uct:100` becomes its title."""
    longest_first = sorted(set(players), key=lambda player: (-len(player), player))
    if not longest_first:
        return text
    written = "|".join(re.escape(player) for player in longest_first)
    return re.sub(rf"(?<!\w)(?:{written})(?!\w)", lambda found: player_title(found[0]), text)
