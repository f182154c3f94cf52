"""Benchmarks: what they say must follow from what they measured. Nothing here depends on how fast anything is."""

import random
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
import torch

import forethought as ft
from forethought.bench import (
    _REGISTRY,
    LONG_TOPICS,
    TOPICS,
    Result,
    benchmarks,
    chosen,
    learning,
    measure,
    mmd,
    openspiel,
    playouts,
    searching,
    startup,
    threads,
    trees,
)
from forethought.bench import run as run_benchmark
from forethought.bench.measure import Budget
from forethought.bench.questions import some_questions
from forethought.bench.result import Claim, within_limit
from forethought.errors import ForethoughtError
from forethought.nets.backends.pytorch import folded_tower, planes_of
from forethought.nets.tower import tower_of
from forethought.playouts import playouts as play_random_games
from forethought.randomness import generator

TINY = Budget(seconds=0.002, rounds=2)


class Clock:
    """Time that passes only when work says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.worked: list[str] = []

    def __call__(self) -> float:
        return self.now

    def work(self, name: str, seconds_a_unit: Callable[[int], float]) -> measure.Work:
        def do(units: int) -> None:
            calls = self.worked.count(name)
            self.worked.append(name)
            self.now += units * seconds_a_unit(calls)

        return do


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_result_has_the_promised_fields_in_order() -> None:
    promised = ["name", "unit", "ours", "peer", "peer_name", "ratio", "goal", "holds", "note"]
    assert [field.name for field in fields(Result)] == promised


def test_names_are_unique_and_every_topic_is_registered() -> None:
    named = [name for topic in (*TOPICS, *LONG_TOPICS) for name in topic]
    assert list(benchmarks()) == named
    assert len(set(named)) == len(named)


def test_chosen_by_nothing_by_name_and_by_beginning() -> None:
    assert chosen([]) == tuple(name for topic in TOPICS for name in topic)
    assert chosen(["startup:import", "threads"]) == ("threads:playouts", "startup:import")
    assert chosen(["playouts:"]) == (*playouts.CONTESTS, *playouts.ROLLOUTS, *playouts.LUDII)


def test_whole_name_chooses_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(_REGISTRY, "startup:import-all", partial(within_limit, "startup:import-all", 1.0, 2.0))
    assert chosen(["startup:import"]) == ("startup:import",)


@pytest.mark.parametrize("wrong", ["", "leduc"])
def test_choosing_the_unknown_is_refused_before_anything_runs(wrong: str) -> None:
    with pytest.raises(ForethoughtError, match=f"There is no benchmark '{wrong}'"):
        chosen(["startup:import", wrong])


def test_run_calls_the_benchmark_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in benchmarks():
        monkeypatch.setitem(_REGISTRY, name, partial(within_limit, name, 1.0, 2.0))
        assert run_benchmark(name).name == name


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("playouts:ledoc", "playouts:leduc"), ("leduc", "playouts:leduc"), ("thread:playouts", "threads:playouts")],
)
def test_unknown_name_lists_near_names_and_all(wrong: str, near: str) -> None:
    with pytest.raises(ForethoughtError) as error:
        run_benchmark(wrong)
    assert str(error.value).startswith(f"There is no benchmark '{wrong}'; did you mean {near}")
    assert all(name in str(error.value) for name in benchmarks())


@pytest.mark.parametrize("wrong", ["", "zzz"])
def test_unknown_name_with_nothing_near_lists_all(wrong: str) -> None:
    with pytest.raises(ForethoughtError, match="benchmarks are playouts:leduc, "):
        run_benchmark(wrong)


@pytest.mark.parametrize(("ours", "peer", "ratio", "holds"), [(60.0, 2.0, 30.0, True), (58.0, 2.0, 29.0, False)])
def test_more_a_second_is_better(ours: float, peer: float, ratio: float, holds: bool) -> None:
    result = Claim("a", "games/s", "them", goal=30.0).by_rate(ours, peer)
    assert (result.ratio, result.holds) == (ratio, holds)


@pytest.mark.parametrize(("seconds", "ratio", "holds"), [(0.25, 2.0, True), (0.5, 1.0, True), (1.0, 0.5, False)])
def test_fewer_seconds_are_better(seconds: float, ratio: float, holds: bool) -> None:
    result = within_limit("a", seconds, limit=0.5)
    assert (result.peer, result.peer_name, result.goal) == (0.5, "limit", 1.0)
    assert (result.ratio, result.holds) == (ratio, holds)


def test_works_take_turns_and_the_best_round_counts(clock: Clock) -> None:
    slow_at_first = clock.work("ours", lambda calls: 1.0 if calls < 4 else 0.25)
    steady = clock.work("peer", lambda _: 0.5)
    assert measure.best_rates([slow_at_first, steady], Budget(seconds=1.0, rounds=3, clock=clock)) == [4.0, 2.0]
    assert clock.worked[-6:] == ["ours", "peer"] * 3


def test_first_unit_is_not_measured(clock: Clock) -> None:
    compiling = clock.work("ours", lambda calls: 0.001 if calls else 100.0)
    assert measure.units_in(Budget(seconds=1.0, rounds=1, clock=clock), compiling) == 1000


@pytest.mark.parametrize("name", ["playouts:tic_tac_toe", "playouts:goofspiel(cards=13)"])
def test_playouts_beside_openspiel(name: str) -> None:
    pytest.importorskip("pyspiel")
    result = playouts.playouts_beside_openspiel(name, playouts.CONTESTS[name], TINY)
    assert (result.name, result.unit, result.peer_name, result.goal) == (name, "playouts/s", "OpenSpiel", 15.0)
    assert result.ours > 0.0
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer
    assert result.holds == (result.ratio >= 15.0)
    assert result.note == ""


@pytest.mark.parametrize("name", ["playouts:tic_tac_toe", "playouts:python_tic_tac_toe"])
def test_without_openspiel_there_is_no_verdict(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    result = playouts.playouts_beside_openspiel(name, playouts.CONTESTS[name], TINY)
    assert result.ours > 0.0
    assert (result.peer, result.ratio, result.holds) == (None, None, None)
    assert "forethought[dev]" in result.note


def test_rollouts_beside_openspiel() -> None:
    pytest.importorskip("pyspiel")
    name = "playouts:connect_four"
    result = playouts.rollouts_beside_openspiel(name, playouts.ROLLOUTS[name], TINY)
    assert (result.name, result.peer_name, result.goal) == (name, "OpenSpiel in C++", 5.0)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


def test_rollouts_without_openspiel_have_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    result = playouts.rollouts_beside_openspiel("a", playouts.ROLLOUTS["playouts:connect_four"], TINY)
    assert (result.peer, result.holds) == (None, None)


def test_a_figure_from_elsewhere_is_said_to_be_one() -> None:
    result = playouts.playouts_beside_a_figure("a", playouts.PlayoutFigure("connect_four", 100.0, 3.0), TINY)
    assert (result.peer, result.ratio, result.goal) == (100.0, result.ours / 100.0, 3.0)
    assert "not measured here" in result.peer_name
    assert "not measured here" in result.note


SAME_GAMES = {
    **{name: (contest, openspiel.random_games) for name, contest in playouts.CONTESTS.items()},
    **{name: (contest, openspiel.random_rollouts) for name, contest in playouts.ROLLOUTS.items()},
}


@pytest.mark.parametrize("name", SAME_GAMES)
@pytest.mark.quick_cases(5)
def test_both_sides_play_the_same_game(name: str) -> None:
    """Else their speeds could not be compared: random play must be worth the same, up to chance."""
    pytest.importorskip("pyspiel")
    contest, peer = SAME_GAMES[name]
    random_games = peer(contest.peer)
    assert random_games is not None
    random.seed(1)
    games = 3000
    theirs = random_games(games) / games
    ours = play_random_games(ft.load(contest.ours), 50 * games, generator(1))
    assert theirs == pytest.approx(ours.mean_returns[0], abs=4.0 * ours.deviations[0] / sqrt(games))


def test_threads_are_compared_with_one() -> None:
    result = threads.playouts_in_threads(TINY)
    assert (result.name, result.peer_name, result.goal) == ("threads:playouts", "one thread", 1.8)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


def test_threads_share_the_work() -> None:
    done: list[int] = []
    with ThreadPoolExecutor(2) as pool:
        threads._together([done.append, done.append], pool)(7)
    assert done == [4, 4]


def test_import_is_measured_in_a_fresh_interpreter() -> None:
    result = startup.importing(rounds=1)
    assert (result.name, result.unit, result.peer) == ("startup:import", "seconds", startup.IMPORT_LIMIT)
    assert result.ours > 0.0


@pytest.mark.slow
def test_user_game_is_compiled_once_into_a_cache_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    measured = startup._seconds_to_first_playout

    def counting(file: Path) -> float:
        seconds = measured(file)
        seen.append(len([path for path in file.parent.glob("cache/**/*") if path.is_file()]))
        return seconds

    monkeypatch.setattr(startup, "_seconds_to_first_playout", counting)
    result = startup.user_game_cached(rounds=1)
    assert (result.name, result.peer) == ("startup:user-game-cached", startup.CACHED_LIMIT)
    assert seen[0] == seen[1] > 0  # the second run added nothing: it was served from the cache


def test_failing_interpreter_is_reported_in_one_sentence() -> None:
    with pytest.raises(ForethoughtError, match=r"No module named .*no_such_module.*\.$"):
        startup.fresh_python("-c", "import no_such_module")


@pytest.mark.parametrize(
    ("complaints", "reason"),
    [
        ("Traceback\nTypingError: no such type\n\nDuring: inference", "TypingError: no such type"),
        ("No module named x.__main__\n", "No module named x.__main__"),
        ("", "it gave no reason"),
    ],
)
def test_reason_of_a_failure_is_one_line(complaints: str, reason: str) -> None:
    assert startup._reason(complaints) == reason


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches and networks that take no time, for benchmarks of trees."""
    sizes = {"BLOCKS": 2, "FILTERS": 8, "TOGETHER": 3, "SELF_PLAY_WALKS": 20, "SIMULATIONS": 4, "ROWS": 5}
    for name, size in (sizes | {"BARE_ROWS": (1, 2), "MCTX_GAMES": (1, 2)}).items():
        monkeypatch.setattr(trees, name, size)


