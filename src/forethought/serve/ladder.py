"""Ratings from all matches in the store.

`forethought ladder` rates players who have all met equally often. Here some pairs may never have met, and others more
often than the rest, so the likelihood weighs each pair by its rounds. As there, each pair is given two virtual rounds,
one won by each side, and intervals are those of the difference to the anchor, by bootstrap over rounds. A very weak
prior keeps the ratings of players that no chain of matches connects near the middle.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import bootstrap_means, middle, wilson_interval
from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.ratings import ANCHOR_RATING, bradley_terry, sides_of
from forethought.evaluate.rounds import Round
from forethought.serve.schemas.watch import GameLadderSchema, LaddersSchema, MatchSchema, RatingSchema

RESAMPLES, SEED = 400, 0x1ADD
PRIOR = 1e-4  # precision of the prior on strengths: negligible beside any match

Pair = tuple[str, str]


class PairResults(NamedTuple):
    """All rounds of a pair."""

    first: str
    second: str
    scores: Float64s  # of the first player, a mean per round
    games: int


def read_ladders(matches: Path) -> LaddersSchema:
    """Rate the players of every game in a store of matches."""
    by_game: dict[str, list[PairResults]] = defaultdict(list)
    for game, pair in _results(matches):
        by_game[game].append(pair)
    return LaddersSchema(games=[_ladder(game, results) for game, results in sorted(by_game.items())])


def rate(results: Sequence[PairResults], players: Sequence[str], anchor: int) -> tuple[Float64s, Float64s, Float64s]:
    """Return ratings and the ends of their intervals."""
    rng, number = np.random.default_rng(SEED), {player: place for place, player in enumerate(players)}
    padded = [np.append(pair.scores, (0.0, 1.0)) for pair in results]
    side = sides_of([(number[pair.first], number[pair.second]) for pair in results], len(players))
    weights = np.array([float(len(scores)) for scores in padded])
    means = np.array([[scores.mean() for scores in padded]])
    drawn = np.concatenate([bootstrap_means(scores[:, None], rng, RESAMPLES) for scores in padded], axis=1)
    hold = PRIOR * np.eye(len(players))
    best = bradley_terry(means, side, weights, hold)[0]
    others = bradley_terry(drawn, side, weights, hold)
    low, high = middle(others - others[:, [anchor]])
    return best - best[anchor] + ANCHOR_RATING, low + ANCHOR_RATING, high + ANCHOR_RATING


def _ladder(game: str, results: list[PairResults]) -> GameLadderSchema:
    players = sorted({name for pair in results for name in (pair.first, pair.second)})
    games = {name: sum(pair.games for pair in results if name in (pair.first, pair.second)) for name in players}
    anchor = players.index("random") if "random" in players else 0
    rated = sorted(zip(*rate(results, players, anchor), players, strict=True), reverse=True)
    ratings = [
        RatingSchema(name=name, elo=float(elo), low=float(low), high=float(high), games=games[name])
        for elo, low, high, name in rated
    ]
    return GameLadderSchema(game=game, players=ratings, matches=[_match(pair) for pair in results])


def _match(pair: PairResults) -> MatchSchema:
    low, high = wilson_interval(pair.scores)
    score = float(pair.scores.mean())
    return MatchSchema(first=pair.first, second=pair.second, games=pair.games, score=score, low=low, high=high)


def _results(matches: Path) -> Iterable[tuple[str, PairResults]]:
    """Yield each pair of each game; players who met in either order are one pair."""
    found: dict[tuple[str, str, str], dict[str, Round]] = defaultdict(dict)
    for line in _lines(matches):
        try:
            read = json.loads(line)
            key = (str(read["game"]), str(read["a"]), str(read["b"]))
            returns = tuple(tuple(float(value) for value in game) for game in read["returns"])
            played = Round(int(read["round"]), returns)
            identity = f"{read['code']} {read['seed']} {played.number}"
        except (ValueError, KeyError, TypeError):
            continue  # a line cut short by a crash
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
        yield game, PairResults(names[a], names[b], scores, sum(count for _, count in parts))


def _of_one_size(rounds: list[Round]) -> list[Round]:
    return [one for one in rounds if len(one.returns) == len(rounds[0].returns)]


def _lines(matches: Path) -> list[bytes]:
    try:
        return matches.read_bytes().splitlines()
    except OSError:
        return []


def _short_names(names: set[str]) -> dict[str, str]:
    """Shorten the digests in names, and leave them out where the name alone is unique."""
    plain = [name.partition("#")[0] for name in names]
    short = {}
    for name in names:
        head, mark, digest = name.partition("#")
        short[name] = head if plain.count(head) == 1 else f"{head}{mark}{digest[:4]}"
    return short
