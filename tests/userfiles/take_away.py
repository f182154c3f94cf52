"""Take one, two or three stones; whoever takes the last wins the stake from each of the others. Nothing is hidden."""

from numpy import int8

from forethought import TERMINAL, Game, record

MOST = 3  # stones at once


def take_away(players: int = 3, stones: int = 10, stake: int = 1) -> Game:
    """Nim with one heap, for any number of players."""
    state = record(left=int8, turn=int8)

    def start(s):
        s.left = stones

    def player(s):
        return TERMINAL if s.left == 0 else s.turn

    def legal(s, out):
        count = min(MOST, s.left)
        for i in range(count):
            out[i] = i
        return count

    def apply(s, action):
        s.left -= action + 1
        s.turn = (s.turn + 1) % players

    def returns(s, out):
        for who in range(players):
            out[who] = -stake
        out[(s.turn + players - 1) % players] = stake * (players - 1)

    def facts(s, observer, out):
        out[0], out[1] = s.turn, players + s.left
        return 2

    def show(s):
        return f"{s.left} stones, player {s.turn} to take"

    def action_name(s, action):
        return str(action + 1)

    return Game(
        name="take_away",
        players=players,
        actions=MOST,
        facts=players + stones + 1,
        plies=stones,
        record=state,
        hidden=False,
        rules=[start, player, legal, apply, returns, facts, show, action_name],
    )
