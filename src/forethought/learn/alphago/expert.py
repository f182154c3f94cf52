"""Games of an expert, where there are no records: any player, random openings, on all cores.

A game is kept in the run when it is finished. What comes of the games is a set of records like any other: without
duplicates, each game for training or held out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forethought.arrays import Float32s
from forethought.evaluate.rounds import Entrant, entrant
from forethought.game import Game, State
from forethought.games.reference import GameReference, reference_to
from forethought.learn.alphago.settings import EXPERT_STAGE, POLICY, ExpertGamesSettings
from forethought.learn.alphago.stage import Pipeline, TrainingStage
from forethought.learn.episodes import Episode, OngoingGame, pass_chance
from forethought.learn.learner import GAMES
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.learn.samples import samples_of
from forethought.player import Policy
from forethought.randomness import Generator, below, choose, generator
from forethought.records.data_set import RecordSet, RecordSetBuilder, digest
from forethought.records.formats import CheckedGame
from forethought.runtime.executor import Stopped, Stopping, batched

DIFFERENT_GAMES = Metric("different_games", "Games of the expert without duplicates", "games")


@dataclass(frozen=True)
class ExpertJob:
    """Games of the expert, to be played together by one worker. Plain data."""

    reference: GameReference
    expert: Entrant
    chosen: ExpertGamesSettings
    seed: tuple[int, ...]  # with an index, that of a game
    indexes: tuple[int, ...]


def play_expert_games(job: ExpertJob, stopping: Stopping) -> list[Episode]:
    """Play the games of a job, all at once. A task for an executor."""
    game, rngs = job.reference.game, [generator(*job.seed, index) for index in job.indexes]
    games = [opened(game, job.chosen.opening_plies, rng) for rng in rngs]
    setups = [len(ongoing.actions) for ongoing in games]
    seats = [(*job.seed, index, 1 + seat) for index in job.indexes for seat in range(game.players)]
    group = job.expert.new_group(game)([generator(*seed) for seed in seats])
    while waiting := [place for place, ongoing in enumerate(games) if not ongoing.state.is_terminal]:
        if stopping():
            raise Stopped
        slots = [place * game.players + games[place].state.player for place in waiting]
        seen = [games[place].state.observation(games[place].state.player) for place in waiting]
        for place, policy in zip(waiting, group.think(slots, seen), strict=True):
            _move(games[place], policy, job.chosen.plays == "best", rngs[place])
    return [_episode(game, ongoing, setup) for ongoing, setup in zip(games, setups, strict=True)]


def opened(game: Game, plies: int, rng: Generator) -> OngoingGame:
    """Return a game after random plies, up to so many, at a decision; an opening that ends the game is redrawn."""
    while True:
        ongoing, plies = OngoingGame(game.start()), below(plies + 1, rng)
        while len(ongoing.actions) < plies and not ongoing.state.is_terminal:
            _play(ongoing, _random_action(ongoing.state, rng))
        pass_chance(ongoing.state, ongoing.actions, rng)
        if not ongoing.state.is_terminal or plies == 0:
            return ongoing


def _random_action(state: State, rng: Generator) -> int:
    legal = state.legal_actions()
    if state.is_chance:
        return legal[choose(np.array(state.chance()), len(legal), rng)]
    return legal[below(len(legal), rng)]


def _move(ongoing: OngoingGame, policy: Policy, best: bool, rng: Generator) -> None:
    """Note what the expert thinks, and move."""
    state, chances = ongoing.state, policy.as_dict()
    actions = state.legal_actions()
    weights = np.array([chances.get(action, 0.0) for action in actions])
    ongoing.examples.append((state.facts(state.player), actions, weights.tolist()))
    if best:
        weights = (weights == weights.max()) / (weights == weights.max()).sum()
    _play(ongoing, actions[choose(weights, len(actions), rng)])
    pass_chance(state, ongoing.actions, rng)


def _play(ongoing: OngoingGame, action: int) -> None:
    ongoing.actions.append(action)
    ongoing.state.apply(action)


def _episode(game: Game, ongoing: OngoingGame, setup: int) -> Episode:
    samples = samples_of(game, ongoing.examples)
    return Episode(samples, ongoing.actions, ongoing.state.returns(), ongoing.simulations, setup)


class GameCollection:
    """Games to learn from, without duplicates, and what the expert thought in each of them, if that is wanted."""

    def __init__(self, game: Game, keeps_policies: bool) -> None:
        self._builder, self._keeps_policies = RecordSetBuilder(game), keeps_policies
        self._seen = set[bytes]()
        self.policies: list[Float32s] = []  # by game [decisions, choices]

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, games: Iterable[SavedGame]) -> None:
        """Add the games that are not there yet and in which anybody decided anything."""
        for one in games:
            known = digest(one.about["actions"])
            if known in self._seen or one.samples.rows == 0:
                continue
            self._seen.add(known)
            returns = tuple(one.about["returns"])
            self._builder.add(CheckedGame(one.about["actions"], one.about["setup"], returns, (), ()))
            if self._keeps_policies:
                self.policies.append(one.samples.targets)

    def records(self, seed: int, share: float) -> RecordSet:
        """Divide the games into those for training and those held out."""
        return self._builder.finish(Path("games of the expert"), seed, share)


class ExpertStage(TrainingStage):
    """The expert plays."""

    def __init__(self, pipeline: Pipeline) -> None:
        super().__init__(pipeline)
        self._expert = entrant(self.chosen.expert.player)
        if self.chosen.length(EXPERT_STAGE):
            self._expert.new_group(self.game)  # a mistake in its string is told before anything is trained
        self.collection = GameCollection(self.game, self.chosen.imitation.target == POLICY)

    def iterate(self, number: int, place: int, play: Play) -> Mapping[str, float]:  # noqa: ARG002
        missing = play.missing(self.chosen.games)
        seed, reference = (self.chosen.seed, GAMES, number), reference_to(self.game)
        groups: Iterable[Sequence[int]] = batched(missing, self._expert.at_once)
        jobs = [ExpertJob(reference, self._expert, self.chosen.expert, seed, tuple(group)) for group in groups]
        self.collection.add(play.episodes(play_expert_games, jobs))
        return {DIFFERENT_GAMES.name: len(self.collection)}
