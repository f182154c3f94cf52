"""Connect Four solved for itself: two bitboards, columns side by side, and a dictionary of what is known. No engine."""

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # the bit above each column stays empty, so that no line runs into the next column
FULL = COLUMNS * ROWS


def has_four(discs: int) -> bool:
    """Four in a row: up a column, along a row, or on either diagonal."""
    return any(
        discs & discs >> step & discs >> 2 * step & discs >> 3 * step for step in (1, HEIGHT, HEIGHT - 1, HEIGHT + 1)
    )


class ConnectFourSolver:
    """What a position is worth to the player to move: 1, 0 or -1."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int, int, int], int] = {}

    def value(self, columns: list[int]) -> int:
        """The value after these columns were played in turn."""
        own = other = 0
        for column in columns:
            own, other = other, own | self._cell(own | other, column)
        return self._value(own, other, -1, 1)

    def values(self, columns: list[int]) -> list[int]:
        """The value of each column that is open, to the player to move after these columns were played in turn."""
        return [-self.value([*columns, column]) for column in range(COLUMNS) if columns.count(column) < ROWS]

    @staticmethod
    def _cell(taken: int, column: int) -> int:
        """The lowest empty cell of a column; none if it is full."""
        bottom = 1 << HEIGHT * column
        cells = bottom * ((1 << ROWS) - 1)
        return ((taken & cells) + bottom) & cells

    def _value(self, own: int, other: int, low: int, high: int) -> int:
        """Alpha-beta, nothing else: values outside of low..high may come out as any value on that side."""
        if has_four(other):
            return -1
        if (own | other).bit_count() == FULL:
            return 0
        position = (own, other, low, high)
        if position not in self._known:
            self._known[position] = self._searched(own, other, low, high)
        return self._known[position]

    def _searched(self, own: int, other: int, low: int, high: int) -> int:
        best = -1
        for column in range(COLUMNS):
            cell = self._cell(own | other, column)
            if cell:
                best = max(best, -self._value(other, own | cell, -high, -max(low, best)))
            if best >= high:
                break
        return best
