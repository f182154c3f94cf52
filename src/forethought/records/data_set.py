"""Data sets: games of one kind as compact arrays in one file, each game for training or held out.

A game is its actions, two bytes each or fewer; positions are made of them when they are asked for (`positions.py`).
Whether a game is held out is drawn by a hash of the game and a seed: other games and their order make no difference.
Games that are one another turned or reflected have the same hash, so both are on the same side.
"""

import hashlib
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from forethought.arrays import Array, Bools, Float32s, Int32s, Int64s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import load
from forethought.games.userfile import is_file
from forethought.nets.values import value_columns
from forethought.records.formats import CheckedGame, RecordFormat, RecordSource, register_record_format
from forethought.records.identity import EXAMPLE, called, is_same_game
from forethought.records.positions import Positions, positions_of
from forethought.records.transcript import Transcript
from forethought.specs import split_spec
from forethought.tensors import Format, read_tensors, write_tensors

DATA_SET = Format(
    "forethought records 1", "data set of games", "`forethought records import GAME FILE` makes one", "name a data set"
)
TRAIN, HELD_OUT, ALL = "train", "held_out", "all"
PARTS = (TRAIN, HELD_OUT, ALL)
_SEPARATOR = "\n"


@dataclass(frozen=True, eq=False)
class RecordSet:
    """Games of one kind, checked by its rules."""

    path: Path
    game: Game
    seed: int  # of the division
    share: float  # of the games that were to be held out
    actions: Array  # [plies] of all games, one after another
    ends: Int64s  # [games] where the actions of each end
    setups: Int32s  # [games] how many of them only set up the position
    returns: Float32s  # [games, players] what each seat has won; NaN if that is not known
    ratings: Float32s  # [games, players] NaN where they are not known
    players: Int32s  # [games, players] places in `names`
    held_out: Bools  # [games]
    names: list[str]  # the first is nobody's

    def __len__(self) -> int:
        return len(self.ends)

    def begin(self, game: int) -> int:
        """Return where the actions of a game begin."""
        return int(self.ends[game - 1]) if game else 0

    def __getitem__(self, game: int) -> CheckedGame:
        actions = self.actions[self.begin(game) : self.ends[game]].tolist()
        returns = self.returns[game]
        known = None if np.isnan(returns).any() else tuple(returns.tolist())
        names = tuple(self.names[place] for place in self.players[game])
        return CheckedGame(actions, int(self.setups[game]), known, names, tuple(self.ratings[game].tolist()))

    def __iter__(self) -> Iterator[CheckedGame]:
        return map(self.__getitem__, range(len(self)))

    def games(self, part: str = ALL) -> Int64s:
        """Return the numbers of the games for training, of those held out, or of all."""
        if part not in PARTS:
            raise ForethoughtError(f"'{part}' is no part of a data set; parts are {', '.join(PARTS)}.")
        chosen = {TRAIN: ~self.held_out, HELD_OUT: self.held_out, ALL: np.ones(len(self), bool)}[part]
        return np.flatnonzero(chosen)

    def positions(self, games: Int64s) -> Positions:
        """Return the decisions of some games: facts of the mover, legal actions, which was played, what was won."""
        begins = np.where(games > 0, self.ends[games - 1], 0)
        found = positions_of(self.game, self.actions, begins, self.ends[games], self.setups[games].astype(np.int64))
        if found is None:
            raise ForethoughtError(
                f"{self.path} holds a game that {called(self.game)} does not allow; import it again."
            )
        seats = (found.movers[:, None] + np.arange(value_columns(self.game))) % self.game.players
        numbers = games[found.games]
        return found._replace(games=numbers, values=self.returns[numbers[:, None], seats])

    def batches(self, part: str = TRAIN, *, games: int = 64, seed: int | None = None) -> Iterator[Positions]:
        """Yield the decisions of a part, so many games at once; with a seed, in an order that it draws."""
        order = self.games(part)
        if seed is not None:
            order = np.random.default_rng(seed).permutation(order)
        for first in range(0, len(order), games):
            yield self.positions(order[first : first + games])

    def write(self) -> None:
        """Write the file."""
        arrays: dict[str, Array] = {
            "actions": self.actions,
            "ends": self.ends,
            "setups": self.setups,
            "returns": self.returns,
            "ratings": self.ratings,
            "players": self.players,
            "held_out": self.held_out,
            "names": np.frombuffer(_SEPARATOR.join(self.names).encode(), np.uint8),
        }
        write_tensors(self.path, DATA_SET, arrays, {"spec": called(self.game), "seed": self.seed, "share": self.share})


