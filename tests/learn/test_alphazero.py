"""AlphaZero's self-play: what it teaches is what the search found and who won, whatever company a game is played in."""

from threading import Event

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.learn.alphazero import AlphaZero
from forethought.learn.configuration import AlphaZeroConfiguration, configuration_of
from forethought.learn.episodes import Episode
from forethought.nets.networks import Network
from forethought.randomness import generator
from forethought.runtime import Stopped

TAKE_AWAY, DICE = "tests/userfiles/take_away.py", "tests/userfiles/dice_race.py"


def method_for(spec: str, **settings: object) -> AlphaZero:
    values = {"game": spec, "seed": 1, "algorithm": "alphazero", "search.simulations": 30, "workers": 1,
              "network.hidden": "16", "network.blocks": 1, "network.filters": 8}  # fmt: skip
    chosen = configuration_of(values | settings)
    assert isinstance(chosen, AlphaZeroConfiguration)
    return AlphaZero(ft.load(spec), chosen)


def network_of(method: AlphaZero, seed: int = 1) -> Network:
    model, parameters = method.new_network(np.random.default_rng(seed))
    return model.compiled(parameters)


def played(method: AlphaZero, *seeds: int) -> list[Episode]:
    return method.play(network_of(method), [generator(seed) for seed in seeds], Event())


@pytest.mark.parametrize("spec", ["tic_tac_toe", "connect_four", "hex(size=4)", TAKE_AWAY, DICE])
def test_every_decision_with_a_choice_becomes_a_sample(spec: str) -> None:
    method = method_for(spec)
    game = method.game
    for episode in played(method, 5, 6):
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
        assert episode.walks == 30 * len(rows)


@pytest.mark.parametrize(("spec", "kind"), [("tic_tac_toe", "tower"), ("tic_tac_toe", "mlp"), (DICE, "mlp")])
def test_a_game_is_the_same_in_any_company(spec: str, kind: str) -> None:
    method = method_for(spec, **{"network.kind": kind})
    together = played(method, 3, 4, 5)
    for seed, one in zip((3, 4, 5), together, strict=True):
        alone = played(method, seed)[0]
        assert alone.actions == one.actions
        assert all(np.array_equal(a, b) for a, b in zip(alone.samples, one.samples, strict=True))


def test_later_moves_are_what_was_visited_most() -> None:
    method = method_for("connect_four", **{"play.opening": 4})
    drawn = 0
    for episode in played(method, *range(8)):
        for place in range(episode.samples.rows):
            _, actions, policy = episode.samples.row(place)
            best = policy[actions.index(episode.actions[place])] == max(policy)
            assert best or place < 4
            drawn += not best
    assert drawn > 3


def test_halving_teaches_improved_priors() -> None:
    """Every action keeps a probability, also those that no walk tried."""
    method = method_for("connect_four", **{"search.considered": 2, "search.noise": 0.0, "search.simulations": 8})
    for episode in played(method, 1, 2):
        for place in range(episode.samples.rows):
            assert min(episode.samples.row(place)[2]) > 0.0


def test_only_a_network_that_scores_enough_passes_the_gate() -> None:
    """A network scores about half against itself; without a gate every one passes."""
    match = {"gate.games": 40, "network.kind": "mlp", "search.simulations": 8}
    for score, passes in ((0.25, True), (0.75, False)):
        method = method_for("tic_tac_toe", **match, **{"gate.score": score})
        new = network_of(method)
        assert method.accepts(new, new, (1, 2, 3)) == passes
    assert method_for("tic_tac_toe", **(match | {"gate.games": 0, "gate.score": 1.0})).accepts(new, new, (1, 2, 3))


def test_what_cannot_be_is_refused_with_a_sentence() -> None:
    with pytest.raises(ForethoughtError, match="it hides something from its players; train it with --algorithm exit"):
        method_for("leduc")
    with pytest.raises(ForethoughtError, match="it declares no board, and a tower needs one"):
        method_for(TAKE_AWAY, **{"network.kind": "tower"})


def test_stopped_games_are_given_up() -> None:
    stop, method = Event(), method_for("tic_tac_toe")
    stop.set()
    with pytest.raises(Stopped):
        method.play(network_of(method), [generator(1)], stop)
