"""The lawful games that the corpus of broken ones begins with: each takes rules that replace its own, by name.

A file of the corpus (tests/check/broken/) is one of these games with one fault, which stands in its first line.
"""

from collections.abc import Callable, Sequence
from typing import Any

from numpy import int8

from forethought import CHANCE, EVERYONE, PUBLIC, TERMINAL, Game, record
from forethought.board import make_board, placements, square_grid

Rule = Callable[..., Any]
STONES = 12  # in the heap
DEPTH = 20  # plies of `ladder`


def changed(own: Sequence[Rule], given: Sequence[Rule]) -> list[Rule]:
    replaced = {rule.__name__: rule for rule in own} | {rule.__name__: rule for rule in given}
    return list(replaced.values())


def stones(*rules: Rule, **declarations: Any) -> Game:
    """Two players take one or two stones in turn; whoever takes the last wins. Nothing is hidden."""

    def start(s):
        s.left = STONES

    def player(s):
        return TERMINAL if s.left == 0 else s.turn

    def legal(s, out):
        count = min(2, s.left)
        for i in range(count):
            out[i] = i
        return count

    def apply(s, action):
        s.left -= action + 1
        s.taken[s.turn] += action + 1
        s.turn = 1 - s.turn

    def returns(s, out):
        out[0] = 2 * s.turn - 1
        out[1] = -out[0]

    def facts(s, observer, out):
        out[0], out[1] = s.turn, 2 + s.left
        return 2

    def show(s):
        return f"{s.left} stones"

    def action_name(s, action):
        return ("one", "two")[action]

    own = [start, player, legal, apply, returns, facts, show, action_name]
    given = {
        "name": "stones",
        "players": 2,
        "actions": 2,
        "facts": STONES + 3,
        "plies": STONES,
        "record": record(left=int8, turn=int8, taken=(int8, 2)),
        "hidden": False,
    }
    return Game(rules=changed(own, rules), **{**given, **declarations})


def ladder(*rules: Rule, **declarations: Any) -> Game:
    """Two players go left or right in turn; whoever goes left more often wins. `s.run` counts how often all began left.

    A rule that fails where `s.run` is eight fails in one random game of 256: few games do not tell.
    """

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.depth == DEPTH else s.depth % 2

    def legal(s, out):
        out[0], out[1] = 0, 1
        return 2

    def apply(s, action):
        if s.run == s.depth and action == 0:
            s.run += 1
        s.lefts[s.depth % 2] += 1 - action
        s.depth += 1

    def returns(s, out):
        lead = s.lefts[0] - s.lefts[1]
        out[0] = 1 if lead > 0 else -1 if lead < 0 else 0
        out[1] = -out[0]

    def facts(s, observer, out):
        out[0] = s.depth
        out[1] = DEPTH + 1 + s.run
        out[2] = 2 * DEPTH + 2 + s.lefts[0]
        out[3] = 3 * DEPTH + 3 + s.lefts[1]
        return 4

    own = [start, player, legal, apply, returns, facts]
    given = {
        "name": "ladder",
        "players": 2,
        "actions": 2,
        "facts": 4 * DEPTH + 4,
        "plies": DEPTH,
        "record": record(depth=int8, run=int8, lefts=(int8, 2)),
        "hidden": False,
    }
    return Game(rules=changed(own, rules), **{**given, **declarations})


def cards(*rules: Rule, **declarations: Any) -> Game:
    """Two players are dealt a card of three each, in secret, and fold or call; the higher card that called wins."""

    def start(s):
        pass

    def player(s):
        return CHANCE if s.dealt < 2 else TERMINAL if s.moves == 2 else s.moves

    def legal(s, out):
        count = 3 if s.dealt < 2 else 2
        for i in range(count):
            out[i] = i
        return count

    def chance(s, out):
        for i in range(3):
            out[i] = 1.0 / 3.0

    def apply(s, action):
        if s.dealt < 2:
            s.cards[s.dealt] = action
            s.dealt += 1
        else:
            s.acts[s.moves] = action
            s.moves += 1

    def returns(s, out):
        lead = s.cards[0] * s.acts[0] - s.cards[1] * s.acts[1]
        out[0], out[1] = lead, -lead

    def facts(s, observer, out):
        n = 0
        if 0 <= observer < s.dealt:
            out[n] = s.cards[observer]
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.acts[t]
            n += 1
        return n

    def sees(s, action, observer):
        return s.dealt in (2, observer)

    def show(s, observer):
        shown = [str(card) if observer in (who, EVERYONE) else "?" for who, card in enumerate(s.cards)]
        return f"cards {' '.join(shown)}, acts {list(s.acts)[: s.moves]}"

    def action_name(s, action):
        return f"deal {action}" if s.dealt < 2 else ("fold", "call")[action]

    own = [start, player, legal, chance, apply, returns, facts, sees, show, action_name]
    given = {
        "name": "cards",
        "players": 2,
        "actions": 2,
        "outcomes": 3,
        "facts": 7,
        "plies": 4,
        "record": record(dealt=int8, cards=(int8, 2), moves=int8, acts=(int8, 2)),
        "hidden": True,
    }
    return Game(rules=changed(own, rules), **{**given, **declarations})


GRID = square_grid(2, 2)


def board(*rules: Rule, **declarations: Any) -> Game:
    """Two players put a piece on a cell of 2 x 2 in turn; whoever first has two side by side or above wins."""

    def start(s):
        pass

    def player(s):
        return TERMINAL if s.moves == 4 or s.won > 0 else s.moves % 2

    def legal(s, out):
        count = 0
        for cell in range(4):
            if s.owner[cell] == 0:
                out[count] = cell
                count += 1
        return count

    def apply(s, action):
        who = s.moves % 2
        s.owner[action] = 1 + who
        s.moves += 1
        if s.owner[action ^ 1] == 1 + who or s.owner[action ^ 2] == 1 + who:
            s.won = 1 + who

    def returns(s, out):
        out[0] = 0 if s.won == 0 else 3 - 2 * s.won
        out[1] = -out[0]

    def facts(s, observer, out):
        first = 0 if observer == PUBLIC else observer
        count = 0
        for cell in range(4):
            if s.owner[cell] > 0:
                plane = 0 if s.owner[cell] == 1 + first else 1
                out[count] = 4 * plane + cell
                count += 1
        out[count] = 8 + s.moves % 2
        return count + 1

    def action_name(s, action):
        return GRID.name(action)

    own = [start, player, legal, apply, returns, facts, action_name]
    given = {
        "name": "board",
        "players": 2,
        "actions": 4,
        "facts": 10,
        "plies": 4,
        "record": record(owner=(int8, 4), moves=int8, won=int8),
        "hidden": False,
        "board": make_board(GRID, placements(GRID)),
    }
    return Game(rules=changed(own, rules), **{**given, **declarations})
