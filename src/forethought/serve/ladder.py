"""Ratings from all matches that were ever kept, whoever has met whom and however often.

`forethought ladder` rates players who have all met equally often. Here pairs may be missing, or have met more often
than others; so the likelihood weighs each pair by its rounds. As there, each pair is given two virtual rounds, one won
by either side, and intervals are those of the difference to the anchor, by weighing rounds anew. Players whom no chain
of matches connects are each rated about the middle: a very weak prior holds them there.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import bootstrap_means, middle, wilson_interval
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.ratings import ANCHOR_RATING, bradley_terry, sides_of
from forethought.evaluate.rounds import Round

RESAMPLES, SEED = 400, 0x1ADD
PRIOR = 1e-4  # of strengths: next to any match nothing

Pair = tuple[str, str]


class Meeting(NamedTuple):
    """All rounds of a pair."""

    first: str
    second: str
    scores: Float64s  # of the first, a mean for each round
    games: int


def standings(matches: Path) -> list[dict[str, Any]]:
    """Rate the players of every game in a store of matches."""
    by_game: dict[str, list[Meeting]] = defaultdict(list)
    for game, meeting in _meetings(matches):
        by_game[game].append(meeting)
    return [_standing(game, met) for game, met in sorted(by_game.items())]


def rate(meetings: Sequence[Meeting], players: Sequence[str], anchor: int) -> tuple[Float64s, Float64s, Float64s]:
    """Return ratings and the ends of their intervals."""
    rng, number = np.random.default_rng(SEED), {player: place for place, player in enumerate(players)}
    padded = [np.append(meeting.scores, (0.0, 1.0)) for meeting in meetings]
    side = sides_of([(number[meeting.first], number[meeting.second]) for meeting in meetings], len(players))
    weights = np.array([float(len(scores)) for scores in padded])
    means = np.array([[scores.mean() for scores in padded]])
    drawn = np.concatenate([bootstrap_means(scores[:, None], rng, RESAMPLES) for scores in padded], axis=1)
    hold = PRIOR * np.eye(len(players))
    best = bradley_terry(means, side, weights, hold)[0]
    others = bradley_terry(drawn, side, weights, hold)
    low, high = middle(others - others[:, [anchor]])
    return best - best[anchor] + ANCHOR_RATING, low + ANCHOR_RATING, high + ANCHOR_RATING


def _standing(game: str, meetings: list[Meeting]) -> dict[str, Any]:
    players = sorted({name for meeting in meetings for name in (meeting.first, meeting.second)})
    games = {name: sum(met.games for met in meetings if name in (met.first, met.second)) for name in players}
    anchor = players.index("random") if "random" in players else 0
    rated = sorted(zip(*rate(meetings, players, anchor), players, strict=True), reverse=True)
    listed = [
        {"name": name, "elo": float(elo), "low": float(low), "high": float(high), "games": games[name]}
        for elo, low, high, name in rated
    ]
    return {"game": game, "players": listed, "matches": [_match(meeting) for meeting in meetings]}


def _match(meeting: Meeting) -> dict[str, Any]:
    low, high = wilson_interval(meeting.scores)
    return {
        "first": meeting.first,
        "second": meeting.second,
        "games": meeting.games,
        "score": float(meeting.scores.mean()),
        "low": low,
        "high": high,
    }


def _meetings(matches: Path) -> Iterable[tuple[str, Meeting]]:
    """Yield each pair of each game; players who met in either order are one pair."""
    found: dict[tuple[str, str, str], dict[str, Round]] = defaultdict(dict)
    for line in _lines(matches):
        try:
            told = json.loads(line)
            key = (str(told["game"]), str(told["a"]), str(told["b"]))
            returns = tuple(tuple(float(value) for value in game) for game in told["returns"])
            played = Round(int(told["round"]), returns)
            identity = f"{told['code']} {told['seed']} {played.number}"
        except (ValueError, KeyError, TypeError):
            continue  # a line that a crash cut short
        if key[1] != key[2] and len(returns) > 1 and all(len(game) == len(returns) for game in returns):
            found[key][identity] = played
    names = _short_names({name for _, a, b in found for name in (a, b)})
    games = _short_names({game for game, _, _ in found})
    pairs: dict[tuple[str, Pair], list[tuple[Float64s, int]]] = defaultdict(list)
    for (game, a, b), rounds in found.items():
        outcomes = Outcomes(_of_one_size(list(rounds.values())))
        scores = outcomes.scores.mean(axis=1)
        pair, own = ((a, b), scores) if a < b else ((b, a), 1.0 - scores)
        pairs[games[game], pair].append((own, outcomes.returns.size))
    for (game, (a, b)), parts in sorted(pairs.items(), key=lambda item: item[0]):
        scores = np.concatenate([part for part, _ in parts])
        yield game, Meeting(names[a], names[b], scores, sum(count for _, count in parts))


def _of_one_size(rounds: list[Round]) -> list[Round]:
    return [one for one in rounds if len(one.returns) == len(rounds[0].returns)]


def _lines(matches: Path) -> list[bytes]:
    try:
        return matches.read_bytes().splitlines()
    except OSError:
        return []


def _short_names(names: set[str]) -> dict[str, str]:
    """Leave out the digests of what things were made of, or most of them, where the name alone tells things apart."""
    plain = [name.partition("#")[0] for name in names]
    short = {}
    for name in names:
        head, mark, digest = name.partition("#")
        short[name] = head if plain.count(head) == 1 else f"{head}{mark}{digest[:4]}"
    return short
