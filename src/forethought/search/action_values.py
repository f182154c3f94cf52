"""What each action is worth where information is hidden, if everybody goes on as a strategy says.

An action has no value of its own there: it depends on what the others hold, and that on how they have played. Given a
strategy of all players both are known. The histories that fit what a player observes (`beliefs.py`) are weighted by the
strategy of the others and by chance, and each is played on in every way, weighted by everybody's strategy. This is
exact, and costs nothing of what is hidden: the true history is not looked at. Where there are too many states, the
answer is None.
"""

from collections.abc import Sequence

import numpy as np

from forethought.arrays import Float64s
from forethought.game import TERMINAL, State
from forethought.search.beliefs import Beliefs, PolicyOf

MOST_STATES = 20_000  # visited at most: about a second
RARE = 0.01  # what a strategy plays less often is left out: a search's average strategy holds traces of exploration


class TooManyStatesError(Exception):
    """Raised when the ways to play on are more than can be visited."""


def action_values(beliefs: Beliefs, policy_of: PolicyOf, most_states: int = MOST_STATES) -> Float64s | None:
    """Return what the player to move wins on average by each legal action, in the game's returns."""
    weighted = beliefs.weighted_states(policy_of)
    if not weighted:
        return None
    continuation, player = Continuation(policy_of, most_states), beliefs.player
    actions = weighted[0][0].legal_actions()
    try:
        values = [
            [weight * continuation.after(state, action)[player] for action in actions] for state, weight in weighted
        ]
    except TooManyStatesError:
        return None
    found: Float64s = np.sum(values, axis=0) / sum(weight for _, weight in weighted)
    return found


class Continuation:
    """Plays on in every way; equal states, and the policies of equal information sets, are asked for once."""

    def __init__(self, policy_of: PolicyOf, most_states: int) -> None:
        self._policy_of, self._left = policy_of, most_states
        self._policies: dict[tuple[int, tuple[int, ...]], Sequence[float]] = {}
        self._known: dict[bytes, Float64s] = {}

    def after(self, state: State, action: int) -> Float64s:
        """Return what each player wins on average after an action."""
        following = state.clone()
        following.game.table.apply(following.memory, action)
        return self._returns(following)

    def _returns(self, state: State) -> Float64s:
        key = state.memory.tobytes()
        if key not in self._known:
            self._left -= 1
            if self._left < 0:
                raise TooManyStatesError
            self._known[key] = self._mean(state)
        return self._known[key]

    def _mean(self, state: State) -> Float64s:
        player = state.player
        if player == TERMINAL:
            return np.array(state.returns())
        weights = state.chance() or self._policy(state, player)
        likely = zip(state.legal_actions(), weights, strict=True)
        found: Float64s = np.sum(
            [weight * self.after(state, action) for action, weight in likely if weight > 0.0], axis=0
        )
        return found

    def _policy(self, state: State, player: int) -> Sequence[float]:
        key = player, tuple(state.facts(player))
        if key not in self._policies:
            self._policies[key] = without_rare(self._policy_of(state.observation(player)))
        return self._policies[key]


def without_rare(policy: Sequence[float]) -> list[float]:
    """Return a policy without what it hardly ever plays."""
    kept = [probability if probability >= RARE else 0.0 for probability in policy]
    total = sum(kept)
    return [probability / total for probability in kept] if total > 0.0 else list(policy)
