"""Sections of a configuration that several algorithms share: memory, learning, a start, evaluation."""

from dataclasses import dataclass

from forethought.settings import Settings, setting

LAYERS = r"([1-9]\d{0,4}(-[1-9]\d{0,4})*)?"  # widths, such as 128-64


@dataclass(frozen=True, kw_only=True)
class MemorySettings(Settings):
    """What the network learns from: an exponentially weighted reservoir of samples."""

    capacity: int = setting("games that it holds", 32_000, low=1)
    beta: float = setting("decay: how many times its capacity it reaches back", 2.0, low=1.0)


@dataclass(frozen=True, kw_only=True)
class LearningSettings(Settings):
    """How a network learns: Adam on the policy and value losses."""

    rate: float = setting("learning rate", 1e-3, above=0.0, high=1.0)
    steps: int = setting("gradient steps per iteration", 128, low=1)
    batch: int = setting("samples per minibatch", 256, low=1)
    weight_decay: float = setting("c of c |theta|^2 in the loss", 0.0, low=0.0)
    averaged_steps: int = setting("steps over which weights are averaged for play; 0: the last weights play", 0, low=0)
    symmetries: bool = setting("turn and reflect samples at random, as AlphaGo Zero does", False)
    device: str = setting(
        "where the network learns; auto: cuda where there is one", "cpu", words=("cpu", "cuda", "auto")
    )


@dataclass(frozen=True, kw_only=True)
class StartSettings(Settings):
    """What a training begins with."""

    start: str = setting("the run whose network is learned on; empty: a new network", "", names="run")


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings(Settings):
    """How the learner is measured on the way."""

    every: int = setting("iterations from one evaluation to the next", 5, low=1)
    games: int = setting("games per evaluation", 400, low=1)
    against: str = setting("the opponent: a player's string", "random", example="random", pattern=".+", names="player")


def layers_of(hidden: str) -> tuple[int, ...]:
    """Return the widths of hidden layers, such as 128-64."""
    return tuple(int(width) for width in hidden.split("-") if width)
