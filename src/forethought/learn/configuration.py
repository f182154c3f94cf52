"""Every number of a training, in one frozen, documented place; the defaults are the paper's.

A configuration comes from a TOML file, from flags and from `--set memory.capacity=1000`, in this order: what comes
later counts. A run keeps the configuration that resulted, as TOML with a comment on every line, and reads it back
exactly.
"""

import json
import math
import os
import re
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.specs import did_you_mean

PAPER_BATCH = 32  # rows of a minibatch for each decision of a player; the paper's 32 N in Goofspiel(N)
LARGEST = 2**63 - 1  # of any number
TARGETINGS, WEIGHTINGS, ROLLOUTS = ("infoset", "public", "none"), ("ema", "exact", "none"), ("network", "uniform")
_KINDS = {int: "a whole number", float: "a number", str: "a text"}


@dataclass(frozen=True)
class _Limits:
    """What a setting may be."""

    low: float = -math.inf
    high: float = LARGEST
    above: float = -math.inf
    words: tuple[str, ...] = ()
    pattern: str = ".*"

    def admit(self, value: int | float | str) -> bool:
        if isinstance(value, str):
            known = not self.words or value in self.words
            return known and value.isprintable() and re.fullmatch(self.pattern, value) is not None
        return self.low <= value <= self.high and value > self.above

    def __str__(self) -> str:
        if self.words:
            return f"one of {', '.join(self.words)}"
        bounds = (("at least", self.low), ("above", self.above), ("at most", self.high))
        return " and ".join(f"{name} {bound:g}" for name, bound in bounds if abs(bound) < LARGEST)


def _setting(about: str, default: Any = MISSING, example: str = "", **limits: Any) -> Any:
    """Return a field of a configuration, with its comment and what it may be."""
    return field(default=default, metadata={"about": about, "example": example, "limits": _Limits(**limits)})


class _Checked:
    """Refuses values that cannot be, whoever gives them."""

    SECTION: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]
            if one.type in _KINDS:
                value = checked_value(self.SECTION + one.name, one, getattr(self, one.name))
                object.__setattr__(self, one.name, value)  # 1 for 1.0


@dataclass(frozen=True)
class SearchConfiguration(_Checked):
    """How the expert thinks: Online Outcome Sampling with the apprentice's roll-outs."""

    SECTION: ClassVar[str] = "search."

    simulations: int = _setting("walks at every decision", 10_000, low=1)
    targeting: str = _setting("what walks are aimed at: infoset, public or none", "infoset", words=TARGETINGS)
    delta: float = _setting("probability that a walk is targeted", 0.9, low=0.0, high=1.0)
    epsilon: float = _setting("exploration in walks", 0.4, above=0.0, high=1.0)
    gamma: float = _setting("probability of the others' mistakes", 0.01, low=0.0, high=1.0)
    weighting: str = _setting("of targeted updates: ema, exact or none", "ema", words=WEIGHTINGS)
    decay: float = _setting("of the moving average, if the weighting is ema", 0.99, low=0.0, high=1.0)
    max_infosets: int = _setting("in one search's memory; it grows no more beyond", 1_000_000, low=0)
    slots: int = _setting("concurrent walks, whose questions to the network make one batch", 20, low=1)
    rollouts: str = _setting("who plays below the tree: network or uniform", "network", words=ROLLOUTS)


@dataclass(frozen=True)
class MemoryConfiguration(_Checked):
    """What the apprentice learns from: an exponentially weighted reservoir."""

    SECTION: ClassVar[str] = "memory."

    capacity: int = _setting("games it holds", 32_000, low=1)
    beta: float = _setting("decay: it reaches back so many times its capacity", 2.0, low=1.0)


