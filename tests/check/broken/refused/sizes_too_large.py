"""The game declares a million million facts."""

from tests.check.bases import stones


def sizes_too_large():
    return stones(facts=10**12)
