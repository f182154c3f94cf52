"""Turned examples say the same of a turned board."""

import numpy as np
import pytest

import forethought as ft
from forethought.learn.memory import Memory
from forethought.learn.samples import samples_of
from forethought.learn.symmetries import TurnedMemory, maps_of, turned
from tests.search.tables import decisions_of_a_game


@pytest.mark.parametrize("spec", ["tic_tac_toe", "connect_four", "hex(size=4)", "othello", "fanorona"])
def test_a_turned_row_is_the_row_of_the_turned_position(spec: str) -> None:
    game = ft.load(spec)
    facts, actions = maps_of(game, game.board)
    for s in decisions_of_a_game(game, 4)[:12]:
        legal = s.legal_actions()
        targets = np.arange(1.0, 1.0 + len(legal)) / sum(range(1, 1 + len(legal)))
        row = samples_of(game, [(s.facts(s.player), legal, targets.tolist())])
        for number, symmetry in enumerate(game.board.symmetries):
            new = turned(row, np.array([number]), facts, actions)
            known, listed, policy = new.row(0)
            assert sorted(known) == game.board.mapped_facts(symmetry, s.facts(s.player))
            wanted = {int(symmetry.actions[action]): target for action, target in zip(legal, targets, strict=True)}
            assert dict(zip(listed, policy, strict=True)) == pytest.approx(wanted)


def test_every_symmetry_is_drawn_and_all_else_stays() -> None:
    game = ft.load("tic_tac_toe")
    s = game.start()
    s.apply(0)
    values = np.array([[0.5]], np.float32)
    memory = Memory(4, 1.0, game.facts, game.actions, 1)
    memory.add(samples_of(game, [(s.facts(1), s.legal_actions(), [1 / 8] * 8)], values), np.random.default_rng(1))
    batch = TurnedMemory(memory, game, game.board).batch(400, np.random.default_rng(2))
    corners = [next(cell for cell in range(9) if cell not in batch.row(i)[1]) for i in range(400)]
    assert {corner: corners.count(corner) > 60 for corner in set(corners)} == dict.fromkeys((0, 2, 6, 8), True)
    assert np.all(batch.values == 0.5)
    assert np.all(batch.counts == 8)
