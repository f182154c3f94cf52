"""Clusters: who is there, and what a training would take."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from forethought.api.arguments import GameLike, PathLike
from forethought.api.training import planned_learner
from forethought.drawing.markup import block, note, table
from forethought.errors import ForethoughtError
from forethought.results import ResultBase
from forethought.runtime.executor import find_executor
from forethought.runtime.ray import NodeFacts, RayCluster, RaySettings, executor_of_cluster


@dataclass(frozen=True)
class ClusterStatus(ResultBase):
    """The nodes of a cluster, and whether they can work together."""

    cluster: str
    cores: int
    nodes: list[NodeFacts]
    problems: list[str]  # one sentence each; none if all is well

    def _repr_html_(self) -> str:
        rows = [[*map(str, node)] for node in self.nodes]
        said = note(" ".join(self.problems) or f"{self.cores} cores; all nodes run the same")
        return block(f"Cluster {self.cluster}", table(list(NodeFacts._fields), rows), said)


@dataclass(frozen=True)
class ClusterForecast(ResultBase):
    """What self-play of a training would take on a cluster. Learning and evaluation come on top of it."""

    cluster: str
    cores: int
    game: str
    algorithm: str
    iterations: int | None  # None if only time ends the training
    jobs_per_iteration: int  # more cores than that do not help
    core_seconds_per_iteration: float  # on one core like those of this machine
    seconds_per_iteration: float
    seconds: float | None

    def _repr_html_(self) -> str:
        said = f"{self.seconds_per_iteration:.3g} s of self-play per iteration on {self.cores} cores"
        return block(f"{self.algorithm} on {self.game}, cluster {self.cluster}", note(said))


def cluster_status(cluster: str = "auto") -> ClusterStatus:
    """Ask every node of a cluster what it is: "auto", "HOST:PORT" of the head, or "local:4" for processes here.

    Raises ForethoughtError if there is no such cluster, or its token is missing.
    """
    nodes = _joined(cluster).nodes()
    problems = [f"The node {node.name} ({node.address}): {node.problem}." for node in nodes if node.problem]
    if len({node.processor for node in nodes if node.processor}) > 1:
        problems.append("The nodes have different processors, which may round the last bits differently.")
    return ClusterStatus(cluster, sum(node.cores for node in nodes), nodes, problems)


def cluster_forecast(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    *,
    cluster: str = "auto",
    algorithm: str | None = None,
    iterations: int | None = None,
    games: int | None = None,
    simulations: int | None = None,
    preset: str | None = None,
    config: PathLike | None = None,
    settings: Mapping[str, Any] | Sequence[str] = (),
) -> ClusterForecast:
    """Say what self-play of a training would take on a cluster, by a second of it measured here.

    Raises ForethoughtError if the algorithm cannot tell.
    """
    flags = {
        "algorithm": algorithm,
        "preset": preset,
        "iterations": iterations,
        "games": games,
        "search.simulations": simulations,
        "workers": 1,
        "seed": 0,
    }
    learner = planned_learner(game, config, settings, flags)
    chosen, expected = learner.configuration, learner.forecast()
    if expected is None:
        raise ForethoughtError(f"{chosen.algorithm} cannot tell what it will take before it begins.")
    cores, jobs = _joined(cluster).workers, learner.jobs_per_iteration
    seconds = expected.seconds_per_iteration / jobs * math.ceil(jobs / cores)
    iterations = None if chosen.is_limited_by_time else chosen.iterations
    return ClusterForecast(
        cluster=cluster,
        cores=cores,
        game=chosen.game,
        algorithm=chosen.algorithm,
        iterations=iterations,
        jobs_per_iteration=jobs,
        core_seconds_per_iteration=expected.seconds_per_iteration,
        seconds_per_iteration=seconds,
        seconds=None if iterations is None else seconds * iterations,
    )


def _joined(cluster: str) -> RayCluster:
    settings = find_executor(executor_of_cluster(cluster))
    assert isinstance(settings, RaySettings)  # noqa: S101 (that is what the string names)
    return RayCluster(settings)
