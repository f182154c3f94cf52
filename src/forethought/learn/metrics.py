"""What a training measures: numbers by name, each with a title and a unit for whoever shows it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """One number of an iteration. With an interval, `name_low` and `name_high` are measured too."""

    name: str
    title: str
    unit: str = ""
    interval: bool = False
    better: str = ""  # "lower" or "higher", where that is so: such a metric tells whether a run has learned


# What the loop measures of every learner.
NASHCONV = Metric("nashconv", "NashConv of the policy", better="lower")
OPPONENT = "the evaluation's opponent"  # whoever shows a title may name it
MEAN_RETURN = Metric("mean_return", f"Mean return against {OPPONENT}", "per game", interval=True, better="higher")
WIN_RATE = Metric("win_rate", f"Win rate against {OPPONENT}", "share", interval=True, better="higher")
SECONDS = Metric("seconds", "Time of an iteration", "s")
GAMES = Metric("games", "Games of self-play", "games")
SAMPLES = Metric("samples", "Samples from self-play", "samples")
SIMULATIONS = Metric("simulations", "Simulations of the search", "simulations")
SEARCH_SECONDS = Metric("search_seconds", "Time of self-play", "s")
SIMULATION_RATE = Metric("simulations_per_second", "Speed of the search", "simulations/s")
GAME_RATE = Metric("games_per_second", "Speed of self-play", "games/s")
COMMON = (
    NASHCONV,
    MEAN_RETURN,
    WIN_RATE,
    SECONDS,
    GAMES,
    SAMPLES,
    SIMULATIONS,
    SEARCH_SECONDS,
    SIMULATION_RATE,
    GAME_RATE,
)


@dataclass(frozen=True)
class IterationReport:
    """What was measured in one iteration; what is not a number, such as a loss that diverged, is left out."""

    iteration: int
    values: Mapping[str, float]

    def get(self, name: str) -> float | None:
        """Return a number by its name; None if it was not measured."""
        return self.values.get(name)

    def interval(self, name: str) -> tuple[float, float] | None:
        """Return the 95 % interval of a number, if it has one."""
        low, high = self.get(f"{name}_low"), self.get(f"{name}_high")
        return None if low is None or high is None else (low, high)
