"""Ladders: everybody meets everybody, standings in order, cycles named, a picture drawn."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.ladder import Ladder, all_pairs, anchor_of, rank
from forethought.evaluate.pictures import check_picture_file
from forethought.evaluate.rounds import Entrant, contest, entrant
from forethought.player import find_player
from tests.evaluate.simulated import as_rounds

KUHN = ft.load("kuhn")


def fabricated(players: list[str], win_rates: list[float], anchor: str) -> Ladder:
    """A ladder of 200 rounds a pair, won as often as told."""
    entrants = [Entrant(name, find_player("random")) for name in players]
    contests = [contest(KUHN, *pair, seed=0) for pair in combinations(entrants, 2)]
    rng = np.random.default_rng(1)
    wins = [np.where(rng.random((200, 2)) < rate, 1.0, -1.0) for rate in win_rates]
    return rank([(each, as_rounds(won)) for each, won in zip(contests, wins, strict=True)], players, anchor)


def test_the_better_stand_above() -> None:
    ladder = fabricated(["weak", "strong", "middle"], [0.2, 0.35, 0.65], "middle")
    assert [one.player for one in ladder.standings] == ["strong", "middle", "weak"]
    assert [one.rating for one in ladder.standings if one.player == "middle"] == [1500]
    assert ladder.standings[0].low > 1500 > ladder.standings[2].high
    assert [one.games for one in ladder.standings] == [800] * 3
    assert sum(one.win_rate for one in ladder.standings) == pytest.approx(1.5)
    assert ladder.cycles == []
    assert (ladder.scale, ladder.reference) == ("elo", "middle is fixed at 1500")


def test_where_games_pay_different_sums_the_better_paid_stand_above() -> None:
    """Who loses most games by little and wins a few by much, as in poker."""
    players = ["random", "patient"]
    rounds = as_rounds(np.where(np.arange(400).reshape(200, 2) % 10 < 3, -9.0, 1.0))  # of random
    pair = contest(KUHN, *(Entrant(name, find_player("random")) for name in players), seed=0)
    ladder = rank([(pair, rounds)], players, "random")
    patient, random = ladder.standings
    assert (ladder.scale, ladder.unit, ladder.reference) == ("payoff", "payoff per game", "against random")
    assert (patient.player, patient.rating, patient.win_rate) == ("patient", pytest.approx(2.0), pytest.approx(0.3))
    assert 0.5 < patient.low < 2.0 < patient.high < 3.5
    assert (random.rating, random.low, random.high) == (0, 0, 0)
    assert ladder.rated(patient.rating) == "+2.00"


def test_rock_paper_scissors_is_named_as_a_cycle() -> None:
    ladder = fabricated(["rock", "paper", "scissors"], [0.3, 0.7, 0.3], "rock")
    assert ladder.cycles == [["rock", "scissors", "paper"]]
    assert fabricated(["rock", "paper", "scissors"], [0.3, 0.5, 0.3], "rock").cycles == []


def test_the_same_rounds_give_the_same_ladder() -> None:
    one, other = (fabricated(["a", "b"], [0.6], "a") for _ in range(2))
    assert one == other


def test_pairs_are_all_pairs_in_order_on_the_same_deals() -> None:
    assert [(each.a.name, each.b.name) for each in all_pairs(KUHN, [entrant("random"), entrant("random()")], 3)] == [
        ("random", "random()")
    ]
    with pytest.raises(ForethoughtError, match="'random' is named twice"):
        anchor_of(["random", "random"], None)
    with pytest.raises(ForethoughtError, match="two players or more"):
        anchor_of(["random"], None)
    with pytest.raises(ForethoughtError, match="The anchor 'c' is none of the players a, b"):
        anchor_of(["a", "b"], "c")
    assert anchor_of(["a", "b"], None) == "a"


def test_the_picture_is_a_png_and_mistakes_are_told_early(tmp_path: Path) -> None:
    fabricated(["rock", "paper", "scissors"], [0.3, 0.7, 0.3], "rock").plot(tmp_path / "ladder.png")
    assert (tmp_path / "ladder.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["ladder.png"]
    with pytest.raises(ForethoughtError, match=r"must end in .png"):
        check_picture_file(tmp_path / "ladder.pdf")
    with pytest.raises(ForethoughtError, match="cannot be written"):
        check_picture_file(tmp_path / "ladder.png" / "ladder.png")
