"""How good a learner has become: exactly where the game is small, and by games against a fixed opponent."""

from collections.abc import Mapping
from functools import cached_property

from forethought.evaluate.outcomes import Outcomes, Tally
from forethought.evaluate.rounds import Contest, Entrant, RoundsJob, contest, entrant, play_rounds_of, rounds_for
from forethought.evaluate.tabulation import tabulate
from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.player import PlayerSettings
from forethought.runtime.executor import Executor, batched, in_order
from forethought.solve.best_response import strength
from forethought.solve.forecast import TreeTooLargeError
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll

RANDOM_GAMES = 100  # that show what a game pays
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
        try:
            return unroll(self.game, EXACT_NODES)
        except TreeTooLargeError:
            return None

    @cached_property
    def _pays_different_sums(self) -> bool:
        """Whether random games are not all about the same sum: then wins alone do not tell who is stronger."""
        anybody = entrant("random")
        return _outcomes(
            contest(self.game, anybody, anybody, self._seed), RANDOM_GAMES, self._executor
        ).pays_different_sums

    def measure(self, players: Mapping[str, PlayerSettings]) -> dict[str, float]:
        """Let the first player play the opponent; measure the NashConv of the policy, if there is one."""
        name, first = next(iter(players.items()))
        games = max(self._chosen.games, self.game.players)
        found = contest(self.game, Entrant(name, first), self._opponent, self._seed)
        tally = play_contest(found, games, self._executor)
        measured = ("mean_return", "win_rate") if self._pays_different_sums else ("win_rate",)
        values = {f"{name}{end}": getattr(tally, f"{name}{end}") for name in measured for end in ("", "_low", "_high")}
        if "policy" in players and self._tree is not None:
            policy = Entrant("policy", players["policy"])
            strategy = tabulate(self._tree, policy, self._seed, self._executor)
            values["nashconv"] = strength(self._tree, strategy).nashconv
        return values


def play_contest(found: Contest, games: int, executor: Executor) -> Tally:
    """Play a contest to its end, without keeping its rounds."""
    return _outcomes(found, games, executor).tally(found.seed)


def _outcomes(found: Contest, games: int, executor: Executor) -> Outcomes:
    numbers = range(rounds_for(games, found.game))
    jobs = (RoundsJob(found, tuple(part)) for part in batched(numbers, found.rounds_at_once))
    rounds = [played for part in in_order(executor, play_rounds_of, jobs) for played in part]
    return Outcomes(rounds)
