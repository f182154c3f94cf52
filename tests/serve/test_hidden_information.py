"""Nothing hidden leaves the server: every byte sent before the end is a function of what the person may see.

Games with many different deals are played against a bot that plays at random, and everything is kept: answers, events,
thoughts. When a game is over its record tells what was hidden; then whatever was sent is sorted by what the person
had seen until then, by the rules of the game as written down here. Equal sights must have got equal bytes; and most of
them must have been seen with different secrets, or nothing would be shown.
"""

import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

import httpx
import pytest

from tests.serve.running_server import Stream, asking, settled

Actions = list[int]


class Game(NamedTuple):
    """A game, and what is seen and what is hidden after so many actions; the person sits in seat 0."""

    spec: str
    seen: Callable[[Actions], tuple[Any, ...]]
    secret: Callable[[Actions], tuple[Any, ...]]
    games: int


def leduc_seen(actions: Actions) -> tuple[Any, ...]:
    """One's own rank, all bets, and the rank of the public card; suits do not matter, and bets are below 3."""
    bets, board, rest = [], [], actions[2:]
    while rest:
        if _round_ended(bets) and not board:
            board = [rest.pop(0) // 2]
        else:
            bets.append(rest.pop(0))
    return (actions[0] // 2, tuple(bets), tuple(board))


def _round_ended(bets: Actions) -> bool:
    return len(bets) >= 2 and bets[-1] == 1


def goofspiel_seen(actions: Actions) -> tuple[Any, ...]:
    """One's own bids, and who won each round."""
    mine, theirs = actions[0::2], actions[1::2]
    return (tuple(mine), tuple((a > b) - (a < b) for a, b in zip(mine, theirs, strict=False)), len(actions))


GAMES = (
    Game("leduc", leduc_seen, lambda actions: (actions[1] // 2,), 24),
    Game("goofspiel(cards=4)", goofspiel_seen, lambda actions: tuple(actions[1::2]), 16),
    Game("liars_dice", lambda actions: (actions[0], *actions[2:]), lambda actions: (actions[1],), 30),
)


class Sent(NamedTuple):
    """Something the server said about a ply before the end."""

    ply: int
    what: str
    content: bytes


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_every_byte_before_the_end_follows_from_what_was_seen(game: Game) -> None:
    said: dict[tuple[Any, ...], set[bytes]] = defaultdict(set)
    secrets: dict[tuple[Any, ...], set[tuple[Any, ...]]] = defaultdict(set)
    with asking() as client:
        for seed in range(game.games):
            actions, sent = everything_sent(client, game.spec, seed)
            for one in sent:
                key = (one.what, game.seen(actions[: one.ply]))
                said[key].add(one.content)
                secrets[key].add(game.secret(actions[: one.ply]))
    for key, contents in said.items():
        assert len(contents) == 1, (key, *contents)
    telling = [key for key in said if len(secrets[key]) > 1]
    assert {key[0] for key in telling} >= {"event view", "GET view", "positions", "record", "thought"}
    assert len(telling) > 20


def everything_sent(client: httpx.Client, spec: str, seed: int) -> tuple[Actions, list[Sent]]:
    """Play a game; return all actions, and all that was sent while something was hidden."""
    answer = client.post("/api/sessions", json={"game": spec, "seats": ["human", "random"], "seed": seed})
    view, sent = answer.json(), [_kept("opened", answer)]
    place = f"/api/sessions/{view['id']}"
    with Stream(str(client.base_url), f"{place}/events") as stream:
        while not view["over"]:
            view = settled(client, view)
            stream.wait("view", lambda seen, ply=view["ply"]: seen["ply"] == ply)
            if not view["over"]:
                sent += _looked_at(client, place, view["ply"], stream)
                chosen = view["legal"][seed % len(view["legal"])]["action"]
                answer = client.post(f"{place}/moves", json={"action": chosen, "ply": view["ply"]})
                view = answer.json()
                sent += [] if view["over"] else [_kept("moved", answer)]
        stream.wait("view", lambda seen: seen["over"])
    for kind, data in stream.events:
        told = json.loads(data)
        if kind == "view" and not told["over"]:
            sent.append(Sent(told["ply"], "event view", data.replace(view["id"].encode(), b"ID")))
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
