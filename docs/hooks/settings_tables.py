"""A hook of mkdocs: tables of settings, read from the registries, so that no page writes a setting a second time.

A page names what it wants in a comment:

    <!-- settings of the player oos -->
    <!-- settings of the learner exit-oos -->
    <!-- settings of the response policy-gradient -->
    <!-- all players -->
    <!-- all learners -->
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field
from inspect import cleandoc
from typing import Any

from forethought.evaluate.lower_bound import RESPONSES
from forethought.learn.configuration import keys_of
from forethought.learn.learner import LEARNERS, LearnerKind
from forethought.player import PLAYERS, PlayerKind
from forethought.settings import settings_of, wanted, write_value


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the tables where a page asks for them."""
    markdown = re.sub(r"<!-- settings of the player (\S+) -->", lambda found: player_table(found[1]), markdown)
    markdown = re.sub(r"<!-- settings of the learner (\S+) -->", lambda found: learner_table(found[1]), markdown)
    markdown = re.sub(r"<!-- settings of the response (\S+) -->", lambda found: response_table(found[1]), markdown)
    markdown = markdown.replace("<!-- all players -->", _sections(PLAYERS, player_section))
    return markdown.replace("<!-- all learners -->", _sections(LEARNERS, learner_section))


def player_table(name: str) -> str:
    return _table(settings_of(PLAYERS.find(name).settings))


def learner_table(name: str) -> str:
    return _table(keys_of(LEARNERS.find(name).configuration))


def response_table(name: str) -> str:
    return _table(settings_of(RESPONSES.find(name)))


def player_section(kind: PlayerKind) -> str:
    return f"## `{kind.name}`: {kind.label}\n\n{cleandoc(kind.settings.__doc__ or '')}\n\n{player_table(kind.name)}"


def learner_section(kind: LearnerKind) -> str:
    about = cleandoc(kind.configuration.__doc__ or "")
    return f"## `{kind.name}`: {kind.label}\n\n{about}\n\n{learner_table(kind.name)}"


def _sections(registry: Iterable[tuple[str, Any]], section: Any) -> str:
    return "\n\n".join(section(kind) for _, kind in registry)


def _table(settings: Mapping[str, Field[Any]]) -> str:
    if not settings:
        return "It has no settings."
    rows = [_row(key, one) for key, one in settings.items()]
    return "\n".join(["| setting | default | may be | meaning |", "|---|---|---|---|", *rows])


def _row(key: str, one: Field[Any]) -> str:
    about = one.metadata["declared"].about
    return f"| `{key}` | {_default(one)} | {_escaped(wanted(one))} | {_escaped(about)} |"


def _default(one: Field[Any]) -> str:
    if one.default is MISSING:
        return "required"
    shown = f"{one.default:g}" if isinstance(one.default, float) else write_value(one.default)
    return f"`{shown}`"


def _escaped(text: str) -> str:
    """Write text so that Markdown shows it as it is within a table."""
    return re.sub(r"([|<>*_])", r"\\\1", text)
