"""How the page looks to somebody: the sizes and colours in which every game must be usable."""

from dataclasses import dataclass
from pathlib import Path

from tests.serve.page.browser import Person, sync_api

FAULTS = Path(__file__).with_name("faults.js")
AXE = Path(__file__).parent / "axe" / "axe.min.js"  # axe-core 4.14.0, MPL-2.0
A_FEW = 3  # turns, after which a position has something to show


@dataclass(frozen=True)
class Look:
    """A window and a colour scheme."""

    width: int
    height: int
    scheme: str

    @property
    def name(self) -> str:
        return f"{self.width}-{self.scheme}"

    @property
    def viewport(self) -> dict[str, int]:
        return {"width": self.width, "height": self.height}

    def put_on(self, page: "sync_api.Page") -> None:
        """Show a page this way, and wait until what moves has come to rest."""
        page.set_viewport_size(self.viewport)
        page.emulate_media(color_scheme=self.scheme, reduced_motion="reduce")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


LOOKS = [Look(width, height, scheme) for width, height in ((1280, 900), (390, 844)) for scheme in ("light", "dark")]


def played_a_little(person: Person, game: str) -> None:
    """Begin a game and play a few turns, so that it is the person's turn; begin anew where a game ends before."""
    person.begin(game)
    for _ in range(A_FEW):
        person.click_something()
        if not person.wait():
            person.begin(game)


SERIOUS = """() => axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)} ${node.failureSummary}`)))"""

# What sticks out of the window, unless it scrolls where it is.
WIDE = """() => [...document.querySelectorAll("body *")]
    .filter((one) => !one.closest(".scroll, .unseen, svg") && one.getBoundingClientRect().right > window.innerWidth + 1)
    .map((one) => `${one.tagName} ${one.className} reaches ${one.getBoundingClientRect().right}`)"""


def faults(page: "sync_api.Page") -> list[str]:
    """Say what is too small, cut off, overlapping or too faint in the picture of a game."""
    found: list[str] = page.evaluate(FAULTS.read_text())
    return found


def serious_faults(page: "sync_api.Page") -> list[str]:
    """Say what axe-core finds serious or critical. It is added from this side: the page may load nothing foreign."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found: list[str] = page.evaluate(SERIOUS)
    return found


def sideways(page: "sync_api.Page") -> list[str]:
    """Say whether one must scroll sideways, and which elements stick out."""
    found: list[str] = page.evaluate(WIDE)
    return found
