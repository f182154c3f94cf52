"""Policy gradient against a pool: its expectation is the gradient of the expected return; pool, seats and baseline."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.games.reference import reference_to
from forethought.learn.alphago.answers import values_of
from forethought.learn.alphago.reinforcement import (
    PoolGamesJob,
    ReinforcementStage,
    play_against,
    weighted,
)
from forethought.learn.apprentice import Apprentice
from forethought.learn.board_networks import new_board_network
from forethought.learn.losses import log_likelihood
from forethought.learn.models import Model
from forethought.learn.recording import RecordedMoves
from forethought.learn.samples import Samples, samples_of
from forethought.nets.evaluator import policy_of
from forethought.nets.formats import IMITATION, REINFORCED, VALUE, Parameters
from forethought.runtime.executor import Stopped
from forethought.runtime.threads import Threads
from tests.learn.alphago.networks import MLP, TOWER, only, pipeline_of, random_networks, shaken, small_run
from tests.learn.trainings import finished

STEP = 2e-2  # of finite differences


def whole_games(
    game: ft.Game, learner: Any, opponent: Any, seat: int
) -> Iterator[tuple[float, float, list[tuple[list[int], list[int], int]]]]:
    """Every game there is: its probability, what the learner wins, and the learner's decisions."""

    def go_on(state: ft.State, chance: float, decisions: list) -> Iterator[tuple[float, float, list]]:
        if state.is_terminal:
            yield chance, state.returns()[seat], decisions
            return
        legal, mover = state.legal_actions(), state.player
        player = learner if mover == seat else opponent
        policy = policy_of(player, state.facts(mover), legal) if len(legal) > 1 else [1.0]
        for choice, action in enumerate(legal):
            later = state.clone()
            later.apply(action)
            decided = mover == seat and len(legal) > 1
            noted = [*decisions, (state.facts(mover), legal, choice)] if decided else decisions
            yield from go_on(later, chance * float(policy[choice]), noted)

    yield from go_on(game.start(), 1.0, [])


def expected_return(game: ft.Game, learner: Any, opponent: Any, seat: int) -> float:
    return sum(chance * won for chance, won, _ in whole_games(game, learner, opponent, seat))


def expected_lesson(game: ft.Game, learner: Any, opponent: Any, seat: int) -> Samples:
    """The rows of all games, weighted by their probability and their result: what REINFORCE learns on average."""
    examples = [
        (facts, legal, [chance * won * (place == choice) for place in range(len(legal))])
        for chance, won, decisions in whole_games(game, learner, opponent, seat)
        for facts, legal, choice in decisions
    ]
    return samples_of(game, examples)


