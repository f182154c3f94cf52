"""How much faster a training would be on 1 to 64 nodes, by simulation; the picture of docs/cluster.md.

    python -P docs/pictures/cluster_speedup.py --measure     # what a game, a task of Ray and learning take here
    python -P docs/pictures/cluster_speedup.py docs/pictures/cluster-speedup.png

Nobody here has 64 nodes. Simulated are: nodes that fetch the weights once per iteration, cores that take one game after
another, and the one process that hands out games, keeps results and learns. What they take was measured, in seconds of
the processor, on one machine; the network between machines is assumed.
"""

import argparse
import heapq
import json
import math
import pickle
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import forethought as ft
from forethought.bench.cluster import GAME, SIMULATIONS, first_job
from forethought.learn.algorithms.exit_oos import play_games
from forethought.learn.configuration import configuration_of
from forethought.learn.episodes import Episode
from forethought.learn.network_learner import SelfPlayJob
from forethought.learn.run import Run
from forethought.learn.training import Training
from forethought.runtime.executor import find_executor
from forethought.runtime.threads import Threads

CORES_PER_NODE = 16
NODES = (1, 2, 4, 8, 16, 32, 64)
GAMES = 2_048  # per iteration, so that 1,024 cores have two each
BANDWIDTH, LATENCY = 1.25e8, 0.002  # assumed: bytes per second of 1 Gbit/s, and seconds
GAMES_PER_LESSON = 16  # the default: after 16 games, 200 steps of learning


@dataclass(frozen=True)
class Measured:
    """Seconds of the processor, and bytes."""

    games: tuple[float, ...]  # games of self-play, each on one core
    task: float  # handing out one job and taking its result, in the process that learns
    keeping: float  # writing a finished game to the disk
    lesson: float  # learning of one iteration by default: 200 steps
    weights: int  # bytes of the network's file
    result: int  # bytes of a game


# By --measure on two cores of an AMD EPYC (Zen 4), other work going on; goofspiel(cards=6), 20,000 simulations per
# decision.
HERE = Measured(
    games=(0.440, 0.446, 0.423, 0.367, 0.404, 0.413, 0.367, 0.402),
    task=0.00162,
    keeping=0.00032,
    lesson=0.775,
    weights=64_504,
    result=117_762,
)
LONGER = 50  # times the simulations: a million per decision, whose games are taken to last as many times longer


def simulated(nodes: int, measured: Measured, games: int = GAMES, seed: int = 1) -> float:
    """Return the seconds of self-play of one iteration."""
    rng = np.random.default_rng(seed)
    hops = math.ceil(math.log2(nodes)) if nodes > 1 else 0
    fetched = hops * (LATENCY + measured.weights / BANDWIDTH)  # from node to node
    free = [fetched] * (nodes * CORES_PER_NODE)
    finished = []
    for place, length in enumerate(rng.choice(measured.games, games)):
        handed_out = min(place, len(free)) * measured.task / 2.0  # half of a task; the others wait at their nodes
        end = max(heapq.heappop(free), handed_out) + LATENCY + length
        heapq.heappush(free, end)
        finished.append(end)
    taken = 0.0
    for end in sorted(finished):
        arrived = end + LATENCY
        taken = max(taken, arrived) + measured.task + measured.keeping + measured.result / BANDWIDTH
    return taken


def learning(measured: Measured, games: int = GAMES) -> float:
    """Return the seconds of learning from an iteration, as much per game as by default."""
    return measured.lesson * games / GAMES_PER_LESSON


def alternating(nodes: int, measured: Measured) -> float:
    """Play, then learn."""
    return simulated(nodes, measured) + learning(measured)


def one_lesson(nodes: int, measured: Measured) -> float:
    """Play, then learn 200 steps however many games there are."""
    return simulated(nodes, measured) + measured.lesson


def overlapping(nodes: int, measured: Measured) -> float:
    """Learn while the next iteration is played by the weights of the one before: always, so that results stay exact."""
    return max(simulated(nodes, measured), learning(measured))


WAYS: dict[str, Callable[[int, Measured], float]] = {
    "200 steps per iteration": one_lesson,
    "200 steps per 16 games": alternating,
    "200 steps per 16 games, while playing": overlapping,
}


def speed_ups(measured: Measured) -> dict[str, list[float]]:
    """Return how many times faster each way is than alternating on one core, by nodes."""
    alone = fmean(measured.games) * GAMES
    whole = {name: alone + (measured.lesson if way is one_lesson else learning(measured)) for name, way in WAYS.items()}
    return {name: [whole[name] / way(nodes, measured) for nodes in NODES] for name, way in WAYS.items()}


