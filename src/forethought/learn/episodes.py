"""What self-play gives: games, and the training examples they hold."""

from dataclasses import dataclass, field

import numpy as np

from forethought.game import State
from forethought.learn.samples import Example, Samples
from forethought.randomness import Generator, choose


@dataclass(frozen=True)
class Episode:
    """One game of self-play."""

    samples: Samples
    actions: list[int]  # chance's outcomes included
    returns: list[float]
    simulations: int
    setup: int = 0  # so many actions at the beginning were random: nobody decided them


@dataclass
class OngoingGame:
    """One game in progress."""

    state: State
    actions: list[int] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    simulations: int = 0


def pass_chance(state: State, actions: list[int], rng: Generator) -> None:
    """Let chance act, and whoever has only one action, until somebody has a choice or the game ends; note what is done.

    Where only one action is legal there is nothing to think about, or to learn.
    """
    while not state.is_terminal:
        legal = state.legal_actions()
        if state.is_chance:
            choice = choose(np.array(state.chance()), len(legal), rng)
        elif len(legal) == 1:
            choice = 0
        else:
            return
        actions.append(legal[choice])
        state.apply(legal[choice])
