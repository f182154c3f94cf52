"""A link to the page in another page, in a mail or a chat: followed in a real browser, with the headers it sends."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.serve.page.browser import DESK, chromium, opened, serving

TOKEN = "open-sesame-open-sesame"  # noqa: S105 (of no server but this one)


@contextmanager
def linking(*addresses: str) -> Iterator[str]:
    """Serve a page of another site that links to these addresses."""
    links = "".join(f'<a href="{one}">link {place}</a> ' for place, one in enumerate(addresses))

    class OtherSite(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(f'<link rel="icon" href="data:,">{links}'.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), OtherSite) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


def test_a_link_opens_the_page_with_the_token_once_and_then_without(tmp_path: Path) -> None:
    complaints = list[str]()
    with (
        serving(tmp_path, "--token", TOKEN) as address,
        linking(address, f"{address}?token={TOKEN}") as other,
        chromium() as browser,
        opened(browser, DESK, complaints) as page,
    ):
        page.goto(other)
        page.get_by_text("link 0").click()
        page.get_by_text("This server needs a token; open the address that it printed.").wait_for()
        complaints.clear()  # of the browser, that this was refused
        for link in ("link 1", "link 0"):
            page.goto(other)
            page.get_by_text(link).click()
            page.locator(".tile").first.wait_for()
            page.reload()
            page.locator(".tile").first.wait_for()
            assert page.url.startswith(address)
            assert TOKEN not in page.url
    assert not complaints
