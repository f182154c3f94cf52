"""A hook of mkdocs: tables of settings, read from the registries, so that no page writes a setting a second time.

A page names what it wants in a comment:

    <!-- settings of the player oos -->
    <!-- settings of the learner exit-oos -->
    <!-- settings of the measure match -->
    <!-- all players -->
    <!-- all learners -->
"""

import re
from collections.abc import Iterable
from typing import Any

from forethought.api.registered import (
    KindDescription,
    SettingDescription,
    executor,
    learners,
    measure,
    players,
    response,
)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables where a page asks for them."""
    markdown = re.sub(r"<!-- settings of the player (\S+) -->", lambda found: table(players(found[1])[0]), markdown)
    markdown = re.sub(r"<!-- settings of the learner (\S+) -->", lambda found: table(learners(found[1])[0]), markdown)
    markdown = re.sub(r"<!-- settings of the response (\S+) -->", lambda found: table(response(found[1])), markdown)
    markdown = re.sub(r"<!-- settings of the measure (\S+) -->", lambda found: table(measure(found[1])), markdown)
    markdown = re.sub(r"<!-- settings of the executor (\S+) -->", lambda found: table(executor(found[1])), markdown)
    markdown = markdown.replace("<!-- all players -->", sections(players()))
    return markdown.replace("<!-- all learners -->", sections(learners()))


def sections(kinds: Iterable[KindDescription]) -> str:
    return "\n\n".join(f"## `{kind.name}`: {kind.label}\n\n{kind.description}\n\n{table(kind)}" for kind in kinds)


def table(kind: KindDescription) -> str:
    if not kind.settings:
        return "It has no settings."
    rows = [_row(one) for one in kind.settings]
    return "\n".join(["| setting | default | may be | meaning |", "|---|---|---|---|", *rows])


def _row(one: SettingDescription) -> str:
    default = one.default_text if one.default is None else f"`{one.default_text}`"
    return f"| `{one.name}` | {default} | {_escaped(one.range)} | {_escaped(one.description)} |"


def _escaped(text: str) -> str:
    """Write text so that Markdown shows it as it is within a table."""
    return re.sub(r"([|<>*_])", r"\\\1", text)