def test_the_fastest_peer_counts_and_portions_are_multiplied(clock: Clock) -> None:
    ours, slow, fast = (clock.work(name, lambda _, s=s: s) for name, s in [("a", 0.5), ("b", 0.5), ("c", 0.25)])
    peers = [trees.Portions(slow, 5), trees.Portions(fast, 3)]
    budget = Budget(seconds=1.0, rounds=1, clock=clock)
    result = trees.beside(Claim("x", "walks/s", "them", 1.0), trees.Portions(ours, 9), peers, "absent", budget)
    assert (result.ours, result.peer, result.ratio, result.note) == (18.0, 12.0, 1.5, "")


def test_tree_search_beside_openspiel() -> None:
    pytest.importorskip("pyspiel")
    result = trees.uct_beside_openspiel("uct:a", trees.Searches("tic_tac_toe", "tic_tac_toe", 20), TINY)
    assert (result.name, result.peer_name, result.goal, result.note) == ("uct:a", "OpenSpiel", 4.0, "")
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


def test_tree_search_without_openspiel_has_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    result = trees.uct_beside_openspiel("a", trees.Searches("tic_tac_toe", "tic_tac_toe", 20), TINY)
    assert (result.peer, result.holds, result.note) == (None, None, openspiel.ABSENT)


