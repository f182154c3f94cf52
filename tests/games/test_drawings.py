"""What a page draws of card and dice games: one's own open, the others' face down, and all of it for everyone."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import forethought as ft
from forethought.games import GAMES
from tests.games.enumeration import play

SMALL = ["kuhn", "leduc", "goofspiel(cards=3)", "liars_dice"]
PLIES = 5  # enough for every kind of position, the ends of short games included


def positions(state: ft.State, plies: int = PLIES) -> Iterator[ft.State]:
    yield state
    for action in state.legal_actions() if plies > 0 else []:
        after = state.clone()
        after.apply(action)
        yield from positions(after, plies - 1)


def drawn(state: ft.State, observer: int) -> dict[str, Any]:
    """What is drawn, by its label, in as few words as possible."""
    return {item["label"]: contents(item) for item in state.drawing(observer) if item["kind"] != "notes"}


def notes(state: ft.State) -> dict[str, str]:
    """What is said of the legal actions, by their names; everybody is told the same."""
    said = [[item["notes"] for item in state.drawing(who) if item["kind"] == "notes"] for who in (0, 1, ft.PUBLIC)]
    assert said[0] == said[1] == said[2]
    texts = {note["action"]: note["text"] for note in said[0][0]}
    return {state.action_name(action): texts[action] for action in state.legal_actions()}


def contents(item: dict[str, Any]) -> Any:
    if item["kind"] == "cards":
        used = {True: "x", False: ""}
        return " ".join("?" if c.get("hidden") else c["text"] + used[c.get("used", False)] for c in item["cards"])
    return item[{"dice": "dice", "chips": "amount", "words": "text"}[item["kind"]]]


def test_kuhn() -> None:
    state = play(ft.load("kuhn", compiled=False), "deal K", "deal J", "pass", "bet")
    table = {"player 0 paid": 1, "player 1 paid": 2, "pot": 3, "play": "pass, bet"}
    assert drawn(state, 0) == {"player 0": "K", "player 1": "?", **table}
    assert drawn(state, 1) == {"player 0": "?", "player 1": "J", **table}
    assert drawn(state, ft.PUBLIC) == {"player 0": "?", "player 1": "?", **table}
    assert drawn(state, ft.EVERYONE) == {"player 0": "K", "player 1": "J", **table}
    assert (state.hand(0), state.hand(1)) == ("K", "J")
    assert notes(state) == {"pass": "fold, lose 1", "bet": "call, pay 1, pot 4"}


def test_a_card_stays_face_down_when_the_game_is_over() -> None:
    state = play(ft.load("kuhn", compiled=False), "deal K", "deal J", "bet", "pass")
    assert state.is_terminal
    assert drawn(state, 0)["player 1"] == "?"
    assert drawn(state, ft.EVERYONE)["player 1"] == "J"


def test_leduc() -> None:
    state = play(ft.load("leduc", compiled=False), "deal Qs", "deal Ks", "raise", "call", "deal Q", "check", "raise")
    table = {
        "player 0 paid": 3,
        "player 1 paid": 7,
        "board": "Q",
        "pot": 10,
        "first round": "raise, call",
        "second round": "check, raise",
    }
    assert drawn(state, 0) == {"player 0": "Q", "player 1": "?", **table}
    assert drawn(state, ft.EVERYONE) == {"player 0": "Q", "player 1": "K", **table}
    assert state.hand(1) == "K"
    assert notes(state) == {"fold": "lose 3", "call": "pay 4, pot 14", "raise": "pay 8, pot 18"}


def test_the_first_bets_of_leduc_say_what_they_cost() -> None:
    state = play(ft.load("leduc", compiled=False), "deal Qs", "deal Ks")
    assert notes(state) == {"check": "pot 2", "raise": "pay 2, pot 4"}
    assert notes(play(state.game, "deal Qs", "deal Ks", "raise")) == {
        "fold": "lose 1",
        "call": "pay 2, pot 6",
        "raise": "pay 4, pot 8",
    }


def test_raises_of_several_sizes_say_what_they_cost() -> None:
    state = play(ft.load("generic_poker", compiled=False), "deal Qs", "deal Ks", "raise 4")
    assert notes(state) == {
        "fold": "lose 1",
        "call": "pay 4, pot 10",
        "raise 2": "pay 6, pot 12",
        "raise 4": "pay 8, pot 14",
    }
    state.apply(3)
    assert drawn(state, 1)["first round"] == "raise 4, raise 4"
    assert "second round" not in drawn(state, 1)


def test_goofspiel_shows_the_other_neither_bids_nor_cards() -> None:
    state = play(ft.load("goofspiel(cards=4)", compiled=False), "bid 1", "bid 3", "bid 2", "bid 0", "bid 0")
    table = {"prizes": "0x 1x 2 3", "points of player 0": 1, "points of player 1": 0, "rounds won by player": "1 0"}
    mine = {"cards of player 0": "0x 1x 2x 3", "bids of player 0": "1 2 0"}
    other = {"cards of player 1": "0x 1 2 3x", "bids of player 1": "3 0"}
    assert drawn(state, 0) == {**table, **mine, "cards of player 1": "? ?", "bids of player 1": "? ?"}
    assert drawn(state, 1) == {**table, **other, "cards of player 0": "? ?", "bids of player 0": "? ?"}
    assert drawn(state, ft.EVERYONE) == {**table, **mine, **other}
    assert (state.hand(0), state.hand(1)) == ("bid 1 2 0", "bid 3 0")


def test_a_card_of_goofspiel_is_played_by_the_action_of_its_number() -> None:
    state = ft.load("goofspiel(cards=4)", compiled=False).start()
    mine = next(item for item in state.drawing(0) if item["label"] == "cards of player 0")
    assert [card["action"] for card in mine["cards"]] == state.legal_actions()
    assert mine["seat"] == 0


def test_liars_dice() -> None:
    state = play(ft.load("liars_dice(dice=2)", compiled=False), "roll 2 6", "roll 1 1", "1 x 2", "2 x 2", "liar!")
    bids = {"bids": "1 x 2, 2 x 2, liar!"}
    assert drawn(state, 0) == {"player 0": [2, 6], "player 1": [None, None], **bids}
    assert drawn(state, ft.PUBLIC) == {"player 0": [None, None], "player 1": [None, None], **bids}
    truth = {"the last bid": "2 x 2 holds: 2 of 4 dice count as 2"}
    assert drawn(state, ft.EVERYONE) == {"player 0": [2, 6], "player 1": [1, 1], **bids, **truth}
    assert (state.hand(0), state.hand(1)) == ("2 6", "1 1")


@pytest.mark.parametrize("spec", SMALL)
def test_everyone_sees_all_that_is_dealt(spec: str) -> None:
    """At the end nothing lies face down any more, but a board card that never came."""
    for state in positions(ft.load(spec, compiled=False).start()):
        if state.is_terminal:
            seen = [item for item in state.drawing() if item["label"] != "board"]
            assert '"hidden"' not in json.dumps(seen)
            assert "null" not in json.dumps([item for item in seen if item["kind"] == "dice"])


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.quick_cases(2)
def test_a_hand_and_what_is_public_are_all_that_a_player_knows(spec: str) -> None:
    """Else rows of a strategy grid would bear the same name, or one hand have several."""
    facts_of: dict[Any, set[Any]] = defaultdict(set)
    hands_of: dict[Any, set[str]] = defaultdict(set)
    for state in positions(ft.load(spec, compiled=False).start()):
        for player in range(2):
            facts, public = tuple(state.facts(player)), tuple(state.facts(ft.PUBLIC))
            facts_of[player, public, state.hand(player)].add(facts)
            hands_of[player, facts].add(state.hand(player))
    assert {len(facts) for facts in facts_of.values()} == {1}
    assert {len(hands) for hands in hands_of.values()} == {1}


def test_without_the_rules_there_is_no_drawing_and_a_hand_is_named_by_its_facts() -> None:
    kuhn = ft.load("kuhn", compiled=False)
    bare = replace(kuhn, rules=[rule for rule in kuhn.rules if rule.__name__ not in ("draw", "hand")])
    state = play(bare, "deal K", "deal J", "pass")
    assert state.drawing(0) is None
    assert (state.hand(0), state.hand(1)) == ("2", "0")


def test_every_built_in_game_can_be_drawn() -> None:
    for name in GAMES.names():
        game = ft.load(name, compiled=False)
        assert game.board or game.start().drawing() is not None, name
