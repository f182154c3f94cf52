"""The Python API: what functions take, what they return, and what they refuse."""

import copy
import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.api.arguments import chosen_executor
from forethought.runtime.threads import Threads
from tests.evaluate.given_players import GivenPlayer
from tests.runtime.elsewhere import Elsewhere

KUHN = ft.load("kuhn")


def after(*actions: int, game: ft.Game = KUHN) -> ft.State:
    state = game.start()
    for action in actions:
        state.apply(action)
    return state


# Observations and states


def test_the_vector_of_an_observation_has_ones_where_facts_are_known() -> None:
    seen = after(2, 0).observation(0)
    vector = seen.vector()
    assert (vector.shape, vector.dtype) == ((KUHN.facts,), np.float32)
    assert np.flatnonzero(vector).tolist() == sorted(seen.facts) == [2]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, ft.State.clone])
def test_a_copied_state_goes_its_own_way_in_the_same_game(copied) -> None:
    state = after(2, 0)
    other = copied(state)
    assert (other == state, other.game is state.game) == (True, True)
    other.apply(0)
    assert other != state
    assert state.player == 0


def test_a_game_is_its_own_copy() -> None:
    assert copy.deepcopy(KUHN) is copy.copy(KUHN) is KUHN


# Positions


@pytest.mark.parametrize("moves", ["K, deal J, pass", "2,0,0", [2, 0, 0], ("deal K", "deal J", "pass")])
def test_moves_are_written_as_people_do(moves) -> None:
    state = ft.position("kuhn", moves)
    assert state == after(2, 0, 0)


@pytest.mark.parametrize(("moves", "left"), [("2, 3", 5), (["2", "3"], 5), ([1, 2], 5), ("1", 9)])
def test_where_names_are_numbers_texts_are_names_and_numbers_are_actions(moves, left: int) -> None:
    state = ft.position("tests/userfiles/take_away.py(stones=10)", moves)
    assert state.view.left == left


def test_a_number_that_is_no_name_there_is_refused() -> None:
    with pytest.raises(ft.ForethoughtError, match="'0' is no action of player 0 there; possible are 1, 2, 3"):
        ft.position("tests/userfiles/take_away.py", "0")


def test_chance_draws_what_moves_leave_to_it_by_the_seed() -> None:
    drawn = {bytes(ft.position(KUHN, seed=seed).memory) for seed in range(20)}
    assert len(drawn) == 6  # of two different cards of three
    assert ft.position(KUHN, seed=3) == ft.position("kuhn", "", seed=3)


# Thoughts


def test_a_thought_has_a_policy_its_best_action_and_what_a_search_reports() -> None:
    thought = ft.think(ft.position("leduc", "Ks, Qs, raise"), "oos:500", seed=1)
    assert (thought.game, thought.player, thought.seat, thought.seed) == ("leduc", "oos:500", 1, 1)
    assert sum(thought.policy.probabilities) == pytest.approx(1.0)
    assert thought.policy.as_dict()[thought.best] == max(thought.policy.probabilities)
    assert thought.simulations == 500
    assert len(thought.about("visits")) == len(thought.about("name")) == 3
    with pytest.raises(
        ft.ForethoughtError, match="oos:500 reports no 'value', only action, name, probability, share, regret"
    ):
        thought.about("value")


def test_a_thought_comes_from_what_is_observed() -> None:
    """Neither what the other holds nor whether a state or an observation is given changes it."""
    first, second = (ft.position("leduc", f"Ks, {card}, raise") for card in ("Qs", "Js"))
    seat_0 = [ft.think(ft.position("leduc", f"Ks, {card}"), "oos:200", seed=1) for card in ("Qs", "Js")]
    assert seat_0[0].actions == seat_0[1].actions
    state, observed = (ft.think(one, "oos:200", seed=1) for one in (first, first.observation(1)))
    assert state.policy == observed.policy
    assert (state.about("name"), observed.about("name")) == (["fold", "call", "raise"], ["0", "1", "2"])
    assert ft.think(second, "oos:200", seed=1).facts != state.facts


def test_an_interpreted_position_is_thought_about_too() -> None:
    game = ft.load("tic_tac_toe", compiled=False)
    interpreted, compiled = (ft.think(one.start(), "uct:50", seed=2) for one in (game, ft.load(game)))
    assert interpreted.actions == compiled.actions


def test_a_seed_that_is_not_given_is_drawn_and_repeats_the_thought() -> None:
    state = ft.position("kuhn", "K, J")
    drawn = ft.think(state, "oos:50")
    assert ft.think(state, "oos:50", seed=drawn.seed).actions == drawn.actions


@pytest.mark.parametrize(
    ("position", "said"),
    [
        (after(), "kuhn: nobody is to move there: chance acts"),
        (after(2, 0, 0, 0), "kuhn: nobody is to move there: the game is over"),
        (after(2, 0).observation(1), "kuhn: player 1 is not to move there"),
    ],
)
def test_nobody_thinks_where_nobody_is_to_move(position, said: str) -> None:
    with pytest.raises(ft.ForethoughtError, match=said):
        ft.think(position, "random")


