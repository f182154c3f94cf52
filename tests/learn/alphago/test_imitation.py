"""Imitation: a planted rule is learned completely; what is held out is never learned from; bad records are refused."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.learn.alphago.answers import accuracy
from forethought.learn.alphago.expert import GameCollection
from forethought.learn.alphago.imitation import ImitationStage, Lessons, lessons_of_records
from forethought.learn.samples import Samples
from forethought.nets.evaluator import policy_of
from forethought.nets.formats import IMITATION
from forethought.records.data_set import RecordSet, RecordSetBuilder, folded_digest
from forethought.records.formats import CheckedGame
from tests.learn.alphago.networks import only, pipeline_of, random_networks, small_run
from tests.learn.trainings import finished

GAME = "tic_tac_toe"


def ruled_game(rng: np.random.Generator) -> CheckedGame:
    """A game of a rule: after a random opening, player 0 takes the first empty cell and player 1 the last."""
    state, actions, setup = ft.load(GAME, compiled=False).start(), list[int](), int(rng.integers(0, 5))
    while not state.is_terminal:
        legal = state.legal_actions()
        random = len(actions) < setup
        action = int(rng.choice(legal)) if random else (min, max)[state.player](legal)
        actions.append(action)
        state.apply(action)
    return CheckedGame(actions, min(setup, len(actions) - 1), tuple(state.returns()), (), ())


def ruled_games(path: Path, games: int = 250, share: float = 0.2) -> RecordSet:
    """A data set of different games of the rule."""
    builder, rng, seen = RecordSetBuilder(ft.load(GAME)), np.random.default_rng(1), set()
    while len(seen) < games:
        one = ruled_game(rng)
        if tuple(one.actions) not in seen:
            seen.add(tuple(one.actions))
            builder.add(one)
    records = builder.finish(path, 7, share)
    records.write()
    return records


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> RecordSet:
    return ruled_games(tmp_path_factory.mktemp("records") / "ruled.safetensors")


def test_a_planted_rule_is_learned_completely(records: RecordSet, tmp_path: Path) -> None:
    settings = {"imitation.records": str(records.path), "imitation.epochs": 40.0, "imitation.rate": 0.01}
    settings |= {"learning.symmetries": False, "learning.weight_decay": 0.0}  # the rule has no symmetry
    reports = finished(small_run(tmp_path / "run", **(only("imitation") | settings)))
    assert reports[-1].values["accuracy"] == reports[-1].values["train_accuracy"] == 1.0
    assert reports[-1].values["accuracy_5"] == 1.0
    assert reports[-1].values["log_loss"] < reports[0].values["log_loss"]
    assert reports[-1].values["train_log_loss"] < 0.1


def test_games_held_out_are_never_learned_from_and_others_as_often_as_there_are_epochs(records: RecordSet) -> None:
    game = ft.load(GAME)
    settings = {"imitation.records": str(records.path), "imitation.epochs": 3.0, "imitation.iterations": 7}
    stage = ImitationStage(pipeline_of(game, **settings), GameCollection(game, keeps_policies=False))
    learned = np.concatenate([stage.games_of(place) for place in range(7)])
    numbers, times = np.unique(learned, return_counts=True)
    assert numbers.tolist() == np.flatnonzero(~records.held_out).tolist()
    assert set(times.tolist()) == {3}
    epoch = learned[: len(numbers)]
    assert sorted(epoch.tolist()) == numbers.tolist() != epoch.tolist()
    train = {folded_digest(game, records[int(number)].actions) for number in numbers}
    held_out = {folded_digest(game, records[int(number)].actions) for number in np.flatnonzero(records.held_out)}
    assert len(held_out) > 10
    assert not train & held_out


def test_targets_are_the_moves_played(records: RecordSet) -> None:
    lessons = Lessons(records)
    samples, at = lessons.samples(lessons.train[:5]), 0
    for number in lessons.train[:5]:
        one, state = records[int(number)], ft.load(GAME).start()
        for ply, action in enumerate(one.actions):
            legal = state.legal_actions()
            if ply >= one.setup and len(legal) > 1:
                facts, actions, targets = samples.row(at)
                assert facts == tuple(state.facts(state.player))
                assert actions == tuple(legal)
                assert targets == tuple(float(one == action) for one in legal)
                at += 1
            state.apply(action)
    assert at == samples.rows


def test_accuracy_is_what_a_plain_count_finds(records: RecordSet) -> None:
    game, lessons = ft.load(GAME), Lessons(records)
    network, samples = random_networks(game, 1)[0].compiled(), lessons.samples(lessons.train[:80])
    top1, top5, losses = [], [], []
    for place in range(samples.rows):
        facts, actions, targets = samples.row(place)
        policy, move = policy_of(network, facts, actions), targets.index(1.0)
        rank = sum(policy >= policy[move])
        top1.append(rank == 1)
        top5.append(rank <= 5)
        losses.append(-np.log(policy[move]))
    assert samples.rows > 256
    found = accuracy(network, game, samples)
    assert found == pytest.approx((np.mean(top1), np.mean(top5), np.mean(losses)))


def test_equally_probable_moves_are_not_counted_as_found() -> None:
    game = ft.load(GAME)
    model = pipeline_of(game)
    flat = {name: np.zeros_like(array) for name, array in model.networks[IMITATION].items()}
    facts, legal = game.start().facts(0), game.start().legal_actions()
    row = Samples(
        np.array([facts], np.int32).reshape(1, -1),
        np.array([len(facts)], np.int32),
        np.array([legal], np.int32),
        np.array([9], np.int32),
        np.eye(9, dtype=np.float32)[:1],
        np.zeros((1, 0), np.float32),
        np.zeros((1, 0), np.float32),
    )
    assert accuracy(model.compiled(flat), game, row)[:2] == (0.0, 0.0)


@pytest.mark.parametrize("target", ["move", "policy"])
def test_the_experts_games_are_imitated(tmp_path: Path, target: str) -> None:
    settings = only("expert", "imitation") | {"imitation.target": target}
    reports = finished(
        small_run(tmp_path / "run", **settings, **{"expert.player": "uct(simulations=20,temperature=1)"})
    )
    assert [report.values.get("different_games", 0) > 0 for report in reports] == [True, True, False, False]
    assert 0.0 <= reports[-1].values["accuracy"] <= reports[-1].values["accuracy_5"] <= 1.0
    assert "games" not in reports[-1].values  # nothing is played while it learns


def test_a_run_and_any_file_of_games_are_records(tmp_path: Path, records: RecordSet) -> None:
    source = small_run(tmp_path / "source", **only("expert"))
    finished(source)
    game = ft.load(GAME)
    lessons = lessons_of_records(game, str(source.directory), 3, 0.3)
    played = [one for _, games in source.all_games() for one in games]
    assert {one.setup for one in lessons.records} == {one.about["setup"] for one in played}
    ft.export_records(records.path, tmp_path / "games.json", part="train")
    again = lessons_of_records(game, str(tmp_path / "games.json"), 3, 0.0)
    assert len(again.train) == len(records.games("train"))


def refused(message: str, tmp_path: Path, **settings: object) -> None:
    with pytest.raises(ForethoughtError, match=message) as raised:
        finished(small_run(tmp_path / "run", **settings))
    assert "\n" not in str(raised.value)


def test_bad_records_are_answered_with_a_sentence(tmp_path: Path, records: RecordSet) -> None:
    path = str(records.path)
    with pytest.raises(ForethoughtError, match="is a data set of tic_tac_toe, not of connect_four"):
        lessons_of_records(ft.load("connect_four"), path, 1, 0.1)
    empty = RecordSetBuilder(ft.load(GAME)).finish(tmp_path / "empty.safetensors", 1, 0.5)
    empty.write()
    refused(
        "There is nothing to imitate: .*empty.safetensors has no games",
        tmp_path / "a",
        **{"imitation.records": str(empty.path)},
    )
    (tmp_path / "none.json").write_text("[]")
    refused(
        r"None of \d+ games of .*none.json is one of tic_tac_toe",
        tmp_path / "b",
        **{"imitation.records": str(tmp_path / "none.json")},
    )
    refused("There is no file, directory or run 'missing.sgf'", tmp_path / "c", **{"imitation.records": "missing.sgf"})
    refused(
        "Records tell moves, not policies", tmp_path / "d", **{"imitation.records": path, "imitation.target": "policy"}
    )
    refused("There is nothing to imitate: games of the expert has no games", tmp_path / "e", **only("imitation"))
