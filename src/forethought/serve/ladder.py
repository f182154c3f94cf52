"""Ratings from all matches in the store.

`forethought ladder` rates players who have all met equally often. Here some pairs may never have met, and others more
often than the rest, so the fit weighs each pair by its rounds. Intervals are those of the difference to the anchor, by
bootstrap over rounds. A very weak prior keeps the ratings of players that no chain of matches connects near the middle.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.intervals import bootstrap_means, mean_interval, middle, wilson_interval
from forethought.evaluate.outcomes import Outcomes, RoundMeans
from forethought.evaluate.ratings import ELO, PAYOFF, Scale, sides_of
from forethought.evaluate.rounds import Round
from forethought.player import player_title
from forethought.serve.schemas.watch import GameLadderSchema, LaddersSchema, MatchSchema, RatingSchema

RESAMPLES, SEED = 400, 0x1ADD
PRIOR = 1e-4  # precision of the prior on strengths: negligible beside any match

Pair = tuple[str, str]


class PairResults(NamedTuple):
    """All rounds of a pair."""

    first: str
    second: str
    means: RoundMeans  # of the first player
    games: int


def read_ladders(matches: Path, game_title: Callable[[str], str]) -> LaddersSchema:
    """Rate the players of every game in a store of matches."""
    by_game: dict[str, list[PairResults]] = defaultdict(list)
    different: set[str] = set()
    for game, pair, pays_different_sums in _results(matches):
        by_game[game].append(pair)
        different |= {game} if pays_different_sums else set()
    ladders = [
        _ladder(game, _title(game, game_title), found, PAYOFF if game in different else ELO)
        for game, found in sorted(by_game.items())
    ]
    return LaddersSchema(games=ladders)


def rate(
    results: Sequence[PairResults], players: Sequence[str], anchor: int, scale: Scale
) -> tuple[Float64s, Float64s, Float64s]:
    """Return ratings and the ends of their intervals."""
    rng, number = np.random.default_rng(SEED), {player: place for place, player in enumerate(players)}
    measured = [scale.results(pair.means) for pair in results]
    padded = [scale.padded(one) for one in measured]
    side = sides_of([(number[pair.first], number[pair.second]) for pair in results], len(players))
    weights = np.array([float(len(one)) for one in padded])
    means = np.array([[one.mean() for one in (padded if scale.pads_estimates else measured)]])
    drawn = np.concatenate([bootstrap_means(one[:, None], rng, RESAMPLES) for one in padded], axis=1)
    hold = PRIOR * np.eye(len(players))
    best = scale.fit(means, side, weights, hold)[0]
    others = scale.fit(drawn, side, weights, hold)
    low, high = middle(others - others[:, [anchor]])
    best, base = best - best[anchor], scale.anchor_rating
    return best + base, np.minimum(low, best) + base, np.maximum(high, best) + base


def _ladder(game: str, title: str, results: list[PairResults], scale: Scale) -> GameLadderSchema:
    players = sorted({name for pair in results for name in (pair.first, pair.second)})
    anchor = players.index("random") if "random" in players else 0
    rated = sorted(zip(*rate(results, players, anchor, scale), players, strict=True), reverse=True)
    ratings = [_rating(name, results, *map(float, numbers)) for *numbers, name in rated]
    matches = [_match(pair, scale) for pair in results]
    return GameLadderSchema(
        game=game, game_title=title, scale=scale.name, anchor=players[anchor], players=ratings, matches=matches
    )


def _title(game: str, game_title: Callable[[str], str]) -> str:
    """Name a game for people; of two versions of a file, with the digest that tells them apart."""
    name, mark, digest = game.partition("#")
    return " ".join(filter(None, [game_title(name), mark + digest]))


def _rating(name: str, results: list[PairResults], rating: float, low: float, high: float) -> RatingSchema:
    own = [pair for pair in results if name in (pair.first, pair.second)]
    games = sum(pair.games for pair in own)
    shares = [pair.means.scores.mean() if pair.first == name else 1.0 - pair.means.scores.mean() for pair in own]
    won = sum(part * pair.games for part, pair in zip(shares, own, strict=True))
    share = float(won / games)
    title = _player_title(name)
    return RatingSchema(name=name, title=title, rating=rating, low=low, high=high, win_share=share, games=games)


def _player_title(player: str) -> str:
    name, mark, digest = player.partition("#")
    return " ".join(filter(None, [player_title(name), mark + digest]))


def _match(pair: PairResults, scale: Scale) -> MatchSchema:
    measured = scale.results(pair.means)
    low, high = _interval(measured, scale)
    return MatchSchema(
        first=pair.first,
        second=pair.second,
        games=pair.games,
        result=float(measured.mean()),
        low=low,
        high=high,
        win_share=float(pair.means.scores.mean()),
    )


def _interval(measured: Float64s, scale: Scale) -> tuple[float, float]:
    return wilson_interval(measured) if scale is ELO else mean_interval(measured, np.random.default_rng(SEED))


def _results(matches: Path) -> Iterable[tuple[str, PairResults, bool]]:
    """Yield each pair of each game, and whether it was paid different sums; either order of players is one pair."""
    found = _rounds(matches)
    names = _short_names({name for _, a, b in found for name in (a, b)})
    games = _short_names({game for game, _, _ in found})
    pairs: dict[tuple[str, Pair], list[tuple[Float64s, Float64s, Outcomes]]] = defaultdict(list)
    for (game, a, b), rounds in found.items():
        outcomes = Outcomes(_of_one_size(list(rounds.values())))
        scores, payoffs = outcomes.round_means
        pair, own = ((a, b), (scores, payoffs)) if a < b else ((b, a), (1.0 - scores, -payoffs))
        pairs[games[game], pair].append((*own, outcomes))
    for (game, (a, b)), parts in sorted(pairs.items(), key=lambda item: item[0]):
        means = RoundMeans(*(np.concatenate([part[column] for part in parts]) for column in (0, 1)))
        count = sum(outcomes.returns.size for _, _, outcomes in parts)
        different = any(outcomes.pays_different_sums for _, _, outcomes in parts)
        yield game, PairResults(names[a], names[b], means, count), different


def _rounds(matches: Path) -> dict[tuple[str, str, str], dict[str, Round]]:
    """Read all rounds, by game and players; one that was written twice counts once."""
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
    return found


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
