"""The value of a two-player zero-sum game: a linear program over realisation plans (Koller, Megiddo, von Stengel)."""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import lil_matrix

import forethought as ft


class SequenceForm:
    """Sequences of each player, how they follow each other, and what pairs of them pay."""

    def __init__(self, game: ft.Game) -> None:
        self.sequences = [{(): 0}, {(): 0}]
        self.infosets = [{}, {}]  # facts -> (parent sequence, its sequences)
        self.payoff: dict[tuple[int, int], float] = {}
        self._walk(game.start(), ((), ()), 1.0)

    def _walk(self, s: ft.State, at: tuple, chance: float) -> None:
        if s.is_terminal:
            key = (self.sequences[0][at[0]], self.sequences[1][at[1]])
            self.payoff[key] = self.payoff.get(key, 0.0) + chance * s.returns()[0]
            return
        weights = s.chance() or [1.0] * len(s.legal_actions())
        for action, weight in zip(s.legal_actions(), weights, strict=True):
            child = s.clone()
            child.apply(action)
            if s.is_chance:
                self._walk(child, at, chance * weight)
            else:
                here = list(at)
                here[s.player] = self._sequence(s.player, at[s.player], tuple(s.facts(s.player)), action)
                self._walk(child, tuple(here), chance)

    def _sequence(self, player: int, parent: tuple, facts: tuple, action: int) -> tuple:
        sequence = (*parent, (facts, action))
        number = self.sequences[player].setdefault(sequence, len(self.sequences[player]))
        _, followers = self.infosets[player].setdefault(facts, (self.sequences[player][parent], set()))
        followers.add(number)
        return sequence

    def constraints(self, player: int) -> tuple:
        """Realisation plans x with E x = e: the empty sequence has 1, each information set passes on what it got."""
        matrix = lil_matrix((1 + len(self.infosets[player]), len(self.sequences[player])))
        matrix[0, 0] = 1
        for row, (parent, followers) in enumerate(self.infosets[player].values(), start=1):
            matrix[row, parent] = -1
            for follower in followers:
                matrix[row, follower] = 1
        right = np.zeros(matrix.shape[0])
        right[0] = 1
        return matrix.tocsr(), right


def game_value(game: ft.Game) -> float:
    """Maximise over player 0's plans what player 1's best answer leaves: min e'q with A'x >= ... as a dual pair."""
    form = SequenceForm(game)
    a = lil_matrix((len(form.sequences[0]), len(form.sequences[1])))
    for (i, j), value in form.payoff.items():
        a[i, j] = value
    (e0, r0), (e1, r1) = form.constraints(0), form.constraints(1)
    n, m = a.shape[0], len(r1)
    # Variables x (plan of player 0) and p (free): maximise r1.p subject to E1' p <= A' x, E0 x = r0, x >= 0.
    objective = np.concatenate((np.zeros(n), -r1))
    upper = lil_matrix((a.shape[1], n + m))
    upper[:, :n] = -a.T
    upper[:, n:] = e1.T
    equal = lil_matrix((len(r0), n + m))
    equal[:, :n] = e0
    found = linprog(
        objective,
        A_ub=upper.tocsr(),
        b_ub=np.zeros(a.shape[1]),
        A_eq=equal.tocsr(),
        b_eq=r0,
        bounds=[(0, None)] * n + [(None, None)] * m,
        method="highs",
    )
    assert found.success
    return float(-found.fun)
