"""Ratings from the store of matches: the same as a ladder's where all have met, and sensible where they have not."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from forethought.evaluate.ratings import ELO, round_robin
from forethought.serve.ladder import read_ladders
from forethought.serve.settings import ServerSettings
from tests.serve.running_server import asking


def line(a: str, b: str, number: int, won: float, game: str = "kuhn", seed: int = 0) -> str:
    """A round of two games, of which A won both, one or none."""
    returns = [[won, -won], [-won, won]]
    told = {"code": "c", "game": game, "a": a, "b": b, "seed": seed, "round": number, "returns": returns}
    return json.dumps(told)


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_where_all_have_met_equally_often_ratings_are_those_of_a_ladder(tmp_path: Path) -> None:
    players, rounds, rng = ["a", "b", "random"], 40, np.random.default_rng(1)
    lines, means = [], []
    for (first, second), chance in zip(combinations(players, 2), (0.6, 0.8, 0.7), strict=True):
        wins = rng.random(rounds) < chance
        lines += [line(first, second, number, 1.0 if won else -1.0) for number, won in enumerate(wins)]
        means.append(np.append(wins, (0.0, 1.0)).mean())
    [ladder] = read_ladders(written(tmp_path / "matches.jsonl", lines), str).games
    expected = round_robin(np.array([means]), 3, ELO)[0]
    found = {one.name: one for one in ladder.players}
    for player, rating in zip(players, expected - expected[2], strict=True):
        assert found[player].rating == pytest.approx(1500 + rating, abs=0.2)  # the prior is weak, not absent
        assert found[player].low <= found[player].rating <= found[player].high
        assert found[player].games == 4 * rounds
    assert found["random"].low == found["random"].high == 1500
    assert [one.rating for one in ladder.players] == sorted((one.rating for one in found.values()), reverse=True)
    assert (ladder.scale, ladder.anchor) == ("elo", "random")


def test_where_games_pay_different_sums_ratings_are_what_is_paid(tmp_path: Path) -> None:
    """Who loses most games by little and wins a few by much is the stronger, as in poker."""
    rng = np.random.default_rng(2)
    lines = []
    for number in range(300):
        won = 9.0 if rng.random() < 0.3 else -1.0
        lines.append(line("patient", "random", number, won, game="leduc"))
        lines.append(line("bold", "random", number, -1.0 if number % 2 else 2.0, game="leduc"))
    [ladder] = read_ladders(written(tmp_path / "matches.jsonl", lines), str).games
    assert (ladder.scale, ladder.anchor) == ("payoff", "random")
    assert [one.name for one in ladder.players] == ["patient", "bold", "random"]
    patient, bold, anchor = ladder.players
    paid = {one.first: one.result for one in ladder.matches}
    assert patient.rating == pytest.approx(paid["patient"], rel=1e-3)  # per game, against random
    assert bold.rating == pytest.approx(0.5, rel=1e-3)
    assert patient.low < patient.rating < patient.high < 9.0
    assert patient.low > 1.0
    assert patient.win_share == pytest.approx(0.3, abs=0.1)
    assert anchor.low == anchor.rating == anchor.high == 0.0
    [match] = [one for one in ladder.matches if one.first == "patient"]
    assert match.low < match.result < match.high
    assert match.win_share == patient.win_share


def test_both_orders_of_a_pair_are_one_match_and_a_repeated_round_counts_once(tmp_path: Path) -> None:
    lines = [line("a", "b", 0, 1.0), line("b", "a", 0, -1.0), line("a", "b", 0, 1.0), line("a", "b", 0, -1.0, seed=1)]
    [ladder] = read_ladders(written(tmp_path / "matches.jsonl", lines), str).games
    [match] = ladder.matches
    assert (match.first, match.second, match.games) == ("a", "b", 6)
    assert match.result == match.win_share == pytest.approx(2 / 3)
    assert match.low < match.result < match.high


def test_players_that_no_match_connects_stay_in_the_middle(tmp_path: Path) -> None:
    lines = [line("a", "b", number, 1.0) for number in range(10)]
    lines += [line("c", "d", number, 1.0) for number in range(10)]
    [ladder] = read_ladders(written(tmp_path / "matches.jsonl", lines), str).games
    elo = {one.name: one.rating for one in ladder.players}
    assert elo["a"] == pytest.approx(elo["c"])
    assert elo["b"] == pytest.approx(elo["d"])
    assert elo["a"] > elo["b"]


def test_digests_are_left_out_where_names_tell_players_apart(tmp_path: Path) -> None:
    lines = [
        line("net:x#aaaabbbbccccdddd", "random", 0, 1.0),
        line("net:x#eeeeffff00001111", "random", 0, 1.0),
        line("net:y#aaaabbbbccccdddd", "random", 0, 1.0),
        line("a", "b", 0, 1.0, game="my_game.py#0123456789abcdef"),
    ]
    by_game = {one.game: one for one in read_ladders(written(tmp_path / "matches.jsonl", lines), str).games}
    assert {one.name for one in by_game["kuhn"].players} == {"net:x#aaaa", "net:x#eeee", "net:y", "random"}
    assert set(by_game) == {"kuhn", "my_game.py"}


def test_damaged_lines_are_passed_over_and_the_rest_is_served(tmp_path: Path) -> None:
    good = line("a", "b", 0, 1.0)
    lines = ["", "{", good[:-9], "[]", "null", line("a", "a", 0, 1.0), good, good.replace("-1.0", '"x"')]
    matches = written(tmp_path / "matches.jsonl", lines)
    with asking(ServerSettings(matches=matches)) as client:
        [ladder] = client.get("/api/ladder").json()["games"]
    assert [one["games"] for one in ladder["matches"]] == [2]
