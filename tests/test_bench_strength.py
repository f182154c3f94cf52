"""Time to strength: both sides play one game, exams are exact, time is bounded. Nothing depends on how fast it is."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from forethought.bench import _REGISTRY, chosen, race, strength
from forethought.bench.race import Goal
from forethought.bench.result import Claim
from forethought.bench.strength import Outcome, StrengthGoal, read_exams, time_to_strength, verdict
from forethought.cli import app

KUHN = StrengthGoal("kuhn", "kuhn_poker", nashconv=0.05)
SMALL = {
    "NFSP": {"min_buffer_size_to_learn": 4, "batch_size": 4, "reservoir_buffer_capacity": 100},
    "Deep CFR": {
        "num_traversals": 20,
        "batch_size_advantage": 8,
        "batch_size_strategy": 8,
        "advantage_network_train_steps": 5,
    },
}
CLAIM = Claim("strength:a", "s", "", goal=10.0)


@pytest.fixture
def learners() -> Iterator[Any]:
    """OpenSpiel's learners, on one thread; what they need may not be installed."""
    for module in strength.NEEDED:
        pytest.importorskip(module)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield pytest.importorskip("forethought.bench.openspiel_learners")
    torch.set_num_threads(threads)


def test_exams_are_read_up_to_the_goal() -> None:
    lines = "1.5 0.9\n2.5 0.3\n3.5 0.2\n"
    assert read_exams(lines, 0.3) == Outcome(2.5, 0.2)
    assert read_exams(lines, 0.1) == Outcome(None, 0.2)
    assert read_exams("", 0.1) == Outcome(None, None)


def test_the_fastest_peer_counts_and_the_others_are_named() -> None:
    peers = {"NFSP": Outcome(None, 3.51), "Deep CFR": Outcome(90.0, 0.2), "PPO": Outcome(60.0, 0.29)}
    result = verdict(CLAIM, 4.0, peers, 100.0)
    assert (result.ours, result.peer, result.ratio, result.holds) == (4.0, 60.0, 15.0, True)
    assert result.peer_name == "s of OpenSpiel's PPO; not reached in 100 s by NFSP (lowest NashConv 3.51)"
    assert verdict(CLAIM, 8.0, peers, 100.0).holds is False


def test_a_goal_that_no_peer_reached_proves_as_much_as_the_bound() -> None:
    peers = {"NFSP": Outcome(None, 3.51), "PPO": Outcome(None, None)}
    result = verdict(CLAIM, 5.0, peers, 60.0)
    assert (result.peer, result.ratio, result.holds) == (60.0, 12.0, True)
    assert result.peer_name == "s or more: not reached in 60 s by NFSP (lowest NashConv 3.51), PPO (no exam)"
    too_short = verdict(CLAIM, 8.0, peers, 60.0)
    assert (too_short.ratio, too_short.holds) == (7.5, None)  # nobody knows


def test_without_openspiel_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "NEEDED", ("no_such_module",))
    result = time_to_strength("a", KUHN)
    assert (result.peer, result.holds, result.note) == (None, None, strength.ABSENT)


def test_strength_is_measured_only_if_it_is_named() -> None:
    assert chosen(["strength"]) == tuple(strength.CONTESTS)
    assert not set(strength.CONTESTS) & set(chosen([]))


@pytest.mark.slow
def test_our_learner_that_needs_longer_is_stopped_and_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, learners: Any
) -> None:
    name = "strength:leduc"
    monkeypatch.setitem(_REGISTRY, name, partial(time_to_strength, name, strength.CONTESTS[name], longest=1e-3))
    printed = CliRunner().invoke(app, ["bench", name], env={"COLUMNS": "400"})
    assert printed.exit_code == 0
    assert "not reached by ours: no exam in at most 0.001 s" in printed.stdout
    assert " NO" in printed.stdout


@pytest.mark.slow
def test_a_goal_that_anybody_reaches_is_reached_by_all(learners: Any) -> None:
    result = time_to_strength("a", KUHN._replace(nashconv=100.0), longest=1e6)
    assert result.peer is not None
    assert result.ratio == result.peer / result.ours
    assert result.peer_name.startswith("s of OpenSpiel's ")


