"""Who may ask: every mix of good and evil Host and Origin, for what is read, written and streamed."""

import http.client
import json
from collections.abc import Iterator
from itertools import product
from urllib.parse import urlsplit

import httpx
import pytest

from forethought.errors import ForethoughtError
from forethought.serve.access import AccessRules
from forethought.serve.middleware import HEADERS
from forethought.serve.settings import ServerLimits, ServerSettings
from tests.serve.running_server import PATIENCE, asking, opened

TOKEN = "open-sesame-open-sesame"  # noqa: S105 (of no server but these)
NEW = json.dumps({"game": "kuhn", "seats": ["human", "random"]})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """A real server, and a session on it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORETHOUGHT_RUNS", str(tmp_path_factory.mktemp("runs")))
        with asking() as client:
            yield str(client.base_url), opened(client, "kuhn", "human", "random")["id"]


def status_of(base: str, method: str, path: str, headers: dict[str, str]) -> int:
    """Ask with exactly these headers; of a stream, only its beginning is read."""
    place = urlsplit(base)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        body = NEW.encode() if method == "POST" else b""
        connection.putheader("Content-Length", str(len(body)))
        connection.putheader("Content-Type", "application/json")
        connection.endheaders(body)
        return connection.getresponse().status
    finally:
        connection.close()


GOOD_HOSTS = ("127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "LocalHost:{port}")
EVIL_HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1.evil.example:{port}",
    "localhost.:{port}",
    "127.0.0.1:{port}@evil.example",
    "192.168.1.7:{port}",
    "",
    None,
)
GOOD_ORIGINS = (None, "http://{host}")
EVIL_ORIGINS = (
    "http://evil.example",
    "null",
    "https://{host}",
    "http://{host}.evil.example",
    "http://localhost:1",
    "file://",
    "",
)
WAYS = ("GET /", "GET /static/style.css", "GET /api/games", "POST /api/sessions", "GET /api/sessions/{session}/events")


@pytest.mark.parametrize("way", WAYS)
def test_only_good_hosts_with_good_origins_are_answered(server: tuple[str, str], way: str) -> None:
    base, session = server
    method, path = way.format(session=session).split(" ")
    port = urlsplit(base).port
    for host, origin in product(GOOD_HOSTS + EVIL_HOSTS, GOOD_ORIGINS + EVIL_ORIGINS):
        headers = {} if host is None else {"Host": host.format(port=port)}
        if origin is not None:
            headers["Origin"] = origin.format(host=headers.get("Host", ""))
        status = status_of(base, method, path, headers)
        if host in GOOD_HOSTS and origin in GOOD_ORIGINS:
            assert status in ((200, 201) if path.startswith("/api") else (200, 404)), (status, headers)
        else:
            assert status in (400, 403), (status, headers)  # 400: not even HTTP


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_what_the_browser_says_comes_from_elsewhere_is_refused(server: tuple[str, str], way: str, site: str) -> None:
    base, session = server
    method, path = way.format(session=session).split(" ")
    host = f"127.0.0.1:{urlsplit(base).port}"
    assert status_of(base, method, path, {"Host": host, "Sec-Fetch-Site": site}) == 403
    assert status_of(base, method, path, {"Host": host, "Sec-Fetch-Site": "same-origin"}) != 403


def test_two_hosts_are_none(server: tuple[str, str]) -> None:
    place = urlsplit(server[0])
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
    connection.putrequest("GET", "/api/games", skip_host=True)
    connection.putheader("Host", f"127.0.0.1:{place.port}")
    connection.putheader("Host", "evil.example")
    connection.endheaders()
    assert connection.getresponse().status in (400, 403)
    connection.close()


def test_every_answer_has_the_headers_and_none_lets_others_read(server: tuple[str, str]) -> None:
    with httpx.Client(base_url=server[0]) as client:
        answers = [
            client.get("/api/games"),
            client.get("/api/nothing"),
            client.post("/api/sessions", content=b"{"),
            client.get("/static/nothing.js"),
            client.get("/", headers={"Host": "evil.example"}),
            client.options("/api/sessions", headers={"Access-Control-Request-Method": "POST"}),
        ]
        assert [answer.status_code for answer in answers] == [200, 404, 422, 404, 403, 405]
    for answer in answers:
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "script-src" not in HEADERS["content-security-policy"]
    assert "unsafe" not in HEADERS["content-security-policy"]


FROM_ELSEWHERE = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_link_from_another_page_opens_the_page_and_nothing_else(server: tuple[str, str], site: str) -> None:
    base, session = server
    host, linked = f"127.0.0.1:{urlsplit(base).port}", {**FROM_ELSEWHERE, "Sec-Fetch-Site": site}
    for way in WAYS:
        method, path = way.format(session=session).split(" ")
        assert status_of(base, method, path, {"Host": host, **linked}) == (200 if path == "/" else 403)
    for other in (
        {"Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Site": "nonsense"},
        {"Origin": "http://evil.example"},
        {"Host": "evil.example"},
    ):
        assert status_of(base, "GET", "/", {"Host": host, **linked, **other}) == 403
    assert status_of(base, "POST", "/", {"Host": host, **linked}) == 403


def test_a_refused_page_is_told_in_words_not_in_json() -> None:
    with asking(ServerSettings(access=AccessRules(token=TOKEN))) as client:
        answer = client.get("/", headers=FROM_ELSEWHERE)
        assert (answer.status_code, answer.headers["content-type"]) == (403, "text/plain; charset=utf-8")
        assert answer.text == "This server needs a token; open the address that it printed."


def test_a_token_is_asked_for_everywhere_and_becomes_a_cookie() -> None:
    with asking(ServerSettings(access=AccessRules(token=TOKEN))) as client:
        for path in ("/", "/static/style.css", "/api/games", "/api/openapi.json"):
            assert client.get(path).status_code == 403
        assert client.post("/api/sessions", content=NEW).status_code == 403
        assert client.get("/api/games", headers={"Authorization": "Bearer wrong"}).status_code == 403
        assert client.get("/api/games", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        assert client.get("/?token=wrong", follow_redirects=False).status_code == 403
        assert client.get(f"/api/games?token={TOKEN}").status_code == 403
        opening = client.get(f"/?token={TOKEN}", follow_redirects=False, headers=FROM_ELSEWHERE)
        assert (opening.status_code, opening.headers["location"]) == (303, "/")
        assert "HttpOnly" in opening.headers["set-cookie"]
        assert "SameSite=Lax" in opening.headers["set-cookie"]  # sent along where a link is followed
        assert client.get("/", headers=FROM_ELSEWHERE).status_code == 200  # by the cookie
        assert client.get("/api/games").status_code == 200
        assert client.get("/api/games", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


def test_two_servers_on_one_host_keep_their_cookies_apart() -> None:
    access = [AccessRules(token=token) for token in (TOKEN, TOKEN[::-1])]
    with asking(ServerSettings(access=access[0])) as one, asking(ServerSettings(access=access[1])) as other:
        for server, token in ((one, TOKEN), (other, TOKEN[::-1])):
            one.get(f"{server.base_url}/?token={token}")
        for server in (one, other):  # the cookies of one browser: they know no ports
            assert one.get(f"{server.base_url}/api/games").status_code == 200


def test_guessing_a_token_becomes_slow_and_does_not_lock_out_who_has_it() -> None:
    limits = ServerLimits(
        requests_per_second=0.001,
        requests_at_once=2,
        wrong_tokens_per_second=0.001,
        wrong_tokens_at_once=3,
        late_seconds=0,
    )
    with asking(ServerSettings(access=AccessRules(token=TOKEN), limits=limits)) as client:
        guesses = [{"Authorization": f"Bearer {guess}"} for guess in ("a", "b", "c", "d", TOKEN, "e", TOKEN)]
        statuses = [client.get("/api/games", headers=one).status_code for one in guesses]
    assert statuses == [403, 403, 403, 429, 200, 429, 200]


@pytest.mark.parametrize("token", ["", "x", "0123456789abcdefghi"])
def test_a_short_token_is_refused(token: str) -> None:
    with pytest.raises(ForethoughtError, match="at least 20 characters"):
        AccessRules(token=token)


@pytest.mark.parametrize(
    ("listens_on", "host", "known"),
    [
        ("127.0.0.1", "192.168.1.7", False),
        ("192.168.1.7", "192.168.1.7", True),
        ("192.168.1.7", "192.168.1.8", False),
        ("box.example", "box.example", True),
        ("Box.Example", "box.example", True),
        ("0.0.0.0", "192.168.1.7", True),  # noqa: S104
        ("0.0.0.0", "evil.example", False),  # noqa: S104
        ("::", "[fe80::1]", True),
        ("::", "evil.example", False),
    ],
)
def test_names_of_a_server_that_others_can_reach(listens_on: str, host: str, known: bool) -> None:
    assert AccessRules(listens_on, TOKEN).is_own_name(host) == known


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/static/..%2f..%2fgame.py"],
)
def test_no_other_file_is_served(server: tuple[str, str], path: str) -> None:
    host = f"127.0.0.1:{urlsplit(server[0]).port}"
    assert status_of(server[0], "GET", path, {"Host": host}) == 404
