"""Games as files: JSON, to be loaded again, and SGF, for other programs. Nothing hidden is written before the end."""

from typing import TYPE_CHECKING

from forethought.records.formats import RECORD_FORMATS, CheckedGame
from forethought.serve.errors import conflict
from forethought.serve.schemas.play import SgfSchema
from forethought.serve.schemas.requests import SavedGameSchema

if TYPE_CHECKING:
    from forethought.serve.live_game import LiveGame

SGF = "sgf"


def is_sgf_game(spec: str) -> bool:
    """Whether SGF knows a game; those it knows hide nothing."""
    return spec.partition("(")[0] in RECORD_FORMATS.find(SGF).games


def as_json(live: "LiveGame") -> SavedGameSchema:
    """Return the game as it is saved, to be continued or replayed."""
    if live.game.hidden and not live.over:
        raise conflict("A game with hidden information can be saved when it is over.")
    return SavedGameSchema(
        forethought=1,
        game=live.spec,
        seats=list(live.seats),
        actions=live.actions,
        resigned=live.resigned,
        start=live.start,
    )


def as_sgf(live: "LiveGame") -> SgfSchema:
    """Return the game as SGF, where that knows the game."""
    if not is_sgf_game(live.spec):
        known = ", ".join(RECORD_FORMATS.find(SGF).games)
        raise conflict(f"SGF is for {known}, not for {live.game.name}; save the game as JSON.")
    if live.start is not None:
        raise conflict("SGF holds games from their first position, and this one was set up; save it as JSON.")
    returns = live.returns()
    checked = CheckedGame(live.actions, 0, None if returns is None else tuple(returns), tuple(live.titles), ())
    return SgfSchema(text=b"".join(RECORD_FORMATS.find(SGF).write(live.game, [checked])).decode())
