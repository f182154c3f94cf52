"""Where a rule failed that ran as machine code: its line, and the shortest play found that leads there.

Machine code knows neither. The same rule as Python knows its line, given the same record; and most failures are found
again by looking through short and random plays.
"""

import dataclasses
import random
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any

import numpy as np

from forethought.endless import interrupted_if_endless
from forethought.errors import ForethoughtError
from forethought.game import Game, State, Table
from forethought.rehearsal import after, broken_rule, examine

POSITIONS = 3_000  # after the fewest plies: looked through first
PLIES = 30_000  # of random games: looked through then
SECONDS = 1.0  # at most, for each of the two

Play = tuple[int, ...]


def failed_rule(
    game: Game, machine: Table, rule: str, record: bytes, numbers: tuple[int, ...], error: Exception
) -> ForethoughtError:
    """Say in a sentence where a rule failed, by the rules as written, or else as machine code told.

    The rules of `machine` raise what fails in them. The failed rule worked on `record`, which it may have changed, and
    was given `numbers` besides.
    """
    written = dataclasses.replace(game, machine=None)
    play = failing_play(dataclasses.replace(game, machine=machine))
    if play is not None and (found := _raised(lambda: _replay(written, play))):
        return broken_rule(game, found, after(play))
    state = State(written, np.frombuffer(record, np.uint8).copy())
    where = f", in the position {state.view}"
    again = _raised(lambda: _ask(state, rule, numbers))
    if type(again) is type(error):
        return broken_rule(game, again, where)
    return broken_rule(game, error, f" in the rule '{rule}'{where}")


def failing_play(game: Game) -> Play | None:
    """Look for a play on which a rule fails, a short one if possible; outcomes of chance are among its actions."""
    play = _short_play(game)
    return _random_play(game) if play is None else play


def _short_play(game: Game) -> Play | None:
    """Look through positions in the order of their plies."""
    pending = deque[tuple[Play, State | None]]([((), None)])
    seen, until = set[bytes](), monotonic() + SECONDS
    while pending and len(seen) < POSITIONS and monotonic() < until:
        play, before = pending.popleft()
        try:
            state = game.start() if before is None else _after(before, play[-1])
            known = state.memory.tobytes() in seen
            legal = [] if known else examine(state)
        except Exception:
            return play
        seen.add(state.memory.tobytes())
        pending.extend(((*play, action), state) for action in legal)
    return None


def _random_play(game: Game) -> Play | None:
    """Look through random games; those that fail later than the shortest play so far are not played on."""
    dice, until = random.Random(0), monotonic() + SECONDS
    shortest, plies, longest = None, 0, game.plies
    while plies < PLIES and monotonic() < until:
        play: list[int] = []
        try:
            state = game.start()
            while len(play) < longest and (legal := examine(state)):
                play.append(dice.choice(legal))
                game.table.apply(state.memory, play[-1])
        except Exception:
            shortest, longest = tuple(play), len(play) - 1
        plies += len(play) + 1
    return shortest


def _after(before: State, action: int) -> State:
    state = before.clone()
    state.game.table.apply(state.memory, action)
    return state


def _replay(game: Game, play: Play) -> None:
    state = game.start()
    for action in play:
        game.table.apply(state.memory, action)
    examine(state)


def _ask(state: State, rule: str, numbers: tuple[int, ...]) -> None:
    """Ask a rule about a state. Not `reaches`: the target that it was asked about is not known."""
    table, memory = state.game.table, state.memory
    choices, facts = np.zeros(table.choices, np.int64), np.zeros(table.fact_count, np.int64)
    questions: dict[str, Callable[[], Any]] = {
        "start": lambda: table.start(memory),
        "player": lambda: table.player(memory),
        "legal": lambda: table.legal(memory, choices),
        "chance": lambda: table.chance(memory, np.zeros(table.choices)),
        "apply": lambda: table.apply(memory, numbers[0]),
        "returns": lambda: table.returns(memory, np.zeros(table.players)),
        "facts": lambda: table.facts(memory, numbers[0], facts),
        "reaches": lambda: None,
    }
    questions[rule]()


def _raised(question: Callable[[], Any]) -> Exception | None:
    """Return what is raised, if anything is."""
    try:
        with interrupted_if_endless(seconds=SECONDS):
            question()
    except Exception as error:
        return error
    return None
