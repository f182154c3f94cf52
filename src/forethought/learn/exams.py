"""How good a learner has become: exactly where the game is small, and by games against a fixed opponent."""

from collections.abc import Mapping
from functools import cached_property

from forethought.arrays import Float64s
from forethought.evaluate.outcomes import Outcomes, Tally
from forethought.evaluate.rounds import Contest, Entrant, RoundsJob, contest, entrant, play_rounds_of, rounds_for
from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.player import NewGroup, PlayerSettings
from forethought.randomness import generator
from forethought.runtime.executor import Executor, batched, in_order
from forethought.solve.best_response import strength
from forethought.solve.forecast import forecast_nodes
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll

ROWS = 64  # information sets per batch
EXACT_NODES = 3_000_000  # a tree of this size is unrolled in a few seconds, once per run


class Examiner:
    """Measures players of one game, again and again."""

    def __init__(self, game: Game, configuration: Configuration, executor: Executor) -> None:
        self.game, self._executor = game, executor
        self._chosen, self._seed = configuration.evaluation, configuration.seed
        self._opponent = entrant(self._chosen.against)
        self._opponent.new_group(game)  # a mistake in its string is told before anything is trained

    @cached_property
    def _tree(self) -> GameTree | None:
        return unroll(self.game) if forecast_nodes(self.game) <= EXACT_NODES else None

    def measure(self, players: Mapping[str, PlayerSettings]) -> dict[str, float]:
        """Let the first player play the opponent; measure the NashConv of the policy, if there is one."""
        name, first = next(iter(players.items()))
        games = max(self._chosen.games, self.game.players)
        found = contest(self.game, Entrant(name, first), self._opponent, self._seed)
        tally = play_contest(found, games, self._executor)
        values = {
            "win_rate": tally.win_rate,
            "win_rate_low": tally.win_rate_low,
            "win_rate_high": tally.win_rate_high,
        }
        if "policy" in players and self._tree is not None:
            strategy = tabulated(self._tree, players["policy"].new_group(self.game))
            values["nashconv"] = strength(self._tree, strategy).nashconv
        return values


def tabulated(tree: GameTree, new_group: NewGroup) -> Float64s:
    """Ask a player about every information set of a game."""
    strategy, group = tree.uniform(), new_group([generator(0)] * ROWS)
    for rows in batched(range(tree.infosets), ROWS):
        policies = group.think(range(len(rows)), [tree.observation(row) for row in rows])
        for row, found in zip(rows, policies, strict=True):
            first = tree.rows.first[row]
            strategy[first : first + len(found.probabilities)] = found.probabilities
    return strategy


def play_contest(found: Contest, games: int, executor: Executor) -> Tally:
    """Play a contest to its end, without keeping its rounds."""
    numbers = range(rounds_for(games, found.game))
    jobs = (RoundsJob(found, tuple(part)) for part in batched(numbers, found.rounds_at_once))
    rounds = [played for part in in_order(executor, play_rounds_of, jobs) for played in part]
    return Outcomes(rounds).tally(found.seed)
