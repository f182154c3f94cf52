"""Look back on a game: what each move has cost, as a planner sees it, and exactly where that can be known.

A planner is asked about every decision, from what the mover could observe there. Where nothing is hidden its values say
what was lost, and near the end of a game between two players alpha-beta search knows. Where information is hidden, what
an action is worth depends on what the others hold, as they play: there a loss is what the action costs on average if
everybody plays as the planner does, given what the mover knew. If there are too many hands for that, the review says
only how often the planner would have played the action.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.player import find_player, seated
from forethought.playouts import largest_return
from forethought.search.action_values import action_values
from forethought.search.beliefs import Beliefs
from forethought.search.player import Thought, current_policy, study
from forethought.solve.alphabeta import AlphaBeta

MOST_NODES = 200_000  # of alpha-beta search for one decision
TABLE_SIZE = 1 << 18


@dataclass(frozen=True)
class Reviewed:
    """A decision, and what is thought of it."""

    ply: int
    player: int
    action: int
    best: int  # what would have been better, or as good
    loss: float | None  # what the action cost, in the game's returns; None if nobody knows
    exact: bool  # whether the loss is known for certain
    probability: float  # with which the planner plays the action


def review(
    first: State,
    actions: Sequence[int],
    planner: str,
    seed: int,
    listen: Callable[[Reviewed], None] = lambda _: None,
) -> list[Reviewed]:
    """Judge every decision of a game, given its first position and all that happened; `listen` hears each at once."""
    game, state, found = first.game, first.clone(), list[Reviewed]()
    reviewer = GameReviewer(game, planner, seed)
    for ply, action in enumerate(actions):
        if action not in state.legal_actions():
            raise game.mistake(f"action {action} at ply {ply} is not legal, so this game cannot be reviewed")
        if not state.is_chance:
            found.append(reviewer.review_action(state, ply, action))
            listen(found[-1])
        state.apply(action)
    return found


class GameReviewer:
    """A planner in every seat, as it would have played, and a solver if the game has exact values."""

    def __init__(self, game: Game, planner: str, seed: int) -> None:
        self._players = seated([find_player(planner).new_player(game)] * game.players, seed)
        self._worth = 0.0 if game.hidden else largest_return(game)
        self._solver = _solver(game, self._worth)

    def review_action(self, state: State, ply: int, action: int) -> Reviewed:
        """Compare an action with the one that is best, for certain or as the planner thinks."""
        legal, player = state.legal_actions(), state.player
        if len(legal) == 1:
            return Reviewed(ply, player, action, action, 0.0, True, 1.0)
        played, thought, exact = legal.index(action), self._thought(state), self._exact_values(state)
        policy, returns = thought.policy.probabilities, exact or self._expected_returns(state)
        best = max(range(len(legal)), key=lambda i: ((returns or policy)[i], i == played, policy[i]))
        loss = returns[best] - returns[played] if returns else self._loss(thought, best, played)
        return Reviewed(ply, player, action, legal[best], loss, exact is not None, policy[played])

    def _thought(self, state: State) -> Thought:
        return study(self._players[state.player], state.observation(state.player))

    def _expected_returns(self, state: State) -> list[float] | None:
        """Return what each action wins on average if all play as the planner does; None if nothing is hidden."""
        if not state.game.hidden:
            return None
        planner, observation = self._players[state.player], state.observation(state.player)
        beliefs = Beliefs(state.game, observation)
        values = action_values(beliefs, lambda seen: current_policy(planner, seen).probabilities)
        return None if values is None else values.tolist()

    def _loss(self, thought: Thought, best: int, played: int) -> float | None:
        """Return what the planner thinks was lost; None if its search gives no values, or never tried the action."""
        values, visits = (thought.about_actions.get(name) for name in ("value", "visits"))
        if not self._worth or values is None or visits is None or not visits[played]:
            return None
        return max(0.0, values[best] - values[played]) * self._worth  # a search tells shares of the largest return

    def _exact_values(self, state: State) -> list[float] | None:
        found = self._solver.values(state, MOST_NODES) if self._solver else [None]
        values = [value for value in found if value is not None]
        return values if len(values) == len(found) else None


def _solver(game: Game, largest: float) -> AlphaBeta | None:
    """Return a solver, if the game is one of those that have exact values."""
    try:
        return AlphaBeta(game, TABLE_SIZE, largest)
    except ForethoughtError:
        return None
