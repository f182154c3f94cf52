"""Reads runs from their directories, also while another process is training them."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from forethought.errors import ForethoughtError
from forethought.game import EVERYONE
from forethought.learn.configuration import keys_of, value_of
from forethought.learn.events import described_metrics, iteration_reports
from forethought.learn.forecast import remaining_seconds
from forethought.learn.learner import LEARNERS
from forethought.learn.run import EVENTS, Run, SavedGame, is_training
from forethought.learn.verdict import verdict
from forethought.player import player_spec
from forethought.runs import WEIGHTS, all_runs, iterations_in
from forethought.serve.errors import conflict, not_found
from forethought.serve.event_streams import HEARTBEAT, HEARTBEAT_COMMENT, encode_event
from forethought.serve.game_catalogue import GameCatalogue, Identity
from forethought.serve.run_metrics import chart_metrics
from forethought.serve.schemas.play import ReplaySchema
from forethought.serve.schemas.watch import (
    MetricSchema,
    OpponentSchema,
    RunDetailsSchema,
    RunProgressSchema,
    RunSchema,
    RunSummarySchema,
    SelfPlayGameSchema,
    SettingSchema,
)
from forethought.serve.views import board_view, replay_views

POLL = 1.0  # seconds between two checks of a run's files
LISTED_GAMES = 64

Stamp = tuple[int, int, bool, int]


class RunState(NamedTuple):
    """What is read of a run's reports."""

    summary: RunSummarySchema
    metrics: list[MetricSchema]
    seconds_left: float | None


