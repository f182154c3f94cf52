"""A hook of mkdocs: notebooks as pages, with the outputs that they were saved with."""

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SUFFIX = ".ipynb"


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Add a page for each notebook."""
    for notebook in [file for file in files if file.src_uri.endswith(SUFFIX)]:
        name = notebook.src_uri.removesuffix(SUFFIX)
        text = page_of(json.loads(notebook.content_string), name.rpartition("/")[2] + SUFFIX)
        files.append(File.generated(config, f"{name}.md", content=text))
    return files


def page_of(notebook: dict[str, Any], name: str) -> str:
    """Write a notebook as Markdown; its first cell holds the title."""
    first, *cells = ("\n\n".join(_cell(cell)) for cell in notebook["cells"])
    return "\n\n".join([first, f"[Download this notebook]({name}){{ download }}", *cells])


def _cell(cell: dict[str, Any]) -> Iterator[str]:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield text
        return
    yield f"```python\n{text}\n```"
    for kind, outputs in groupby(cell["outputs"], lambda output: output["output_type"]):
        if kind == "stream":
            yield _plain([line for output in outputs for line in output["text"]])
        else:
            yield from (_shown(output["data"]) for output in outputs)


def _shown(data: dict[str, Any]) -> str:
    """Show one output in the richest way that it offers."""
    if "text/html" in data:
        return f"<div>{''.join(data['text/html'])}</div>"
    return _plain(data["text/plain"])


def _plain(lines: list[str]) -> str:
    return f"```text\n{''.join(lines).rstrip()}\n```"
