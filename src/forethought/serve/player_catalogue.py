"""The players that clients can choose: searches within limits, and what runs have learned; never a file."""

from dataclasses import MISSING
from pathlib import Path

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.learner import LEARNERS
from forethought.player import (
    PLAYERS,
    NewPlayer,
    PlayerKind,
    PlayerSettings,
    find_player,
    player_spec,
    read_player,
    recommended_player,
)
from forethought.runs import WEIGHTS, all_runs, iterations_in, policies_saved
from forethought.search.player import SearchSettings
from forethought.serve.errors import bad_request
from forethought.serve.saved_policies import policies_of
from forethought.serve.schemas.play import BudgetSchema, LevelSchema, ListedPlayerSchema
from forethought.serve.viewpoints import GUEST, HUMAN
from forethought.settings import settings_of
from forethought.specs import Value, split_short_spec, write_argument

LEVELS = {"Beginner": 0.01, "Casual": 0.1, "Strong": 1.0, "Strongest": 10.0}  # parts of the usual simulations
BUDGETS = ("simulations", "seconds")  # the settings of every search that limit it
USUAL_SECONDS = 1.0  # that the page proposes
PLACE = "{budget}"  # where a template leaves the budget open
THINKING = {True: 50_000, False: 20_000}  # simulations of the default thinker, by whether information is hidden


def check_player(spec: str) -> None:
    """Refuse a player that does not exist, asks for too much, or names anything but a listed run."""
    kind, settings = _read_player(spec)
    if not _is_served(kind):
        raise bad_request(
            f"The player '{spec}' is not served: it is prepared by a solver; save a policy and play that."
        )
    for key, one in settings_of(kind.settings).items():
        declared, value = one.metadata["declared"], getattr(settings, key)
        if declared.names == "file":
            _check_saved(value)
        if declared.names == "run" and value:
            check_run(value)
        if declared.served is not None and value > declared.served:
            raise bad_request(f"{kind.name}: {key} must be at most {declared.served:g}, not {value:g}.")


def default_thinker(game: Game) -> str:
    """Return the player that thinks about a person's decision by default."""
    return recommended_player(game).thinks.format(simulations=THINKING[game.hidden])


def searches(spec: str) -> bool:
    """Whether a player searches, so that a decision takes time."""
    return read_player(spec)[0].searches


def make_player(spec: str, game: Game) -> NewPlayer:
    """Return a factory of the player; loads its network, if it has one."""
    check_player(spec)
    return find_player(spec).new_player(game)


def list_players(game: Game, trained: list[tuple[Path, str]]) -> list[ListedPlayerSchema]:
    """List the players that suit a game: the recommended first, at last runs (directories and their algorithms)."""
    recommended = recommended_player(game)
    others = [kind for _, kind in PLAYERS if kind.suits(game) and kind != recommended and _has_defaults(kind)]
    kinds = [recommended, *sorted(others, key=lambda kind: not kind.searches)]
    listed = [_listed(kind.label, kind.settings()) for kind in kinds]
    listed += [_listed(f"{name} (solved)", settings) for name, settings in policies_of(game)]
    for directory, algorithm in trained:
        listed += _players_of_run(directory, algorithm)
    return listed


def _players_of_run(directory: Path, algorithm: str) -> list[ListedPlayerSchema]:
    """List the players that use what a run has learned, the strongest first, each once."""
    done, kind = iterations_in(directory / WEIGHTS), LEARNERS.find(algorithm)
    if not done:
        return []
    strongest, others = kind.strongest(directory.name), kind.learner.players(directory.name)
    label = f"{directory.name} ({kind.label}, {done[-1]} iterations)"
    named = {strongest: label} | {one: f"{label}, {what}" for what, one in others.items() if one != strongest}
    return [_listed(text, settings) for settings, text in named.items()]


def _read_player(spec: str) -> tuple[PlayerKind, PlayerSettings]:
    if split_short_spec(spec, "oos:10000")[0] not in PLAYERS:
        served = ", ".join(kind.name for _, kind in PLAYERS if _is_served(kind))
        raise bad_request(f"There is no player '{spec}' here; in a seat can be {HUMAN}, {GUEST}, {served}.")
    try:
        return read_player(spec)
    except ForethoughtError as error:
        raise bad_request(f"The player '{spec}' cannot play: {error}") from error


def _has_defaults(kind: PlayerKind) -> bool:
    """Whether all settings of a kind of player have defaults."""
    return all(one.default is not MISSING for one in settings_of(kind.settings).values())


def _is_served(kind: PlayerKind) -> bool:
    """Whether all settings without a default name something that is listed: a run, or a saved policy."""
    required = [one for one in settings_of(kind.settings).values() if one.default is MISSING]
    return all(one.metadata["declared"].names for one in required)


def _listed(label: str, settings: PlayerSettings) -> ListedPlayerSchema:
    """Describe a player; its templates leave open how much it searches."""
    spec = player_spec(settings)
    kind = read_player(spec)[0]
    thinker = find_player(kind.thinks.format(simulations=1)) if kind.thinks else settings
    return ListedPlayerSchema(
        kind=kind.name,
        label=label,
        spec=spec,
        template=_template(kind.name, settings),
        thinking_template=_template(kind.name, thinker),
        budgets=_budgets(settings),
        levels=_levels(settings),
    )


def _template(name: str, settings: PlayerSettings) -> str:
    """Write a player with its budget left open."""
    declared = settings_of(type(settings)).items()
    searches = isinstance(settings, SearchSettings)
    values: dict[str, Value] = {
        key: getattr(settings, key) for key, one in declared if getattr(settings, key) != one.default
    }
    given = [f"{key}={write_argument(value)}" for key, value in values.items() if not searches or key not in BUDGETS]
    written = [PLACE, *given] if searches else given
    return f"{name}({','.join(written)})" if written else name


def _budgets(settings: PlayerSettings) -> list[BudgetSchema]:
    if not isinstance(settings, SearchSettings):
        return []
    declared = {key: settings_of(type(settings))[key].metadata["declared"] for key in BUDGETS}
    usual = {"simulations": float(settings.simulations), "seconds": settings.seconds or USUAL_SECONDS}
    return [
        BudgetSchema(key=key, counts=one.counts, default=usual[key], maximum=float(one.served))
        for key, one in declared.items()
    ]


def _levels(settings: PlayerSettings) -> list[LevelSchema]:
    if not isinstance(settings, SearchSettings):
        return []
    most = settings_of(type(settings))["simulations"].metadata["declared"].served
    amounts = {name: max(1, min(int(most), round(part * settings.simulations))) for name, part in LEVELS.items()}
    return [LevelSchema(name=name, budget=f"simulations={amount}") for name, amount in amounts.items()]


def _check_saved(named: str) -> None:
    """Refuse a file that is not among the saved policies."""
    if named not in [file.name for file in policies_saved()]:
        raise bad_request("There is no such policy among the runs; /api/players lists those of a game.")


def check_run(named: str) -> None:
    """Refuse what names no listed run, nor one of its iterations."""
    name, at, iteration = named.rpartition("@")
    known = {directory.name for directory in all_runs()}
    if named not in known and (not at or name not in known or not iteration.isdecimal()):
        raise ForethoughtError(f"There is no run '{named}'; /api/runs lists them.")
