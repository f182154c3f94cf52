"""Backends run networks for play. A backend registers a function that makes an evaluator of a network's weights.

    @register_backend("onnx")
    def run_by_onnx(weights): ...  # return an evaluator, or raise ForethoughtError

The modules of this folder are found by themselves; other packages name theirs as entry points `forethought.backends`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from forethought.game import Game
from forethought.nets.evaluator import Evaluator
from forethought.nets.formats import IMITATION, REINFORCED, NetworkWeights, load_weights
from forethought.registry import Registry
from forethought.settings import Settings, setting

COMPILED = "compiled"


@dataclass(frozen=True, kw_only=True)
class BackendSettings(Settings):
    """What everything takes that plays with a network."""

    backend: str = setting("what runs the network: compiled, torch, torch-cpu, torch-cuda", COMPILED, pattern=".+")


@dataclass(frozen=True, kw_only=True)
class PolicyPartSettings(Settings):
    """What everything takes that plays with one of a run's policy networks."""

    policy: str = setting(
        "policy network of an AlphaGo run: learned by imitation, or reinforced by policy gradient",
        IMITATION,
        words=(IMITATION, REINFORCED),
    )


Backend = Callable[[NetworkWeights], Evaluator]
BACKENDS: Registry[Backend] = Registry("backend", "forethought.backends", ("forethought.nets.backends",))


def register_backend(name: str) -> Callable[[Backend], Backend]:
    """Register a backend: a decorator of the function that makes evaluators of weights."""

    def register(backend: Backend) -> Backend:
        BACKENDS.add(name, backend, backend.__module__)
        return backend

    return register


@register_backend(COMPILED)
def run_compiled(weights: NetworkWeights) -> Evaluator:
    """Run a network inside the kernels of searches."""
    return weights.compiled()


def load_evaluator(path: Path, game: Game, backend: str = COMPILED, part: str = IMITATION) -> Evaluator:
    """Read a network of this game, of any format, to be run by a backend; a damaged or foreign file is refused."""
    return BACKENDS.find(backend)(load_weights(path, game, part))
