"""xoshiro256++ with Python's whole numbers, as its authors define it."""

MASK = 2**64 - 1


def rotate(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & MASK


def word(s: list[int]) -> int:
    result = (rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
    t = (s[1] << 17) & MASK
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotate(s[3], 45)
    return result


def uniform(s: list[int]) -> float:
    return (word(s) >> 11) / 2**53


def below(n: int, s: list[int]) -> int:
    return ((word(s) >> 32) * n) >> 32


def choose(weights: list[float], s: list[int]) -> int:
    rest = uniform(s)
    for i, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return i
    return max(i for i, weight in enumerate(weights) if weight > 0)
