"""The rule `returns` is not given."""

from dataclasses import replace

from tests.check.bases import stones


def rule_missing():
    game = stones()
    return replace(game, rules=[rule for rule in game.rules if rule.__name__ != "returns"])
