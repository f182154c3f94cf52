"""A hook of mkdocs: the pages in the root of the repository are pages of the site too."""

from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = {"index.md": "README.md", "contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}


def on_files(files: Files, config: MkDocsConfig, **_: Any) -> Files:
    """Add them, with their links as seen from docs/."""
    root = Path(config.docs_dir).parent
    for page, source in PAGES.items():
        text = (root / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=rewritten(text)))
    return files


def rewritten(text: str) -> str:
    """Point links into docs/ at its pages, notebooks too, and those between pages of the root at each other."""
    text = text.replace("](docs/", "](").replace(".ipynb)", ".md)")
    for page, source in PAGES.items():
        text = text.replace(f"]({source})", f"]({page})")
    return text