def test_openspiel_searches_as_often_as_it_is_told_and_keeps_nothing() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    root = pyspiel.load_game("tic_tac_toe").new_initial_state()
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(root.get_game(), rollouts, trees.EXPLORATION, 50, trees.MEMORY, **openspiel.SILENT)
    assert [bot.mcts_search(root).explore_count for _ in range(2)] == [50, 50]


def test_trees_are_searched_in_games_known_to_be_the_same() -> None:
    known = {(contest.ours, contest.peer) for contest in playouts.ROLLOUTS.values()}
    assert {(searches.ours, searches.peer) for searches in trees.UCT.values()} <= known


@pytest.mark.usefixtures("small")
def test_games_are_the_same_while_their_evaluations_are_counted() -> None:
    game, played = ft.load(trees.GAME), []
    net = trees.new_tower(game)
    evaluations = trees.evaluations_of(lambda guide: played.extend(trees.play_games(game, 0, guide)), game, net)
    uncounted = trees.play_games(game, 0, net)
    assert [episode.actions for episode in played] == [episode.actions for episode in uncounted]
    simulations = sum(episode.simulations for episode in uncounted)
    assert simulations / 2 < evaluations < simulations  # some simulations come to an end of the game


@pytest.mark.usefixtures("small")
def test_self_play_beside_its_network() -> None:
    result = trees.self_play_share(TINY)
    assert (result.name, result.unit, result.goal) == ("az:self-play", "evaluations/s", 0.8)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


@pytest.mark.usefixtures("small")
def test_simulations_beside_mctx() -> None:
    pytest.importorskip("mctx")
    result = trees.simulations_beside_mctx(TINY)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


@pytest.mark.usefixtures("small")
def test_without_mctx_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mctx", None)
    result = trees.simulations_beside_mctx(TINY)
    assert result.ours > 0.0
    assert (result.peer, result.holds, result.note) == (None, None, trees.NO_MCTX)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("order", ["contiguous_format", "channels_last"])