class RunReader:
    """Finds runs by the names that are listed; what has not changed is not read again."""

    def __init__(self, games: GameCatalogue) -> None:
        self._catalogue = games
        self._progress: dict[str, tuple[Stamp, RunState]] = {}
        self._games: dict[str, tuple[int, list[SelfPlayGameSchema]]] = {}  # of the newest iteration
        self._current: dict[str, dict[tuple[int, int], SelfPlayGameSchema]] = {}  # of the one that runs
        self._lock = threading.Lock()

    def summaries(self) -> list[RunSummarySchema]:
        """List all runs; the verdict of a damaged one says what is wrong."""
        return [self._summary(directory) for directory in all_runs()]

    def trained_on(self, spec: str) -> list[tuple[Path, str]]:
        """Return the runs of a game and their algorithms."""
        wanted, found = self._catalogue.identity(spec), []
        for directory in all_runs():
            summary = self._summary(directory)
            if self._identity(summary.game) == wanted:
                found.append((directory, summary.algorithm))
        return found

    def run(self, name: str) -> RunSchema:
        """Describe a run without its settings."""
        directory = self.directory(name)
        with self._lock:
            state, run = self._read_progress(directory), Run.open(directory, lock=False)
            current = state.summary.iterations + 1
            games = [*self._newest_games(run), *self._current_games(run, current)]
        progress = None
        if state.summary.training:
            wanted, playing = run.configuration.games, current not in run.complete_iterations()
            finished = len(run.single_games(current)) if playing else wanted
            progress = RunProgressSchema(
                iteration=current, finished=finished, games=wanted, seconds_left=state.seconds_left
            )
        return RunSchema(
            **dict(state.summary), metrics=state.metrics, games=games, progress=progress, opponent=self._opponent(run)
        )

    def details(self, name: str) -> RunDetailsSchema:
        """Describe a run with its settings."""
        configuration = Run.open(self.directory(name), lock=False).configuration
        settings = {
            key: SettingSchema(value=value_of(configuration, key), about=one.metadata["declared"].about)
            for key, one in keys_of(type(configuration)).items()
        }
        return RunDetailsSchema(**dict(self.run(name)), settings=settings)

    def self_play_game(self, name: str, iteration: int, index: int) -> ReplaySchema:
        """Describe every position of a game of self-play, and its board."""
        run = Run.open(self.directory(name), lock=False)
        spec = self._catalogue.known_as(run.configuration.game)
        if spec is None:
            raise conflict(f"{name} plays the game of a file; start `forethought serve FILE` with it to see its games.")
        game, actions = self._catalogue.plain(spec), _game_of(run, iteration, index).about["actions"]
        positions = replay_views(game.start(), EVERYONE, actions)
        return ReplaySchema(board=board_view(game), positions=positions)

    def directory(self, name: str) -> Path:
        """Find a run in the list of runs, so that no part of a path comes from a client."""
        found = {directory.name: directory for directory in all_runs()}
        if name not in found:
            raise not_found(f"There is no run '{name}'.")
        return found[name]

    async def follow(self, name: str, closing: asyncio.Event) -> AsyncIterator[bytes]:
        """Yield a `run` event at once and whenever the run has changed."""
        last, silent = None, 0.0
        while not closing.is_set():
            stamp = await asyncio.to_thread(stamp_of, self.directory(name))
            if stamp != last:
                last, silent = stamp, 0.0
                yield encode_event("run", await asyncio.to_thread(self.run, name))
            elif silent >= HEARTBEAT:
                silent = 0.0
                yield HEARTBEAT_COMMENT
            silent += POLL
            await _sleep(POLL, closing)

    def _opponent(self, run: Run) -> OpponentSchema | None:
        """Say how to play against a run."""
        try:
            spec = self._catalogue.known_as(run.configuration.game)
            if spec is None or not iterations_in(run.directory / WEIGHTS):
                return None
            game = self._catalogue.plain(spec)
        except ForethoughtError:
            return None
        player = LEARNERS.find(run.configuration.algorithm).strongest(run.name)
        return OpponentSchema(game=self._catalogue.normal(spec), seats=game.players, player=player_spec(player))

    def _identity(self, spec: str) -> Identity | None:
        """Return which game a run plays; None if clients may not play it, or it does not exist any more."""
        try:
            known_as = self._catalogue.known_as(spec)
            return None if known_as is None else self._catalogue.identity(known_as)
        except ForethoughtError:
            return None

    def _summary(self, directory: Path) -> RunSummarySchema:
        try:
            with self._lock:
                return self._read_progress(directory)[0]
        except ForethoughtError as error:
            return RunSummarySchema(
                name=directory.name,
                game="",
                game_title="",
                algorithm="",
                algorithm_title="",
                iterations=0,
                wanted=0,
                training=False,
                verdict=str(error),
            )

    def _read_progress(self, directory: Path) -> RunState:
        """Return the summary and the metrics of a run."""
        stamp, name = stamp_of(directory), directory.name
        if name not in self._progress or self._progress[name][0] != stamp:
            run = Run.open(directory, lock=False)
            events = run.events()
            reports = iteration_reports(events)
            chosen = run.configuration
            learner = LEARNERS.find(chosen.algorithm)
            summary = RunSummarySchema(
                name=run.name,
                game=chosen.game,
                game_title=self._catalogue.title(chosen.game),
                algorithm=chosen.algorithm,
                algorithm_title=learner.label,
                iterations=max((report.iteration for report in reports), default=0),
                wanted=None if chosen.is_limited_by_time else chosen.iterations,
                training=stamp[2],
                verdict=verdict(reports, learner.learner.remedy).sentence,
            )
            metrics = chart_metrics(described_metrics(events), reports, chosen.evaluation.against)
            timed = [report for report in reports if "seconds" in report.values]
            left = remaining_seconds(chosen, timed) if timed else None
            self._progress[name] = stamp, RunState(summary, metrics, left)
        return self._progress[name][1]

    def _newest_games(self, run: Run) -> list[SelfPlayGameSchema]:
        """List the games of the newest complete iteration."""
        complete = run.complete_iterations()
        if not complete:
            return []
        newest, games = self._games.get(run.name, (0, []))
        if newest != complete[-1]:
            saved = enumerate(run.games(complete[-1])[:LISTED_GAMES])
            games = [_listed_game(complete[-1], index, game) for index, game in saved]
            self._games[run.name] = (complete[-1], games)
        return games

    def _current_games(self, run: Run, iteration: int) -> list[SelfPlayGameSchema]:
        """List the newest games of the iteration that runs; each is read once."""
        known = self._current.get(run.name, {})
        found = {}
        for index in run.single_games(iteration)[-LISTED_GAMES:]:
            with suppress(ForethoughtError):  # the iteration has just been completed
                place = iteration, index
                found[place] = known.get(place) or _listed_game(*place, run.single_game(*place))
        self._current[run.name] = found
        return list(found.values())


def stamp_of(directory: Path) -> Stamp:
    """Return a value that changes whenever a run reports something, a game ends, or its training starts or stops."""
    try:
        events = (directory / EVENTS).stat()
    except OSError:
        return 0, 0, False, 0
    finished = sum(1 for _ in directory.glob("games/*/*.safetensors"))  # of the iteration that runs
    return events.st_mtime_ns, events.st_size, is_training(directory), finished


def _game_of(run: Run, iteration: int, index: int) -> SavedGame:
    """Return a finished game of self-play."""
    if iteration in run.complete_iterations():
        games = run.games(iteration)
        if index >= len(games):
            raise not_found(f"Iteration {iteration} of {run.name} has {len(games)} games.")
        return games[index]
    if index not in run.single_games(iteration):
        raise not_found(f"{run.name} has not finished game {index} of iteration {iteration}.")
    return run.single_game(iteration, index)


def _listed_game(iteration: int, index: int, game: SavedGame) -> SelfPlayGameSchema:
    actions, returns = game.about["actions"], game.about["returns"]
    return SelfPlayGameSchema(iteration=iteration, index=index, plies=len(actions), returns=returns)


async def _sleep(seconds: float, closing: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(closing.wait(), seconds)
    except TimeoutError:
        return
