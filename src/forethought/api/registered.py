"""What is registered, with all its settings: the kinds of players, and the algorithms that learn."""

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, replace
from inspect import cleandoc
from typing import Any

from forethought.evaluate.lower_bound import RESPONSES
from forethought.learn.configuration import keys_of
from forethought.learn.learner import LEARNERS
from forethought.learn.sweeps import MatchMeasure, SweepMeasures
from forethought.player import PLAYERS
from forethought.results import Listing, ResultBase
from forethought.runtime.executor import EXECUTORS
from forethought.settings import Settings, settings_of, wanted, write_value


@dataclass(frozen=True)
class SettingDescription:
    """A setting, as it was declared."""

    name: str
    default: Any  # None if it must be given
    range: str
    description: str

    @property
    def default_text(self) -> str:
        """The default as it is typed."""
        if self.default is None:
            return "required"
        return f"{self.default:g}" if isinstance(self.default, float) else write_value(self.default)


@dataclass(frozen=True)
class KindDescription(ResultBase):
    """A kind of player, or an algorithm that learns."""

    name: str
    label: str
    description: str
    settings: list[SettingDescription]
    presets: dict[str, dict[str, Any]] = field(default_factory=dict)  # named settings, of an algorithm


def players(name: str | None = None) -> Listing[KindDescription]:
    """List the kinds of players that strings can name, with their settings; or one kind alone.

    Raises ForethoughtError if there is no player of this name.
    """
    kinds = [kind for _, kind in PLAYERS] if name is None else [PLAYERS.find(name)]
    return Listing(_described(kind.name, kind.label, kind.settings, settings_of(kind.settings)) for kind in kinds)


def learners(name: str | None = None) -> Listing[KindDescription]:
    """List the algorithms that `train` knows, with their settings by dotted names; or one algorithm alone.

    Raises ForethoughtError if there is no algorithm of this name.
    """
    kinds = [kind for _, kind in LEARNERS] if name is None else [LEARNERS.find(name)]
    return Listing(
        replace(
            _described(kind.name, kind.label, kind.configuration, keys_of(kind.configuration)),
            presets={preset: dict(values) for preset, values in kind.presets.items()},
        )
        for kind in kinds
    )


def response(name: str) -> KindDescription:
    """Describe a way in which `exploit` learns a response."""
    settings = RESPONSES.find(name)
    return _described(name, name, settings, settings_of(settings))


def measure(name: str) -> KindDescription:
    """Describe a table of a sweep's file in which stands what is measured: `measure` or `match`."""
    settings: type[Settings] = {"measure": SweepMeasures, "match": MatchMeasure}[name]
    return _described(name, name, settings, settings_of(settings))


def executor(name: str) -> KindDescription:
    """Describe a way in which work is run."""
    settings = EXECUTORS.find(name)
    return _described(name, name, settings, settings_of(settings))


def _described(name: str, label: str, declared: type, settings: Mapping[str, Field[Any]]) -> KindDescription:
    described = [
        SettingDescription(
            key, None if one.default is MISSING else one.default, wanted(one), one.metadata["declared"].about
        )
        for key, one in settings.items()
    ]
    return KindDescription(name, label, cleandoc(declared.__doc__ or ""), described)
