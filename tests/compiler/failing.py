"""Games with a rule that fails in few positions: a rehearsal passes them, and machine code meets the failure."""

from pathlib import Path

# Players take 1, 2 or 3 of 40. A fault is in one rule, where the last six actions all took three.
GAME = """
from numpy import array, int8
from forethought import TERMINAL, Game, record

TABLE = array([7, 8, 9])

def failing() -> Game:
    state = record(left=int8, threes=int8, turn=int8, grid=(int8, 5))

    def start(s):
        s.left = 40

    def player(s):
        if s.threes == 6:
            {player}
        return TERMINAL if s.left == 0 else s.turn

    def legal(s, out):
        if s.threes == 6:
            {legal}
        for i in range(min(3, s.left)):
            out[i] = i
        return min(3, s.left)

    def apply(s, action):
        s.left -= action + 1
        s.threes = s.threes + 1 if action == 2 else 0
        s.turn = 1 - s.turn
        if s.threes == 6:
            {apply}

    def returns(s, out):
        if s.threes == 6:
            {returns}
        out[0] = 1 if s.turn == 1 else -1
        out[1] = -out[0]

    def facts(s, observer, out):
        if s.threes == 6:
            {facts}
        out[0] = s.left
        out[1] = 41 + s.turn
        return 2

    return Game(name="failing", players=2, actions=3, facts=43, plies=40, record=state, hidden=False,
                rules=[start, player, legal, apply, returns, facts])
"""
RULES = ("player", "legal", "apply", "returns", "facts")


def write_failing(directory: Path, **faults: str) -> Path:
    """Write a game whose rules have these faults, and return its file."""
    path = directory / "failing.py"
    path.write_text(GAME.format(**{rule: faults.get(rule, "pass") for rule in RULES}))
    return path


def line_of(path: Path, fault: str) -> int:
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if fault in line)
