"""A response learned by Monte Carlo search over the responder's own information sets.

Whole games are sampled as they come, chance and the others included, and UCB1 chooses among the responder's actions at
each information set. Hidden state is never looked at.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from forethought.evaluate.lockstep import GroupStrategy
from forethought.evaluate.lower_bound import LEARNING, Exploited, Progress, ResponseSettings, register_response
from forethought.game import CHANCE, TERMINAL, Game, Observation
from forethought.player import NewGroup, Policy, SeparatePlayers
from forethought.randomness import choose, generator
from forethought.search.ucb1 import upper_bound
from forethought.status import broken_law

EXPLORATION = 0.5  # times the range of the returns; sqrt(2) is what proofs need, less learns faster
TRUSTED = 5  # visits per action from which on an information set is judged by itself
REPORTS = 100  # how often progress is told

Facts = tuple[int, ...]
Decide = Callable[[Facts, Sequence[int], int], int]


@register_response("search")
@dataclass(frozen=True, kw_only=True)
class SearchResponse(ResponseSettings):
    """Learns by UCB at the responder's information sets."""

    def learn(self, against: Exploited, progress: Progress) -> GroupStrategy:
        new_group = against.player.new_group(against.game)
        sampler = Sampler(against.game, new_group, against.seat, (against.seed, LEARNING, against.seat))
        response = learn_response(sampler, self.games, progress)
        return GroupStrategy(lambda rngs: SeparatePlayers([ResponsePlayer(response) for _ in rngs]))


def learn_response(sampler: "Sampler", games: int, progress: Progress) -> "Response":
    """Explore so many games."""
    response = Response()
    for n in range(games):
        response.learn(sampler.play(response.explore))
        if n % max(1, games // REPORTS) == 0:
            progress(n / games)
    return response


class ActionStatistics:
    """Actions of one place: how often each was tried, and what was won with it."""

    __slots__ = ("totals", "visits")

    def __init__(self) -> None:
        self.visits: dict[int, int] = {}
        self.totals: dict[int, float] = {}

    def add(self, action: int, won: float) -> None:
        self.visits[action] = self.visits.get(action, 0) + 1
        self.totals[action] = self.totals.get(action, 0.0) + won

    def promising(self, legal: Sequence[int], width: float) -> int:
        """Return the action that UCB1 tries next."""
        visits, totals = self.visits, self.totals
        best, best_bound = legal[0], -math.inf
        log = math.log(1 + sum(visits.values()))
        for action in legal:
            n = visits.get(action)
            if n is None:
                return action
            bound = upper_bound(totals[action], n, log, width)
            if bound > best_bound:
                best, best_bound = action, bound
        return best

    def favourite(self, legal: Sequence[int]) -> int:
        """Return the action tried most often."""
        return max(legal, key=lambda action: self.visits.get(action, 0))


class Response:
    """Learnt play of one seat.

    Most information sets of a large game are met once or never. There the response goes by what its actions won at the
    same turn, its first, its second, ..., wherever that was.
    """

    def __init__(self) -> None:
        self.infosets: dict[Facts, ActionStatistics] = {}
        self.turns: dict[int, ActionStatistics] = {}
        self._played: list[tuple[ActionStatistics, int]] = []
        self._may_grow = True  # a game adds one information set, so that memory grows with games, not with their length
        self._lowest, self._highest = math.inf, -math.inf

    def explore(self, facts: Facts, legal: Sequence[int], turn: int) -> int:
        """Choose an action to learn from."""
        here = self.infosets.get(facts)
        at_turn = self.turns.setdefault(turn, ActionStatistics())
        width = EXPLORATION * max(0.0, self._highest - self._lowest)
        action = (here or at_turn).promising(legal, width)
        if here is None and self._may_grow:
            here = self.infosets[facts] = ActionStatistics()
            self._may_grow = False
        self._played.append((at_turn, action))
        if here is not None:
            self._played.append((here, action))
        return action

    def learn(self, won: float) -> None:
        """Take in what the game that was just explored came to."""
        self._lowest, self._highest = min(self._lowest, won), max(self._highest, won)
        for statistics, action in self._played:
            statistics.add(action, won)
        self._played.clear()
        self._may_grow = True

    def decide(self, facts: Facts, legal: Sequence[int], turn: int) -> int:
        """Choose the best action known; always the same one."""
        statistics = self.infosets.get(facts)
        if statistics is None or sum(statistics.visits.values()) < TRUSTED * len(legal):
            statistics = self.turns.get(turn, _NOTHING)
        return statistics.favourite(legal)


_NOTHING = ActionStatistics()


class ResponsePlayer:
    """Plays one game as a response decides."""

    def __init__(self, response: Response) -> None:
        self._response, self._turn = response, 0

    def think(self, observation: Observation) -> Policy:
        chosen = self._response.decide(observation.facts, observation.legal_actions, self._turn)
        self._turn += 1
        return Policy(observation.legal_actions, tuple(float(a == chosen) for a in observation.legal_actions))


class Sampler:
    """Plays whole games: one seat by a given function, the others by new players, with buffers made once."""

    def __init__(self, game: Game, new_group: NewGroup, player: int, seed: tuple[int, ...]) -> None:
        self.game, self.new_group, self.player, self.seed = game, new_group, player, seed
        self.rng, self.games = generator(*seed), 0
        self._others = [seat for seat in range(game.players) if seat != player]
        self.state = game.start()
        self._start = self.state.memory.copy()
        self._choices = np.zeros(game.table.choices, np.int64)
        self._weights = np.zeros(game.table.choices)
        self._facts = np.zeros(game.facts, np.int64)
        self._returns = np.zeros(game.players)

    def play(self, decide: Decide) -> float:
        """Play a game in which the seat decides by its facts, legal actions and turn; return what it wins.

        As in lock-step, nobody is asked where only one action is legal.
        """
        table, memory = self.game.table, self.state.memory
        memory[:] = self._start
        others = self.new_group([generator(*self.seed, self.games, seat) for seat in self._others])
        self.games += 1
        turn = 0
        for _ in range(self.game.plies):
            if (who := table.player(memory)) == TERMINAL:
                break
            legal = self._legal()
            if len(legal) == 1:
                action = legal[0]
            elif who == self.player:
                action = decide(self._own_facts(), legal, turn)
                turn += 1
            elif who == CHANCE:
                table.chance(memory, self._weights)
                action = legal[choose(self._weights, len(legal), self.rng)]
            else:
                [(actions, probabilities)] = others.think([self._others.index(who)], [self.state.observation(who)])
                action = actions[choose(np.array(probabilities), len(actions), self.rng)]
            table.apply(memory, action)
        if table.player(memory) != TERMINAL:
            raise broken_law(self.game)
        table.returns(memory, self._returns)
        return float(self._returns[self.player])

    def _own_facts(self) -> Facts:
        return tuple(self._facts[: self.game.table.facts(self.state.memory, self.player, self._facts)].tolist())

    def _legal(self) -> list[int]:
        found: list[int] = self._choices[: self.game.table.legal(self.state.memory, self._choices)].tolist()
        if not found:
            raise broken_law(self.game)
        return found
