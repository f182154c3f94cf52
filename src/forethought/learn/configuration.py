"""Every number of a training, in one frozen, documented place; the defaults are the papers'.

A configuration comes from a TOML file, from flags and from `--set memory.capacity=1000`, in this order: what comes
later counts. A run keeps the configuration that resulted, as TOML with a comment on every line, and reads it back
exactly. Each algorithm has its own class, whose sections are `Settings` classes: those of its search among them.
"""

import os
import secrets
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.learn.sections import EvaluationSettings
from forethought.settings import (
    Settings,
    checked_value,
    is_setting,
    read_value,
    setting,
    settings_of,
    write_value,
)
from forethought.specs import did_you_mean

UNTIL_TIME_IS_OVER = 1_000_000  # iterations


@dataclass(frozen=True, kw_only=True)
class Configuration(Settings):
    """A whole training; the other sections are the algorithm's."""

    game: str = setting("the game", example="leduc", pattern=".+")
    seed: int = setting("seed of all chance", low=0)
    algorithm: str = setting("the algorithm", example="exit-oos", pattern=".+")
    preset: str = setting(
        "named settings that the others began from; empty: the defaults", "", example="paper", pattern=".*"
    )
    iterations: int = setting("iterations in all", 100, low=1)
    games: int = setting("games of self-play per iteration", 32, low=1)
    minutes: float = setting(
        "minutes, not counting compilation, after which no iteration begins; 0: no limit", 0.0, low=0.0
    )
    workers: int = setting("threads that play; 0: one per core", 0, low=0)
    evaluation: EvaluationSettings = field(default_factory=EvaluationSettings)

    @property
    def threads(self) -> int:
        """How many threads play."""
        return self.workers or os.cpu_count() or 1

    @property
    def is_limited_by_time(self) -> bool:
        """Whether only the minutes end the training."""
        return self.iterations == UNTIL_TIME_IS_OVER

    def stage(self, iteration: int) -> str:  # noqa: ARG002 (for algorithms that have stages)
        """Return the name of the stage that an iteration belongs to; empty: all iterations are alike."""
        return ""

    def is_examined(self, iteration: int) -> bool:
        """Whether the strength is measured after an iteration."""
        return iteration % self.evaluation.every == 0 or iteration in (1, self.iterations)


def sections_of(kind: type[Configuration]) -> dict[str, type[Settings]]:
    """Return the sections by name."""
    return {one.name: one.type for one in fields(kind) if not is_setting(one)}  # type: ignore[misc]


def keys_of(kind: type[Configuration]) -> dict[str, Field[Any]]:
    """Return every setting by its dotted key, sections last."""
    own = {one.name: one for one in fields(kind) if one.name in settings_of(kind)}
    inner = {
        f"{section}.{one.name}": one
        for section, part in sections_of(kind).items()
        for one in fields(part)
        if one.name in settings_of(part)
    }
    return own | inner


def configuration_from(
    game: str,
    file: Path | None,
    settings: Sequence[str],
    recommended: str,
    usual_preset: Callable[[str], str],
    **flags: Any,
) -> Configuration:
    """Join a preset, a file, flags (by dotted key; None: not given) and settings `key=value`, in this order.

    The algorithm is the recommended one, if nobody names another, and the preset is what is usual for that algorithm; a
    seed that nobody gives is drawn. With minutes and without iterations, the minutes decide.
    """
    values: dict[str, Any] = {"seed": secrets.randbelow(2**32), "algorithm": recommended}
    if file is not None:
        values |= _values_of_toml(_text_of(file), str(file))
    values |= {"game": game} | {key: value for key, value in flags.items() if value is not None}
    texts = _split_settings(settings)
    algorithm = texts.get("algorithm", values["algorithm"])
    kind = _kind_of(algorithm)
    _check_flags(str(algorithm), kind, [key for key, value in flags.items() if value is not None])
    preset = texts.get("preset", values["preset"] if "preset" in values else usual_preset(str(algorithm)))
    values = _preset(str(algorithm), str(preset)) | values | {"preset": str(preset)}
    given = {*values, *texts}
    if "minutes" in given and "iterations" not in given:
        values["iterations"] = UNTIL_TIME_IS_OVER
    if "games" not in keys_of(kind) and flags.get("games") is not None:  # an iteration is one game
        if flags.get("iterations") is not None:
            raise ForethoughtError(
                f"An iteration of {values['algorithm']} is one game: give --games or --iterations, not both."
            )
        values["iterations"] = values.pop("games")
    return configuration_of(values | {key: read_value(key, _known(key, kind), text) for key, text in texts.items()})


def configuration_of(values: Mapping[str, Any]) -> Configuration:
    """Make a configuration of values by dotted key; what is not given keeps its default."""
    missing = [key for key in ("game", "seed", "algorithm") if key not in values]
    if missing:
        raise ForethoughtError(f"A configuration needs a value for '{missing[0]}'.")
    kind, parts = _kind_of(values["algorithm"]), dict[str, dict[str, Any]]()
    for key, value in values.items():
        checked_value(key, _known(key, kind), value)
        section, _, name = key.rpartition(".")
        parts.setdefault(section, {})[name] = value
    sections, own = sections_of(kind), parts.pop("", {})
    given: dict[str, Any] = own | {name: sections[name](**part) for name, part in parts.items()}
    return kind(**given)


def value_of(configuration: Configuration, key: str) -> Any:
    """Return the value of a setting by its dotted key."""
    section, _, name = key.rpartition(".")
    return getattr(getattr(configuration, section) if section else configuration, name)


def to_toml(configuration: Configuration) -> str:
    """Write every setting, each with its comment."""
    lines, section = [], ""
    for key, one in keys_of(type(configuration)).items():
        within, _, name = key.rpartition(".")
        if within != section:
            section = within
            lines += ["", f"[{section}]"]
        lines.append(f"{name} = {write_value(value_of(configuration, key))}  # {one.metadata['declared'].about}")
    return "\n".join(lines) + "\n"


def from_toml(text: str, source: str = "The configuration") -> Configuration:
    """Read what `to_toml` wrote, or a part of it that names game, seed and algorithm."""
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
    from forethought.learn.learner import LEARNERS  # noqa: PLC0415 (a learner has a configuration, and is found by it)

    return LEARNERS.find(str(algorithm)).configuration


def _check_flags(algorithm: str, kind: type[Configuration], given: Sequence[str]) -> None:
    """Refuse a flag that an algorithm has no setting for; say which have one."""
    from forethought.learn.learner import LEARNERS  # noqa: PLC0415 (as above)

    for key in given:
        if key not in keys_of(kind) and key != "games":
            others = [name for name, other in LEARNERS if key in keys_of(other.configuration)]
            known = f"; {' and '.join(others)} {'has' if len(others) == 1 else 'have'} it" if others else ""
            raise ForethoughtError(f"{algorithm} has no setting '{key}'{known}.")


def _preset(algorithm: str, name: str) -> dict[str, Any]:
    """Return the settings that a preset of an algorithm names, by dotted key."""
    from forethought.learn.learner import LEARNERS  # noqa: PLC0415 (as above)

    presets = LEARNERS.find(algorithm).presets
    if name and name not in presets:
        known = f"its presets are {', '.join(presets)}" if presets else "it has none"
        raise ForethoughtError(f"There is no preset '{name}' of {algorithm}; {known}.")
    return dict(presets.get(name, {}))


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
