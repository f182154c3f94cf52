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

    def draw(s, observer):
        def card(who):
            return {"text": str(s.cards[who])} if who < s.dealt and observer in (who, EVERYONE) else {"hidden": True}

        return [
            {"kind": "cards", "label": "cards", "cards": [card(0), card(1)]},
            {"kind": "words", "label": "acts", "text": " ".join(("fold", "call")[s.acts[t]] for t in range(s.moves))},
        ]

    def hand(s, player):
        return str(s.cards[player]) if player < s.dealt else "-"

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
        rules=[start, player, legal, chance, apply, returns, facts, reaches, sees, show, draw, hand, action_name],
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


def shows_the_other_card() -> Game:
    def show(s, observer):
        return f"cards {s.cards[0]} {s.cards[1]}"

    return with_rule(show)


def draws_the_other_card() -> Game:
    def draw(s, observer):
        return [{"kind": "cards", "label": "cards", "cards": [{"text": str(card)} for card in s.cards]}]

    return with_rule(draw)


def draws_for_the_public_what_only_players_know() -> Game:
    def draw(s, observer):
        cards = s.cards if observer < 0 else ()
        return [{"kind": "cards", "label": "cards", "cards": [{"text": str(card)} for card in cards]}]

    return with_rule(draw)


def draws_for_one_who_waits() -> Game:
    """Player 1 sees the first card lie on the table before it knows anything."""

    def draw(s, observer):
        return [{"kind": "cards", "label": "cards", "cards": [{"hidden": True}] * s.dealt}]

    return with_rule(draw)


def shows_one_who_waits_the_other_card() -> Game:
    def show(s, observer):
        return f"{s.cards[0]} {s.cards[1]}" if observer != s.moves % 2 else f"{s.cards[observer]}"

    return with_rule(show)


def draws_what_nobody_knows_how_to_draw() -> Game:
    def draw(s, observer):
        return [{"kind": "sculpture", "label": "cards", "cards": []}]

    return with_rule(draw)


def draws_what_cannot_be_sent() -> Game:
    def draw(s, observer):
        return [{"kind": "chips", "label": "stake", "amount": int8(1)}]

    return with_rule(draw)


def drawing_changes() -> Game:
    def draw(s, observer):
        s.acts[1] = 1
        return []

    return with_rule(draw)


def hand_tells_the_other_card() -> Game:
    def hand(s, player):
        return f"{s.cards[0]} {s.cards[1]}"

    return with_rule(hand)


def excludes_the_way() -> Game:
    def reaches(s, action, observer, target, known):
        return action != 1

    return with_rule(reaches)


def names_twice() -> Game:
    def action_name(s, action):
        return "deal" if s.dealt < 2 else ("fold", "call")[action]

    return with_rule(action_name)


def names_nothing() -> Game:
    def action_name(s, action):
        return " " if s.dealt < 2 else ("fold", "call")[action]

    return with_rule(action_name)


def names_without_text() -> Game:
    def action_name(s, action):
        return ("fold", "call")[action] if s.dealt == 2 else None

    return with_rule(action_name)


def sees_says_nothing() -> Game:
    def sees(s, action, observer):
        pass

    return with_rule(sees)


def pays_one_player_only() -> Game:
    def returns(s, out):
        out[0] = 0.0

    return with_rule(returns)


def forgets_an_outcome() -> Game:
    def chance(s, out):
        out[0] = out[2] = 0.5

    return with_rule(chance)


def leaves_a_gap_in_its_facts() -> Game:
    def facts(s, observer, out):
        out[0], out[2] = s.dealt, 3 + s.moves
        return 3

    return with_rule(facts)


def says_that_nothing_is_hidden() -> Game:
    return replace(lawful(), hidden=False)


def hides_without_saying_so() -> Game:
    """No rule 'sees' tells, but the facts of one player do not tell those of the other."""
    game = lawful()
    return replace(game, hidden=False, rules=[rule for rule in game.rules if rule.__name__ != "sees"])


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


def wins_more_than_declared() -> Game:
    return replace(lawful(), largest_return=0.5)


# The law each variant breaks.
BROKEN = {
    fails: "runs",
    names_a_stranger: "player",
    never_ends: "terminates",
    legal_descends: "legal",
    nothing_legal: "legal",
    chance_is_short: "chance",
    not_zero_sum: "returns",
    wins_more_than_declared: "returns",
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
    shows_the_other_card: "drawing",
    draws_the_other_card: "drawing",
    draws_for_the_public_what_only_players_know: "drawing",
    draws_for_one_who_waits: "drawing",
    shows_one_who_waits_the_other_card: "drawing",
    draws_what_nobody_knows_how_to_draw: "drawing",
    draws_what_cannot_be_sent: "drawing",
    drawing_changes: "pure",
    hand_tells_the_other_card: "drawing",
    excludes_the_way: "reaches",
    names_twice: "named",
    names_nothing: "named",
    names_without_text: "named",
    sees_says_nothing: "runs",
    pays_one_player_only: "returns",
    forgets_an_outcome: "chance",
    leaves_a_gap_in_its_facts: "runs",
    says_that_nothing_is_hidden: "hidden",
    hides_without_saying_so: "hidden",
    overflows: "compiled",
    does_not_compile: "compiled",
}
