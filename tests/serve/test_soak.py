"""Fifty games at once, played by bots through the interface: no error, and no move lost.

A few seconds as a test; FORETHOUGHT_SOAK_SECONDS=30 makes it longer.
"""

import asyncio
import os
import time
from typing import Any

import httpx
import numpy as np
import pytest

from tests.serve.running_server import PATIENCE, running

GAMES = 50
SECONDS = float(os.environ.get("FORETHOUGHT_SOAK_SECONDS", "3"))
PLAYED = (
    ("leduc", "oos:200"),
    ("goofspiel(cards=4)", "ismcts:100"),
    ("liars_dice", "random"),
    ("connect_four", "uct:50"),
    ("tic_tac_toe", "random"),
)


@pytest.mark.slow
def test_fifty_games_at_once() -> None:
    with running() as base:
        finished, moves = asyncio.run(_play_all(base))
    assert finished >= GAMES
    assert moves >= finished
    print(f"{finished} games, {moves} moves by {GAMES} players in {SECONDS:g} s")  # noqa: T201 (for who soaks by hand)


async def _play_all(base: str) -> tuple[int, int]:
    limits = httpx.Limits(max_connections=2 * GAMES)
    async with httpx.AsyncClient(base_url=base, timeout=PATIENCE, limits=limits) as client:
        for game, bot in PLAYED:  # compiles what must be, before the clock starts
            await _play(client, game, bot, np.random.default_rng(0))
        end = time.monotonic() + SECONDS
        counts = await asyncio.gather(*(_play_on(client, number, end) for number in range(GAMES)))
    return sum(len(one) for one in counts), sum(map(sum, counts))


async def _play_on(client: httpx.AsyncClient, number: int, end: float) -> list[int]:
    """Play one game after another; return how many moves each took."""
    rng, moves = np.random.default_rng(number), []
    while not moves or time.monotonic() < end:
        moves.append(await _play(client, *PLAYED[number % len(PLAYED)], rng))
    return moves


async def _play(client: httpx.AsyncClient, game: str, bot: str, rng: np.random.Generator) -> int:
    """Play a game to its end; check that just the moves that were sent are in its record, in order."""
    seat = int(rng.integers(2))
    seats = ["human", bot] if seat == 0 else [bot, "human"]
    view = await _ask(client, "POST", "/api/sessions", 201, {"game": game, "seats": seats})
    place, sent = f"/api/sessions/{view['id']}", []
    while not view["over"]:
        if view["legal"]:
            action = view["legal"][int(rng.integers(len(view["legal"])))]["action"]
            sent.append(action)
            view = await _ask(client, "POST", f"{place}/moves", 200, {"action": action, "ply": view["ply"]})
        else:
            assert view["busy"], view
            await asyncio.sleep(0.1)
            view = await _ask(client, "GET", place, 200)
    assert [one["action"] for one in view["history"] if one["player"] == seat] == sent
    record = await _ask(client, "GET", f"{place}/record", 200)
    assert record["actions"] == [one["action"] for one in view["history"]]
    await _ask(client, "DELETE", place, 204)
    return len(sent)


async def _ask(client: httpx.AsyncClient, method: str, path: str, status: int, body: Any = None) -> Any:
    answer = await client.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None
