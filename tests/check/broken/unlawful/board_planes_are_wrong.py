"""A player's own pieces stand in the other's plane of facts."""

from tests.check.bases import board


def board_planes_are_wrong():
    def facts(s, observer, out):
        count = 0
        for cell in range(4):
            if s.owner[cell] > 0:
                out[count] = 4 * (2 - s.owner[cell]) + cell
                count += 1
        out[count] = 8 + s.moves % 2
        return count + 1

    return board(facts)