@dataclass(frozen=True)
class LearningConfiguration(_Checked):
    """How the apprentice learns: Adam on the divergence from the expert's policies."""

    SECTION: ClassVar[str] = "learning."

    rate: float = _setting("Adam's learning rate", 1e-3, above=0.0, high=1.0)
    steps: int = _setting("gradient steps an iteration; the paper's Goofspiel(13) takes 512", 128, low=1)
    batch: int = _setting("rows of a minibatch; 0: 32 for each decision of a player", 0, low=0)
    hidden: str = _setting("hidden layers, such as 128-64; empty: as the game's size suggests", "", "128-64",
                           pattern=r"([1-9]\d{0,4}(-[1-9]\d{0,4})*)?")  # fmt: skip

    @property
    def layers(self) -> tuple[int, ...]:
        """The widths of the hidden layers; none if the game is to suggest them."""
        return tuple(int(width) for width in self.hidden.split("-") if width)

    def batch_for(self, game: Game) -> int:
        """Return the rows of a minibatch."""
        return self.batch or PAPER_BATCH * max(1, game.plies // game.players)


@dataclass(frozen=True)
class PlayConfiguration(_Checked):
    """How self-play moves."""

    SECTION: ClassVar[str] = "play."

    exploration: float = _setting("share of uniformly random moves in self-play", 0.0, low=0.0, high=1.0)


@dataclass(frozen=True)
class EvaluationConfiguration(_Checked):
    """How the apprentice is measured on the way."""

    SECTION: ClassVar[str] = "evaluation."

    every: int = _setting("iterations from one evaluation to the next", 5, low=1)
    games: int = _setting("games of an evaluation", 400, low=1)
    against: str = _setting("the opponent, a player's spec", "random", "random", pattern=".+")


@dataclass(frozen=True)
class Configuration(_Checked):
    """A whole training."""

    game: str = _setting("the game's spec", example="leduc", pattern=".+")
    seed: int = _setting("of all chance", low=0)
    iterations: int = _setting("in all", 100, low=1)
    games: int = _setting("of self-play in an iteration", 32, low=1)
    minutes: float = _setting("after which no iteration begins; 0: no limit", 0.0, low=0.0)
    workers: int = _setting("threads that play; 0: one a core", 0, low=0)
    search: SearchConfiguration = field(default_factory=SearchConfiguration)
    memory: MemoryConfiguration = field(default_factory=MemoryConfiguration)
    learning: LearningConfiguration = field(default_factory=LearningConfiguration)
    play: PlayConfiguration = field(default_factory=PlayConfiguration)
    evaluation: EvaluationConfiguration = field(default_factory=EvaluationConfiguration)

    @property
    def threads(self) -> int:
        """How many threads play."""
        return self.workers or os.cpu_count() or 1


def _keys() -> dict[str, Field[Any]]:
    """Return every setting by its dotted key, sections last."""
    own = {one.name: one for one in fields(Configuration) if one.type in _KINDS}
    sections = [one for one in fields(Configuration) if one.name not in own]
    return own | {f"{one.name}.{inner.name}": inner for one in sections for inner in fields(one.type)}  # type: ignore[arg-type]


KEYS = _keys()


def configuration_from(game: str, file: Path | None, settings: Sequence[str], **flags: Any) -> Configuration:
    """Join a file, flags (by dotted key; None: not given) and settings `key=value`; a seed none gives is drawn."""
    values: dict[str, Any] = {"seed": secrets.randbelow(2**32)}
    if file is not None:
        values |= values_of_toml(_text_of(file), str(file))
    values |= {"game": game} | {key: value for key, value in flags.items() if value is not None}
    return configuration_of(values | _values_of_settings(settings))


def configuration_of(values: Mapping[str, Any]) -> Configuration:
    """Make a configuration of values by dotted key; what is not given keeps its default."""
    sections: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        section, _, name = _known(key).rpartition(".")
        sections.setdefault(section, {})[name] = value
    missing = [key for key in ("game", "seed") if key not in values]
    if missing:
        raise ForethoughtError(f"A configuration needs a value for '{missing[0]}'.")
    makers: dict[str, Any] = {one.name: one.type for one in fields(Configuration) if one.type not in _KINDS}
    return Configuration(
        **sections.pop("", {}), **{name: makers[name](**section) for name, section in sections.items()}
    )


def to_toml(configuration: Configuration) -> str:
    """Write every setting, each with its comment."""
    lines, section = [], ""
    for key, one in KEYS.items():
        within, _, name = key.rpartition(".")
        if within != section:
            section = within
            lines += ["", f"[{section}]"]
        value = getattr(getattr(configuration, section) if section else configuration, name)
        written = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
        lines.append(f"{name} = {written}  # {one.metadata['about']}")
    return "\n".join(lines) + "\n"


def from_toml(text: str, source: str = "The configuration") -> Configuration:
    """Read what `to_toml` wrote, or a part of it that names game and seed."""
    return configuration_of(values_of_toml(text, source))


def values_of_toml(text: str, source: str) -> dict[str, Any]:
    """Return what a TOML text gives, by dotted key."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ForethoughtError(f"{source} is not TOML: {error}.") from None
    values: dict[str, Any] = {}
    for name, value in table.items():
        inner = {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
        values |= {_known(key): part for key, part in inner.items()}
    return values


def checked_value(key: str, one: Field[Any], value: Any) -> int | float | str:
    """Return the value if the setting can have it: a whole number may stand for a number, and nothing for another."""
    kind, limits = one.type, one.metadata["limits"]
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits or not limits.admit(value):
        raise ForethoughtError(f"{key} must be {_wanted(one)}, not {_shown(value)}.")
    made: int | float | str = float(value) if kind is float else value
    return made


def _values_of_settings(settings: Sequence[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for setting in settings:
        key, equals, text = (part.strip() for part in setting.partition("="))
        if not equals:
            raise ForethoughtError(f"'{setting}' sets nothing; write it as memory.capacity=1000.")
        if key in values:
            raise ForethoughtError(f"The setting '{key}' is given twice.")
        values[key] = _read(_known(key), text)
    return values


def _read(key: str, text: str) -> int | float | str:
    """Read a value by the type of its setting."""
    kind: Any = KEYS[key].type
    try:
        value: int | float | str = kind(text)
    except ValueError:
        raise ForethoughtError(f"{key} must be {_wanted(KEYS[key])}, not '{text}'.") from None
    return value


def _wanted(one: Field[Any]) -> str:
    limits, example = one.metadata["limits"], one.metadata["example"]
    if limits.words:
        return str(limits)
    words = [_KINDS[one.type], str(limits), f"such as {example}" if example else ""]  # type: ignore[index]
    return " ".join(filter(None, words))


def _shown(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value)


def _known(key: str) -> str:
    """Return the key; one that is none is refused, and the nearest named."""
    if key in KEYS:
        return key
    same_name = [known for known in KEYS if known.rpartition(".")[2] == key.rpartition(".")[2]]
    hint = f"did you mean {same_name[0]}?" if same_name else did_you_mean(key, KEYS).strip()
    raise ForethoughtError(f"There is no setting '{key}'; {hint or 'settings are ' + ', '.join(KEYS) + '.'}")


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ForethoughtError(f"The configuration {file} cannot be read: {reason}.") from error
