"""One small lawful game, and one broken variant of it for each law.

In the lawful game each of two players is dealt a number of its own in 0..2, sees nothing of the other's, and calls or
folds; the higher number wins. Each variant replaces one rule, or one declaration, by a wrong one.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from numpy import int8

from forethought.game import CHANCE, EVERYONE, TERMINAL, Game, record


def lawful() -> Game:
    """A game that keeps every law."""
    state = record(dealt=int8, cards=(int8, 2), moves=int8, acts=(int8, 2))

    def start(s):
        pass

    def player(s):
        if s.dealt < 2:
            return CHANCE
        return TERMINAL if s.moves == 2 else s.moves

    def legal(s, out):
        n = 3 if s.dealt < 2 else 2
        for i in range(n):
            out[i] = i
        return n

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

    def reaches(s, action, observer, target, known):
        return True

    def sees(s, action, observer):
        return s.dealt in (2, observer)

    def show(s, observer):
        cards = [str(card) if observer in (who, EVERYONE) else "?" for who, card in enumerate(s.cards)]
        return f"cards {' '.join(cards)}, acts {list(s.acts)[: s.moves]}"

    def action_name(s, action):
        return f"deal {action}" if s.dealt < 2 else ("fold", "call")[action]

    return Game(
        name="lawful",
        players=2,
        actions=2,
        outcomes=3,
        facts=7,
        plies=4,
        record=state,
        hidden=True,
        rules=[start, player, legal, chance, apply, returns, facts, reaches, sees, show, action_name],
    )


def with_rule(rule: Callable[..., Any], **declarations: Any) -> Game:
    """The lawful game with one rule replaced, by name."""
    game = lawful()
    rules = [rule if other.__name__ == rule.__name__ else other for other in game.rules]
    return replace(game, rules=rules, **declarations)


def fails() -> Game:
    def apply(s, action):
        s.cards[s.dealt] = action  # also when betting, past the end of the field
        s.dealt += 1

    return with_rule(apply)


def names_a_stranger() -> Game:
    def player(s):
        return CHANCE if s.dealt < 2 else 2

    return with_rule(player)


def never_ends() -> Game:
    def apply(s, action):
        if s.dealt < 2:
            s.cards[s.dealt] = action
            s.dealt += 1
        else:
            s.acts[s.moves] = action
            s.moves = 1

    return with_rule(apply)


def legal_descends() -> Game:
    def legal(s, out):
        n = 3 if s.dealt < 2 else 2
        for i in range(n):
            out[i] = n - 1 - i
        return n

    return with_rule(legal)


def nothing_legal() -> Game:
    def legal(s, out):
        n = 3 if s.dealt < 2 else 2 - 2 * s.moves
        for i in range(n):
            out[i] = i
        return n

    return with_rule(legal)


def chance_is_short() -> Game:
    def chance(s, out):
        for i in range(3):
            out[i] = 0.3

    return with_rule(chance)


def not_zero_sum() -> Game:
    def returns(s, out):
        out[0], out[1] = s.cards[0], s.cards[1]

    return with_rule(returns)


def looking_changes() -> Game:
    def legal(s, out):
        s.acts[1] = 1
        n = 3 if s.dealt < 2 else 2
        for i in range(n):
            out[i] = i
        return n

    return with_rule(legal)


def rolls_its_own_dice() -> Game:
    numbers = count()

    def apply(s, action):
        if s.dealt < 2:
            s.cards[s.dealt] = next(numbers) % 3
            s.dealt += 1
        else:
            s.acts[s.moves] = action
            s.moves += 1

    return with_rule(apply)


def remembers_outside() -> Game:
    games = []

    def start(s):
        games.append(1)

    def player(s):
        if s.dealt < 2:
            return CHANCE
        return TERMINAL if s.moves == 2 or len(games) > 5 else s.moves

    game = with_rule(player)
    return replace(game, rules=[start if rule.__name__ == "start" else rule for rule in game.rules])


def fact_out_of_range() -> Game:
    return replace(lawful(), facts=6)


def fact_twice() -> Game:
    def facts(s, observer, out):
        out[0] = out[1] = s.dealt
        return 2

    return with_rule(facts)


def same_facts_other_legal() -> Game:
    def legal(s, out):
        n = 3 if s.dealt < 2 else 2 if s.moves == 0 or s.cards[0] > 0 else 1
        for i in range(n):
            out[i] = i
        return n

    return with_rule(legal)


def same_facts_other_player() -> Game:
    def facts(s, observer, out):
        if 0 <= observer < s.dealt:
            out[0] = s.cards[observer]
            return 1
        return 0

    return with_rule(facts)


def forgets() -> Game:
    def facts(s, observer, out):
        out[0] = s.moves
        n = 1
        if 0 <= observer < s.dealt:
            out[n] = 4 + s.cards[observer]
            n += 1
        return n

    return with_rule(facts)


def forgets_own_action() -> Game:
    def facts(s, observer, out):
        n = 0
        if 0 <= observer < s.dealt:
            out[n] = s.cards[observer]
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t  # that somebody acted, not how
            n += 1
        return n

    return with_rule(facts)


def public_knows_more() -> Game:
    def facts(s, observer, out):
        n = 0
        who = observer if observer >= 0 else 0
        if who < s.dealt:
            out[n] = s.cards[who]
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.acts[t]
            n += 1
        return n

    return with_rule(facts)


def leaks_the_other_card() -> Game:
    def facts(s, observer, out):
        n = 0
        for who in range(s.dealt):
            if observer == who or (observer == 1 and s.cards[0] == 2):
                out[n] = s.cards[who] if observer == who else 7
                n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.acts[t]
            n += 1
        return n

    return with_rule(facts, facts=8)


def forgets_what_it_saw() -> Game:
    def facts(s, observer, out):
        n = 0
        if 0 <= observer < s.dealt:
            out[n] = min(s.cards[observer], 1)  # a two looks like a one
            n += 1
        for t in range(s.moves):
            out[n] = 3 + 2 * t + s.acts[t]
            n += 1
        return n

    return with_rule(facts)


def draws_the_other_card() -> Game:
    def show(s, observer):
        return f"cards {s.cards[0]} {s.cards[1]}"

    return with_rule(show)


def excludes_the_way() -> Game:
    def reaches(s, action, observer, target, known):
        return action != 1

    return with_rule(reaches)


def names_twice() -> Game:
    def action_name(s, action):
        return "deal" if s.dealt < 2 else ("fold", "call")[action]

    return with_rule(action_name)


def overflows() -> Game:
    def returns(s, out):
        big = (1 << 62) * (2 + s.cards[0])  # Python's numbers grow, a machine's wrap
        lead = 1 if big > 0 else -1
        out[0], out[1] = lead, -lead

    return with_rule(returns)


def does_not_compile() -> Game:
    def player(s):
        turns = {0: 0, 1: "one"}
        if s.dealt < 2:
            return CHANCE
        return TERMINAL if s.moves == 2 else len(turns) - 2 + s.moves

    return with_rule(player)


# The law each variant breaks.
BROKEN = {
    fails: "runs",
    names_a_stranger: "player",
    never_ends: "terminates",
    legal_descends: "legal",
    nothing_legal: "legal",
    chance_is_short: "chance",
    not_zero_sum: "returns",
    looking_changes: "pure",
    rolls_its_own_dice: "deterministic",
    remembers_outside: "isolated",
    fact_out_of_range: "facts",
    fact_twice: "facts",
    same_facts_other_legal: "decisions",
    same_facts_other_player: "decisions",
    forgets: "recall",
    forgets_own_action: "recall",
    public_knows_more: "public",
    leaks_the_other_card: "secrets",
    forgets_what_it_saw: "secrets",
    draws_the_other_card: "drawing",
    excludes_the_way: "reaches",
    names_twice: "named",
    overflows: "compiled",
    does_not_compile: "compiled",
}
