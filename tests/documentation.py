"""README and docs/ as tests read them: their blocks of Python and of commands, and the commands with small budgets."""

import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from forethought.games import load
from forethought.learn.configuration import keys_of
from forethought.learn.learner import LEARNERS, recommended_learner
from forethought.settings import write_value

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
BLOCK = re.compile(r"""^(?:<!-- (\w+) -->\n)?```(\w*)(?: title="([\w.]+)")?\n(.*?)^```$""", re.MULTILINE | re.DOTALL)
SLOW, FRAGMENT = "slow", "fragment"  # what a comment before a block says of it

# A shell that runs nothing: of each command `forethought ...`, its plugins and arguments are written down as a line.
RECORDING = r"""
set -eu
forethought() { printf '%s\037' "${FORETHOUGHT_PLUGINS-}" "$@"; printf '\n'; }
make() { :; }; pip() { :; }; python() { :; }
"""

# Budgets with which every command is quick.
SMALL_SETTINGS = {
    "iterations": 1,
    "games": 2,
    "minutes": 0.0,
    "workers": 1,
    "search.simulations": 8,
    "evaluation.games": 2,
    "learning.steps": 2,
    "play.extra_samples": 2,
    "network.blocks": 1,
    "network.filters": 8,
}
# Of a training in stages: one iteration of each.
SMALL_STAGES = {
    "iterations": 0,
    "expert.iterations": 1,
    "imitation.iterations": 1,
    "imitation.held_out": 0.0,
    "rollout.iterations": 1,
    "policy_gradient.iterations": 1,
    "value.iterations": 1,
    "value.positions": 4,
    "value.steps": 2,
}
SMALL_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "accuracy": {"--positions": "2", "--max-nodes": "2000"},
    "check": {"--histories": "50", "--plies": "200"},
    "compare": {"--minutes": "0.001", "--budgets": "10", "--games": "2"},
    "exploit": {"--response": "search:50", "--games": "50"},
    "ladder": {"--games": "2"},
    "match": {"--games": "2"},
    "resume": {"--iterations": "2"},
    "solve": {"--iterations": "3"},
    "study": {"--games": "2", "--budgets": "2,4"},
}
REPLACED_FLAGS = ("--iterations", "--games", "--minutes", "--simulations", "--workers")  # of train: now settings
SMALL_PLAYERS = (
    (r"\b(oos|ismcts|uct|mccfr):\d+", r"\1:20"),
    (r"\balphabeta:\d+", "alphabeta:2"),
    (r"\bsimulations=\d+", "simulations=20"),
    (r"\bseconds=[\d.]+", "seconds=0.01"),
    (r"(run=\w+|start=[\w-]+|:\w+|^\w+)@\d+", r"\1@1"),
)


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    mark: str  # SLOW, FRAGMENT or nothing
    language: str
    file: str  # whose content it is, as its title says
    text: str


@dataclass(frozen=True)
class Command:
    """One command `forethought ...`."""

    plugins: str  # what FORETHOUGHT_PLUGINS is for it
    arguments: list[str]


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page in order; what is included from another file is tested there."""
    found = [Block(*parts) for parts in BLOCK.findall(page.read_text(encoding="utf-8"))]
    return [block for block in found if "--8<--" not in block.text]


def commands_of(block: Block) -> list[Command]:
    """Return the `forethought` commands of a block, as a shell would run them."""
    if block.language not in ("", "sh", "bash") or not re.search(
        r"^(\$ |.*\b)?forethought \w", block.text, re.MULTILINE
    ):
        return []
    typed = re.findall(r"^\$ (.*)", block.text, re.MULTILINE)  # a session shows answers too
    script = RECORDING + ("\n".join(typed) if typed else block.text)
    shell = shutil.which("bash")
    assert shell
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=False, env={"PATH": ""})
    assert done.returncode == 0, f"{block.text}\n{done.stderr}"
    lines = [line.split("\037")[:-1] for line in done.stdout.splitlines()]
    return [Command(plugins, arguments) for plugins, *arguments in lines]


def small(arguments: Sequence[str]) -> list[str]:
    """Return the same command with small budgets."""
    verb, *rest = arguments
    for pattern, replacement in SMALL_PLAYERS:
        rest = [re.sub(pattern, replacement, word) for word in rest]
    if verb == "train":
        return ["train", *_small_training(rest)]
    for option, value in SMALL_OPTIONS.get(verb, {}).items():
        rest = [*_without(rest, (option,)), option, value]
    return [verb, *rest]


def _small_training(rest: list[str]) -> Iterator[str]:
    algorithm = rest[rest.index("--algorithm") + 1] if "--algorithm" in rest else None
    kind = LEARNERS.find(algorithm or recommended_learner(load(rest[0], compiled=False)))
    known = keys_of(kind.configuration)
    yield from _without(_without(rest, REPLACED_FLAGS), ("--set",))
    given = dict(rest[place + 1].split("=", 1) for place, word in enumerate(rest) if word == "--set")
    small_settings = SMALL_SETTINGS | (SMALL_STAGES if known.keys() >= SMALL_STAGES.keys() else {})
    fewer = {key: write_value(value) for key, value in small_settings.items() if key in known}
    for key, value in (given | fewer).items():
        yield from ("--set", f"{key}={value}")


def _without(words: list[str], options: Sequence[str]) -> list[str]:
    """Leave out options that take a value."""
    places = {place + more for place, word in enumerate(words) if word in options for more in (0, 1)}
    return [word for place, word in enumerate(words) if place not in places]
