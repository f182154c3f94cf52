"""How the games of an iteration are divided into batches and jobs: by numbers alone, whoever plays them."""

from collections.abc import Iterator


def games_of(batch: int, batches: int, games: int) -> int:
    """Return the games of a batch; all batches together have as many as are asked for, if there are enough."""
    return max(1, games * (batch + 1) // batches - games * batch // batches)


def parts_of(whole: int, size: int) -> Iterator[int]:
    """Yield the sizes of parts of a whole, none of them larger than a size."""
    for begin in range(0, whole, size):
        yield min(size, whole - begin)
