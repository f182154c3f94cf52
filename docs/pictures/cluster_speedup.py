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
from tempfile import TemporaryDirectory

import numpy as np

import forethought as ft
from forethought.bench.cluster import GAME, SIMULATIONS, first_job
from forethought.learn.algorithms.exit_oos import play_games
from forethought.learn.configuration import configuration_of
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


# By --measure on two cores of an AMD EPYC (Zen 4) under load; goofspiel(cards=6), 20,000 simulations per decision.
HERE = Measured((1.0,), 0.001, 0.001, 1.0, 1, 1)


def simulated(nodes: int, measured: Measured, games: int = GAMES, seed: int = 1) -> float:
    """Return the seconds of self-play of one iteration."""
    rng = np.random.default_rng(seed)
    hops = math.ceil(math.log2(nodes)) if nodes > 1 else 0
    fetched = hops * (LATENCY + measured.weights / BANDWIDTH)  # from node to node
    free = [fetched] * (nodes * CORES_PER_NODE)
    finished = []
    for place, length in enumerate(rng.choice(measured.games, games)):
        handed_out = place * measured.task / 2.0  # half of a task is handing it out
        end = max(heapq.heappop(free), handed_out) + LATENCY + length
        heapq.heappush(free, end)
        finished.append(end)
    taken = 0.0
    for end in sorted(finished):
        arrived = end + LATENCY
        taken = max(taken, arrived) + measured.task / 2.0 + measured.keeping + measured.result / BANDWIDTH
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
    alone = sum(measured.games) / len(measured.games) * GAMES
    whole = {name: alone + (measured.lesson if way is one_lesson else learning(measured)) for name, way in WAYS.items()}
    return {name: [whole[name] / way(nodes, measured) for nodes in NODES] for name, way in WAYS.items()}


def draw(path: Path, measured: Measured) -> None:
    """Draw the curves over the number of cores."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    cores = [nodes * CORES_PER_NODE for nodes in NODES]
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(cores, cores, color="0.7", linestyle=":", label="as many times faster as there are cores")
    for name, speeds in speed_ups(measured).items():
        axes.plot(cores, speeds, marker="o", markersize=3, label=name)
    limit = learner_limits(measured)
    axes.axvline(limit, color="0.5", linewidth=0.8)
    axes.annotate(
        f"learning takes as long\nas playing: {limit:,.0f} cores",
        (limit, 1.3),
        xytext=(4, 0),
        fontsize=8,
        textcoords="offset points",
    )
    axes.set(xscale="log", yscale="log", xlabel="cores", ylabel="times faster than one core", ylim=(1, 2_000))
    axes.set_title(f"ExIt-OOS on {GAME}, {SIMULATIONS:,} simulations, {GAMES:,} games per iteration: simulated", size=9)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=150)


def learner_limits(measured: Measured) -> float:
    """Return the cores with which playing a game takes as long as learning from it."""
    return sum(measured.games) / len(measured.games) * GAMES_PER_LESSON / measured.lesson


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


def _task(job: object) -> float:
    """Return what a small job costs the process that hands it out."""
    executor = find_executor("ray:2").start()
    jobs = [replace(job, indexes=(index,)) for index in range(200)]  # type: ignore[type-var]
    list(executor.map(play_games, jobs[:10]))
    began = time.process_time()
    list(executor.map(play_games, jobs))
    return (time.process_time() - began) / len(jobs)


def _keeping_and_learning(directory: Path, episode: object) -> tuple[float, float]:
    values = {"game": GAME, "seed": 1, "algorithm": "exit-oos", "iterations": 3, "games": GAMES_PER_LESSON}
    few = {"search.simulations": 500, "evaluation.games": 2, "evaluation.every": 100}
    with Run.create(directory / "run", configuration_of(values | few)) as run:
        Training(run, ft.load(GAME), Threads(1)).train()
        lesson = min(one.values["seconds"] - one.values["search_seconds"] for one in run.reports()[1:2])
        times = []
        for index in range(20):
            began = time.perf_counter()
            run.save_game(99, index, episode.samples, {})  # type: ignore[attr-defined]
            times.append(time.perf_counter() - began)
    return sorted(times)[len(times) // 2], lesson


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("picture", type=Path, nargs="?", help="where to draw it")
    parser.add_argument("--measure", action="store_true", help="measure what is simulated, and print it")
    chosen = parser.parse_args()
    measured = measure() if chosen.measure else HERE
    if chosen.measure:
        sys.stdout.write(json.dumps(asdict(measured)) + "\n")
    sys.stdout.write(f"| nodes | cores |{'|'.join(f' {name} ' for name in WAYS)}|\n|---|---|{'---|' * len(WAYS)}\n")
    found = speed_ups(measured)
    for place, nodes in enumerate(NODES):
        cells = "|".join(f" {speeds[place]:.1f} " for speeds in found.values())
        sys.stdout.write(f"| {nodes} | {nodes * CORES_PER_NODE} |{cells}|\n")
    sys.stdout.write(f"learning takes as long as playing with {learner_limits(measured):.0f} cores\n")
    if chosen.picture:
        draw(chosen.picture, measured)


if __name__ == "__main__":
    main()
