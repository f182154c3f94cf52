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
from forethought.runs import WEIGHTS, all_runs, iterations_in
from forethought.search.player import SearchSettings
from forethought.serve.errors import bad_request
from forethought.serve.schemas.play import BudgetSchema, ListedPlayerSchema
from forethought.settings import settings_of
from forethought.specs import split_short_spec

HUMAN = "human"
THINKING = {True: 50_000, False: 20_000}  # simulations of the default thinker, by whether information is hidden


def check_player(spec: str) -> None:
    """Refuse a player that does not exist, asks for too much, or names anything but a listed run."""
    kind, settings = _read_player(spec)
    if not (_has_defaults(kind) or kind.needs_run):
        raise bad_request(f"The player '{spec}' is not served: it is prepared before a game, by a file or a solver.")
    for key, one in settings_of(kind.settings).items():
        declared, value = one.metadata["declared"], getattr(settings, key)
        if declared.names == "file":
            raise bad_request(f"The player '{spec}' is not served: it reads a file.")
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
    for directory, algorithm in trained:
        done = iterations_in(directory / WEIGHTS)
        if done:
            label = f"{directory.name} ({algorithm}, {done[-1]} iterations)"
            listed.append(_listed(label, LEARNERS.find(algorithm).strongest(directory.name)))
    return listed


def _read_player(spec: str) -> tuple[PlayerKind, PlayerSettings]:
    if split_short_spec(spec, "oos:10000")[0] not in PLAYERS:
        served = ", ".join(kind.name for _, kind in PLAYERS if _has_defaults(kind) or kind.needs_run)
        raise bad_request(f"There is no player '{spec}' here; in a seat can be {HUMAN}, {served}.")
    try:
        return read_player(spec)
    except ForethoughtError as error:
        raise bad_request(f"The player '{spec}' cannot play: {error}") from error


def _has_defaults(kind: PlayerKind) -> bool:
    """Whether all settings of a kind of player have defaults."""
    return all(one.default is not MISSING for one in settings_of(kind.settings).values())


def _listed(label: str, settings: PlayerSettings) -> ListedPlayerSchema:
    """Describe a player; its templates leave the number of simulations open."""
    spec = player_spec(settings)
    kind = read_player(spec)[0]
    declared = settings_of(kind.settings)
    given = {key: getattr(settings, key) for key, one in declared.items() if getattr(settings, key) != one.default}
    budget = None
    if isinstance(settings, SearchSettings):
        simulations = declared["simulations"].metadata["declared"]
        budget = BudgetSchema(name=simulations.about, default=settings.simulations, maximum=int(simulations.served))
        given["simulations"] = "{budget}"
    template = f"{kind.name}({','.join(f'{key}={value}' for key, value in given.items())})" if given else kind.name
    return ListedPlayerSchema(
        kind=kind.name,
        label=label,
        spec=spec,
        template=template,
        thinking_template=kind.thinks.replace("{simulations}", "{budget}") or template,
        budget=budget,
    )


def check_run(named: str) -> None:
    """Refuse what names no listed run, nor one of its iterations."""
    name, at, iteration = named.rpartition("@")
    known = {directory.name for directory in all_runs()}
    if named not in known and (not at or name not in known or not iteration.isdecimal()):
        raise ForethoughtError(f"There is no run '{named}'; /api/runs lists them.")
