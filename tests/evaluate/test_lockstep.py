"""Games in lock-step: each is what it would be alone, and what a plain loop plays, whichever way a side is asked."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.evaluate.lockstep import CompiledStrategy, GamesInProgress, GroupStrategy, play_out, strategy_of
from forethought.evaluate.rounds import Entrant, entrant
from forethought.game import Game, Observation
from forethought.nets.mlp import make_mlp, save_mlp
from forethought.player import Policy
from forethought.randomness import choose, generator, generators
from tests.evaluate.given_players import given

KUHN3 = "tests/userfiles/kuhn3.py"
GAMES = ["leduc", "goofspiel(cards=4)", "liars_dice", KUHN3, "tic_tac_toe"]


def save_network(path: Path, game: Game, seed: int = 1) -> None:
    """Save a network whose policies are far from uniform."""
    net = make_mlp(game.facts, game.actions, (24, 16), np.random.default_rng(seed))
    wild = np.random.default_rng(seed).normal(0.0, 0.5, net.panels.shape)
    save_mlp(path, net._replace(panels=np.where(net.panels == 0.0, 0.0, wild).astype(np.float32)), game)


def players_of(game: Game, directory: Path) -> list[str]:
    """Players that kernels can ask."""
    save_network(directory / "net.safetensors", game)
    found = [
        "random",
        f"net:{directory / 'net.safetensors'}",
        f"net(run={directory / 'net.safetensors'},greedy=always)",
        f"net(run={directory / 'net.safetensors'},greedy=never,threshold=0.5)",
    ]
    if game.name == "leduc":
        ft.solve("leduc", iterations=5).save(directory / "leduc.policy")
        found.append(f"policy:{directory / 'leduc.policy'}")
    return found


def asked_from_python(player: Entrant, game: Game) -> GroupStrategy:
    return GroupStrategy(player.new_group(game))


def returns_of(game: Game, sides: Sequence[tuple[object, list[int]]], rngs: np.ndarray) -> np.ndarray:
    games = GamesInProgress(game, rngs.copy())
    play_out([strategy.side(games, seats, 7) for strategy, seats in sides])
    return games.play.returns


def alone(game: Game, players: Sequence[Entrant], rng: np.ndarray) -> list[float]:
    """One game as a plain loop plays it."""
    seated = [player.new_group(game)([generator(0)]) for player in players]
    state = game.start()
    while not state.is_terminal:
        legal = state.legal_actions()
        if state.is_chance:
            state.apply(legal[choose(np.array(state.chance()), len(legal), rng)])
        elif len(legal) == 1:
            state.apply(legal[0])
        else:
            [(actions, chances)] = seated[state.player].think([0], [state.observation(state.player)])
            state.apply(actions[choose(np.array(chances), len(actions), rng)])
    return state.returns()


@pytest.mark.parametrize("spec", GAMES)
def test_games_are_those_of_a_plain_loop_however_their_players_are_asked(spec: str, tmp_path: Path) -> None:
    game = ft.load(spec)
    rngs = generators(40, 5)
    for name in players_of(game, tmp_path):
        player, others = entrant(name), entrant("random")
        compiled = strategy_of(player, game)
        assert isinstance(compiled, CompiledStrategy), name
        for seat in range(game.players):
            rest = [other for other in range(game.players) if other != seat]
            seats = [player if other == seat else others for other in range(game.players)]
            expected = [alone(game, seats, rng.copy()) for rng in rngs]
            for mine in (compiled, asked_from_python(player, game)):
                for theirs in (strategy_of(others, game), asked_from_python(others, game)):
                    found = returns_of(game, [(mine, [seat]), (theirs, rest)], rngs)
                    assert found.tolist() == expected, (name, seat)


def test_a_game_is_the_same_in_every_company(tmp_path: Path) -> None:
    game = ft.load("goofspiel(cards=5)")
    save_network(tmp_path / "net.safetensors", game)
    mine, theirs = (strategy_of(entrant(name), game) for name in (f"net:{tmp_path / 'net.safetensors'}", "oos:3"))
    rngs = generators(12, 1)
    together = returns_of(game, [(mine, [0]), (theirs, [1])], rngs)
    fewer = returns_of(game, [(mine, [0]), (theirs, [1])], rngs[:5])
    assert np.array_equal(together[:5], fewer)
    assert len(np.unique(together[:, 0])) > 1


def test_players_are_asked_for_their_own_seats_each_in_its_own_game() -> None:
    """A player that is asked about a second game, or another seat, remembers."""
    game, made = ft.load(KUHN3), []

    class Remembering:
        def __init__(self, rng: np.ndarray) -> None:
            self.seen: list[Observation] = []
            self.rng = tuple(rng.tolist())
            made.append(self)

        def think(self, observation: Observation) -> Policy:
            self.seen.append(observation)
            actions = observation.legal_actions
            return Policy(actions, (1.0 / len(actions),) * len(actions))

    remembering = strategy_of(given("remembering", Remembering), game)
    returns_of(game, [(remembering, [0, 2]), (strategy_of(entrant("random"), game), [1])], generators(30, 2))
    assert len(made) == 60
    assert len({one.rng for one in made}) == 60  # each has numbers of its own
    for one in made:
        assert len({seen.player for seen in one.seen}) <= 1
        assert {seen.player for seen in one.seen} <= {0, 2}
        for earlier, later in zip(one.seen, one.seen[1:], strict=False):
            assert set(earlier.facts) < set(later.facts)


def test_players_without_a_kernel_are_asked_from_python() -> None:
    game = ft.load("leduc")
    assert isinstance(strategy_of(entrant("oos:10"), game), GroupStrategy)
    assert isinstance(strategy_of(entrant("ismcts:10"), game), GroupStrategy)


def test_a_game_that_breaks_its_law_is_refused() -> None:
    game = ft.load("leduc")
    game = dataclasses.replace(game, plies=3, machine=game.machine._replace(plies=3))
    for strategy in (strategy_of(entrant("random"), game), asked_from_python(entrant("random"), game)):
        with pytest.raises(ForethoughtError, match="did not end within the declared 3 plies"):
            returns_of(game, [(strategy, [0, 1])], generators(4, 1))
