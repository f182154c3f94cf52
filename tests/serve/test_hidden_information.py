"""Nothing hidden leaves the server: every byte sent before the end is a function of what its receiver may see.

Games with many different deals are played against a bot that plays at random, and everything is kept: answers, events,
thoughts, for the person who plays and for those who only watch. When a game is over its record tells what was hidden;
then whatever was sent is sorted by what its receiver had seen until then, by the rules of the game as it stands here.
Equal sights must have got equal bytes; and most of them must have been seen with different secrets, or nothing would be
shown. The person plays at the host's screen while spectators watch, or as a guest while the host watches.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, NamedTuple

import httpx
import pytest

from tests.serve.running_server import UNHURRIED, Stream, asking, settled
from tests.tiers import others_slow

Actions = list[int]
UNSEEN = None


Notices = Callable[[Actions], Iterator[Any]]  # one thing for each action, or UNSEEN


class Game(NamedTuple):
    """A game, and what seat 0 and the public notice of each action; of others nothing, not even that somebody acts."""

    spec: str
    player: Notices
    public: Notices
    games: int
    thinking: int = 1  # a planner thinks in each game of so many
    file: str | None = None

    def seen(self, who: str, actions: Actions, ply: int) -> tuple[Any, ...]:
        """Return the first things that somebody noticed."""
        return tuple([one for one in getattr(self, who)(actions) if one is not UNSEEN][:ply])

    def secret(self, who: str, actions: Actions, ply: int) -> tuple[int, ...]:
        """Return what was done unseen until somebody noticed one thing more."""
        found, noticed = [], 0
        for action, one in zip(actions, getattr(self, who)(actions), strict=True):
            noticed += one is not UNSEEN
            if noticed > ply:
                break
            found += [] if one == action else [action]
        return tuple(found)


def leduc_notices(actions: Actions) -> Iterator[Any]:
    """One's own card, all bets, and the public card."""
    yield actions[0]
    yield UNSEEN
    yield from actions[2:]


def goofspiel_notices(actions: Actions) -> Iterator[Any]:
    """One's own bids, and who won each round."""
    for mine, theirs in zip(actions[0::2], actions[1::2], strict=True):
        yield mine
        yield f"{(mine > theirs) - (mine < theirs)}"


def liars_dice_notices(actions: Actions) -> Iterator[Any]:
    """One's own die, and all bids."""
    yield actions[0]
    yield UNSEEN
    yield from actions[2:]


def dark_claims_notices(actions: Actions) -> Iterator[Any]:
    """One's own tries and whether they fail; a player whose try fails tries again."""
    taken, turn = set[int](), 0
    for action in actions:
        yield UNSEEN if turn else f"{action} {action in taken}"
        turn = turn if action in taken else 1 - turn
        taken.add(action)


def after_two_deals(actions: Actions) -> Iterator[Any]:
    """Nobody's own card or die, and all that follows."""
    yield from (UNSEEN, UNSEEN, *actions[2:])


def goofspiel_public(actions: Actions) -> Iterator[Any]:
    """Who won each round."""
    for mine, theirs in zip(actions[0::2], actions[1::2], strict=True):
        yield UNSEEN
        yield f"{(mine > theirs) - (mine < theirs)}"


def nothing(actions: Actions) -> Iterator[Any]:
    return (UNSEEN for _ in actions)


GAMES = (
    Game("leduc", leduc_notices, after_two_deals, 24, thinking=2),
    Game("goofspiel(cards=4)", goofspiel_notices, goofspiel_public, 24, thinking=2),
    Game("liars_dice", liars_dice_notices, after_two_deals, 20, thinking=4),
    Game("yours", dark_claims_notices, nothing, 16, thinking=2, file="tests/userfiles/dark_claims.py"),
)
QUICK = (GAMES[0], GAMES[3])
PLAYER, PUBLIC = "player", "public"
ASKED = {"event view", "GET view", "positions", "record"}


class Sent(NamedTuple):
    """Something the server said to somebody before the end, who had noticed so many actions."""

    who: str
    ply: int
    what: str
    content: bytes


class Watched(NamedTuple):
    """A game that is played at one address and watched at another."""

    client: httpx.Client
    playing: str
    watching: str
    addresses: list[str]

    def kept(self, who: str, what: str, answer: httpx.Response, ply: int) -> Sent:
        """Keep the body and the headers but for the clock's."""
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        return Sent(who, ply, what, json.dumps(headers).encode() + self.scrubbed(answer.content))

    def scrubbed(self, content: bytes) -> bytes:
        """Leave out addresses, which are random."""
        for address in self.addresses:
            content = content.replace(address.encode(), b"ID")
        return content


