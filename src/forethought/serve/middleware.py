"""The outermost layer of the application: checks and limits every request, and adds headers to every response."""

import asyncio
from collections import Counter
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forethought.serve.access import AccessRules, RequestHeaders
from forethought.serve.errors import RequestError
from forethought.serve.rate_limiter import RateLimiter
from forethought.serve.schemas.base import ErrorSchema
from forethought.serve.settings import ServerLimits

HEADERS = {
    "content-security-policy": "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


class AccessMiddleware:
    """Passes on the requests that the rules and limits allow, and answers the others."""

    def __init__(self, app: ASGIApp, access: AccessRules, limits: ServerLimits) -> None:
        self._app, self._access, self._limits = app, access, limits
        self._rates = RateLimiter(limits.requests_per_second, limits.requests_at_once)
        self._streams = Counter[str]()  # open ones, by client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        client = scope["client"][0] if scope.get("client") else "unknown"

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add_headers(message, scope["path"])
            await send(message)

        try:
            headers = RequestHeaders(scope["headers"])
            self._access.check_origin(headers)
            if not self._rates.allows(client):  # before the token is compared, so that guessing it is slow
                raise RequestError(429, "Too many requests; wait a second.")
            if not await self._redirects_with_cookie(scope, headers, send_with_headers):
                await self._forward(client, headers, scope, receive, send_with_headers)
        except RequestError as error:
            await _send_error(error, send_with_headers)

    async def _redirects_with_cookie(self, scope: Scope, headers: RequestHeaders, send: Send) -> bool:
        """Check the token; a client that opens `/?token=...` is redirected to `/` with the token as a cookie."""
        opens_page = scope["path"] == "/" and self._access.token is not None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [None])[0] if opens_page else None
        if not self._access.has_token(headers, given):
            raise RequestError(403, "This server needs a token; open the address that it printed.")
        if given is None:
            return False
        head = [(b"location", b"/"), (b"set-cookie", self._access.cookie.encode()), (b"content-length", b"0")]
        await send({"type": "http.response.start", "status": 303, "headers": head})
        await send({"type": "http.response.body", "body": b""})
        return True

    async def _forward(self, client: str, headers: RequestHeaders, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            body = await _read_body(headers, receive, self._limits)
            await self._app(scope, _replay_body(body, receive), send)
            return
        is_stream = scope["path"].endswith("/events")
        if is_stream and self._streams[client] >= self._limits.streams:
            raise RequestError(429, "Too many open streams; close one of them first.")
        self._streams[client] += is_stream
        try:
            await self._app(scope, receive, send)
        finally:
            self._streams[client] -= is_stream
            self._streams += Counter()  # drops the clients that have none


async def _read_body(headers: RequestHeaders, receive: Receive, limits: ServerLimits) -> bytes:
    """Read a whole body; one that is too large or takes too long is refused."""
    announced = headers.only("content-length") or "0"
    body, more = b"", True
    try:
        async with asyncio.timeout(limits.body_seconds):
            while more and len(body) <= limits.body and (not announced.isdecimal() or int(announced) <= limits.body):
                message = await receive()
                body += message.get("body", b"")
                more = message["type"] == "http.request" and message.get("more_body", False)
    except TimeoutError:
        raise RequestError(408, "The request did not arrive completely.") from None
    if more or len(body) > limits.body:
        raise RequestError(413, f"A request may have at most {limits.body:,} bytes.")
    return body


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a channel that delivers a body that was already read, then whatever else is received."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return waiting.pop() if waiting else await receive()

    return next_message


def _add_headers(message: MutableMapping[str, Any], path: str) -> None:
    caching = "no-store" if path.startswith("/api") else "no-cache"
    added = [(name.encode(), value.encode()) for name, value in (HEADERS | {"cache-control": caching}).items()]
    replaced = {name for name, _ in added}
    message["headers"] = [pair for pair in message.get("headers", []) if pair[0].lower() not in replaced] + added


async def _send_error(error: RequestError, send: Send) -> None:
    body = ErrorSchema(detail=str(error)).model_dump_json().encode()
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": head})
    await send({"type": "http.response.body", "body": body})
