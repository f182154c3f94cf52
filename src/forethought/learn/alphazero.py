"""AlphaZero: the expert is Monte Carlo tree search, guided by the apprentice's policies and values.

The expert plays all seats of a game. What it finds at each decision, and who won in the end, become training examples.
A worker plays several games at once, so that their questions to the network make one batch; each game has its own tree
and its own generator, and is the same in whatever company it is played.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Event

import numpy as np

from forethought.evaluate.outcomes import Outcomes
from forethought.evaluate.rounds import Contest, Entrant, play_round, rounds_for
from forethought.game import Game, State
from forethought.learn.configuration import AlphaZeroConfiguration
from forethought.learn.episodes import Episode, pass_chance
from forethought.learn.method import Lessons
from forethought.learn.models import MlpModel, Model, TowerModel
from forethought.learn.samples import Example, samples_of
from forethought.learn.sections import layers_of
from forethought.nets.mlp import Parameters, make_mlp, parameters_of
from forethought.nets.networks import Network, layout_of
from forethought.nets.tower import Shape, make_tower
from forethought.nets.values import value_columns, won_values
from forethought.player import NewPlayer
from forethought.playouts import largest_return
from forethought.randomness import Generator, choose, generator
from forethought.runtime.executor import Stopped
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.search import TreeSearch, learning_policy, playing_policy
from forethought.search.mcts.settings import MctsSettings
from forethought.search.mcts.tree import EDGE_BYTES, NODE_BYTES
from forethought.search.player import SearchPlayer

TOWER_CELLS = 16  # on smaller boards there is little for convolutions to share
TYPICAL_MOVES = 30  # legal in a position, for a forecast of memory


class AlphaZero:
    """The algorithm, for one game and configuration."""

    def __init__(self, game: Game, configuration: AlphaZeroConfiguration) -> None:
        if game.hidden:
            raise game.mistake("it hides something from its players; train it with --algorithm exit-oos")
        self.game, self._chosen, learning = game, configuration, configuration.learning
        self.simulations = configuration.search.simulations
        self.capacity, self.beta = configuration.memory.capacity, configuration.memory.beta
        self._worth = largest_return(game)
        turned = learning.symmetries and game.board is not None
        threads = 1 if self._kind == "mlp" else learning.threads or configuration.threads
        self.lessons = Lessons(learning.rate, learning.decay, learning.steps, learning.batch, turned, threads)
        self.together = min(configuration.play.together, -(-configuration.games // configuration.threads))

    @property
    def _kind(self) -> str:
        """The kind of network: mlp or tower."""
        kind, board = self._chosen.network.kind, self.game.board
        if kind == "tower" and board is None:
            raise self.game.mistake("it declares no board, and a tower needs one; use network.kind=mlp")
        suited = "mlp" if board is None or board.cells < TOWER_CELLS else "tower"
        return suited if kind == "auto" else kind

    def new_network(self, rng: np.random.Generator) -> tuple[Model, Parameters]:
        game, chosen, values = self.game, self._chosen.network, value_columns(self.game)
        if self._kind == "mlp":
            hidden = layers_of(chosen.hidden)
            first = make_mlp(game.facts, game.actions, hidden, rng, values)
            return MlpModel(len(hidden) + 1, values), parameters_of(first)
        shape = Shape(chosen.blocks, chosen.filters, chosen.value_units, game.actions, values, layout_of(game))
        return TowerModel(shape), make_tower(shape, rng)

    def play(self, network: Network, rngs: Sequence[Generator], stop: Event) -> list[Episode]:
        return GamesAtOnce(self, network, rngs).play(stop)

    def accepts(self, candidate: Network, best: Network, seed: Sequence[int]) -> bool:
        gate = self._chosen.gate
        if gate.games == 0:
            return True
        new, old = (Entrant(name, self._player(net)) for name, net in (("new", candidate), ("best", best)))
        contest = Contest(self.game, new, old, int(np.random.SeedSequence(seed).generate_state(1)[0]))
        rounds = [play_round(contest, number) for number in range(rounds_for(gate.games, self.game))]
        return Outcomes(rounds).tally(0).win_rate >= gate.score

    def _player(self, network: Network) -> NewPlayer:
        """Return what makes players that search with a network as self-play does, without Dirichlet's noise."""
        settings = self.settings(noisy=False)

        def new_player(rng: Generator) -> SearchPlayer:
            return SearchPlayer(TreeSearch(self.game, settings, rng, network), settings)

        return new_player

    def settings(self, noisy: bool = True) -> MctsSettings:
        """Return how the expert searches; with noise at the root in self-play."""
        chosen = self._chosen.search
        return MctsSettings(
            simulations=chosen.simulations,
            selection="puct",
            exploration=chosen.exploration,
            first_play_urgency="loss" if chosen.pessimistic else "parent",
            rollout_weight=chosen.rollouts,
            solve=chosen.solve,
            max_considered_actions=chosen.considered,
            dirichlet_epsilon=chosen.noise if noisy else 0.0,
            dirichlet_alpha=chosen.concentration,
            temperature=1.0,
            max_nodes=chosen.max_nodes,
        )

    def probe(self, network: Network, seconds: float) -> float:
        forest = Forest(self.game, self.settings(), [generator(i) for i in range(self.together)], network)
        state = self.game.start()
        pass_chance(state, [], generator(0))
        for tree in range(self.together):
            forest.aim(tree, state)
        forest.search(64)  # compiles what must be, before the clock starts
        began, walked = time.perf_counter(), forest.simulated.sum()
        while time.perf_counter() - began < seconds:
            forest.search(10)
        return float(forest.simulated.sum() - walked) / (time.perf_counter() - began)

    def tree_bytes(self, walks: float) -> float:
        most = min(walks * self.together, self._chosen.search.max_nodes)
        return most * (NODE_BYTES + EDGE_BYTES * min(self.game.actions, TYPICAL_MOVES))

    def temperature_at(self, ply: int) -> float:
        """Return how freely the move of a ply is drawn."""
        return self._chosen.play.temperature if ply < self._chosen.play.opening else 0.0


