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
    "content-security-policy": "default-src 'self'; img-src 'self' blob:; base-uri 'none'; object-src 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
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
        self._wrong_tokens = RateLimiter(limits.wrong_tokens_per_second, limits.wrong_tokens_at_once)
        self._late_answers = 0
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

        headers = RequestHeaders(scope["headers"])
        try:
            self._access.check_origin(headers, _opens_page(scope))
            given = _token_in_address(scope) if self._access.token is not None else None
            if not self._access.has_token(headers, given):
                raise await self._refused_token(client)
            if not self._rates.allows(client):
                raise RequestError(429, "Too many requests; wait a second.")
            if given is None:
                await self._forward(client, headers, scope, receive, send_with_headers)
            else:
                await _redirect_with_cookie(self._access.cookie, send_with_headers)
        except RequestError as error:
            await _send_error(error, send_with_headers, as_page=headers.is_navigation)

    async def _refused_token(self, client: str) -> RequestError:
        """Refuse a wrong token, after some of them late. The right one is always accepted: it is too long to guess."""
        if self._wrong_tokens.allows(client):
            return RequestError(403, "This server needs a token; open the address that it printed.")
        if self._late_answers < self._limits.late_answers:
            self._late_answers += 1
            try:
                await asyncio.sleep(self._limits.late_seconds)
            finally:
                self._late_answers -= 1
        return RequestError(429, "Too many wrong tokens; wait a while.")

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


def _opens_page(scope: Scope) -> bool:
    return scope["path"] == "/" and scope["method"] in ("GET", "HEAD")


def _token_in_address(scope: Scope) -> str | None:
    """Return the token of a client that opens `/?token=...`."""
    if not _opens_page(scope):
        return None
    query: bytes = scope["query_string"]
    given = parse_qs(query.decode("latin-1")).get("token")
    return given[0] if given else None


async def _redirect_with_cookie(cookie: str, send: Send) -> None:
    """Lead a client that brought the token in the address to `/`, with the token as a cookie."""
    head = [(b"location", b"/"), (b"set-cookie", cookie.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": head})
    await send({"type": "http.response.body", "body": b""})


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


async def _send_error(error: RequestError, send: Send, as_page: bool) -> None:
    """Answer with one sentence: for programs as JSON, in a tab of a browser as plain text."""
    sentence = str(error)
    body = sentence.encode() if as_page else ErrorSchema(detail=sentence).model_dump_json().encode()
    kind = b"text/plain; charset=utf-8" if as_page else b"application/json"
    head = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": error.status, "headers": head})
    await send({"type": "http.response.body", "body": body})
