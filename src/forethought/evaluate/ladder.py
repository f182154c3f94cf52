"""A ladder: everybody against everybody, a rating for each, and a warning where ratings cannot tell the truth."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np

from forethought.arrays import Float64s
from forethought.drawing.markup import block, interval, note, table
from forethought.errors import ForethoughtError
from forethought.evaluate.ladder_picture import draw_ladder
from forethought.evaluate.match import MatchResult, whole_match
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.pictures import save_figure
from forethought.evaluate.ratings import ELO, PAYOFF, cycles, rate
from forethought.evaluate.rounds import Contest, Entrant, Round, contest
from forethought.game import Game
from forethought.results import ResultBase

_RESAMPLING = 0x1ADD  # tells the stream of the bootstrap from those of the games


@dataclass(frozen=True)
class Standing:
    """Where a player stands, on the ladder's scale. The interval is that of the difference to the anchor."""

    player: str
    rating: float
    low: float
    high: float
    games: int
    win_rate: float


@dataclass(frozen=True)
class Ladder(ResultBase):
    """All standings, best first, and the matches they come from.

    On the scale `elo` the anchor has the rating 1500. On the scale `payoff`, of games that pay different sums, a rating
    is what a player is paid per game against the anchor.
    """

    game: str
    seed: int
    scale: Literal["elo", "payoff"]
    anchor: str
    standings: list[Standing]
    cycles: list[list[str]]  # each beats the next and the last beats the first, all significantly
    matches: list[MatchResult]

    @property
    def unit(self) -> str:
        """What ratings are."""
        return "rating" if self.scale == "elo" else "payoff per game"

    @property
    def reference(self) -> str:
        """What ratings are relative to."""
        return f"{self.anchor} is fixed at 1500" if self.scale == "elo" else f"against {self.anchor}"

    def rated(self, value: float) -> str:
        """Write a rating, or the end of its interval."""
        return f"{value:.0f}" if self.scale == "elo" else f"{value:+.2f}"

    def plot(self, path: str | Path) -> Path:
        """Draw the ratings with their intervals to a file, .png or .svg; return its path."""
        return save_figure(draw_ladder(self), path)

    def _repr_html_(self) -> str:
        ends = min(one.low for one in self.standings), max(one.high for one in self.standings)
        rows = [
            [
                one.player,
                f"{self.rated(one.rating)} ({self.rated(one.low)} to {self.rated(one.high)})",
                interval(one.low, one.high, one.rating, ends),
                f"{one.games:,}",
                f"{one.win_rate:.1%}",
            ]
            for one in self.standings
        ]
        circles = [note(f"not transitive: {' beats '.join([*cycle, cycle[0]])}") for cycle in self.cycles]
        title = f"{self.game}: {self.unit}, {self.reference}; seed {self.seed}"
        listed = table(["player", f"{self.unit} (95 %)", "", "games", "win rate"], rows, left=["player"])
        return block(title, listed, circles)


def all_pairs(game: Game, entrants: Sequence[Entrant], seed: int) -> list[Contest]:
    """Return a contest for each pair, in order: (0, 1), (0, 2), ..., (1, 2), ..."""
    return [contest(game, a, b, seed) for a, b in combinations(entrants, 2)]


def anchor_of(players: Sequence[str], anchor: str | None) -> str:
    """Return whose rating is fixed, the one named or else the first, of two players or more with different names."""
    if len(players) < 2:
        raise ForethoughtError("A ladder needs two players or more.")
    twice = [player for player in players if players.count(player) > 1]
    if twice:
        raise ForethoughtError(f"The player '{twice[0]}' is named twice; a ladder takes each once.")
    if anchor is not None and anchor not in players:
        raise ForethoughtError(f"The anchor '{anchor}' is none of the players {', '.join(players)}.")
    return anchor or players[0]


def rank(played: Sequence[tuple[Contest, Sequence[Round]]], players: Sequence[str], anchor: str) -> Ladder:
    """Rate the players by the rounds of all pairs, as `all_pairs` orders them."""
    matches = [whole_match(each, rounds) for each, rounds in played]
    outcomes = [Outcomes(rounds) for _, rounds in played]
    scale = PAYOFF if any(one.pays_different_sums for one in outcomes) else ELO
    means = [one.round_means for one in outcomes]
    results = np.stack([scale.results(one) for one in means], axis=1)
    seed = matches[0].seed
    ratings = rate(results, len(players), players.index(anchor), scale, np.random.default_rng((_RESAMPLING, seed)))
    win_rates = _win_rates(np.stack([one.scores for one in means], axis=1), len(players))
    games = matches[0].games * (len(players) - 1)
    standings = [
        Standing(player, *rating, games, win_rate)
        for player, rating, win_rate in zip(players, ratings, win_rates, strict=True)
    ]
    found = [[players[number] for number in cycle] for cycle in cycles(results, len(players), scale)]
    standings.sort(key=lambda standing: -standing.rating)
    return Ladder(matches[0].game, seed, scale.name, anchor, standings, found, matches)


def _win_rates(scores: Float64s, players: int) -> list[float]:
    """Return each player's mean score over its matches."""
    totals = np.zeros(players)
    for (first, second), mean in zip(combinations(range(players), 2), scores.mean(axis=0), strict=True):
        totals[first] += mean
        totals[second] += 1 - mean
    return [float(total) for total in totals / (players - 1)]
