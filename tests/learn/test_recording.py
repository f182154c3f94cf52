"""Moves recorded in lock-step: every game is what a plain loop over states plays, for any compiled network."""

import numpy as np
import pytest

import forethought as ft
from forethought.evaluate.lockstep import CompiledSide, GamesInProgress, play_out
from forethought.learn.recording import MovesSide
from forethought.nets.evaluator import policy_of
from forethought.randomness import choose, generators
from tests.learn.alphago.networks import random_networks

GAMES = 7


def one_game(game: ft.Game, players: list, seat: int, rng: np.ndarray) -> tuple[list[dict], list[float]]:
    """The decisions of one seat, and what was won."""
    state, decisions = game.start(), []
    while not state.is_terminal:
        legal, mover = state.legal_actions(), state.player
        if state.is_chance:
            state.apply(legal[choose(np.array(state.chance()), len(legal), rng)])
        elif len(legal) == 1:
            state.apply(legal[0])
        else:
            choice = choose(policy_of(players[mover], state.facts(mover), legal), len(legal), rng)
            if mover == seat:
                decisions.append({"facts": state.facts(mover), "actions": legal, "choice": choice})
            state.apply(legal[choice])
    return decisions, state.returns()


@pytest.mark.parametrize("spec", ["tic_tac_toe", "hex(size=3)", "tests/userfiles/dice_race.py"])
@pytest.mark.parametrize("seat", [0, 1])
def test_recorded_moves_are_those_of_a_plain_loop(spec: str, seat: int) -> None:
    game = ft.load(spec)
    players, rngs = [net.compiled() for net in random_networks(game, 2)], generators(GAMES, 5)
    games = GamesInProgress(game, rngs.copy())
    side = MovesSide(games, [seat], players[seat])
    play_out([side, CompiledSide(games, games.seats([1 - seat]), players[1 - seat])])
    moves = side.moves()
    for number in range(GAMES):
        decisions, returns = one_game(game, players, seat, rngs[number])
        assert games.play.returns[number].tolist() == returns
        rows = np.flatnonzero(moves.games == number)
        assert len(rows) == len(decisions)
        for row, naive in zip(rows, decisions, strict=True):
            assert moves.facts[row, : moves.known[row]].tolist() == naive["facts"]
            assert moves.actions[row, : moves.counts[row]].tolist() == naive["actions"]
            assert (moves.choices[row], moves.players[row]) == (naive["choice"], seat)
