"""Every number of a training, in one frozen, documented place; the defaults are the papers'.

A configuration comes from a TOML file, from flags and from `--set memory.capacity=1000`, in this order: what comes
later counts. A run keeps the configuration that resulted, as TOML with a comment on every line, and reads it back
exactly.
"""

import os
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn import sections
from forethought.learn.fields import KINDS, Checked, read_value, setting, write_value
from forethought.specs import did_you_mean

EXIT_OOS, ALPHAZERO, TSPG = NAMES = ("exit-oos", "alphazero", "tspg")


@dataclass(frozen=True)
class Configuration(Checked):
    """A whole training; the sections are the algorithm's."""

    game: str = setting("the game's spec", example="leduc", pattern=".+")
    seed: int = setting("of all chance", low=0)
    algorithm: str = setting("exit-oos, alphazero or tspg", EXIT_OOS, words=NAMES)
    iterations: int = setting("in all", 100, low=1)
    games: int = setting("of self-play in an iteration", 32, low=1)
    minutes: float = setting("after which no iteration begins; 0: no limit", 0.0, low=0.0)
    workers: int = setting("threads that play; 0: one a core", 0, low=0)
    evaluation: sections.EvaluationConfiguration = field(default_factory=sections.EvaluationConfiguration)

    @property
    def threads(self) -> int:
        """How many threads play."""
        return self.workers or os.cpu_count() or 1


@dataclass(frozen=True)
class ExitOosConfiguration(Configuration):
    """Expert Iteration with Online Outcome Sampling, where information is hidden."""

    search: sections.SearchConfiguration = field(default_factory=sections.SearchConfiguration)
    memory: sections.MemoryConfiguration = field(default_factory=sections.MemoryConfiguration)
    learning: sections.LearningConfiguration = field(default_factory=sections.LearningConfiguration)
    play: sections.PlayConfiguration = field(default_factory=sections.PlayConfiguration)


@dataclass(frozen=True)
class AlphaZeroConfiguration(Configuration):
    """AlphaZero, where it is not; with a gate and symmetries, AlphaGo Zero."""

    algorithm: str = setting("exit-oos, alphazero or tspg", ALPHAZERO, words=NAMES)
    games: int = setting("of self-play in an iteration", 64, low=1)
    search: sections.TreeSearchConfiguration = field(default_factory=sections.TreeSearchConfiguration)
    network: sections.NetworkConfiguration = field(default_factory=sections.NetworkConfiguration)
    memory: sections.WindowConfiguration = field(default_factory=sections.WindowConfiguration)
    learning: sections.ValueLearningConfiguration = field(default_factory=sections.ValueLearningConfiguration)
    play: sections.TreePlayConfiguration = field(default_factory=sections.TreePlayConfiguration)
    gate: sections.GateConfiguration = field(default_factory=sections.GateConfiguration)


@dataclass(frozen=True)
class TspgConfiguration(Configuration):
    """Linear policies on patterns, learned from biased tree search; an iteration is one game."""

    algorithm: str = setting("exit-oos, alphazero or tspg", TSPG, words=NAMES)
    iterations: int = setting("in all, of one game each", 200, low=1)
    games: int = setting("of self-play in an iteration: one", 1, low=1, high=1)
    workers: int = setting("threads that play: one, as every move is learned from", 1, low=1, high=1)
    evaluation: sections.SparseEvaluationConfiguration = field(default_factory=sections.SparseEvaluationConfiguration)
    search: sections.BiasedSearchConfiguration = field(default_factory=sections.BiasedSearchConfiguration)
    memory: sections.DecisionMemoryConfiguration = field(default_factory=sections.DecisionMemoryConfiguration)
    learning: sections.LinearLearningConfiguration = field(default_factory=sections.LinearLearningConfiguration)
    play: sections.CutPlayConfiguration = field(default_factory=sections.CutPlayConfiguration)


ALGORITHMS: dict[str, type[Configuration]] = {
    EXIT_OOS: ExitOosConfiguration,
    ALPHAZERO: AlphaZeroConfiguration,
    TSPG: TspgConfiguration,
}


def algorithm_for(game: Game) -> str:
    """Return the algorithm that suits a game."""
    return EXIT_OOS if game.hidden else ALPHAZERO


