"""Networks on disk. A kind of network registers its format, and how a file of it is read.

    @network_format("forethought mlp 2")
    def read_mlp(file, game): ...  # return the weights, or raise file.damaged()

A file names its format, so networks of every kind are loaded in the same way. A file of several parts (`tensors.py`)
may hold several networks: AlphaGo learns one policy by imitation, another by policy gradient, and a value network.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from forethought.arrays import Float32s
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.nets.evaluator import Evaluator
from forethought.registry import Registry
from forethought.tensors import PARTS, Content, Format, Tensors, read_tensors, write_tensors

IMITATION, REINFORCED, VALUE = "imitation", "reinforced", "value"  # networks in files of several parts

Parameters = dict[str, Float32s]  # the arrays of a network by name, in files and for learning


class NetworkWeights(Protocol):
    """The content of a network's file; a backend makes an evaluator of it."""

    @property
    def parameters(self) -> Parameters: ...

    @property
    def prior(self) -> "NetworkWeights":
        """The network whose policy searches begin with; where there is no second head, this one."""

    @property
    def critic(self) -> Any:
        """A compiled network on the facts of all players (`critic.py`), or None."""

    def compiled(self) -> Evaluator:
        """Return the network as an evaluator for kernels."""

    def content(self, game: Game) -> Content:
        """Return what a file holds of the network as one of this game."""


Reader = Callable[[Tensors, Game], NetworkWeights]


class NetworkFormat(NamedTuple):
    """A format of networks, and how a file of it is read."""

    format: Format
    read: Reader


FORMATS: Registry[NetworkFormat] = Registry("network format", "forethought.networks", ("forethought.nets",))


def network_format(name: str) -> Callable[[Reader], Reader]:
    """Register a format of networks: a decorator of the function that reads it."""

    def register(read: Reader) -> Reader:
        FORMATS.add(name, NetworkFormat(_format(name), read), read.__module__)
        return read

    return register


def load_weights(path: Path, game: Game, part: str = IMITATION) -> NetworkWeights:
    """Read a network of this game, of any format; a damaged or foreign file is refused.

    A part other than the first must be there: a file of one network alone has none.
    """
    known = dict(FORMATS)
    formats = [found.format for found in known.values()]
    file = read_tensors(path, *formats, PARTS)
    if file.format == PARTS or part != IMITATION:
        file = file.part(part, *formats)
    file.check_about(game.spec or game.name, **_identity(game))
    return known[file.format.name].read(file, game)


def save_weights(path: Path, name: str, parameters: Parameters, game: Game, about: Mapping[str, Any]) -> None:
    """Write a network of this game; `about` has `facts` and `actions`, and whatever else the format's reader needs."""
    write_tensors(path, *network_content(name, parameters, game, about))


def network_content(name: str, parameters: Parameters, game: Game, about: Mapping[str, Any]) -> Content:
    """Return what `save_weights` writes."""
    spec = game.spec or game.name
    if any(about[key] != value for key, value in _identity(game).items() if key in ("facts", "actions")):
        raise ForethoughtError(
            f"A network for {about['facts']} facts and {about['actions']} actions is none of {spec}."
        )
    return Content(_format(name), parameters, {"game": game.name, "spec": spec, **about})


def _format(name: str) -> Format:
    return Format(name, "network", "`forethought train GAME` makes one", "networks are played by net, az and oos")


def _identity(game: Game) -> dict[str, Any]:
    """Return what a file must say about a network of this game."""
    return {"game": game.name, "facts": game.facts, "actions": game.actions}
