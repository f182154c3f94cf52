"""A sweep: one TOML file that names trainings, every variant with every seed, and what is measured of each.

    game = "leduc"
    iterations = 40
    seeds = [1, 2, 3]

    [settings]                        # common to all trainings, by dotted key
    evaluation.games = 2

    [variants."no prior"]             # named settings; a table without any is the default
    search.prior = 0.0

    [grid]                            # and every combination of these
    search.simulations = [1000, 10000]

    [measure]
    metrics = ["nashconv"]            # of the iterations: the last value, and a curve

    [[measure.match]]
    against = "random"

A text of a variant may name the run of another variant and the same seed: `learning.start = "{mmd}"`. Everything is
read and checked before anything is trained.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.games import load
from forethought.learn.configuration import Configuration, configuration_from
from forethought.learn.learner import LEARNERS, recommended_learner, usual_presets
from forethought.learn.metrics import COMMON
from forethought.learn.sections import EvaluationSettings
from forethought.learn.toml_tables import are_seeds, flat_table, placed, refuse_unknown, toml_table
from forethought.player import find_player
from forethought.settings import Settings, changed, setting, settings_of

COMMON_KEYS = ("algorithm", "preset", "iterations", "minutes")  # settings that may stand at the top of a file
KEYS = ("game", "seeds", *COMMON_KEYS, "settings", "variants", "grid", "measure")
STRENGTH = tuple(metric.name for metric in COMMON if metric.better)
RUN = "{run}"  # in a player's string, the run that is measured
_NAMED = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, kw_only=True)
class MatchMeasure(Settings):
    """A match that what each run has learned plays when it is finished."""

    against: str = changed(EvaluationSettings, "against")
    games: int = changed(EvaluationSettings, "games", 1_000)
    seed: int = changed(Configuration, "seed", 0)
    report: str = setting("what of a match is reported", "win_rate", words=("win_rate", "mean_return"))
    player: str = setting(
        "who is measured, {run} standing for its run; empty: the first player of its algorithm",
        "",
        example="net:{run}",
        pattern=r"(.*\{run\}.*)?",
    )

    @property
    def title(self) -> str:
        return f"{self.report}{f' of {self.player}' if self.player else ''} against {self.against}"


@dataclass(frozen=True, kw_only=True)
class SweepMeasures(Settings):
    """What is measured of each run."""

    nashconv: bool = setting("measure the exact NashConv of the policy at the end", False)
    player: str = changed(MatchMeasure, "player")
    metrics: tuple[str, ...] = STRENGTH  # of iterations
    matches: tuple[MatchMeasure, ...] = ()

    @property
    def title(self) -> str:
        """What the exact NashConv is called beside the one that the training measures."""
        return f"exact nashconv{f' of {self.player}' if self.player else ''}"


@dataclass(frozen=True)
class Variant:
    """Named settings, by dotted key, those common to all included."""

    name: str
    settings: Mapping[str, Any]

    @property
    def named(self) -> list[str]:
        """The variants whose runs its settings name."""
        return [name for value in self.settings.values() if isinstance(value, str) for name in _NAMED.findall(value)]


@dataclass(frozen=True)
class SweepTraining:
    """One run of a sweep: a variant with a seed."""

    variant: Variant
    seed: int
    run: str
    settings: Sequence[str]  # key=value, as `--set` takes them
    configuration: Configuration  # what these come to


@dataclass(frozen=True)
class Sweep:
    """What a file says, checked."""

    file: Path
    name: str
    game: str
    seeds: tuple[int, ...]
    variants: tuple[Variant, ...]
    measures: SweepMeasures
    trainings: tuple[SweepTraining, ...] = field(default=(), repr=False)

    def run_of(self, variant: str, seed: int) -> str:
        """Return what the run of a variant and a seed is called."""
        return "-".join([self.name, *([_slug(variant)] if len(self.variants) > 1 else []), f"seed{seed}"])


def read_sweep(file: Path) -> Sweep:
    """Read a file. Whatever is wrong with it is said in a sentence that names the file and the key."""
    with placed(file):
        table = toml_table(file)
        refuse_unknown(table, KEYS, "")
        game, seeds = table.get("game"), table.get("seeds", [1])
        if not isinstance(game, str):
            raise ForethoughtError("game must be a text such as leduc.")
        if not are_seeds(seeds):
            raise ForethoughtError(f"seeds must be a list of different whole numbers at least 0, not {seeds!r}.")
        variants = tuple(_variants(table))
        made = load(game, compiled=False)
        name = _slug(file.stem)
        plan = Sweep(file, name, made.spec or made.name, tuple(seeds), variants, _measures(table.get("measure", {})))
        _check_names(plan)
        trainings = [_training(plan, one, seed, made) for one in variants for seed in seeds]
        for one in trainings:
            kind = LEARNERS.find(one.configuration.algorithm)
            if not kind.suits(made):
                raise ForethoughtError(f"variant '{one.variant.name}': {kind.name} does not suit {plan.game}.")
        _check_metrics(plan, trainings)
    return Sweep(**{**vars(plan), "trainings": tuple(trainings)})


def _variants(table: Mapping[str, Any]) -> Iterator[Variant]:
    """Yield every named variant at every point of the grid."""
    common = {key: table[key] for key in COMMON_KEYS if key in table} | flat_table(
        table.get("settings", {}), "settings"
    )
    named = table.get("variants", {"": {}})
    if not isinstance(named, dict) or not named:
        raise ForethoughtError(f'variants must be tables such as [variants."no prior"], not {named!r}.')
    grid = flat_table(table.get("grid", {}), "grid")
    for key, values in grid.items():
        if not isinstance(values, list) or not values:
            raise ForethoughtError(f"grid.{key} must be a list of values, not {values!r}.")
    for name, settings in named.items():
        own = flat_table(settings, f"variants.{name}")
        for values in product(*grid.values()):
            point = dict(zip(grid, values, strict=True))
            parts = [name, *(f"{key}={_text(value)}" for key, value in point.items())]
            yield Variant(", ".join(filter(None, parts)) or "default", common | point | own)


def _measures(table: Any) -> SweepMeasures:
    if not isinstance(table, dict):
        raise ForethoughtError(f"measure must be a table, not {table!r}.")
    given = dict(table)
    matches, metrics = given.pop("match", []), given.pop("metrics", list(STRENGTH))
    if not isinstance(matches, list) or not all(isinstance(one, dict) for one in matches):
        raise ForethoughtError("measure.match must be tables [[measure.match]].")
    if not isinstance(metrics, list) or not all(isinstance(one, str) for one in metrics):
        raise ForethoughtError(f"measure.metrics must be a list of names, not {metrics!r}.")
    refuse_unknown(given, [*settings_of(SweepMeasures), "metrics", "match"], "measure.")
    with placed("measure"):
        made = SweepMeasures(**given, metrics=tuple(metrics), matches=tuple(map(_match, matches)))
        _check_player(made.player)
    titles = [one.title for one in made.matches]
    if len({*titles}) < len(titles):
        raise ForethoughtError("measure.match: two matches are between the same players.")
    return made


def _match(table: Mapping[str, Any]) -> MatchMeasure:
    refuse_unknown(table, settings_of(MatchMeasure), "match.")
    made = MatchMeasure(**table)
    find_player(made.against)
    _check_player(made.player)
    return made


def _check_player(player: str) -> None:
    if player:
        find_player(player.replace(RUN, "run"))


def _check_names(plan: Sweep) -> None:
    """Every variant has runs of its own, and names only runs that need no others."""
    variants, runs = {one.name: one for one in plan.variants}, dict[str, str]()
    for one in plan.variants:
        other = runs.setdefault(_slug(one.name), one.name)
        if other != one.name or not _slug(one.name):
            raise ForethoughtError(f"the runs of the variants '{other}' and '{one.name}' need other names; rename one.")
        for name in one.named:
            if name not in variants or variants[name].named:
                raise ForethoughtError(
                    f"variant '{one.name}': {{{name}}} is no variant that can be trained before it; "
                    f"name one of {', '.join(other.name for other in plan.variants if not other.named)}."
                )


def _check_metrics(plan: Sweep, trainings: Sequence[SweepTraining]) -> None:
    algorithms = {one.configuration.algorithm for one in trainings}
    learned = [metric for name in sorted(algorithms) for metric in LEARNERS.find(name).learner.metrics]
    known = [metric.name for metric in (*COMMON, *learned)]
    refuse_unknown(dict.fromkeys(plan.measures.metrics), known, "measure.metrics.")


def _training(plan: Sweep, variant: Variant, seed: int, game: Game) -> SweepTraining:
    def run_named(found: re.Match[str]) -> str:
        return plan.run_of(found[1], seed)

    texts = [f"{key}={_NAMED.sub(run_named, _text(value))}" for key, value in variant.settings.items()]
    with placed(f"variant '{variant.name}'"):
        algorithm = variant.settings.get("algorithm") or recommended_learner(game)
        configuration = configuration_from(plan.game, None, texts, algorithm, usual_presets(game), seed=seed)
        find_player(configuration.evaluation.against)
    return SweepTraining(variant, seed, plan.run_of(variant.name, seed), texts, configuration)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _slug(name: str) -> str:
    """Return a name for a directory, which player strings can hold."""
    return re.sub(r"[^\w.]+", "-", name).strip("-.")