def keys_of(kind: type[Configuration]) -> dict[str, Field[Any]]:
    """Return every setting by its dotted key, sections last."""
    own = {one.name: one for one in fields(kind) if one.type in KINDS}
    parts = [one for one in fields(kind) if one.name not in own]
    return own | {f"{one.name}.{inner.name}": inner for one in parts for inner in fields(one.type)}  # type: ignore[arg-type]


def configuration_from(
    game: str, file: Path | None, settings: Sequence[str], suited: str = EXIT_OOS, **flags: Any
) -> Configuration:
    """Join a file, flags (by dotted key; None: not given) and settings `key=value`; a seed none gives is drawn.

    The algorithm is the one that suits the game, if nobody says another.
    """
    values: dict[str, Any] = {"seed": secrets.randbelow(2**32), "algorithm": suited}
    if file is not None:
        values |= _values_of_toml(_text_of(file), str(file))
    values |= {"game": game} | {key: value for key, value in flags.items() if value is not None}
    texts = _split_settings(settings)
    kind = _kind_of(texts.get("algorithm", values["algorithm"]))
    if kind is TspgConfiguration and flags.get("games") is not None:  # each of them is an iteration
        if flags.get("iterations") is not None:
            raise ForethoughtError("An iteration of tspg is one game: give --games or --iterations, not both.")
        values["iterations"] = values.pop("games")
    return configuration_of(values | {key: read_value(key, _known(key, kind), text) for key, text in texts.items()})


def configuration_of(values: Mapping[str, Any]) -> Configuration:
    """Make a configuration of values by dotted key; what is not given keeps its default."""
    kind, parts = _kind_of(values.get("algorithm", EXIT_OOS)), dict[str, dict[str, Any]]()
    for key, value in values.items():
        _known(key, kind)
        section, _, name = key.rpartition(".")
        parts.setdefault(section, {})[name] = value
    missing = [key for key in ("game", "seed") if key not in values]
    if missing:
        raise ForethoughtError(f"A configuration needs a value for '{missing[0]}'.")
    makers: dict[str, Any] = {one.name: one.type for one in fields(kind) if one.type not in KINDS}
    return kind(**parts.pop("", {}), **{name: makers[name](**part) for name, part in parts.items()})


def to_toml(configuration: Configuration) -> str:
    """Write every setting, each with its comment."""
    lines, section = [], ""
    for key, one in keys_of(type(configuration)).items():
        within, _, name = key.rpartition(".")
        if within != section:
            section = within
            lines += ["", f"[{section}]"]
        value = getattr(getattr(configuration, section) if section else configuration, name)
        lines.append(f"{name} = {write_value(value)}  # {one.metadata['about']}")
    return "\n".join(lines) + "\n"


def from_toml(text: str, source: str = "The configuration") -> Configuration:
    """Read what `to_toml` wrote, or a part of it that names game and seed."""
    return configuration_of(_values_of_toml(text, source))


def _values_of_toml(text: str, source: str) -> dict[str, Any]:
    """Return what a TOML text gives, by dotted key."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ForethoughtError(f"{source} is not TOML: {error}.") from None
    values: dict[str, Any] = {}
    for name, value in table.items():
        values |= {f"{name}.{key}": part for key, part in value.items()} if isinstance(value, dict) else {name: value}
    return values


def _split_settings(settings: Sequence[str]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for one in settings:
        key, equals, text = (part.strip() for part in one.partition("="))
        if not equals:
            raise ForethoughtError(f"'{one}' sets nothing; write it as memory.capacity=1000.")
        if key in texts:
            raise ForethoughtError(f"The setting '{key}' is given twice.")
        texts[key] = text
    return texts


def _kind_of(algorithm: Any) -> type[Configuration]:
    if algorithm not in ALGORITHMS:
        raise ForethoughtError(f"algorithm must be one of {', '.join(ALGORITHMS)}, not '{algorithm}'.")
    return ALGORITHMS[algorithm]


def _known(key: str, kind: type[Configuration]) -> Field[Any]:
    """Return the setting of this name; if there is none, that is said, and the nearest named."""
    keys = keys_of(kind)
    if key in keys:
        return keys[key]
    same_name = [known for known in keys if known.rpartition(".")[2] == key.rpartition(".")[2]]
    hint = f"did you mean {same_name[0]}?" if same_name else did_you_mean(key, keys).strip()
    raise ForethoughtError(f"There is no setting '{key}'; {hint or 'settings are ' + ', '.join(keys) + '.'}")


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ForethoughtError(f"The configuration {file} cannot be read: {reason}.") from error
