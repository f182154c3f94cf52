"""Who may talk to the server at all: checked for every request, before anything else sees it.

A page of another site that a person has open can make the browser send requests here. It cannot forge the Host, the
Origin or the Sec-Fetch-Site of them; so these must be this server's own. Names that merely lead here (DNS rebinding)
are no names of ours either.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import json
import re
import socket
from collections import Counter
from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forethought.serve.errors import Refused
from forethought.serve.settings import Limits, Rates

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
COOKIE = "forethought_token"
HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?")


@dataclass(frozen=True)
class Guard:
    """What a request must show."""

    host: str = "127.0.0.1"  # the server listens on
    token: str | None = None

    @property
    def is_local(self) -> bool:
        return is_loopback(self.host)

    def knows(self, name: str) -> bool:
        """Whether a Host is a name of this server's."""
        given = (f"[{self.host}]" if ":" in self.host else self.host).lower()
        if name in LOOPBACK or name == given:
            return True
        # On all addresses, any address will do: what is no name cannot be made to lead here.
        everywhere = self.host in ("0.0.0.0", "::")  # noqa: S104 (compared, not bound)
        return everywhere and (_is_address(name) or name == socket.gethostname().lower())

    def check(self, headers: "Headers") -> None:
        """Refuse a request that another page may have caused."""
        host = headers.only("host")
        found = _HOST.fullmatch(host or "")
        if found is None or not self.knows(found["name"].lower()):
            raise Refused(403, "This server answers under its own address only.")
        origins = headers.all("origin")
        if any(origin.lower() != f"http://{host}".lower() for origin in origins):
            raise Refused(403, "Pages of other sites may not use this server.")
        if any(site not in ("same-origin", "none") for site in headers.all("sec-fetch-site")):
            raise Refused(403, "Pages of other sites may not use this server.")

    def admits(self, headers: "Headers", given: str | None) -> bool:
        """Whether a request brings the token, if one is needed."""
        if self.token is None:
            return True
        brought = [value[7:] for value in headers.all("authorization") if value[:7].lower() == "bearer "]
        digests = [_digest(one) for one in (*brought, *([given] if given else []))]
        return any(
            hmac.compare_digest(one.encode(), _digest(self.token).encode())
            for one in (*digests, *_cookies(headers.all("cookie")))
        )

    @property
    def cookie(self) -> str:
        """What stands for the token in a browser: scripts cannot read it, and other sites do not get it sent."""
        return f"{COOKIE}={_digest(self.token or '')}; Path=/; HttpOnly; SameSite=Strict"


class Headers:
    """The headers of a request; a name may occur several times."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value.decode("latin-1").strip()) for name, value in pairs]

    def all(self, name: str) -> list[str]:
        return [value for known, value in self._pairs if known == name]

    def only(self, name: str) -> str | None:
        values = self.all(name)
        return values[0] if len(values) == 1 else None


class Door:
    """The outermost layer of the application: checks, limits, and headers of every answer."""

    def __init__(self, app: ASGIApp, guard: Guard, limits: Limits) -> None:
        self._app, self._guard, self._limits = app, guard, limits
        self._rates, self._streams = Rates(limits), Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        client = scope["client"][0] if scope.get("client") else "unknown"

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["path"])
            await send(message)

        try:
            headers = Headers(scope["headers"])
            self._guard.check(headers)
            if not self._rates.take(client):  # before the token is looked at, so that guessing it is slow
                raise Refused(429, "Too many requests; wait a second.")
            if not await self._let_in(scope, headers, send_guarded):
                return
            await self._answer(client, headers, scope, receive, send_guarded)
        except Refused as refusal:
            await _send_refusal(refusal, send_guarded)

    async def _let_in(self, scope: Scope, headers: Headers, send: Send) -> bool:
        """Check the token; who opens `/?token=...` gets it as a cookie, and out of the address."""
        opening = scope["path"] == "/" and self._guard.token is not None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [None])[0] if opening else None
        if not self._guard.admits(headers, given):
            raise Refused(403, "This server needs a token; open the address that it printed.")
        if given is None:
            return True
        head = [(b"location", b"/"), (b"set-cookie", self._guard.cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": head})
        await send({"type": "http.response.body", "body": b""})
        return False

    async def _answer(self, client: str, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            body = await _whole_body(headers, receive, self._limits)
            await self._app(scope, _replayed(body, receive), send)
            return
        is_stream = scope["path"].endswith("/events")
        if is_stream and self._streams[client] >= self._limits.streams:
            raise Refused(429, "Too many open streams; close one of them first.")
        self._streams[client] += is_stream
        try:
            await self._app(scope, receive, send)
        finally:
            self._streams[client] -= is_stream
            self._streams += Counter()  # forgets those who have none


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _cookies(headers: list[str]) -> list[str]:
    found = []
    for header in headers:
        try:
            cookie = SimpleCookie(header)
        except CookieError:
            continue
        found += [cookie[COOKIE].value] if COOKIE in cookie else []
    return found


async def _whole_body(headers: Headers, receive: Receive, limits: Limits) -> bytes:
    """Read a body that is small enough and comes soon enough."""
    announced = headers.only("content-length") or "0"
    body, more = b"", True
    try:
        async with asyncio.timeout(limits.body_seconds):
            while more and len(body) <= limits.body and (not announced.isdecimal() or int(announced) <= limits.body):
                message = await receive()
                body += message.get("body", b"")
                more = message["type"] == "http.request" and message.get("more_body", False)
    except TimeoutError:
        raise Refused(408, "The request did not come to an end.") from None
    if more or len(body) > limits.body:
        raise Refused(413, f"A request may have {limits.body:,} bytes at most.")
    return body


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Hand over a body that was read already; after it, whatever else comes."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _add_headers(message: MutableMapping[str, Any], path: str) -> None:
    caching = "no-store" if path.startswith("/api") else "no-cache"
    added = [(name.encode(), value.encode()) for name, value in (HEADERS | {"cache-control": caching}).items()]
    named = {name for name, _ in added}
    message["headers"] = [pair for pair in message.get("headers", []) if pair[0].lower() not in named] + added


async def _send_refusal(refusal: Refused, send: Send) -> None:
    body = json.dumps({"detail": str(refusal)}).encode()
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": refusal.status, "headers": head})
    await send({"type": "http.response.body", "body": body})