def read_record_set(path: Path, game: Game | None = None) -> RecordSet:
    """Read a data set of a game, or else of the game that it names; what is damaged is refused."""
    file = read_tensors(path, DATA_SET)
    spec, arrays = str(file.about.get("spec")), dict[str, Any](file.arrays)
    made = _game_of(path, spec) if game is None else game
    if not is_same_game(spec, made):
        raise ForethoughtError(f"{path} is a data set of {spec}, not of {called(made)}.")
    try:
        names = bytes(arrays.pop("names")).decode().split(_SEPARATOR)
        found = RecordSet(path, made, int(file.about["seed"]), float(file.about["share"]), **arrays, names=names)
        sound = _fits(found)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise file.damaged() from None
    if not sound:
        raise file.damaged()
    return found


def _game_of(path: Path, spec: str) -> Game:
    """Load the game that a file names; not one that is itself a file, which would run what somebody else has named."""
    if is_file(split_spec(spec, EXAMPLE)[0]):
        raise ForethoughtError(f"{path} is a data set of {spec}, which is code: name the game yourself.")
    return load(spec)


def _fits(found: RecordSet) -> bool:
    """Whether arrays fit together and to the game: whoever reads them relies on it."""
    games, seats = len(found.ends), found.game.players
    shapes = {
        "setups": (games,),
        "returns": (games, seats),
        "ratings": (games, seats),
        "players": (games, seats),
        "held_out": (games,),
    }
    lengths = np.diff(found.ends, prepend=0)
    return (
        all(getattr(found, name).shape == shape for name, shape in shapes.items())
        and found.actions.ndim == found.ends.ndim == 1
        and all(array.dtype.kind in "iu" for array in (found.actions, found.ends, found.setups, found.players))
        and found.held_out.dtype.kind == "b"
        and bool((lengths > 0).all())
        and (int(found.ends[-1]) if games else 0) == len(found.actions)
        and (not games or int(found.actions.max()) < found.game.table.choices)
        and bool(((found.setups >= 0) & (found.setups < lengths)).all())
        and bool(((found.players >= 0) & (found.players < len(found.names))).all())
    )


class RecordSetBuilder:
    """Collects games for a data set, a few bytes for each action."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._actions = array("H" if game.table.choices <= 1 << 16 else "I")
        self._ends, self._setups, self._players = array("q"), array("i"), array("i")
        self._returns, self._ratings = array("f"), array("f")
        self._digests = bytearray()
        self._names = {"": 0}

    def add(self, one: CheckedGame) -> None:
        """Add a game."""
        seats, missing = self.game.players, (float("nan"),) * self.game.players
        self._actions.extend(one.actions)
        self._ends.append(len(self._actions))
        self._setups.append(one.setup)
        self._returns.extend(one.returns or missing)
        self._ratings.extend(one.ratings or missing)
        names = [_plain(name) for name in one.names] or [""] * seats
        self._players.extend(self._names.setdefault(name, len(self._names)) for name in names)
        self._digests += folded_digest(self.game, one.actions)

    def finish(self, path: Path, seed: int, share: float) -> RecordSet:
        """Divide the games, and return the data set."""
        seats = self.game.players
        held_out = drawn_numbers(bytes(self._digests), seed) < share
        narrow = np.uint8 if self.game.table.choices <= 1 << 8 else None
        return RecordSet(
            path,
            self.game,
            seed,
            share,
            np.array(self._actions, narrow),
            np.array(self._ends, np.int64),
            np.array(self._setups, np.int32),
            np.array(self._returns, np.float32).reshape(-1, seats),
            np.array(self._ratings, np.float32).reshape(-1, seats),
            np.array(self._players, np.int32).reshape(-1, seats),
            held_out,
            list(self._names),
        )


def _plain(name: str) -> str:
    """Return a name that fits on a line and can be written."""
    return " ".join(name.encode(errors="replace").decode().split())


_DIGEST = 16  # bytes: no two of a million games have the same


def digest(actions: Sequence[int] | Int64s) -> bytes:
    """Return a hash of a game."""
    return hashlib.blake2b(np.array(actions, np.int32).tobytes(), digest_size=_DIGEST).digest()


def folded_digest(game: Game, actions: Sequence[int]) -> bytes:
    """Return a hash that is the same for a game and for what it is when the board is turned or reflected."""
    if game.board is None:
        return digest(actions)
    played = np.array(actions, np.int64)
    return min(digest(symmetry.actions[played]) for symmetry in game.board.symmetries)


def drawn_numbers(digests: bytes, seed: int) -> Array:
    """Draw a number from 0 to 1 for each digest: the same for the same, whatever else there is."""
    key = seed.to_bytes(8, "little")
    each = (digests[place : place + _DIGEST] for place in range(0, len(digests), _DIGEST))
    drawn = (hashlib.blake2b(one, key=key, digest_size=8).digest() for one in each)
    return np.array([int.from_bytes(number, "little") / 2**64 for number in drawn], np.float64)


@register_record_format("data-set")
class DataSetFile(RecordFormat):
    label = "a data set"
    suffixes = (".safetensors",)

    def read(self, source: RecordSource, game: Game) -> Iterator[Transcript]:
        for number, one in enumerate(read_record_set(source.path, game), 1):
            told: dict[str, Any] = one._asdict()
            yield Transcript(number, **told)