@pytest.mark.slow
def test_a_peer_is_stopped_in_the_middle_of_what_it_does(learners: Any) -> None:
    outcome = strength.outcome_of("Deep CFR", strength.CONTESTS["strength:leduc"], 0.2)  # not a whole iteration
    assert outcome == Outcome(None, None)


class Untaught:
    """Plays at random, differently in every information set."""

    def __init__(self) -> None:
        self.learned = self.finished = 0

    def learn(self) -> None:
        self.learned += 1

    def finish(self) -> None:
        self.finished += 1

    def policies(self, infosets: Any) -> torch.Tensor:
        return torch.rand(infosets.legal.shape, generator=torch.Generator().manual_seed(1)) + 0.1


@pytest.mark.parametrize(("spec", "peer"), [("kuhn", "kuhn_poker"), ("leduc", "leduc_poker(suit_isomorphism=True)")])
def test_exams_say_what_openspiel_says_of_the_same_policy(spec: str, peer: str, learners: Any) -> None:
    import pyspiel  # noqa: PLC0415
    from open_spiel.python.policy import TabularPolicy, python_policy_to_pyspiel_policy  # noqa: PLC0415

    exam, learner, table = learners.NashConvExam(spec, peer), Untaught(), TabularPolicy(pyspiel.load_game(peer))
    weights = (learner.policies(exam.infosets) * exam.infosets.legal).numpy()
    rows = {tuple(facts): row for row, facts in enumerate(exam.infosets.inputs.tolist())}
    assert len(rows) == len(weights) == len(table.states)
    for index, state in enumerate(table.states):
        policy = weights[rows[tuple(state.information_state_tensor())]]
        table.action_probability_array[index] = policy / policy.sum()
    theirs = pyspiel.nash_conv(table.game, python_policy_to_pyspiel_policy(table))
    assert exam.nashconv(learner) == pytest.approx(theirs, abs=1e-6)


def test_a_peer_learns_until_an_exam_says_enough() -> None:
    learner, told, answers = Untaught(), list[tuple[float, float]](), iter([0.9, 0.5, 0.05])
    race.theirs(learner, lambda _learner: next(answers), Goal(*KUHN, 1e6), lambda *exam: told.append(exam))
    assert [nashconv for _, nashconv in told] == [0.9, 0.5, 0.05]
    assert learner.finished == 3 <= learner.learned
    assert [seconds for seconds, _ in told] == sorted(seconds for seconds, _ in told)


def test_columns_of_ppo_are_seats_and_end_with_their_games(learners: Any) -> None:
    learner = learners.Ppo(strength.CONTESTS["strength:leduc"].peer, tables=3, steps=7)
    learner.play()
    batch = learner.batch
    assert (batch.obs[:, 0::2, :2] == [1.0, 0.0]).all()  # OpenSpiel's first inputs say who is to move
    assert (batch.obs[:, 1::2, :2] == [0.0, 1.0]).all()
    assert np.take_along_axis(batch.legal_actions_mask, batch.actions[..., None].astype(int), 2).all()
    assert (batch.dones[-1] == 1.0).all()
    assert (batch.rewards[batch.dones == 0.0] == 0.0).all()
    assert (batch.rewards[batch.dones == 1.0] != 0.0).any()
    first = batch.rewards[batch.dones[:, :2].argmax(0), [0, 1]]
    assert first.sum() == 0.0  # both seats of the first game at the first table


@pytest.mark.parametrize("name", strength.PEERS)
def test_peers_learn(name: str, learners: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = learners.LEARNERS[name]
    monkeypatch.setattr(learners.DeepCfr, "FINISHING_STEPS", 5)
    if name in SMALL:
        monkeypatch.setattr(kind, "SETTINGS", kind.SETTINGS | SMALL[name])
    learner, exam = kind("kuhn_poker"), learners.NashConvExam("kuhn", "kuhn_poker")
    before = exam.nashconv(learner)
    learner.learn()
    learner.finish()
    after = exam.nashconv(learner)
    assert after != before
    assert 0.0 < min(before, after) < max(before, after) < 6.0
