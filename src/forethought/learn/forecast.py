"""What a training will take: self-play, before it begins, by a short search and a few random games; then all of it."""

import math
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from statistics import fmean

import numpy as np

from forethought.game import Game
from forethought.learn.configuration import Configuration
from forethought.learn.learner import Forecast
from forethought.learn.metrics import IterationReport
from forethought.randomness import below, choose, generator
from forethought.search.online import OnlineSearch

PROBE_SECONDS, PROBE_GAMES = 0.5, 50
SAMPLE_BYTES = 24  # of a sample beside its facts (4 bytes each) and actions (8 each)


def expected(
    game: Game,
    configuration: Configuration,
    *,
    rate: float,
    simulations: int,
    capacity: int,
    search_bytes: Callable[[float], float],
) -> Forecast:
    """Return what an iteration takes.

    `rate` is in simulations per second of one worker, `simulations` per decision, `capacity` in games, and
    `search_bytes` the memory of one worker's search after so many simulations.
    """
    decisions, facts = decisions_of(game)
    played = configuration.games * configuration.iterations * decisions
    samples = min(capacity * decisions, played) * (SAMPLE_BYTES + 4 * facts + 8 * game.actions)
    seconds = configuration.games * decisions * simulations / rate / configuration.threads
    return Forecast(seconds, search_bytes(decisions * simulations) * configuration.threads + samples)


def remaining_seconds(configuration: Configuration, measured: Sequence[IterationReport]) -> float | None:
    """Return what the iterations to come take, by those measured; None before it is known what one takes.

    Stages differ in speed, and some iterations end with an examination of the strength, which may take longer than the
    rest of it. A limit of time may end the training earlier.
    """
    if configuration.is_limited_by_time:
        return None

    def kind_of(iteration: int) -> tuple[str, bool]:
        return configuration.stage(iteration), configuration.is_examined(iteration)

    seconds: dict[tuple[str, bool], list[float]] = defaultdict(list)
    for report in measured:
        seconds[kind_of(report.iteration)].append(report.values["seconds"])
    coming = Counter(map(kind_of, range(measured[-1].iteration + 1, configuration.iterations + 1)))
    if not coming.keys() <= seconds.keys():
        return None
    limit = 60.0 * configuration.minutes or math.inf
    left = max(0.0, limit - sum(report.values["seconds"] for report in measured))
    return min(left, sum(fmean(seconds[kind]) * times for kind, times in coming.items()))


def measured_rate(search: OnlineSearch) -> float:
    """Search for half a second; return simulations per second."""
    search.simulate(1)  # compiles what must be, before the clock starts
    began, before = time.perf_counter(), search.simulated
    search.simulate_for(PROBE_SECONDS)
    return (search.simulated - before) / (time.perf_counter() - began)


def decisions_of(game: Game) -> tuple[float, int]:
    """Return how many real choices a random game has, and how many facts one of them shows at most."""
    rng, choices, widest = generator(1), 0, 0
    for _ in range(PROBE_GAMES):
        state = game.start()
        while not state.is_terminal:
            legal = state.legal_actions()
            if state.is_chance:
                state.apply(legal[choose(np.array(state.chance()), len(legal), rng)])
                continue
            choices += len(legal) > 1
            widest = max(widest, len(state.facts(state.player)))
            state.apply(legal[below(len(legal), rng)])
    return max(1.0, choices / PROBE_GAMES), widest
