"""Which requests the server answers at all.

A page of another site can make a person's browser send requests here. It cannot forge their Host, Origin and
Sec-Fetch-Site headers, so these must be the server's own. A foreign name that resolves to this machine (DNS rebinding)
is refused by its Host header.
"""

import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from forethought.serve.errors import RequestError

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
ALL_ADDRESSES = ("0.0.0.0", "::")  # noqa: S104 (compared with, not bound)
COOKIE = "forethought_token"
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


@dataclass(frozen=True)
class AccessRules:
    """What a request must show."""

    host: str = "127.0.0.1"  # the address the server listens on
    token: str | None = None

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

    def check_origin(self, headers: RequestHeaders) -> None:
        """Refuse a request that a page of another site may have caused."""
        host = headers.only("host")
        found = _HOST.fullmatch(host or "")
        if found is None or not self.is_own_name(found["name"].lower()):
            raise RequestError(403, "This server answers only under its own address.")
        origins = headers.all("origin")
        if any(origin.lower() != f"http://{host}".lower() for origin in origins):
            raise RequestError(403, "Pages of other sites may not use this server.")
        if any(site not in ("same-origin", "none") for site in headers.all("sec-fetch-site")):
            raise RequestError(403, "Pages of other sites may not use this server.")

    def has_token(self, headers: RequestHeaders, in_address: str | None) -> bool:
        """Whether a request carries the token, if one is required."""
        if self.token is None:
            return True
        bearers = [value[7:] for value in headers.all("authorization") if value[:7].lower() == "bearer "]
        digests = [_digest(token) for token in (*bearers, *([in_address] if in_address else []))]
        return any(
            hmac.compare_digest(digest.encode(), _digest(self.token).encode())
            for digest in (*digests, *_cookies(headers.all("cookie")))
        )

    @property
    def cookie(self) -> str:
        """The token's stand-in for browsers: scripts cannot read it, and it is not sent along from other sites."""
        return f"{COOKIE}={_digest(self.token or '')}; Path=/; HttpOnly; SameSite=Strict"


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


def _cookies(headers: list[str]) -> list[str]:
    found = []
    for header in headers:
        try:
            cookie = SimpleCookie(header)
        except CookieError:
            continue
        found += [cookie[COOKIE].value] if COOKIE in cookie else []
    return found
