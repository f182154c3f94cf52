"""Nothing hidden leaves the server: every byte sent before the end is a function of what the person may see.

Games with many different deals are played against a bot that plays at random, and everything is kept: answers, events,
thoughts. When a game is over its record tells what was hidden; then whatever was sent is sorted by what the person
had seen until then, by the rules of the game as written down here. Equal sights must have got equal bytes; and most of
them must have been seen with different secrets, or nothing would be shown.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import httpx
import pytest

from tests.serve.running_server import UNHURRIED, Stream, asking, settled

Actions = list[int]
UNSEEN = None


class Game(NamedTuple):
    """A game, and what the person in seat 0 notices of each action; of others nothing, not even that somebody acts."""

    spec: str
    notices: Callable[[Actions], Iterator[Any]]  # one thing for each action, or UNSEEN
    games: int
    file: str | None = None

    def seen(self, actions: Actions, ply: int) -> tuple[Any, ...]:
        """Return the first things that the person noticed."""
        return tuple([one for one in self.notices(actions) if one is not UNSEEN][:ply])

    def secret(self, actions: Actions, ply: int) -> tuple[int, ...]:
        """Return what was done unseen until the person noticed one thing more."""
        found, noticed = [], 0
        for action, one in zip(actions, self.notices(actions), strict=True):
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


GAMES = (
    Game("leduc", leduc_notices, 24),
    Game("goofspiel(cards=4)", goofspiel_notices, 16),
    Game("liars_dice", liars_dice_notices, 30),
    Game("yours", dark_claims_notices, 20, "tests/userfiles/dark_claims.py"),
)


class Sent(NamedTuple):
    """Something the server said before the end, when the person had noticed so many actions."""

    ply: int
    what: str
    content: bytes


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.file or game.spec)
def test_every_byte_before_the_end_follows_from_what_was_seen(game: Game) -> None:
    said: dict[tuple[Any, ...], set[bytes]] = defaultdict(set)
    secrets: dict[tuple[Any, ...], set[tuple[Any, ...]]] = defaultdict(set)
    with asking(replace(UNHURRIED, file=game.file)) as client:
        for seed in range(game.games):
            actions, sent = everything_sent(client, game.spec, seed)
            for one in sent:
                key = (one.what, game.seen(actions, one.ply))
                said[key].add(one.content)
                secrets[key].add(game.secret(actions, one.ply))
    for key, contents in said.items():
        assert len(contents) == 1, (key, *contents)
    telling = [key for key in said if len(secrets[key]) > 1]
    assert {key[0] for key in telling} >= {"event view", "GET view", "positions", "record", "thought"}
    assert len(telling) > 20


def everything_sent(client: httpx.Client, spec: str, seed: int) -> tuple[Actions, list[Sent]]:
    """Play a game; return all actions, and all that was sent while something was hidden."""
    answer = client.post("/api/sessions", json={"game": spec, "seats": ["human", "random"], "seed": seed})
    view = answer.json()
    sent = [_kept(f"opened, {view['busy']}", answer)]
    place = f"/api/sessions/{view['id']}"
    with Stream(str(client.base_url), f"{place}/events") as stream:
        while not view["over"]:
            view = settled(client, view)
            stream.wait("view", lambda seen, now=view: seen == now)
            if not view["over"]:
                sent += _looked_at(client, place, view["ply"], stream)
                chosen = view["legal"][seed % len(view["legal"])]["action"]
                answer = client.post(f"{place}/moves", json={"action": chosen, "ply": view["ply"]})
                view = answer.json()
                sent += [] if view["over"] else [_kept(f"moved, {view['busy']}", answer)]
        stream.wait("view", lambda seen: seen["over"])
    views = [data for kind, data in stream.events if kind == "view"]
    assert all(one != other for one, other in pairwise(views))  # an event alone would tell that somebody acted
    for data in views:
        told = json.loads(data)
        if not told["over"]:
            turn = "event view" if told["legal"] else "event view of others' turn"
            sent.append(Sent(told["ply"], turn, data.replace(view["id"].encode(), b"ID")))
    record = client.get(f"{place}/record").json()
    client.delete(place)
    return record["actions"], sent


def _looked_at(client: httpx.Client, place: str, ply: int, stream: Stream) -> list[Sent]:
    """Ask for everything that can be asked for."""
    asked = {"GET view": place, "positions": f"{place}/positions", "record": f"{place}/record"}
    sent = [_kept(what, client.get(path), ply) for what, path in asked.items()]
    sent.append(_kept("stale", client.post(f"{place}/moves", json={"action": 0, "ply": ply + 1}), ply))
    sent.append(_kept("illegal", client.post(f"{place}/moves", json={"action": 999, "ply": ply}), ply))
    sent.append(_kept("review", client.get(f"{place}/review"), ply))
    assert client.post(f"{place}/thoughts", json={"player": "oos:100", "ply": ply}).status_code == 202
    thought = stream.wait("thought", lambda told: told["done"] and told["ply"] == ply)
    timeless = {key: value for key, value in thought.items() if "second" not in key}
    return [*sent, Sent(ply, "thought", json.dumps(timeless).encode())]


def _kept(what: str, answer: httpx.Response, ply: int | None = None) -> Sent:
    """Keep the body and the headers but for the clock's; ids of sessions are random."""
    body = answer.content
    told = answer.json()
    if "id" in told:
        body = body.replace(told["id"].encode(), b"ID")
    headers = {name: value for name, value in answer.headers.items() if name != "date"}
    return Sent(told["ply"] if ply is None else ply, what, json.dumps(headers).encode() + body)
