"""The laws that one history alone can break. Each raises `LawBrokenError` where its law does not hold."""

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from forethought.check.boards import check_board
from forethought.check.positions import LawBrokenError, Position, after, answers, asking, glimpse, named, played, start
from forethought.game import CHANCE, EVERYONE, PUBLIC, TERMINAL

Item = TypeVar("Item")

MOST_TRIED = 8  # legal actions of a position that are tried
MOST_STEPS = 50  # steps of a history of which 'reaches' is asked

# Each kind of thing that can be drawn: where its contents stand, and what they are.
DRAWABLE = {
    "cards": ("cards", list),
    "dice": ("dice", list),
    "chips": ("amount", int | float),
    "words": ("text", str),
    "score": ("amount", int | float),
    "notes": ("notes", list),
    "cells": ("cells", list),
    "points": ("rows", list),
}


def check_player(position: Position) -> None:
    game, player = position.game, position.answers.player
    chance_acts = player == CHANCE and game.outcomes > 0
    if not (0 <= player < game.players or player == TERMINAL or chance_acts):
        raise LawBrokenError("player", f"the rule 'player' names {player}, who is not in this game", position.history)


def check_terminates(position: Position) -> None:
    game = position.game
    if position.answers.player != TERMINAL and len(position.history) >= game.plies:
        message = f"the game goes on after the {game.plies} plies it declares"
        raise LawBrokenError("terminates", message, position.history)


def check_legal(position: Position) -> None:
    game, player, legal = position.game, position.answers.player, position.answers.legal
    if player == TERMINAL:
        return
    limit, what = (game.outcomes, "outcomes") if player == CHANCE else (game.actions, "actions")
    if not legal:
        raise LawBrokenError("legal", "the game is not over, but there is no legal action", position.history)
    if list(legal) != sorted(set(legal)):
        raise LawBrokenError("legal", f"legal actions must ascend without repetition: {list(legal)}", position.history)
    if legal[0] < 0 or legal[-1] >= limit:
        message = f"legal actions must lie in 0..{limit - 1}, the declared {what}: {list(legal)}"
        raise LawBrokenError("legal", message, position.history)


def check_chance(position: Position) -> None:
    if position.answers.player != CHANCE:
        return
    weights = position.answers.chance
    if not (all(weight > 0.0 for weight in weights) and math.isclose(sum(weights), 1.0, abs_tol=1e-9)):
        message = f"probabilities must be positive and sum to one: {list(weights)} sum to {sum(weights):g}"
        if any(map(math.isnan, weights)):
            message = f"the rule 'chance' writes {list(weights)}: nan stands where it has written nothing"
        raise LawBrokenError("chance", message, position.history)


def check_returns(position: Position) -> None:
    returns = position.answers.returns
    if any(map(math.isnan, returns)):
        message = f"returns of {list(returns)}: nan stands for a player to whom the rule has written nothing"
        raise LawBrokenError("returns", message, position.history)
    if not all(math.isfinite(value) for value in returns):
        raise LawBrokenError("returns", f"returns must be finite: {list(returns)}", position.history)
    if position.game.zero_sum and not math.isclose(sum(returns), 0.0, abs_tol=1e-9):
        message = f"the game says that returns sum to zero, but {list(returns)} sum to {sum(returns):g}"
        raise LawBrokenError("returns", message, position.history)
    largest = position.game.largest_return
    if largest is not None and any(abs(value) > largest for value in returns):
        message = f"the game declares {largest:g} as its largest return, but {list(returns)} has a larger one"
        raise LawBrokenError("returns", message, position.history)


def check_facts(position: Position) -> None:
    game = position.game
    for observer, facts in position.answers.facts.items():
        outside = [fact for fact in facts if not 0 <= fact < game.facts]
        repeated = [fact for fact, count in Counter(facts).items() if count > 1]
        if outside:
            message = f"fact {outside[0]} of {named(observer)} is not in 0..{game.facts - 1}, the declared facts"
            raise LawBrokenError("facts", message, position.history)
        if repeated:
            raise LawBrokenError("facts", f"{named(observer)} has fact {repeated[0]} twice", position.history)


