"""Verbs share a process."""

from collections.abc import Iterator

import pytest

from tests.check.verbs import VerbRunner
from tests.cli.processes import Run


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Run verbs in one process, which imports everything once, in the environment of each test."""
    verbs = VerbRunner(tmp_path_factory.mktemp("runs"))
    yield verbs.run
    verbs.close()
