"""What self-play gives: games, and the training examples they hold."""

from dataclasses import dataclass

from forethought.learn.samples import Samples


@dataclass(frozen=True)
class Episode:
    """One game of self-play."""

    samples: Samples
    actions: list[int]  # chance's outcomes included
    returns: list[float]
    walks: int
