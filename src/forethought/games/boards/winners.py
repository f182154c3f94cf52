"""Records with a field `winner`: the player who has won, or NOBODY as long as none has, and in a draw."""

NOBODY = -1


def returns(s, out):
    """Give one point to the winner and take one from the other; the rule `returns` of all games with this field."""
    value = 0.0 if s.winner == NOBODY else 1.0 - 2.0 * s.winner
    out[0], out[1] = value, -value