# Games


def test_a_record_is_replayed_from_start_to_end() -> None:
    record = ft.play("leduc", ["oos:20", "random"], seed=6)
    states = list(record.states())
    assert len(states) == len(record.actions) + 1 == len(record.names) + 1
    assert states[0] == ft.load("leduc").start()
    assert states[-1].returns() == record.returns
    assert [state.action_name(action) for state, action in zip(states, record.actions, strict=False)] == record.names
    assert ft.play("leduc", ["oos:20", "random"], seed=6) == record
    assert ft.play("leduc", ["oos:20", "random"], seed=6, number=1) != record


def test_a_player_for_all_seats_or_one_for_each() -> None:
    assert ft.play("kuhn", "random", seed=1).players == ["random", "random"]
    with pytest.raises(ft.ForethoughtError, match="kuhn: it has 2 seats, but 3 players were given"):
        ft.play("kuhn", ["random"] * 3)


def test_what_players_need_is_loaded_once() -> None:
    loaded: list[ft.Game] = []

    class Counted(GivenPlayer):
        def new_player(self, game: ft.Game):
            loaded.append(game)
            return super().new_player(game)

    one = Counted(made=ft.player("random").new_player(KUHN))
    ft.play_games("kuhn", [one, one], 5, seed=1)
    assert len(loaded) == 1


# Players


def test_a_player_is_settings_that_can_be_changed_and_written() -> None:
    player = ft.player("oos:300")
    assert player.simulations == 300
    assert str(dataclasses.replace(player, simulations=20)) == "oos(simulations=20)"
    assert ft.player(player) is player
    same = ft.player("oos:20"), "oos(simulations=20)"
    settings, string = (ft.match("kuhn", one, "random", games=10) for one in same)
    assert settings == string


def test_a_solution_is_played_saved_and_told_apart(tmp_path: Path) -> None:
    rough, fine = (ft.solve("kuhn", iterations=count) for count in (5, 200))
    assert (fine.iterations, len(fine.curve), fine.curve[-1].exploitability) == (200, 22, fine.exploitability)
    assert fine.exploitability < rough.exploitability
    assert str(rough.player()) != str(fine.player())
    assert str(fine.player()).startswith("cfr+ of kuhn #")
    saved = fine.save(tmp_path / "kuhn.policy")
    played, loaded = (ft.exploitability("kuhn", player) for player in (fine.player(), f"policy:{saved}"))
    assert played.nashconv == loaded.nashconv == pytest.approx(fine.nashconv, abs=1e-12)
    won = ft.match("kuhn", fine.player(), rough.player(), games=20, executor=Elsewhere())
    assert won == ft.match("kuhn", fine.player(), rough.player(), games=20, workers=1)
    with pytest.raises(ft.ForethoughtError, match="This is a policy of kuhn, not of leduc"):
        ft.match("leduc", fine.player(), "random", games=2)


def test_ctrl_c_returns_what_was_reached() -> None:
    def impatient(_what: str, part: float) -> None:
        if part > 0.5:
            raise KeyboardInterrupt

    stopped = ft.solve("kuhn", iterations=100, progress=impatient)
    assert 50 < stopped.iterations < 100


# Where work is done, and how far it is


@pytest.mark.parametrize(
    ("executor", "workers", "expected"), [("threads:3", None, 3), ("threads", 2, 2), (None, 4, 4), ("threads:3", 2, 2)]
)
def test_an_executor_is_named_and_given_workers(executor: str | None, workers: int | None, expected: int) -> None:
    assert chosen_executor(executor, workers).workers == expected


def test_an_executor_that_is_given_is_used() -> None:
    given = Threads(2)
    assert chosen_executor(given, None) is given
    with pytest.raises(ft.ForethoughtError, match="leave out workers"):
        chosen_executor(given, 2)
    with pytest.raises(ft.ForethoughtError, match="There is no executor 'thread'; did you mean threads"):
        chosen_executor("thread", None)


def test_every_executor_finds_the_same() -> None:
    executors = (Threads(1), "threads:3", Elsewhere())
    found = [ft.match("leduc", "oos:20", "random", games=12, executor=one) for one in executors]
    assert found[0] == found[1] == found[2]
    ladders = [ft.ladder("kuhn", ["random", "oos:10"], games=8, executor=one) for one in (Threads(1), Elsewhere())]
    assert ladders[0] == ladders[1]


def test_a_store_keeps_rounds_only_if_it_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    without = ft.match("kuhn", "random", "random", games=20)
    assert list(tmp_path.iterdir()) == []
    for store in (tmp_path / "kept.jsonl", str(tmp_path / "kept.jsonl")):
        assert ft.match("kuhn", "random", "random", games=20, store=store) == without
    assert (tmp_path / "kept.jsonl").read_bytes().count(b"\n") == 10
    ft.match("kuhn", "random", "random", games=20, store=store, fresh=True)
    assert (tmp_path / "kept.jsonl").read_bytes().count(b"\n") == 20


