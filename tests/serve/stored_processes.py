"""Processes on the disk for tests of the page, as the server writes them."""

import json
import time
from pathlib import Path
from typing import Any

from forethought.serve.processes import DIRECTORY, OUTPUT, RECORD
from forethought.serve.schemas.processes import StoredProcessSchema

NUMBER = {"value": 0.5, "low": 0.25, "high": 0.75}
SEAT = {"score": NUMBER, "mean_return": NUMBER, "advantage": NUMBER, "p_value": 0.5}
STEP = {"more": "uct:10", "less": "random", "win_rate": NUMBER, "mean_return": NUMBER, "p_value": 0.5}
LENGTH = {
    "mean": NUMBER,
    "shortest": 5,
    "median": 7.0,
    "longest": 9,
    "histogram": [{"first": 5, "last": 9, "games": 20}],
}
DRAMA = dict.fromkeys(("lead_changes", "uncertainty", "comebacks", "drama", "settled"), NUMBER)
STUDY = {
    "game": "tic_tac_toe",
    "planner": "uct:10",
    "games": 20,
    "seed": 0,
    "seats": [SEAT, SEAT],
    "draws": NUMBER,
    "length": LENGTH,
    "decisions": NUMBER,
    "branching": NUMBER,
    "skill": [STEP | {"wins_more": False}],
    "drama": DRAMA,
    "findings": ["No seat is favoured as far as these games tell."],
}


def make_study(runs: Path, id: str, game: str = "tic_tac_toe", version: str = "") -> None:
    """Keep a study that has ended."""
    about = {"kind": "study", "game": game, "title": "20 games, 10 simulations", "version": version}
    directory = _kept(runs, id, {**about, "arguments": ["study"]})
    (directory / OUTPUT).write_text(json.dumps(STUDY))


def make_stopped_match(runs: Path, id: str, game: str, *players: str) -> None:
    """Keep a match that was stopped."""
    about = {"kind": "match", "game": game, "title": " against ".join(players), "version": ""}
    _kept(runs, id, {**about, "arguments": ["match", "--json", "--", game, *players]})


def _kept(runs: Path, id: str, about: dict[str, Any]) -> Path:
    directory = runs / DIRECTORY / id
    directory.mkdir(parents=True)
    stored = StoredProcessSchema(game_title="Tic-tac-toe", run=None, started=time.time(), pid=1, **about)
    (directory / RECORD).write_text(stored.model_dump_json())
    return directory
