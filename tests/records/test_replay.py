"""Replaying: the kernel against the rules one move at a time."""

import numpy as np
import pytest

import forethought as ft
from forethought.game import Game
from forethought.records.replay import Replayer, position_after
from forethought.records.transcript import AFTER_END, ILLEGAL, NO_MOVES, UNREADABLE, WRONG_TURN, Problem, Transcript
from tests.records.reading import random_actions

SPECS = ["go(size=5)", "othello", "hex(size=4,swap=true)", "leduc", "goofspiel(cards=4)", "connect_four"]


def naive_replay(game: Game, actions: list[int], movers: list[int], optional: int) -> tuple[list[int], int]:
    """Return what is played, and how many of the moves that takes."""
    state, played, done = game.start(), [], 0
    while done < len(actions):
        legal = state.legal_actions()
        if state.is_terminal and actions[done] == optional:
            done += 1
        elif actions[done] in legal and (not movers or movers[done] == state.player):
            played.append(actions[done])
            state.apply(actions[done])
            done += 1
        elif legal == [optional]:
            played.append(optional)
            state.apply(optional)
        else:
            break
    return played, done


def movers_of(game: Game, actions: list[int]) -> list[int]:
    state, movers = game.start(), []
    for action in actions:
        movers.append(state.player)
        state.apply(action)
    return movers


@pytest.mark.parametrize("spec", SPECS)
def test_spoilt_games_are_played_as_far_as_the_rules_one_by_one(spec: str) -> None:
    game = ft.load(spec)
    replayer, optional = Replayer(game), game.actions - 1 if "othello" in spec or "go(" in spec else -1
    refused = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        actions = random_actions(game, seed)
        movers = movers_of(game, actions) if seed % 2 else []
        for _ in range(seed % 4):
            place = int(rng.integers(len(actions)))
            actions[place] = int(rng.integers(-1, game.actions + 2))
        if seed % 5 == 0 and optional >= 0:
            kept = [place for place, action in enumerate(actions) if action != optional]
            actions, movers = [actions[place] for place in kept], [movers[place] for place in kept] if movers else []
        found = replayer.replay(Transcript(1, actions, movers, optional=optional))
        played, done = naive_replay(game, actions, movers, optional)
        assert found.game.actions == played
        assert (found.problem is None) == (done == len(actions))
        refused += found.problem is not None
        if found.problem is not None:
            assert found.move == done + 1
    assert 10 < refused < 60


@pytest.mark.parametrize("spec", SPECS)
def test_returns_are_those_of_the_rules(spec: str) -> None:
    game = ft.load(spec)
    replayer = Replayer(game)
    for seed in range(20):
        actions = random_actions(game, seed)
        state = game.start()
        for action in actions:
            state.apply(action)
        assert replayer.replay(Transcript(1, actions)).game.returns == tuple(state.returns())
        assert replayer.replay(Transcript(1, actions[:-1])).game.returns is None
        assert replayer.replay(Transcript(1, actions[:-1], returns=(7.0, -7.0))).game.returns == (7.0, -7.0)


def test_what_was_wrong_is_said_of_the_right_move() -> None:
    replayer = Replayer(ft.load("tic_tac_toe"))

    def problem(*actions: int, **more: object) -> tuple[str, int]:
        found = replayer.replay(Transcript(1, actions, **more))  # type: ignore[arg-type]
        assert found.problem is not None
        return found.problem.kind, found.move

    assert problem(0, 1, 1) == (ILLEGAL, 3)
    assert problem(0, 1, movers=(0, 0)) == (WRONG_TURN, 2)
    assert problem(0, 3, 1, 4, 2, 5) == (AFTER_END, 6)
    assert problem() == (NO_MOVES, 0)
    assert problem(0, 1, setup=2) == (NO_MOVES, 0)
    assert problem(0, 1, 1, setup=2) == (ILLEGAL, 1)
    cut = Problem(UNREADABLE, "it ends")
    assert problem(0, 1, problem=cut) == (UNREADABLE, 0)
    assert problem(0, 0, problem=cut) == (ILLEGAL, 2)  # what is wrong first is what is said


def test_only_of_go_the_word_of_the_players_counts_against_the_rules() -> None:
    lost = (-1.0, 1.0)
    for spec, actions, expected in (
        ("tic_tac_toe", (0, 3, 1, 4, 2), (1.0, -1.0)),
        ("go(size=3,komi=0.5)", (4, 9, 9), lost),
    ):
        found = Replayer(ft.load(spec)).replay(Transcript(1, actions, returns=lost))
        assert found.disagrees
        assert found.game.returns == expected
        assert not Replayer(ft.load(spec)).replay(Transcript(1, actions, returns=(1.0, -1.0))).disagrees
    elsewhere = Transcript(1, (4, 9, 9), rules_decide=False)
    assert Replayer(ft.load("go(size=3,komi=0.5)")).replay(elsewhere).game.returns is None


def test_one_memory_serves_all_transcripts() -> None:
    game = ft.load("go(size=5)")
    replayer = Replayer(game)
    alone = [Replayer(game).replay(Transcript(1, random_actions(game, seed))) for seed in range(10)]
    assert [replayer.replay(Transcript(1, random_actions(game, seed))) for seed in range(10)] == alone


def test_the_position_is_drawn_after_the_moves() -> None:
    game = ft.load("tic_tac_toe")
    state = game.start()
    for action in (0, 4):
        state.apply(action)
    assert position_after(game, [0, 4]) == state.show()
