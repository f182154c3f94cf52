"""The Python face: states, observations, and declarations that make no sense."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.board import Move, make_board, square_grid
from forethought.state import Noticed
from tests.check.variants import lawful


@pytest.fixture(params=[True, False], ids=["compiled", "interpreted"])
def goofspiel(request) -> ft.Game:
    return ft.load("goofspiel(cards=3)", compiled=request.param)


def test_a_game_is_played_through_its_states(goofspiel: ft.Game) -> None:
    s = goofspiel.start()
    for action in (2, 0, 0, 1, 1, 2):
        assert s.player == s.observation(s.player).player
        s.apply(action)
    assert s.is_terminal
    assert s.legal_actions() == []
    assert s.returns() == [-1.0, 1.0]  # prizes 0, 1, 2: player 0 takes the first, player 1 the others


def test_an_illegal_action_is_refused_and_changes_nothing(goofspiel: ft.Game) -> None:
    s = goofspiel.start()
    s.apply(1)
    s.apply(0)
    before = s.clone()
    with pytest.raises(ft.ForethoughtError, match=r"1 is not a legal action here; legal are \[0, 2\]"):
        s.apply(1)
    assert s == before


def test_a_clone_is_independent(goofspiel: ft.Game) -> None:
    s = goofspiel.start()
    copy = s.clone()
    copy.apply(2)
    assert s == goofspiel.start()
    assert s != copy


def test_returns_are_refused_before_the_end(goofspiel: ft.Game) -> None:
    with pytest.raises(ft.ForethoughtError, match="only at the end"):
        goofspiel.start().returns()


def test_chance_nodes_list_outcomes_and_probabilities() -> None:
    s = ft.load("leduc").start()
    assert s.player == ft.CHANCE
    assert s.is_chance
    assert s.legal_actions() == [0, 1, 2, 3, 4, 5]
    assert s.chance() == pytest.approx([1 / 6] * 6)
    for card in (0, 2):
        s.apply(card)
    assert s.chance() == []


def test_an_observation_never_holds_hidden_state() -> None:
    s = ft.load("kuhn").start()
    s.apply(2)
    s.apply(0)
    seen = s.observation(0)
    assert (seen.player, seen.facts, seen.legal_actions, seen.state) == (0, (2,), (0, 1), None)
    assert s.observation(1).legal_actions == ()


def test_an_observation_holds_a_copy_of_the_state_where_nothing_is_hidden() -> None:
    s = ft.load("tic_tac_toe").start()
    seen = s.observation(0)
    seen.state.apply(4)
    assert s == s.game.start()


def test_a_player_is_not_shown_the_other_hand() -> None:
    s = ft.load("kuhn").start()
    s.apply(2)
    s.apply(0)
    assert "K ?" in s.show(0)
    assert "? J" in s.show(1)
    assert "K J" in str(s)
    assert "? ?" in s.show(ft.PUBLIC)


def test_a_game_without_a_drawing_shows_its_record_only_where_nothing_is_hidden() -> None:
    game = lawful()
    bare = replace(game, rules=[rule for rule in game.rules if rule.__name__ not in ("show", "action_name")])
    s = bare.start()
    assert s.show(0) == ""
    assert "dealt=0" in str(s)
    assert s.action_name(2) == "2"


def test_an_unknown_observer_is_refused() -> None:
    with pytest.raises(ft.ForethoughtError, match="no observer 2"):
        ft.load("kuhn").start().facts(2)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rules": []}, "the rule 'start' is missing"),
        ({"rules": [*lawful().rules, pytest.raises]}, "'raises' is no rule"),
        ({"outcomes": 0}, "a game with chance"),
        ({"plies": 10 / 2}, "plies must be a whole number, not 5.0"),
        ({"players": "2"}, "players must be a whole number, not '2'"),
        ({"rules": [*lawful().rules, 5]}, "rules are functions, and 5 is none"),
        ({"plies": 0}, "plies must be at least 1"),
        ({"plies": 10**12}, "plies must be at most 16,777,216, not 1,000,000,000,000"),
        ({"facts": 2**24 + 1}, "facts must be at most 16,777,216, not 16,777,217"),
        ({"record": ft.record(board=(np.int8, 2**24 + 1))}, "the record has 16,777,217 bytes; at most 16,777,216"),
        ({"rules": [*lawful().rules, lawful().rules[0]]}, "the rule 'start' is given twice"),
        ({"largest_return": 0.0}, "largest_return must be a number above 0"),
        ({"board": make_board(square_grid(1, 2), [Move()])}, "the board has 1 actions, and the game 2"),
        ({"board": make_board(square_grid(2, 2), [Move()] * 2)}, "planes take 8 facts, but the game declares 7"),
    ],
)
def test_a_senseless_declaration_is_refused(change, complaint: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=complaint):
        replace(lawful(), **change)


BROKEN = Path("tests/check/broken")


@pytest.mark.parametrize(
    ("file", "ask", "said"),
    [
        ("unlawful/names_raise", lambda s: s.action_name(1), "names_raise.py, line 8, in the rule 'action_name': "),
        (
            "unlawful/draw_raises",
            lambda s: s.drawing(),
            "draw_raises.py, line 8, in the rule 'draw': tuple index out of",
        ),
        (
            "unlawful/sees_raises",
            lambda s: s.noticed(0, ft.PUBLIC),
            "sees_raises.py, line 8, in the rule 'sees': index -3",
        ),
        (
            "refused/player_is_unknown",
            lambda s: after(s, 0).player,
            "the rule 'player' names 2, but players are 0 to 1",
        ),
        (
            "refused/chance_in_a_game_without",
            lambda s: s.player,
            "names -1, but the game declares no outcomes; players",
        ),
        ("refused/legal_action_is_not_declared", lambda s: s.legal_actions(), "writes 7, but declared are 0 to 1"),
        ("refused/fact_is_not_declared", lambda s: s.facts(0), "the rule 'facts' writes 99, but declared are 0 to 14"),
        ("refused/fact_is_negative", lambda s: s.facts(0), "the rule 'facts' writes -1, but declared are 0 to 14"),
    ],
)
def test_a_wrong_answer_is_refused_in_a_sentence(file: str, ask, said: str) -> None:
    state = ft.load(f"{BROKEN / file}.py", compiled=False).start()
    with pytest.raises(ft.ForethoughtError, match=re.escape(said)):
        ask(state)


def after(state: ft.State, *actions: int) -> ft.State:
    for action in actions:
        state.apply(action)
    return state


def test_a_game_ends_within_its_plies_or_is_stopped() -> None:
    state = ft.load(f"{BROKEN}/refused/more_plies_than_declared.py", compiled=False).start()
    with pytest.raises(ft.ForethoughtError, match="the game goes on after the 3 plies that it declares"):
        after(after(state, 0, 0).clone(), 0, 0)


def test_returns_that_are_no_numbers_are_refused() -> None:
    state = ft.load(f"{BROKEN}/unlawful/returns_are_no_numbers.py", compiled=False).start()
    with pytest.raises(ft.ForethoughtError, match=r"'returns' writes \[nan, nan\], which are not all finite"):
        after(state, *[1] * 6).returns()


def test_a_rule_with_the_wrong_arguments_is_refused() -> None:
    def legal(s):
        return 0

    game = lawful()
    with pytest.raises(ft.ForethoughtError, match=r"the rule 'legal' must take \(s, out\)"):
        replace(game, rules=[legal if rule.__name__ == "legal" else rule for rule in game.rules])


@pytest.mark.parametrize("fields", [{"_x": np.int8}, {"x": "words"}, {"x": np.complex128}, {"x": (np.str_, 3)}])
def test_a_record_holds_numbers_under_plain_names(fields) -> None:
    with pytest.raises(ft.ForethoughtError, match="the record's field"):
        ft.record(**fields)


@pytest.mark.parametrize(
    ("spec", "actions", "action", "observer", "noticed"),
    [
        ("tic_tac_toe", (), 4, 1, Noticed(0, 4)),
        ("kuhn", (), 2, 1, None),  # the other's card
        ("kuhn", (2, 0), 1, 1, Noticed(0, 1)),
        ("goofspiel(cards=4)", (), 3, 0, Noticed(0, 3)),
        ("goofspiel(cards=4)", (), 3, 1, None),
        ("goofspiel(cards=4)", (3,), 1, 0, Noticed(1, None, 2)),  # not the bid, but who has won
        ("tests/userfiles/dark_claims.py", (2,), 2, 0, None),  # a failed try of the other
        ("tests/userfiles/dark_claims.py", (2,), 2, 1, Noticed(1, 2, 0)),
        ("tests/userfiles/dark_claims.py", (2,), 2, ft.EVERYONE, Noticed(1, 2)),
        ("tests/userfiles/showdown.py", (), 1, 1, None),  # without `sees`, facts tell whether something happened
        ("tests/userfiles/showdown.py", (1, 0), 1, 1, Noticed(None, None)),
        ("tests/userfiles/showdown.py", (1, 0), 1, 0, Noticed(0, 1)),
    ],
)
def test_what_an_observer_notices_of_an_action(
    spec: str, actions: tuple[int, ...], action: int, observer: int, noticed: Noticed | None
) -> None:
    assert after(ft.load(spec, compiled=False).start(), *actions).noticed(action, observer) == noticed
