"""Games as parts of jobs."""

import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.games.reference import reference_to

PINCER = Path(__file__).parents[1] / "userfiles" / "pincer.py"


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301 (its own bytes)


def test_a_game_is_loaded_once_for_all_jobs_that_are_sent() -> None:
    first, second = sent(reference_to(ft.load("kuhn"))), sent(reference_to(ft.load("kuhn")))
    assert first.game is second.game
    assert first.game is not sent(reference_to(ft.load("goofspiel(cards=3)"))).game


def test_a_users_file_travels_as_it_was_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither an edit nor the loss of the file changes what the others play."""
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "mine.py"
    shutil.copy(PINCER, file)
    game = ft.load(f"{file}:pincer(size=4)", compiled=False)
    file.write_text("raise ValueError('edited')")
    parcel = pickle.dumps(reference_to(game))
    file.unlink()
    arrived = pickle.loads(parcel)  # noqa: S301 (its own bytes)
    assert arrived.game.actions == game.actions == 16
    assert arrived.game.spec == game.spec == f"{file}:pincer(size=4)"


def test_a_game_of_a_program_is_refused_in_a_sentence() -> None:
    made = replace(ft.load("kuhn", compiled=False), spec="")
    with pytest.raises(ForethoughtError, match="kuhn was made in this program and cannot be sent"):
        pickle.dumps(reference_to(made))
