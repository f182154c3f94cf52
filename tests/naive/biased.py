"""Tree search with policies on patterns, through the Python face."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import forethought as ft
from forethought.patterns.instances import Instances, activity, cells_of
from tests.naive import mcts, xoshiro

Reals = np.ndarray[Any, np.dtype[np.float64]]


@dataclass
class Biased(mcts.Search):
    """The slow search, with softmaxes of the weights of active patterns as priors and below the tree."""

    instances: list[Instances] = field(default_factory=list)  # by player
    priors: list[Reals] = field(default_factory=list)
    playing: list[Reals] = field(default_factory=list)

    def _softmax(self, s: ft.State, actions: list[int], weights: list[Reals]) -> list[float]:
        board = s.game.board
        cells = cells_of(board, s.facts(s.player))
        logits = activity(self.instances[s.player], board, cells, actions) @ weights[s.player]
        risen = np.exp(logits - logits.max())
        return (risen / risen.sum()).tolist()

    def _leaf(self, node: mcts.Node, s: ft.State) -> mcts.Returns:
        if node.edges:
            return self._rolled_out(s)
        order = s.legal_actions()
        for i in range(len(order) - 1):
            other = i + xoshiro.below(len(order) - i, self.words)
            order[i], order[other] = order[other], order[i]
        node.expand(order, self._softmax(s, order, self.priors))
        return self._rolled_out(s)

    def _rolled_out(self, s: ft.State) -> mcts.Returns:
        for _ in range(self.rollout_limit):
            if s.is_terminal:
                break
            legal = s.legal_actions()
            choice = 0 if len(legal) == 1 else xoshiro.choose(self._softmax(s, legal, self.playing), self.words)
            s.apply(legal[choice])
        return self._ends(s) if s.is_terminal else [0.0] * s.game.players


class Mixed(Biased):
    """The slow search that asks an evaluator about leaves, and lets patterns play the roll-outs, as in AlphaGo."""

    def _leaf(self, node: mcts.Node, s: ft.State) -> mcts.Returns:
        return mcts.Search._leaf(self, node, s)
