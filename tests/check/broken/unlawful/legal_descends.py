"""Legal actions do not ascend."""

from tests.check.bases import stones


def legal_descends():
    def legal(s, out):
        count = min(2, s.left)
        for i in range(count):
            out[i] = count - 1 - i
        return count

    return stones(legal)