def test_rounds_from_a_store_are_not_reported_since_they_took_no_time(tmp_path: Path) -> None:
    def first_part(games: int) -> float:
        told: list[float] = []
        store = tmp_path / "kept.jsonl"
        ft.match("kuhn", "random", "random", games=games, store=store, progress=lambda _what, part: told.append(part))
        return min(told, default=0.0)

    assert [first_part(games) for games in (20, 20, 40)] == [1 / 10, 0.0, 11 / 20]  # of rounds that were not stored


@pytest.mark.parametrize(
    "function",
    [
        lambda report: ft.think(after(2, 0), "oos:500", progress=report),
        lambda report: ft.exploitability("kuhn", "random", progress=report),
        lambda report: ft.exploitability(
            "leduc", "random", max_nodes=1, response="search:50", games=50, progress=report
        ),
        lambda report: ft.accuracy("tic_tac_toe", "random", positions=5, progress=report),
        lambda report: ft.solve("kuhn", iterations=20, progress=report),
        lambda report: ft.check("kuhn", plies=50, progress=report),
        lambda report: ft.ladder("kuhn", ["random", "random()"], games=20, progress=report),
    ],
    ids=["think", "exploitability", "a bound", "accuracy", "solve", "check", "ladder"],
)
def test_progress_is_reported_in_words_and_parts(function) -> None:
    told: list[tuple[str, float]] = []
    function(lambda what, part: told.append((what, part)))
    assert told
    assert all(what and 0.0 <= part <= 1.0 for what, part in told)


# Results


def test_results_are_frozen_plain_and_sent_elsewhere() -> None:
    result = ft.match("kuhn", "random", "random", games=10)
    assert pickle.loads(pickle.dumps(result)) == result  # noqa: S301 (its own bytes)
    assert result.as_dict()["seats"][0]["games"] == 5
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.games = 3


def test_what_is_no_data_is_left_out() -> None:
    assert "policy" not in ft.solve("kuhn", iterations=3).as_dict()
    assert "view" not in ft.think(after(2, 0), "random").as_dict()
    assert "played" not in ft.play("kuhn", "random", seed=1).as_dict()


@pytest.mark.parametrize("suffix", ["png", "svg"])
@pytest.mark.quick_cases(1)
def test_pictures_are_drawn_to_any_path(tmp_path: Path, suffix: str) -> None:
    ladder, solution = ft.ladder("kuhn", ["random", "random()"], games=20), ft.solve("kuhn", iterations=10)
    for result in (ladder, solution):
        for path in (tmp_path / f"a.{suffix}", str(tmp_path / f"b.{suffix}")):
            assert result.plot(path).read_bytes().startswith(b"\x89PNG" if suffix == "png" else b"<?xml")
    with pytest.raises(ft.ForethoughtError, match=r"must end in .png or .svg"):
        solution.plot(tmp_path / "curve.pdf")


# The package


def test_functions_come_before_folders_of_the_same_name() -> None:
    import forethought.games.kuhn  # noqa: PLC0415
    import forethought.solve.cfr  # noqa: F401, PLC0415

    assert all(callable(getattr(ft, name)) for name in ("games", "solve", "check", "player", "runs", "bench", "serve"))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ft.match("kuhn", "random", "random", games=1), "A match needs 2 games or more"),
        (lambda: ft.match("kuhn", "random", "random", margin=0.7), "The margin must be between 0 and 0.5"),
        (lambda: ft.match("kuhn", "random", "random", workers=0), "workers must be a whole number at least 1, not 0"),
        (lambda: ft.match("kuhn", "random", "random", seed=-1), "seed must be a whole number at least 0, not -1"),
        (lambda: ft.ladder("kuhn", ["random"]), "A ladder needs two players or more"),
        (lambda: ft.solve("kuhn", "cfrr"), "There is no algorithm 'cfrr'; did you mean cfr"),
        (lambda: ft.accuracy("leduc", "random"), "it hides information"),
        (lambda: ft.player("radnom"), "There is no player 'radnom'; did you mean random"),
        (lambda: ft.open_run("nothing"), "There is no run 'nothing'"),
        (lambda: ft.explain("nothing", policy="cd"), "policy must be one of ce, double, tspg, not 'cd'"),
        (lambda: ft.explain("nothing", player=2), "player must be 0 or 1, not 2"),
        (lambda: ft.bench("chess"), "There is no benchmark 'chess'"),
        (lambda: ft.serve(host="0.0.0.0"), "Others can reach 0.0.0.0"),  # noqa: S104
        (lambda: ft.position("kuhn", "deal X"), "'deal X' is no action of chance there"),
    ],
)
def test_a_mistake_is_one_sentence(call, said: str) -> None:
    with pytest.raises(ft.ForethoughtError) as refusal:
        call()
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