@dataclass
class Ongoing:
    """One game in progress."""

    state: State
    actions: list[int] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)
    walks: int = 0


class GamesAtOnce:
    """Games that one worker plays at once."""

    def __init__(self, method: AlphaZero, network: Network, rngs: Sequence[Generator]) -> None:
        self._method, settings = method, method.settings()
        self._halving, self._worth = settings.max_considered_actions > 0, method._worth
        self._forest = Forest(method.game, settings, rngs, network)
        self._games = [Ongoing(method.game.start()) for _ in rngs]

    def play(self, stop: Event) -> list[Episode]:
        """Play all games to their ends."""
        live = list(range(len(self._games)))
        while live:
            for number in live:
                ongoing = self._games[number]
                pass_chance(ongoing.state, ongoing.actions, self._forest.rng(number))
                if ongoing.state.is_terminal:
                    self._forest.forget(number)
                else:
                    self._forest.aim(number, ongoing.state)
            live = [number for number in live if not self._games[number].state.is_terminal]
            if stop.is_set():
                raise Stopped
            before = self._forest.simulated
            self._forest.search(self._method.simulations)
            for number in live:
                self._games[number].walks += int(self._forest.simulated[number] - before[number])
                self._move(number)
        return [self._episode(ongoing) for ongoing in self._games]

    def _move(self, number: int) -> None:
        """Learn from what was found, and play."""
        ongoing, found = self._games[number], self._forest.found(number)
        mover = ongoing.state.player
        target = learning_policy(found, self._halving)
        ongoing.examples.append((ongoing.state.facts(mover), found.actions.tolist(), target.tolist()))
        ongoing.movers.append(mover)
        policy = playing_policy(found, self._method.temperature_at(len(ongoing.actions)), self._halving)
        action = int(found.actions[choose(policy, len(policy), self._forest.rng(number))])
        ongoing.actions.append(action)
        ongoing.state.apply(action)

    def _episode(self, ongoing: Ongoing) -> Episode:
        game, returns = self._method.game, ongoing.state.returns()
        values = won_values(game, ongoing.movers, returns) / self._worth
        return Episode(samples_of(game, ongoing.examples, values), ongoing.actions, returns, ongoing.walks)