@pytest.mark.parametrize("game", others_slow(GAMES, QUICK), ids=lambda game: game.file or game.spec)
@pytest.mark.quick_cases(1)
def test_every_byte_before_the_end_follows_from_what_was_seen(game: Game) -> None:
    said: dict[tuple[Any, ...], set[bytes]] = defaultdict(set)
    secrets: dict[tuple[Any, ...], set[tuple[Any, ...]]] = defaultdict(set)
    with asking(replace(UNHURRIED, file=game.file)) as client:
        for seed in range(game.games):
            seat = ("human", "guest")[seed // 4 % 2]
            actions, sent = everything_sent(client, game, seat, seed)
            for one in sent:
                at = "any screen" if one.what == "thought" else seat
                key = (at, one.who, one.what, game.seen(one.who, actions, one.ply))
                said[key].add(one.content)
                secrets[key].add(game.secret(one.who, actions, one.ply))
    for key, contents in said.items():
        assert len(contents) == 1, (key, *contents)
    telling = [key for key in said if len(secrets[key]) > 1]
    for seat, who in product(("human", "guest"), (PLAYER, PUBLIC)):
        assert {key[2] for key in telling if key[:2] == (seat, who)} >= ASKED
    assert {key[2] for key in telling} >= {"thought", "review"}
    assert len(telling) > 30


def opened_to_watch(client: httpx.Client, spec: str, seat: str, seed: int) -> tuple[Watched, httpx.Response]:
    """Begin a game in which a person has seat 0, at this screen or as a guest; return the first answer, too."""
    answer = client.post("/api/sessions", json={"game": spec, "seats": [seat, "random"], "seed": seed})
    view = answer.json()
    links = {link["seat"]: link["id"] for link in view["links"]}
    pair = (view["id"], links[None]) if seat == "human" else (links[0], view["id"])
    return Watched(client, *pair, [view["id"], *links.values()]), answer


def everything_sent(client: httpx.Client, played: Game, seat: str, seed: int) -> tuple[Actions, list[Sent]]:
    """Play a game; return all actions, and all that was sent while something was hidden."""
    game, answer = opened_to_watch(client, played.spec, seat, seed)
    first = answer.json()
    who = PLAYER if seat == "human" else PUBLIC
    sent = [game.kept(who, f"opened, {first['busy']}", answer, first["ply"])]
    place, base = f"/api/sessions/{game.playing}", str(client.base_url)
    view = client.get(place).json()
    with (
        Stream(base, f"{place}/events") as stream,
        Stream(base, f"/api/sessions/{game.watching}/events") as other,
    ):
        while not view["over"]:
            view = settled(client, view)
            stream.wait("view", lambda seen, now=view: seen == now)
            if not view["over"]:
                sent += _looked_at(game, view["ply"])
                sent += [_thought(game, view["ply"], stream)] if seed % played.thinking == 0 else []
                sent += _watched(game)
                chosen = view["legal"][seed // 8 % len(view["legal"])]["action"]
                answer = client.post(f"{place}/moves", json={"action": chosen, "ply": view["ply"]})
                view = answer.json()
                sent += [] if view["over"] else [game.kept(PLAYER, f"moved, {view['busy']}", answer, view["ply"])]
        for followed in (stream, other):
            followed.wait("view", lambda seen: seen["over"])
    for who, followed in ((PLAYER, stream), (PUBLIC, other)):
        sent += _views_sent(game, who, followed)
    assert {kind for kind, _ in other.events} == {"view"}  # no thought of the person's planner
    record = client.get(f"{place}/record").json()
    client.delete(f"/api/sessions/{first['id']}")
    return record["actions"], sent


def _views_sent(game: Watched, who: str, stream: Stream) -> Iterator[Sent]:
    views = [data for kind, data in stream.events if kind == "view"]
    assert all(one != other for one, other in pairwise(views))  # an event alone would tell that somebody acted
    for data in views:
        told = json.loads(data)
        if not told["over"]:
            turn = "event view" if told["legal"] or who == PUBLIC else "event view of others' turn"
            yield Sent(who, told["ply"], turn, game.scrubbed(data))


def _looked_at(game: Watched, ply: int) -> Iterator[Sent]:
    """Ask for everything that the person can ask for."""
    client, place = game.client, f"/api/sessions/{game.playing}"
    yield from _asked(game, PLAYER, place, ply)
    yield game.kept(PLAYER, "stale", client.post(f"{place}/moves", json={"action": 0, "ply": ply + 1}), ply)
    yield game.kept(PLAYER, "illegal", client.post(f"{place}/moves", json={"action": 999, "ply": ply}), ply)


def _thought(game: Watched, ply: int, stream: Stream) -> Sent:
    """Let a planner think for the person; how long it takes does not count."""
    asked = {"player": "oos:100", "ply": ply}
    assert game.client.post(f"/api/sessions/{game.playing}/thoughts", json=asked).status_code == 202
    thought = stream.wait("thought", lambda told: told["done"] and told["ply"] == ply)
    timeless = {key: value for key, value in thought.items() if "second" not in key}
    return Sent(PLAYER, ply, "thought", json.dumps(timeless).encode())


def _watched(game: Watched) -> Iterator[Sent]:
    """Ask for everything that somebody without a seat can ask for."""
    client, place = game.client, f"/api/sessions/{game.watching}"
    ply = client.get(place).json()["ply"]
    yield from _asked(game, PUBLIC, place, ply)
    for what in ("moves", "thoughts", "resign", "undo", "next"):
        asked = {"moves": {"action": 0, "ply": ply}, "thoughts": {"ply": ply}}.get(what)
        answer = client.post(f"{place}/{what}", json=asked)
        assert answer.status_code in (403, 409), answer.text
        yield game.kept(PUBLIC, what, answer, ply)


def _asked(game: Watched, who: str, place: str, ply: int) -> Iterator[Sent]:
    asked = {"GET view": place, **{what: f"{place}/{what}" for what in ("positions", "record", "review", "thoughts/1")}}
    for what, path in asked.items():
        yield game.kept(who, what, game.client.get(path), ply)
