"""Fig. 3: how sure of their moves policies and searches are, from the beginning of a game to its end.

Biased tree search and UCT play as in Table I. At their own turns the shares of visits are looked at; at all turns, what
the linear policies ce and tspg of the run would do.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from forethought.arrays import Float64s
from forethought.evaluate.tspg_figures.strength import FigureEffort
from forethought.game import Game
from forethought.games.reference import GameReference, reference_to
from forethought.patterns.model import CE, TSPG
from forethought.player import NewPlayer, draw_action, seated
from forethought.players.linear import LinearSettings
from forethought.randomness import choose, generator
from forethought.runs import weights_of
from forethought.runtime.carried import CarriedFile
from forethought.runtime.executor import Executor, Stopped, Stopping, in_order
from forethought.runtime.local import Local
from forethought.search.mcts.players import BiasedSettings, UctSettings
from forethought.search.player import SearchPlayer

UCT, BIASED = "uct visits", "biased visits"
NAMES = (UCT, CE, BIASED, TSPG)
BINS = 20


@dataclass(frozen=True)
class EntropyCurve:
    """Normalised entropies in equal parts of a game, from its beginning; NaN in parts where there were none."""

    name: str
    progress: list[float]  # the middle of each part, 0 to 1
    mean: list[float]
    deviation: list[float]
    overall: float  # mean over all decisions
    decisions: int


class Makers(NamedTuple):
    """What makes the players of a game."""

    biased: NewPlayer
    uct: NewPlayer
    watching: dict[str, NewPlayer]


@dataclass(frozen=True)
class EntropyExperiment:
    """Who plays and who looks on, for one run. Plain data."""

    reference: GameReference
    weights: CarriedFile
    simulations: int
    seed: tuple[int, int]
    _loaded: Local[Makers] = field(default_factory=Local, compare=False, repr=False)

    @property
    def makers(self) -> Makers:
        return self._loaded.get(self._load)

    def _load(self) -> Makers:
        game, run = self.reference.game, str(self.weights.path)
        return Makers(
            BiasedSettings(run=run, simulations=self.simulations).new_player(game),
            UctSettings(simulations=self.simulations).new_player(game),
            {name: LinearSettings(run=run, policy=name).new_player(game) for name in (CE, TSPG)},
        )


class WatchedGame(NamedTuple):
    """A game to play."""

    experiment: EntropyExperiment
    number: int

    @property
    def described(self) -> str:
        return f"game {self.number} of {self.experiment.reference.spec}, seed {self.experiment.seed}"


def entropy_over_time(
    game: Game, runs: Sequence[str], effort: FigureEffort, executor: Executor, bins: int = BINS
) -> list[EntropyCurve]:
    """Play biased tree search against UCT, and tell of the entropies over the time of a game."""
    noted: dict[str, list[tuple[float, float]]] = {name: [] for name in NAMES}
    files = [CarriedFile(weights_of(run)) for run in runs]
    experiments = [
        EntropyExperiment(reference_to(game), file, effort.simulations, (effort.seed, n))
        for n, file in enumerate(files)
    ]
    jobs = (WatchedGame(experiment, number) for experiment in experiments for number in range(effort.games))
    for played in in_order(executor, play_watched, jobs):
        for name, when, entropy in _timed(played):
            noted[name].append((when, entropy))
    return [entropy_curve(name, np.array(points), bins) for name, points in noted.items()]


def normalised_entropy(weights: Float64s) -> float:
    """Return the entropy of weights as a share of the largest there can be; 0 for a single one."""
    if len(weights) < 2 or not weights.any():
        return 0.0
    chances = weights[weights > 0.0] / weights.sum()
    return max(0.0, -float(chances @ np.log(chances))) / math.log(len(weights))


def entropy_curve(name: str, points: Float64s, bins: int) -> EntropyCurve:
    """Gather entropies by their time: rows (time in 0..1, entropy)."""
    times, entropies = points.T
    places = np.minimum((bins * times).astype(np.int64), bins - 1)
    parts = [entropies[places == part] for part in range(bins)]
    return EntropyCurve(
        name,
        [(part + 0.5) / bins for part in range(bins)],
        [float(part.mean()) if len(part) else math.nan for part in parts],
        [float(part.std()) if len(part) else math.nan for part in parts],
        float(entropies.mean()),
        len(entropies),
    )


def play_watched(job: WatchedGame, stopping: Stopping) -> list[dict[str, float]]:
    """Play a game, the biased search in either seat by turns; return the entropies of every turn. A task."""
    experiment, seat = job.experiment, job.number % 2
    biased, uct, watching = experiment.makers
    makers = [uct, uct]
    makers[seat] = biased
    seed = (*experiment.seed, job.number)
    searching = [player for player in seated(makers, *seed) if isinstance(player, SearchPlayer)]
    watchers = dict(zip(watching, seated([*watching.values()], *seed), strict=True))
    state, rng, turns = experiment.reference.game.start(), generator(*seed, len(makers)), []
    while not state.is_terminal:
        if stopping():
            raise Stopped
        if state.is_chance:
            state.apply(draw_action(state, [], rng))
            continue
        observation = state.observation(state.player)
        thought = searching[state.player].study(observation)
        noted = {BIASED if state.player == seat else UCT: thought.about_actions["visits"]}
        noted |= {name: player.think(observation).probabilities for name, player in watchers.items()}
        turns.append({name: normalised_entropy(np.array(weights)) for name, weights in noted.items()})
        actions, chances = thought.policy
        state.apply(actions[choose(np.array(chances), len(actions), rng)])
    return turns


def _timed(turns: Sequence[dict[str, float]]) -> Iterator[tuple[str, float, float]]:
    """Yield whose entropy each is, at what time of the game, and what it is."""
    for turn, noted in enumerate(turns):
        for name, entropy in noted.items():
            yield name, turn / len(turns), entropy