def draw(path: Path, measured: Measured) -> None:
    """Draw the curves over the number of cores, for games as measured and for long ones."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(10, 4.5), layout="constrained")
    for axes, (simulations, lasting) in zip(
        figure.subplots(1, 2, sharey=True), workloads(measured).items(), strict=True
    ):
        draw_curves(axes, lasting)
        axes.set_title(f"{simulations:,} simulations per decision", size=10)
    axes.legend(fontsize=8, loc="upper left")
    figure.suptitle(f"ExIt-OOS on {GAME}, {GAMES:,} games per iteration, simulated", size=10)
    figure.savefig(path, dpi=120)


def draw_curves(axes: Any, measured: Measured) -> None:
    cores = [nodes * CORES_PER_NODE for nodes in NODES]
    axes.plot(cores, cores, color="0.7", linestyle=":", label="as many times faster as there are cores")
    for name, speeds in speed_ups(measured).items():
        axes.plot(cores, speeds, marker="o", markersize=3, label=name)
    axes.axvline(learner_limits(measured), color="0.5", linewidth=0.8, label="learning takes as long as playing")
    axes.set(xscale="log", yscale="log", xlabel="cores", ylabel="times faster than one core", ylim=(1, 3_000))


def workloads(measured: Measured) -> dict[int, Measured]:
    """Return what is simulated, by simulations per decision."""
    longer = replace(measured, games=tuple(LONGER * seconds for seconds in measured.games))
    return {SIMULATIONS: measured, LONGER * SIMULATIONS: longer}


def learner_limits(measured: Measured) -> float:
    """Return the cores with which playing a game takes as long as learning from it."""
    return fmean(measured.games) * GAMES_PER_LESSON / measured.lesson


def measure() -> Measured:
    """Measure here, in seconds of the processor where other work on the machine would show."""
    with TemporaryDirectory(prefix="forethought-") as name:
        directory = Path(name)
        first = first_job(directory)
        results = play_games(first, lambda: False)  # compiles
        lengths = []
        for index in range(8):
            began = time.process_time()
            results = play_games(replace(first, indexes=(index,)), lambda: False)
            lengths.append(time.process_time() - began)
        small = replace(
            first, configuration=replace(first.configuration, search=replace(first.configuration.search, simulations=1))
        )
        weights, content = (directory / "playing.safetensors").stat().st_size, len(pickle.dumps(results))
        return Measured(tuple(lengths), _task(small), *_keeping_and_learning(directory, results[0]), weights, content)


def _task(job: SelfPlayJob) -> float:
    """Return what a small job costs the process that hands it out."""
    executor = find_executor("ray:2").start()
    jobs = [replace(job, indexes=(index,)) for index in range(200)]
    list(executor.map(play_games, jobs[:10]))
    began = time.process_time()
    list(executor.map(play_games, jobs))
    return (time.process_time() - began) / len(jobs)


def _keeping_and_learning(directory: Path, episode: Episode) -> tuple[float, float]:
    """Return what writing a game takes, by the clock, and learning: almost nothing else is in these iterations."""
    values = {"game": GAME, "seed": 1, "algorithm": "exit-oos", "iterations": 3, "games": GAMES_PER_LESSON}
    few = {"search.simulations": 1, "evaluation.games": 2, "evaluation.every": 100}
    ends = []
    with Run.create(directory / "run", configuration_of(values | few)) as run:
        Training(run, ft.load(GAME), Threads(1)).train([lambda _report: ends.append(time.process_time())])
        times = []
        for index in range(20):
            began = time.perf_counter()
            run.save_game(99, index, episode.samples, {})
            times.append(time.perf_counter() - began)
    return median(times), ends[1] - ends[0]


def table(title: str, measured: Measured) -> str:
    """Write the curves as a table of Markdown."""
    found = speed_ups(measured)
    lines = [f"| {title} |{'|'.join(f' {name} ' for name in WAYS)}|", f"|---|{'---|' * len(WAYS)}"]
    for place, nodes in enumerate(NODES):
        cells = "|".join(f" {speeds[place]:.1f} " for speeds in found.values())
        lines.append(f"| {nodes * CORES_PER_NODE:,} cores |{cells}|")
    lines.append(f"learning takes as long as playing with {learner_limits(measured):.0f} cores")
    return "\n".join(lines) + "\n\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", type=Path, nargs="?", help="where to draw it")
    parser.add_argument("--measure", action="store_true", help="measure what is simulated, and print it")
    chosen = parser.parse_args()
    measured = measure() if chosen.measure else HERE
    if chosen.measure:
        sys.stdout.write(json.dumps(asdict(measured)) + "\n")
    for simulations, lasting in workloads(measured).items():
        sys.stdout.write(table(f"{simulations:,} simulations", lasting))
    if chosen.picture:
        draw(chosen.picture, measured)


if __name__ == "__main__":
    main()
