"""Titles of games: stated in the docstring, or made of the name."""

from collections.abc import Callable
from typing import Any

import pytest

from forethought.games import GAMES
from forethought.games.about import LONGEST_TITLE, about_game
from forethought.serve.game_catalogue import GameCatalogue


def says(text: str | None) -> Callable[..., Any]:
    def factory() -> None: ...

    factory.__doc__ = text
    return factory


@pytest.mark.parametrize(
    ("text", "title", "summary"),
    [
        ("Dark race: run far.", "Dark race", "run far."),
        ("Nim with one heap.", "Take away", "Nim with one heap."),
        ("Take stones.\n\n    Rule: the last loses.", "Take away", "Take stones.\n\n    Rule: the last loses."),
        (f"{'Long ' * LONGEST_TITLE}: yes.", "Take away", f"{'Long ' * LONGEST_TITLE}: yes."),
        (None, "Take away", ""),
    ],
)
def test_a_docstring_states_the_title_or_the_name_makes_it(text: str | None, title: str, summary: str) -> None:
    assert about_game("take_away", says(text)) == (title, summary)


def test_every_game_of_this_package_states_its_title() -> None:
    titles = {name: about_game(name, says(None)).title for name in GAMES.names()}
    stated = {name: about_game(name, factory) for name, factory in GAMES}
    assert stated["liars_dice"].title == "Liar's Dice"
    assert all(one.summary and ": " not in one.title for one in stated.values())
    assert set(stated) == set(titles)


def test_the_page_names_games_for_people_and_runs_no_file_for_it() -> None:
    games = GameCatalogue("tests/userfiles/take_away.py(players=2)")
    assert games.title("hex(size=7, swap=true)") == "Hex, size 7, swap true"
    assert (
        games.title("yours(stones=5)") == games.title("tests/userfiles/take_away.py(stones=5)") == "Take away, stones 5"
    )
    assert games.title("elsewhere/my_game.py:odd_one") == "Odd one"
    assert games.title("gone(") == "gone("
