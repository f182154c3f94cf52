"""The laws that one history alone can break. Each raises `LawBrokenError` where its law does not hold."""

import json
import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from forethought.check.positions import Answers, LawBrokenError, Position, Probe, answers, asking
from forethought.game import CHANCE, EVERYONE, PUBLIC, TERMINAL, Game, State
from forethought.interpreter import Memory

REPLAYED = 50

# Each kind of thing that can be drawn: where its contents stand, and what they are.
DRAWABLE = {"cards": ("cards", list), "dice": ("dice", list), "chips": ("amount", int | float), "words": ("text", str)}


def check_player(position: Position) -> None:
    game, player = position.state.game, position.answers.player
    chance_acts = player == CHANCE and game.outcomes > 0
    if not (0 <= player < game.players or player == TERMINAL or chance_acts):
        raise LawBrokenError("player", f"the rule 'player' names {player}, who is not in this game", position.history)


def check_terminates(position: Position) -> None:
    game = position.state.game
    if position.answers.player != TERMINAL and len(position.history) >= game.plies:
        message = f"the game goes on after the {game.plies} plies it declares"
        raise LawBrokenError("terminates", message, position.history)


def check_legal(position: Position) -> None:
    game, player, legal = position.state.game, position.answers.player, position.answers.legal
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
    if min(weights) <= 0.0 or not math.isclose(sum(weights), 1.0, abs_tol=1e-9):
        message = f"probabilities must be positive and sum to one: {list(weights)} sum to {sum(weights):g}"
        raise LawBrokenError("chance", message, position.history)


def check_returns(position: Position) -> None:
    returns = position.answers.returns
    if not all(math.isfinite(value) for value in returns):
        raise LawBrokenError("returns", f"returns must be finite: {list(returns)}", position.history)
    if position.state.game.zero_sum and not math.isclose(sum(returns), 0.0, abs_tol=1e-9):
        message = f"the game says that returns sum to zero, but {list(returns)} sum to {sum(returns):g}"
        raise LawBrokenError("returns", message, position.history)
    largest = position.state.game.largest_return
    if largest is not None and any(abs(value) > largest for value in returns):
        message = f"the game declares {largest:g} as its largest return, but {list(returns)} has a larger one"
        raise LawBrokenError("returns", message, position.history)


def check_facts(position: Position) -> None:
    game = position.state.game
    for observer, facts in position.answers.facts.items():
        outside = [fact for fact in facts if not 0 <= fact < game.facts]
        repeated = [fact for fact, count in Counter(facts).items() if count > 1]
        if outside:
            message = f"fact {outside[0]} of {named(observer)} is not in 0..{game.facts - 1}, the declared facts"
            raise LawBrokenError("facts", message, position.history)
        if repeated:
            raise LawBrokenError("facts", f"{named(observer)} has fact {repeated[0]} twice", position.history)


def check_named(position: Position) -> None:
    state, legal, history = position.state, position.answers.legal, position.history
    names = [asking(state.game, history, lambda a=action: state.action_name(a)) for action in legal]  # type: ignore[misc]
    if any(not name.strip() for name in names):
        raise LawBrokenError("named", f"action {legal[names.index('')]} has an empty name", history)
    for name, count in Counter(names).items():
        if count > 1:
            actions = [action for action, other in zip(legal, names, strict=True) if other == name]
            raise LawBrokenError("named", f"actions {actions} are all named '{name}'", history)


def check_growth(position: Position) -> None:
    """Part of 'recall': what was known stays known."""
    parent = position.parent
    if not position.state.game.hidden or parent is None:
        return
    for observer, facts in position.answers.facts.items():
        lost = set(parent.answers.facts[observer]) - set(facts)
        if lost:
            message = f"{named(observer)} forgets fact {min(lost)}; where information is hidden, facts only grow"
            raise LawBrokenError("recall", message, position.history)