def check_named(position: Position) -> None:
    legal, history, rule = position.answers.legal, position.history, position.game.source.get("action_name")
    if rule is None:
        return
    view, everyone = position.state.clone().view, (EVERYONE,) if position.game.names_for_observers else ()
    names = [
        asking(position.game, history, lambda a=action: rule(view, a, *everyone))  # type: ignore[misc]
        for action in legal
    ]
    for action, name in zip(legal, names, strict=True):
        if not isinstance(name, str) or not name.strip():
            raise LawBrokenError("named", f"action {action} is named {name!r}; a name is text, not empty", history)
    for name, count in Counter(names).items():
        if count > 1:
            actions = [action for action, other in zip(legal, names, strict=True) if other == name]
            raise LawBrokenError("named", f"actions {actions} are all named '{name}'", history)


def check_hidden(position: Position) -> None:
    """Part of 'hidden': where nothing is hidden, everybody sees every action."""
    parent, game = position.parent, position.game
    if game.hidden or parent is None or "sees" not in game.source:
        return
    for observer in game.observers:
        seen = glimpse(parent, position.history.event, observer)
        if seen is not True:
            message = f"the game says that nothing is hidden, but 'sees' answers {seen} for {named(observer)}"
            raise LawBrokenError("hidden", message, position.history)


def check_growth(position: Position) -> None:
    """Part of 'recall': what was known stays known."""
    parent = position.parent
    if not position.game.hidden or parent is None:
        return
    for observer, facts in position.answers.facts.items():
        lost = set(parent.answers.facts[observer]) - set(facts)
        if lost:
            message = f"{named(observer)} forgets fact {min(lost)}; where information is hidden, facts only grow"
            raise LawBrokenError("recall", message, position.history)


def check_drawable(position: Position) -> None:
    """Part of 'drawing' and 'pure': the position can be shown and drawn for everybody."""
    for (rule, _observer), shown in position.shown.items():
        for item in shown if rule == "draw" else ():
            if not _drawable(item):
                message = f"{item!r} cannot be drawn; docs/drawing.md lists what can"
                raise LawBrokenError("drawing", message, position.history)


def _drawable(item: Any) -> bool:
    """Whether this is a thing of a known kind that can be sent to a page."""
    if not isinstance(item, dict) or item.get("kind") not in DRAWABLE or not isinstance(item.get("label"), str):
        return False
    where, kind = DRAWABLE[item["kind"]]
    try:
        json.dumps(item, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return isinstance(item.get(where), kind)


def check_actions(position: Position) -> None:
    """Part of 'runs' and 'deterministic': play legal actions, of many some."""
    for action in some_of(position.answers.legal, MOST_TRIED, len(position.history)):
        played(position, action)


def check_reaches(position: Position) -> None:
    """Every action that led here must count as reaching here; of a long history, some of them."""
    game, player = position.game, position.answers.player
    if "reaches" not in game.source or player < 0:
        return
    steps = some_of(list(pairwise(position.path())), MOST_STEPS, len(position.history))
    for observer in (player, PUBLIC):
        target = position.answers.facts[observer]
        facts = np.array(target or (0,), np.int64)
        for before, next_one in steps:
            action = next_one.history.event
            question = (before.state.memory, action, observer, facts, len(target))
            if not asking(game, position.history, lambda q=question: game.table.reaches(*q)):  # type: ignore[misc]
                message = f"'reaches' excludes action {action} after {list(before.history)}, which leads here"
                raise LawBrokenError("reaches", message, position.history)


def check_isolated(path: Sequence[Position], asked: Sequence[Position]) -> None:
    """Play a history again from the start, then ask about old positions again: nothing may have changed."""
    replayed = start(path[0].game)
    for position in path:
        if position.parent:
            replayed = after(replayed, position.history.event, position.history)
        if replayed != position.state:
            message = "the same history leads to another record when it is played again"
            raise LawBrokenError("isolated", message, position.history)
    for position in asked:
        if answers(position.state, position.history) != position.answers:
            message = "the same record gives other answers later: a rule remembers something outside the record"
            raise LawBrokenError("isolated", message, position.history)


def some_of(items: Sequence[Item], most: int, turn: int) -> Sequence[Item]:
    """Return all items, or if they are many, some at equal distances; others at another turn."""
    step = -(-len(items) // most) or 1
    return items[turn % step :: step]


Law = Callable[[Position], None]

# In the order in which a mistake in one would make the next ones meaningless.
LAWS: tuple[Law, ...] = (
    check_player,
    check_terminates,
    check_legal,
    check_chance,
    check_returns,
    check_facts,
    check_growth,
    check_hidden,
    check_drawable,
    check_actions,
    check_named,
    check_reaches,
    check_board,
)
