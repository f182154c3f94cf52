"""The rule `apply` ends the program."""

import sys

from tests.check.bases import stones


def apply_exits():
    def apply(s, action):
        sys.exit()

    return stones(apply)