def check_pure(position: Position) -> None:
    """Draw the position for everybody and see that the record stays as it was."""
    state, game, history = position.state, position.state.game, position.history
    before = state.memory.tobytes()
    asks: dict[str, Callable[[], object]] = {
        "show": lambda: [state.show(observer) for observer in (*game.observers, EVERYONE)],
        "draw": lambda: [state.drawing(observer) for observer in (*game.observers, EVERYONE)],
        "hand": lambda: [state.hand(player) for player in range(game.players)],
    }
    for rule, ask in asks.items():
        asking(game, history, ask)
        if state.memory.tobytes() != before:
            raise LawBrokenError("pure", f"the rule '{rule}' changes the record", history)


def check_drawable(position: Position) -> None:
    """Part of 'drawing': a page can draw only what it knows."""
    state = position.state
    for observer in (*state.game.observers, EVERYONE):
        drawing = asking(state.game, position.history, lambda o=observer: state.drawing(o))  # type: ignore[misc]
        for item in drawing or ():
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


def check_deterministic(position: Position) -> None:
    """Play each legal action twice, from two copies."""
    if position.answers.player == TERMINAL:
        return
    state, history = position.state, position.history
    for action in position.answers.legal:
        first, second = state.clone(), state.clone()
        for copy in (first, second):
            asking(state.game, (*history, action), lambda c=copy, a=action: c.game.table.apply(c.memory, a))  # type: ignore[misc]
        if first != second:
            message = f"the same action on the same record gives different records: {first!r} and {second!r}"
            raise LawBrokenError("deterministic", message, (*history, action))


def check_isolated(position: Position) -> None:
    """Play the history again from the start, then ask the old state once more: nothing may have changed.

    A long history is played again now and then only, else checking a game would take the square of its length.
    """
    game, history = position.state.game, position.history
    if len(history) > REPLAYED and len(history) % REPLAYED:
        return
    replayed = game.start()
    for action in history:
        asking(game, history, lambda a=action: game.table.apply(replayed.memory, a))  # type: ignore[misc]
    if replayed != position.state:
        raise LawBrokenError("isolated", "the same history leads to another record when it is played again", history)
    if asking(game, history, lambda: answers(position.state)) != position.answers:
        message = "the same record gives other answers later: a rule remembers something outside the record"
        raise LawBrokenError("isolated", message, history)


def check_reaches(position: Position) -> None:
    """Every action that led here must count as reaching here."""
    game, player = position.state.game, position.answers.player
    if "reaches" not in game.source or player < 0:
        return
    path = list(position.path())
    for observer in (player, PUBLIC):
        target = position.answers.facts[observer]
        for before, after in pairwise(path):
            action = after.history[-1]
            if not _reaches(game, before, action, observer, target):
                message = f"'reaches' excludes action {action} after {list(before.history)}, which leads here"
                raise LawBrokenError("reaches", message, position.history)


def _reaches(game: Game, before: Position, action: int, observer: int, target: tuple[int, ...]) -> bool:
    facts = np.array(target or (0,), np.int64)
    return bool(
        asking(
            game,
            before.history,
            lambda: game.table.reaches(before.state.memory, action, observer, facts, len(target)),
        )
    )


def check_compiled(machine: Probe, memory: Memory, state: State, expected: Answers, history: tuple[int, ...]) -> None:
    """Machine code must have led to the same record, and must give the same answers there."""
    if memory.tobytes() != state.memory.tobytes():
        found = State(machine.game, memory)
        message = f"machine code gives another record: {found.view} instead of {state.view}"
        raise LawBrokenError("compiled", message, history)
    answer = machine.ask(memory)
    if answer != expected:
        raise LawBrokenError("compiled", _difference(answer, expected), history)


def _difference(machine: Answers, interpreted: Answers) -> str:
    for rule in ("player", "legal", "chance", "returns", "facts"):
        if getattr(machine, rule) != getattr(interpreted, rule):
            said, meant = getattr(machine, rule), getattr(interpreted, rule)
            return f"the compiled rule '{rule}' answers {said}, the interpreted one {meant}"
    return "machine code answers differently"


def named(observer: int) -> str:
    return "the public" if observer == PUBLIC else f"player {observer}"


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
    check_pure,
    check_drawable,
    check_deterministic,
    check_isolated,
    check_named,
    check_reaches,
)