def test_torch_answers_as_the_compiled_tower_does(order: str) -> None:
    game, rng = ft.load(trees.GAME), np.random.default_rng(2)
    parameters, shape = trees.new_parameters(game)
    parameters = {name: rng.uniform(0.1, 0.5, array.shape).astype(np.float32) for name, array in parameters.items()}
    questions = some_questions(game, trees.ROWS, 1)
    trees.asking(tower_of(parameters, shape), questions)()
    facts = torch.zeros(trees.ROWS, game.facts)
    for row, known in enumerate(questions.known):
        facts[row, questions.facts[row, :known]] = 1.0
    logits, values = folded_tower(torch, parameters, getattr(torch, order))(planes_of(shape.layout, facts))
    policies = torch.softmax(logits, 1).numpy()  # all seven columns are open at first
    assert questions.policies == pytest.approx(policies, abs=1e-4)
    assert questions.values == pytest.approx(values.numpy(), abs=1e-4)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("benchmark", [trees.tower_beside_torch, trees.tower_peak])
def test_towers_beside_torch_and_the_machine(benchmark: Callable[[Budget], Result]) -> None:
    result = benchmark(TINY)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


@pytest.mark.usefixtures("small")
def test_tower_without_torch_has_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    result = trees.tower_beside_torch(TINY)
    assert (result.peer, result.holds, result.note) == (None, None, trees.NO_TORCH)


@pytest.fixture
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings and searches that take no time, for benchmarks of learning."""
    small = {"iterations": 3, "games": 2, "search.simulations": 10, "evaluation.games": 2, "learning.steps": 2}
    monkeypatch.setattr(learning, "TRAINING", small)
    monkeypatch.setattr(learning, "MIDDLING", "kuhn")
    monkeypatch.setattr(learning, "SEARCH_WALKS", 50)


@pytest.mark.usefixtures("brief")
def test_the_share_of_search_is_that_of_an_iteration_without_an_exam() -> None:
    result = learning.search_share()
    assert (result.name, result.unit, result.goal) == ("learning:search-share", "s of search", 0.9)
    assert result.peer is not None
    assert 0.0 < result.ours < result.peer
    assert result.note == "2 games, 10 simulations per decision, as many workers as cores"


@pytest.mark.usefixtures("brief")
def test_without_torch_no_share_of_search_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    result = learning.search_share()
    assert (result.peer, result.holds, result.note) == (None, None, learning.ABSENT)


def test_walks_with_baselines_beside_walks_without() -> None:
    result = searching.baselines_beside_none("oos:baselines-leduc", "leduc", TINY)
    assert (result.peer_name, result.goal) == ("without baselines", 0.7)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


@pytest.mark.parametrize("benchmark", [mmd.self_play, mmd.learning])
def test_policy_gradient_beside_torch(benchmark: Callable[[Budget], Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mmd, "GAME", "goofspiel(cards=4)")
    monkeypatch.setattr(mmd, "TOGETHER", 8)
    result = benchmark(TINY)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer
    monkeypatch.setattr(mmd, "has_torch", lambda: False)
    assert benchmark(TINY).holds is None


def test_games_stepped_in_python_come_to_their_ends() -> None:
    """Every decision with a choice is the network's, so that the peer plays no fewer than we count."""
    game, asked = ft.load("goofspiel(cards=4)"), []
    states = [game.start() for _ in range(3)]
    actor = lambda inputs: asked.append(len(inputs)) or torch.zeros(len(inputs), game.actions)  # noqa: E731
    rng = np.random.default_rng(1)
    while states := [state for state in states if not mmd._passed(state, rng).is_terminal]:
        mmd.step_together(torch, actor, actor, states)
    assert sum(asked) == 2 * 3 * 6  # actor and critic, three bids of each player; the last is forced


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("benchmark", [learning.network_walks, learning.games_of_workers, learning.network_peak])
def test_learning_beside_its_peers(benchmark: Callable[[Budget], Result]) -> None:
    result = benchmark(TINY)
    assert result.peer is not None
    assert result.ratio == result.ours / result.peer


def test_questions_go_through_random_games() -> None:
    game = ft.load(trees.GAME)
    questions = some_questions(game, 60, 1)
    assert questions.facts[0, : questions.known[0]].tolist() == game.start().facts(0)
    assert (questions.counts > 0).all()
    assert len({tuple(facts[:known]) for facts, known in zip(questions.facts, questions.known, strict=True)}) > 40
