"""What tests of the server share: a real server on loopback, and ways to play and to listen."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

import httpx

from forethought.serve.server import PageServer, listening_socket
from forethought.serve.settings import ServerLimits, ServerSettings

PATIENCE = 120.0  # seconds, for kernels that have to be compiled
UNHURRIED = ServerSettings(limits=ServerLimits(requests_per_second=1e6, requests_at_once=1e6))  # a test asks fast


@contextmanager
def running(settings: ServerSettings | None = None) -> Iterator[str]:
    """Run a real server on a free port; yield its address."""
    ready, taken = threading.Event(), listening_socket("127.0.0.1", 0)
    server = PageServer(settings or UNHURRIED, ready.set)
    thread = threading.Thread(target=server.run, args=([taken],))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"
    finally:
        server.stop()
        thread.join(PATIENCE)
        taken.close()
    assert not thread.is_alive()


@contextmanager
def asking(settings: ServerSettings | None = None) -> Iterator[httpx.Client]:
    """Run a server; yield a client of it."""
    with running(settings) as base, httpx.Client(base_url=base, timeout=PATIENCE) as client:
        yield client


def opened(client: httpx.Client, game: str, *seats: str, seed: int | None = None) -> dict[str, Any]:
    """Begin a game, and wait for the person's turn."""
    answer = client.post("/api/sessions", json={"game": game, "seats": seats, "seed": seed})
    assert answer.status_code == 201, answer.text
    return settled(client, answer.json())


def settled(client: httpx.Client, view: dict[str, Any]) -> dict[str, Any]:
    """Wait until no bot thinks."""
    end = time.monotonic() + PATIENCE
    while view["busy"]:
        assert time.monotonic() < end
        time.sleep(0.002)
        view = client.get(f"/api/sessions/{view['id']}").json()
    return view


def moved(client: httpx.Client, view: dict[str, Any], action: int) -> dict[str, Any]:
    """Play an action, and wait for the others'."""
    answer = client.post(f"/api/sessions/{view['id']}/moves", json={"action": action, "ply": view["ply"]})
    assert answer.status_code == 200, answer.text
    return settled(client, answer.json())


def without_addresses(view: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is drawn anew for every session."""
    return {**view, "id": "", "links": [link["seat"] for link in view["links"]]}


def first_legal(view: dict[str, Any]) -> int:
    return int(view["legal"][0]["action"])


def played_out(
    client: httpx.Client,
    view: dict[str, Any],
    choose: Callable[[dict[str, Any]], int] = first_legal,
) -> dict[str, Any]:
    """Play until the game is over."""
    while not view["over"]:
        view = moved(client, view, choose(view))
    return view


class Stream:
    """An open stream of events, read in a thread of its own."""

    def __init__(self, base: str, path: str) -> None:
        self.events: list[tuple[str, bytes]] = []
        self.ended = False
        self._news = threading.Condition()
        place = urlsplit(base)
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
        self._connection.request("GET", path)
        self._socket = self._connection.sock
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        kind = ""
        for line in iter(self._next_line, b""):
            name, _, value = line.rstrip(b"\n").partition(b": ")
            if name == b"event":
                kind = value.decode()
            elif name == b"data":
                with self._news:
                    self.events.append((kind, value))
                    self._news.notify_all()
        with self._news:
            self.ended = True
            self._news.notify_all()

    def _next_line(self) -> bytes:
        try:
            return self._answer.readline()
        except (OSError, http.client.HTTPException):
            return b""  # closed, from this side or the other

    def wait(self, kind: str, until: Callable[[dict[str, Any]], bool] = bool) -> dict[str, Any]:
        """Return the first event of a kind of which something is true."""
        found: list[dict[str, Any]] = []

        def there() -> bool:
            found[:] = [value for one, data in self.events if one == kind and until(value := json.loads(data))]
            return bool(found) or self.ended

        with self._news:
            assert self._news.wait_for(there, PATIENCE)
        assert found, "the stream has ended"
        return found[0]

    def wait_for_end(self) -> None:
        with self._news:
            assert self._news.wait_for(lambda: self.ended, PATIENCE)

    def close(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE)
        self._answer.close()
        self._connection.close()

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
