"""AlphaZero's self-play: what it teaches is what the search found and who won, whatever company a game is played in."""

from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.learn.algorithms.alphazero import AlphaZero, AlphaZeroConfiguration, GamesAtOnce
from forethought.learn.configuration import configuration_of
from forethought.learn.episodes import Episode
from forethought.learn.play import Play
from forethought.randomness import generator
from forethought.runtime.executor import Stopped
from forethought.runtime.threads import Threads
from tests.learn.trainings import new_run

TAKE_AWAY, DICE = "tests/userfiles/take_away.py", "tests/userfiles/dice_race.py"
SMALL = {
    "algorithm": "alphazero",
    "search.simulations": 30,
    "workers": 1,
    "network.hidden": "16",
    "network.blocks": 1,
    "network.filters": 8,
}


def learner_of(spec: str, **settings: object) -> AlphaZero:
    chosen = configuration_of({"game": spec, "seed": 1} | SMALL | settings)
    assert isinstance(chosen, AlphaZeroConfiguration)
    return AlphaZero(ft.load(spec), chosen)


def at_once(learner: AlphaZero, *seeds: int) -> GamesAtOnce:
    rngs = [generator(seed) for seed in seeds]
    return GamesAtOnce(learner.game, learner.configuration, learner.network, rngs)


def played(learner: AlphaZero, *seeds: int) -> list[Episode]:
    return at_once(learner, *seeds).play(lambda: False)


@pytest.mark.parametrize("spec", ["tic_tac_toe", "connect_four", "hex(size=4)", TAKE_AWAY, DICE])
@pytest.mark.quick_cases(2)
def test_every_decision_with_a_choice_becomes_a_sample(spec: str) -> None:
    learner = learner_of(spec)
    game = learner.game
    for episode in played(learner, 5, 6):
        s, rows, movers = game.start(), [], []
        for action in episode.actions:
            legal = s.legal_actions()
            if not s.is_chance and len(legal) > 1:
                rows.append((tuple(s.facts(s.player)), tuple(legal)))
                movers.append(s.player)
            s.apply(action)  # a game refuses what is not legal
        assert s.is_terminal
        assert episode.returns == s.returns()
        assert [episode.samples.row(place)[:2] for place in range(episode.samples.rows)] == rows
        assert episode.samples.targets.sum(axis=1) == pytest.approx(1.0, abs=1e-6)
        most = max(1.0, *map(abs, s.returns()))
        assert episode.samples.values[:, 0] * most == pytest.approx([s.returns()[mover] for mover in movers])
        assert episode.simulations == 30 * len(rows)


@pytest.mark.parametrize(("spec", "kind"), [("tic_tac_toe", "tower"), ("tic_tac_toe", "mlp"), (DICE, "mlp")])
def test_a_game_is_the_same_in_any_company(spec: str, kind: str) -> None:
    learner = learner_of(spec, **{"network.kind": kind})
    together = played(learner, 3, 4, 5)
    for seed, one in zip((3, 4, 5), together, strict=True):
        alone = played(learner, seed)[0]
        assert alone.actions == one.actions
        assert all(np.array_equal(a, b) for a, b in zip(alone.samples, one.samples, strict=True))


def test_later_moves_are_what_was_visited_most() -> None:
    learner = learner_of("connect_four", **{"play.temperature_plies": 4})
    drawn = 0
    for episode in played(learner, *range(8)):
        for place in range(episode.samples.rows):
            _, actions, policy = episode.samples.row(place)
            best = policy[actions.index(episode.actions[place])] == max(policy)
            assert best or place < 4
            drawn += not best
    assert drawn > 3


def test_halving_teaches_improved_priors() -> None:
    """Every action keeps a probability, also those that no simulation tried."""
    learner = learner_of(
        "connect_four", **{"search.max_considered_actions": 2, "search.dirichlet_epsilon": 0.0, "search.simulations": 8}
    )
    for episode in played(learner, 1, 2):
        for place in range(episode.samples.rows):
            assert min(episode.samples.row(place)[2]) > 0.0


@pytest.mark.parametrize(("games", "threshold", "passes"), [(40, 0.25, True), (40, 0.75, False), (0, 1.0, True)])
def test_only_a_network_that_wins_enough_passes_the_gate(
    games: int, threshold: float, passes: bool, tmp_path: Path
) -> None:
    """A network wins about half against itself; without games every one passes."""
    gate = {"gate.games": games, "gate.threshold": threshold, "network.kind": "mlp", "search.simulations": 8}
    learner = learner_of("tic_tac_toe", **gate)
    with new_run(tmp_path / "run", "tic_tac_toe", 1, **SMALL) as run:
        for workers in (1, 3):
            play = Play(run, 2, Threads(workers), lambda _iteration, _games: None)
            assert learner.accepts(2, learner.parameters, play) == passes


def test_the_gate_favours_the_stronger_network(tmp_path: Path) -> None:
    """One that leaves a multiple of four stones where it can, which wins, against one that avoids just that."""
    spec, gate = f"{TAKE_AWAY}(players=2)", {"gate.games": 20, "gate.threshold": 0.9}
    learner = learner_of(spec, **gate, **{"network.hidden": "", "search.simulations": 4})
    silent = {name: np.zeros_like(array) for name, array in learner.parameters.items()}
    wins = silent["weight0"].copy()
    for left in (1, 2, 3, 5, 6, 7, 9, 10):
        wins[2 + left, left % 4 - 1] = 20.0  # the first action takes one stone
    good, bad = silent | {"weight0": wins}, silent | {"weight0": -wins}
    with new_run(tmp_path / "run", spec, 1, **SMALL) as run:
        play = Play(run, 2, Threads(2), lambda _iteration, _games: None)
        for playing, candidate, passes in ((bad, good, True), (good, bad, False)):
            learner.parameters = playing
            assert learner.accepts(2, candidate, play) == passes


def test_what_cannot_be_is_refused_with_a_sentence() -> None:
    with pytest.raises(ForethoughtError, match="it hides something from its players; train it with --algorithm exit"):
        learner_of("leduc")
    with pytest.raises(ForethoughtError, match="it declares no board, and a tower needs one"):
        learner_of(TAKE_AWAY, **{"network.kind": "tower"})


def test_stopped_games_are_given_up() -> None:
    with pytest.raises(Stopped):
        at_once(learner_of("tic_tac_toe"), 1).play(lambda: True)
