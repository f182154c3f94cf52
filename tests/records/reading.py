"""What the tests of records share: random games, and files of text that are read."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import forethought as ft
from forethought.game import Game
from forethought.records.collection import ReadingTally, RecordFile, RecordReader, Wanted
from forethought.records.formats import RECORD_FORMATS, CheckedGame

ANYTHING = Wanted()

loaded = cache(ft.load)  # the same game to all tests


class Read(NamedTuple):
    """What was read from a file."""

    games: list[CheckedGame]
    tally: ReadingTally

    @property
    def problem(self) -> tuple[str, int]:
        """What is wrong with the only game, and with which move."""
        assert not self.games
        (example,) = self.tally.examples
        return example.kind, example.move


def random_actions(game: Game, seed: int, plies: int = 10_000) -> list[int]:
    """Play a random game, or the beginning of one."""
    rng, state, actions = np.random.default_rng(seed), game.start(), []
    while not state.is_terminal and len(actions) < plies:
        legal = state.legal_actions()
        actions.append(int(legal[rng.integers(len(legal))]))
        state.apply(actions[-1])
    return actions


def played_game(game: Game, seed: int, names: tuple[str, ...] = (), plies: int = 10_000) -> CheckedGame:
    """Play a random game, as the rules see it."""
    actions = random_actions(game, seed, plies)
    state = game.start()
    for action in actions:
        state.apply(action)
    returns = tuple(state.returns()) if state.is_terminal else None
    return CheckedGame(actions, 0, returns, names, (1500.0, float("nan")) if names else ())


def read(format: str, spec: str, content: bytes | str, directory: Path, wanted: Wanted = ANYTHING) -> Read:
    """Read the games of a file with this content."""
    path = directory / f"games.{format}"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_file(format, spec, path, wanted)


def read_file(format: str, spec: str, path: Path, wanted: Wanted = ANYTHING) -> Read:
    reader = RecordReader(loaded(spec), wanted)
    file = RecordFile(path, RECORD_FORMATS.find(format))
    return Read(list(reader.games([file], lambda _what, _part: None)), reader.tally)


def names_of(spec: str, actions: list[int]) -> list[str]:
    """Name the actions of a game as the rules do."""
    state, names = loaded(spec).start(), []
    for action in actions:
        names.append(state.action_name(action))
        state.apply(action)
    return names


def same(one: CheckedGame, other: CheckedGame) -> bool:
    """Whether two games are the same, ratings that nobody knows included."""
    return one[:4] == other[:4] and np.array_equal(one.ratings, other.ratings, equal_nan=True)
