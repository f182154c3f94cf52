"""A hook of mkdocs: every command with its arguments and options, read from the command line itself.

A page asks for them by the comment `<!-- all commands -->`.
"""

from typing import Any

import typer

from forethought.cli import app

COMMENT = "<!-- all commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the commands where a page asks for them."""
    if COMMENT not in markdown:
        return markdown
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]  # it is a group
    return markdown.replace(COMMENT, "\n\n".join(section(name, command) for name, command in commands.items()))


def section(name: str, command: Any) -> str:
    """Describe one command, and those below it."""
    below = [section(f"{name} {inner}", one) for inner, one in getattr(command, "commands", {}).items()]
    rows = [f"| `{_written(one)}` | {_escaped(one.help or '')} |" for one in command.params]
    table = ["| | |", "|---|---|", *rows] if rows else []
    described = "\n".join([f"## `forethought {name}`", "", _escaped(command.help or ""), "", *table])
    return "\n\n".join([described, *below])


def _written(parameter: Any) -> str:
    """Write a parameter as a person types it."""
    if parameter.param_type_name == "argument":
        name = parameter.name.upper()
        return name if parameter.required else f"[{name}]"
    if parameter.is_flag or parameter.default is None:
        return parameter.opts[-1]
    return f"{parameter.opts[-1]} {parameter.default}"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
