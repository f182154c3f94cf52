"""Instances of a parametrised test: some belong to `make test`, all of them to `make test-all`."""

from collections.abc import Container, Iterable
from typing import Any

import pytest


def others_slow(values: Iterable[Any], quick: Container[Any]) -> list[Any]:
    """Mark all values as slow but the quick ones, which check the same in one case, or a few."""
    return [value if value in quick else pytest.param(value, marks=pytest.mark.slow) for value in values]
