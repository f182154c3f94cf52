"""Which requests the server answers at all.

A page of another site can make a person's browser send requests here. It cannot forge their Host, Origin and
Sec-Fetch-Site headers, so these must be the server's own. A foreign name that resolves to this machine (DNS rebinding)
is refused by its Host header. Only the page itself may be opened by a link from anywhere.
"""

import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from forethought.errors import ForethoughtError
from forethought.serve.errors import RequestError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 (compared with, not bound)
SHORTEST_TOKEN = 20  # characters
SITES = ("same-origin", "same-site", "cross-site", "none")  # what browsers say of where a request comes from
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?")


class RequestHeaders:
    """The headers of a request; a name may occur several times."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value.decode("latin-1").strip()) for name, value in pairs]

    def all(self, name: str) -> list[str]:
        return [value for known, value in self._pairs if known == name]

    def only(self, name: str) -> str | None:
        """Return the value of a header that occurs exactly once."""
        values = self.all(name)
        return values[0] if len(values) == 1 else None

    @property
    def is_navigation(self) -> bool:
        """Whether a browser asks for a page to show in a tab or window, not in a frame."""
        return (self.only("sec-fetch-mode"), self.only("sec-fetch-dest")) == ("navigate", "document")


@dataclass(frozen=True)
class AccessRules:
    """What a request must show."""

    host: str = "127.0.0.1"  # the address the server listens on
    token: str | None = None

    def __post_init__(self) -> None:
        if self.token is not None and len(self.token) < SHORTEST_TOKEN:
            raise ForethoughtError(f"A token needs at least {SHORTEST_TOKEN} characters; --token new draws one.")

    @property
    def is_local(self) -> bool:
        return is_loopback(self.host)

    def is_own_name(self, name: str) -> bool:
        """Whether a Host header names this server."""
        own = (f"[{self.host}]" if ":" in self.host else self.host).lower()
        if name in LOOPBACK_NAMES or name == own:
            return True
        # A server on all addresses accepts any IP address: only names can be made to resolve to this machine.
        return self.host in ALL_ADDRESSES and (_is_address(name) or name == socket.gethostname().lower())

    def check_origin(self, headers: RequestHeaders, opens_page: bool) -> None:
        """Refuse a request that a page of another site may have caused.

        Such a page may link to the page itself (`opens_page`), which tells nothing and does nothing until it asks.
        """
        host = headers.only("host")
        found = _HOST.fullmatch(host or "")
        if found is None or not self.is_own_name(found["name"].lower()):
            raise RequestError(403, "This server answers only under its own address.")
        origins = headers.all("origin")
        if any(origin.lower() != f"http://{host}".lower() for origin in origins):
            raise RequestError(403, "Pages of other sites may not use this server.")
        allowed = SITES if opens_page and headers.is_navigation else ("same-origin", "none")
        if any(site not in allowed for site in headers.all("sec-fetch-site")):
            raise RequestError(403, "Pages of other sites may not use this server.")

    def has_token(self, headers: RequestHeaders, in_address: str | None) -> bool:
        """Whether a request carries the token, if one is required."""
        if self.token is None:
            return True
        bearers = [value[7:] for value in headers.all("authorization") if value[:7].lower() == "bearer "]
        digests = [_digest(token) for token in (*bearers, *([in_address] if in_address else []))]
        return any(
            hmac.compare_digest(digest.encode(), _digest(self.token).encode())
            for digest in (*digests, *_cookies(headers.all("cookie"), self._cookie_name))
        )

    @property
    def cookie(self) -> str:
        """The token's stand-in for browsers: scripts cannot read it, and other sites cannot send it but by a link."""
        return f"{self._cookie_name}={_digest(self.token or '')}; Path=/; HttpOnly; SameSite=Lax"

    @property
    def _cookie_name(self) -> str:
        """A name for each token: cookies know no ports, and another server on this host has a cookie of its own."""
        return f"forethought_{_digest(f'name of {self.token}')[:16]}"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
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


def _cookies(headers: list[str], name: str) -> list[str]:
    found = []
    for header in headers:
        try:
            cookie = SimpleCookie(header)
        except CookieError:
            continue
        found += [cookie[name].value] if name in cookie else []
    return found
