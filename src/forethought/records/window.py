"""The part of a file that is in memory: it moves on through the file, and grows only as far as its reader lets it."""

from typing import BinaryIO

CHUNK = 1 << 20
LONGEST_GAME = 2 << 20  # bytes of one game; what is longer is no game


class Window:
    """Some bytes of a file, and whether they reach its end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.data = b""
        self.ended = False

    def move(self, first: int) -> None:
        """Forget the bytes before a place, and read on."""
        more = self._file.read(CHUNK)
        self.data = self.data[first:] + more
        self.ended = not more