def gradient_of(model: Model, parameters: Parameters, samples: Samples) -> np.ndarray:
    """What climbs, as the apprentice finds it: after one step Adam's mean is a tenth of the gradient."""
    apprentice = Apprentice(model, parameters, 1e-3, policy_loss=log_likelihood)
    halves = [samples.chosen(slice(samples.rows // 2)), samples.chosen(slice(samples.rows // 2, None))]
    apprentice.step(halves)
    return -np.asarray(apprentice.state()["mean"]) / 0.1 * samples.rows


@pytest.mark.parametrize("kind", [MLP, TOWER], ids=["mlp", "tower"])
@pytest.mark.parametrize("seat", [0, 1])
def test_on_average_it_climbs_the_expected_return(kind: Any, seat: int) -> None:
    """Every game of Hex on 2 x 2, and finite differences of what the network wins on average."""
    game, rng = ft.load("hex(size=2)"), np.random.default_rng(2)
    model, parameters = new_board_network(game, kind, rng)
    parameters, opponent = shaken(parameters, rng), random_networks(game, 1)[0].compiled()
    learner = model.weights(parameters).compiled()
    found = gradient_of(model.with_fixed_averages(), parameters, expected_lesson(game, learner, opponent, seat))
    trained = model.trained
    for _ in range(6):
        direction = {name: rng.normal(size=parameters[name].shape) for name in trained}
        size = np.sqrt(sum((part**2).sum() for part in direction.values()))
        direction = {name: part / size for name, part in direction.items()}
        ends = [
            expected_return(game, moved(model, parameters, direction, sign * STEP), opponent, seat) for sign in (1, -1)
        ]
        slope = (ends[0] - ends[1]) / (2 * STEP)
        ours = float(found @ np.concatenate([direction[name].ravel() for name in trained]))
        assert ours == pytest.approx(slope, abs=2e-3)
    assert np.abs(found).max() > 1e-2


def moved(model: Model, parameters: Parameters, direction: dict[str, np.ndarray], step: float) -> Any:
    changed = {name: (parameters[name] + step * direction[name]).astype(np.float32) for name in direction}
    return model.weights(parameters | changed).compiled()


def test_weights_stand_at_the_moves_that_were_played() -> None:
    moves = RecordedMoves(
        facts=np.array([[4, 2, 0], [1, 0, 0]], np.int32),
        known=np.array([2, 1], np.int32),
        games=np.array([0, 1], np.int32),
        players=np.array([0, 0], np.int32),
        actions=np.array([[3, 5, 7], [2, 6, 0]], np.int32),
        counts=np.array([3, 2], np.int32),
        choices=np.array([2, 0], np.int32),
    )
    found = weighted(moves, np.array([0.5, -1.0], np.float32))
    assert found.targets.tolist() == [[0.0, 0.0, 0.5], [-1.0, 0.0, 0.0]]
    assert found.facts.tolist() == [[4, 2], [1, 0]]
    assert found.values.shape == (2, 0)


class Listening(Threads):
    """An executor that notes its jobs."""

    def __init__(self) -> None:
        super().__init__(1)
        self.jobs: list[PoolGamesJob] = []

    def map(self, task, jobs):
        listed = list(jobs)
        self.jobs += [job for _, job in listed if isinstance(job, PoolGamesJob)]
        return super().map(task, listed)


def test_half_the_games_are_in_each_seat_against_one_opponent_of_the_pool(tmp_path: Path) -> None:
    executor = Listening()
    settings = {"games": 100, "policy_gradient.batch": 75, "policy_gradient.iterations": 3}
    finished(small_run(tmp_path / "run", **(only("policy_gradient") | settings)), executor)
    steps = {job.seed[:4] for job in executor.jobs}
    assert len(steps) == 6
    for step, size in zip(sorted(steps), (75, 25) * 3, strict=True):
        jobs = [job for job in executor.jobs if job.seed[:4] == step]
        seats = [sum(job.games for job in jobs if job.seat == seat) for seat in (0, 1)]
        assert seats == [(size + 1) // 2, size // 2]
        assert len({job.opponent.panels.tobytes() for job in jobs}) == 1
        assert len({job.learner.panels.tobytes() for job in jobs}) == 1
    assert len({job.learner.panels.tobytes() for job in executor.jobs}) == 6  # it learns after every step


def test_the_pool_begins_with_the_start_and_gains_networks_and_is_drawn_by_the_seed(tmp_path: Path) -> None:
    run = small_run(tmp_path / "run", **(only("policy_gradient") | {"policy_gradient.iterations": 3}))
    reports = finished(run)  # three steps per iteration, and one of two is followed by a new member
    assert [report.values["pool"] for report in reports] == [2, 3, 5]
    game = ft.load("tic_tac_toe")
    stages = [ReinforcementStage(pipeline_of(game, seed=seed)) for seed in (3, 3, 4)]
    for stage in stages:
        stage.pool = [{}] * 5
    drawn = [[stage.drawn_opponent(number, batch) for number in (1, 2) for batch in range(40)] for stage in stages]
    assert drawn[0] == drawn[1] != drawn[2]
    assert set(drawn[0]) == set(range(5))
    assert drawn[0][:40] != drawn[0][40:]


def test_results_are_the_learners_from_its_seat() -> None:
    game = ft.load("tic_tac_toe")
    learner, opponent = (one.compiled() for one in random_networks(game, 2))
    found = [
        play_against(PoolGamesJob(reference_to(game), learner, opponent, seat, 50, (1, seat)), lambda: False)
        for seat in (0, 1)
    ]
    for seat, part in enumerate(found):
        assert set(part.results.tolist()) <= {-1.0, 0.0, 1.0}
        assert set(part.moves.players.tolist()) == {seat}
    assert found[0].results.mean() != found[1].results.mean()
    with pytest.raises(Stopped):
        play_against(PoolGamesJob(reference_to(game), learner, opponent, 0, 1, (1,)), lambda: True)


def test_it_learns_from_positions_as_they_were_played(tmp_path: Path) -> None:
    """Turned, they would be positions where the network draws otherwise: not the gradient of what it won."""
    found = []
    for symmetries in (True, False):
        run = small_run(tmp_path / str(symmetries), **(only("policy_gradient") | {"learning.symmetries": symmetries}))
        finished(run)
        found.append(run.weights_file(2).read_bytes())
    assert found[0] == found[1]


def test_a_baseline_is_taken_from_the_result() -> None:
    game, settings = ft.load("tic_tac_toe"), only("policy_gradient")
    pipelines = [pipeline_of(game, **settings, **{"policy_gradient.baseline": one}) for one in ("none", "value")]
    network = shaken(pipelines[0].networks[IMITATION], np.random.default_rng(4))
    pipelines[1].networks[VALUE] = network
    playing = pipelines[0].compiled(network)
    played = [play_against(PoolGamesJob(reference_to(game), playing, playing, 0, 20, (1,)), lambda: False)]
    plain, less = (ReinforcementStage(pipeline).lesson(played) for pipeline in pipelines)
    values, rows = values_of(playing, game, plain), np.arange(plain.rows)
    choices = played[0].moves.choices
    assert np.abs(values).max() > 0.1
    assert less.targets[rows, choices] == pytest.approx(plain.targets[rows, choices] - values, abs=1e-6)
    less.targets[rows, choices] = plain.targets[rows, choices] = 0.0
    assert not less.targets.any()
    assert not plain.targets.any()


def test_a_baseline_needs_a_value_network(tmp_path: Path) -> None:
    with pytest.raises(ForethoughtError, match="A baseline is the value network of an earlier run"):
        finished(small_run(tmp_path / "run", **{"policy_gradient.baseline": "value"}))


def test_it_learns_to_win(tmp_path: Path) -> None:
    """From a new network to one that beats it, on Hex 3 x 3."""
    settings = {"games": 256, "policy_gradient.batch": 64, "policy_gradient.iterations": 12}
    settings |= {"policy_gradient.rate": 0.01, "policy_gradient.pool_every": 1000}
    run = small_run(tmp_path / "run", "hex(size=3)", **(only("policy_gradient") | settings))
    reports = finished(run)
    rates = [report.values["pool_win_rate"] for report in reports]
    assert 0.4 < rates[0] < 0.65
    assert min(rates[-3:]) > 0.7
    assert reports[-1].values["entropy"] < reports[0].values["entropy"]
    weights = run.weights_file(12)
    match = ft.match(
        "hex(size=3)",
        f"net(run={weights},policy={REINFORCED},greedy=never)",
        f"net(run={weights},policy={IMITATION},greedy=never)",
        games=200,
        seed=1,
    )
    assert match.win_rate > 0.7
