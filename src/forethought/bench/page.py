"""How long a person waits for the answer to a move when many play at once on a real server.

The server is a process of its own. Each client has a thread and an address of its own and does what the page does: it
sends a move, and listens to the session's events until it is its turn again. Before a move it pauses for about a
second, as a person does who plays fast.
"""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from importlib.util import find_spec
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any

import numpy as np

from forethought.bench.result import Benchmark, Claim, Result
from forethought.errors import ForethoughtError

GAME, BOT = "connect_four", "uct:1600"
GAMES, CLIENTS = 30, 20
LONGEST_WAIT = 0.3  # seconds, of 95 % of the moves
PAUSE = (0.5, 1.5)  # seconds before a move
PATIENCE = 120.0  # seconds, for what has to be compiled before
CLAIM = Claim("page:move", "seconds", "limit", goal=1.0)
ABSENT = "the page is not installed: pip install 'forethought[web]'"


def waiting_for_moves(games: int = GAMES, clients: int = CLIENTS) -> Result:
    if find_spec("fastapi") is None:
        return CLAIM.by_cost(0.0, None, ABSENT)
    with _server() as port:
        Client(port, 0).play([0])  # compiles what must be
        with ThreadPoolExecutor(clients) as threads:
            shares = [list(range(first, games, clients)) for first in range(clients)]
            played = threads.map(lambda first: Client(port, first).play(shares[first]), range(clients))
            seconds = np.array([wait for waits in played for wait in waits])
    told = f"{games} games of {GAME} by {clients} clients against {BOT}, {len(seconds)} moves"
    note = f"{told}; median {np.median(seconds):.3f} s; load of the machine {os.getloadavg()[0]:.1f}"
    return CLAIM.by_cost(float(np.quantile(seconds, 0.95)), LONGEST_WAIT, note)


class Client:
    """A client with an address of its own, so that the server gives it a share of its own."""

    def __init__(self, port: int, number: int) -> None:
        self._port, self._source, self._rng = port, (f"127.0.0.{2 + number}", 0), np.random.default_rng(number)
        self._connection = self._connect()

    def play(self, seeds: list[int]) -> list[float]:
        """Play some games by turns to their ends, with moves at random; return how long each answer took."""
        playing, waits = [LiveSession(self, seed) for seed in seeds], list[float]()
        while playing:
            waits += [session.move(self._rng) for session in playing]
            playing = [session for session in playing if not session.view["over"]]
        self._connection.close()
        return waits

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self._connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        told: dict[str, Any] = json.loads(answer.read())
        if answer.status >= 300:
            raise ForethoughtError(f"The server refused a client of the benchmark: {told['detail']}")
        return told

    def views(self, path: str) -> Generator[dict[str, Any], None, None]:
        """Yield the views that the server sends, beginning with the present one."""
        with closing(self._connect()) as connection:
            connection.request("GET", path)
            with connection.getresponse() as answer:
                kind = b""
                for line in iter(answer.readline, b""):
                    name, _, value = line.rstrip(b"\n").partition(b": ")
                    kind = value if name == b"event" else kind
                    if name == b"data" and kind == b"view":
                        yield json.loads(value)

    def _connect(self) -> HTTPConnection:
        # Only Linux has all addresses 127.*: elsewhere all clients share one, and its limits.
        source = self._source if sys.platform == "linux" else None
        return HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE, source_address=source)


class LiveSession:
    """A game that a client plays."""

    def __init__(self, client: Client, seed: int) -> None:
        begun = client.post("/api/sessions", {"game": GAME, "seats": ["human", BOT], "seed": seed})
        self._client, self._place = client, f"/api/sessions/{begun['id']}"
        self._views = client.views(f"{self._place}/events")
        self.view = self._next_turn(after=-1)

    def move(self, rng: np.random.Generator) -> float:
        """Play an action, and wait until it is one's turn again, or the end; return how long that took."""
        sleep(rng.uniform(*PAUSE))
        action = int(rng.choice([one["action"] for one in self.view["legal"]]))
        begin = perf_counter()
        self._client.post(f"{self._place}/moves", {"action": action, "ply": self.view["ply"]})
        self.view = self._next_turn(self.view["ply"])
        waited = perf_counter() - begin
        if self.view["over"]:
            self._views.close()
        return waited

    def _next_turn(self, after: int) -> dict[str, Any]:
        """Wait for one's turn, or the end."""
        return next(view for view in self._views if not view["busy"] and view["ply"] > after)


@contextmanager
def _server() -> Iterator[int]:
    """Run a server of this installation; yield its port."""
    command = [sys.executable, "-m", "forethought", "serve", GAME, "--port", "0"]
    with TemporaryDirectory(prefix="forethought-bench-") as runs:
        environment = {**os.environ, "FORETHOUGHT_RUNS": runs}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
            try:
                address = server.stdout.readline() if server.stdout else ""
                yield int(address.split("#")[0].strip().rstrip("/").rpartition(":")[2])
            finally:
                server.terminate()


BENCHMARKS: dict[str, Benchmark] = {CLAIM.name: waiting_for_moves}
