"""FORETHOUGHT_PLUGINS: modules and files; one that cannot be loaded is named in a sentence."""

from pathlib import Path

import pytest

from tests.extending.plugged import HERE, forethought


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        ("nothing.py", "there is no such file"),
        ("broken.py", "'(' was never closed"),
        ("json.py", "has the same name; rename the file"),
        ("no.such.module", "No module named 'no'"),
    ],
)
@pytest.mark.quick_cases(2)
def test_a_plugin_that_cannot_be_loaded_is_named(plugin: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def half(")
    (tmp_path / "json.py").write_text("")
    named = str(tmp_path / plugin) if plugin.endswith(".py") else plugin
    done = forethought("think", "kuhn", FORETHOUGHT_PLUGINS=f"{HERE / 'my_search.py'}, {named}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: The plugin '{named}' of FORETHOUGHT_PLUGINS cannot be loaded: ")
    assert said in done.stderr


def test_a_plugin_can_be_named_as_a_module() -> None:
    """Where Python finds it."""
    done = forethought("think", "tic_tac_toe", "--player", "flat:10", FORETHOUGHT_PLUGINS="tests.extending.my_search")
    assert done.returncode == 0, done.stderr
