"""The one source of chance: a small explicit generator, the same stream compiled and interpreted.

A generator is four 64-bit words (xoshiro256++ by Blackman and Vigna), held in an array that every kernel which draws
takes as its last argument. Its seed is any sequence of whole numbers: (run seed, iteration, game index) gives each game
of self-play a stream of its own, whoever plays it.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from forethought.arrays import Float64s
from forethought.compiler import kernel

Generator = npt.NDArray[np.uint64]


def generator(*seed: int) -> Generator:
    """Return a generator seeded through `numpy.random.SeedSequence`, which takes (1,) and (1, 0) for the same seed."""
    return np.random.SeedSequence((len(seed), *seed)).generate_state(4, np.uint64).astype(np.uint64)


def generators(count: int, *seed: int) -> Generator:
    """Return so many generators [count, 4] of one seed, for kernels that play as many games at once."""
    words = np.random.SeedSequence((len(seed), *seed)).generate_state(4 * count, np.uint64)
    return words.astype(np.uint64).reshape(count, 4)


@kernel
def word(rng: Generator) -> Any:
    """Draw 64 random bits."""
    total = rng[0] + rng[3]
    result = ((total << np.uint64(23)) | (total >> np.uint64(41))) + rng[0]
    shifted = rng[1] << np.uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = (rng[3] << np.uint64(45)) | (rng[3] >> np.uint64(19))
    return result


@kernel
def uniform(rng: Generator) -> float:
    """Draw a number in [0, 1)."""
    return float(word(rng) >> np.uint64(11)) / 9007199254740992.0


def uniforms(count: int, rng: Generator) -> Float64s:
    """Draw so many numbers in [0, 1)."""
    drawn = np.empty(count)
    draw_uniforms(drawn, rng)
    return drawn


@kernel
def draw_uniforms(out: Float64s, rng: Generator) -> None:
    for i in range(len(out)):
        out[i] = uniform(rng)


@kernel
def below(n: int, rng: Generator) -> int:
    """Draw a whole number in 0..n-1. The bias of the product is below n / 2**32, far under what any test can see."""
    return np.int64(((word(rng) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@kernel
def choose(weights: Float64s, n: int, rng: Generator) -> int:
    """Draw one of 0..n-1 with these probabilities, which sum to one; never one of probability zero."""
    rest, last = uniform(rng), 0
    for i in range(n):
        if weights[i] > 0.0:
            last = i
        rest -= weights[i]
        if rest < 0.0:
            return i
    return last  # rounding has left a sliver: to the last that is possible
