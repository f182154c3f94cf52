"""Players that may be asked for: planners within bounds, and networks of runs by name; never a file."""

from dataclasses import MISSING
from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.player import PLAYERS, NewPlayer, PlayerKind, find_player, read_player, recommended_player
from forethought.runs import WEIGHTS, all_runs, iterations_in
from forethought.serve.errors import bad_request
from forethought.settings import settings_of

HUMAN = "human"
THINKING = {True: 50_000, False: 20_000}  # simulations for a person who names no player, by whether the game is hidden
# Who searches with what an algorithm has learned, and how much; what others have learned plays alone.
SEARCHERS: dict[str, tuple[str, int]] = {"alphazero": ("az", 200), "tspg": ("biased", 1_600)}


def check_player(spec: str) -> None:
    """Refuse a player that does not exist, asks for too much, or names anything but a run that is listed."""
    kind, settings = read_player(spec)
    for key, one in settings_of(kind.settings).items():
        declared, value = one.metadata["declared"], getattr(settings, key)
        if declared.names == "file":
            raise bad_request(f"There is no player '{spec}' here: players that read files are not served.")
        if declared.names == "run" and value:
            _check_run(value)
        if declared.served is not None and value > declared.served:
            raise bad_request(f"{kind.name}: {key} must be at most {declared.served:g}, not {value:g}.")


def default_thinker(game: Game) -> str:
    """Name the player that thinks for a person who names nobody."""
    return recommended_player(game).thinks.format(simulations=THINKING[game.hidden])


def searches(spec: str) -> bool:
    """Whether a player takes its time to think."""
    return read_player(spec)[0].searches


def make_player(spec: str, game: Game) -> NewPlayer:
    """Return what makes the player for each decision; reads its network, if it has one."""
    check_player(spec)
    return find_player(spec).new_player(game)


def offered(game: Game, trained: list[tuple[Path, str]]) -> list[dict[str, Any]]:
    """List the players that suit a game, the recommended first, then its runs: directories and their algorithms."""
    recommended = recommended_player(game)
    others = [kind for _, kind in PLAYERS if kind.suits(game) and kind != recommended and _plays_alone(kind)]
    entries = [
        _entry(kind, kind.label, {}) for kind in (recommended, *sorted(others, key=lambda kind: not kind.searches))
    ]
    for directory, algorithm in trained:
        done = iterations_in(directory / WEIGHTS)
        if done:
            label = f"{directory.name} ({algorithm}, {done[-1]} iterations)"
            name, simulations = SEARCHERS.get(algorithm, ("net", None))
            entries.append(_entry(PLAYERS.find(name), label, {"run": directory.name}, simulations))
    return entries


def _plays_alone(kind: PlayerKind) -> bool:
    """Whether a kind of player needs nothing but a number of simulations."""
    return all(one.default is not MISSING for one in settings_of(kind.settings).values())


def _entry(kind: PlayerKind, label: str, given: dict[str, str], simulations: int | None = None) -> dict[str, Any]:
    """Describe a player that is offered; its template leaves the number of simulations open."""
    budget, parts = None, [f"{key}={value}" for key, value in given.items()]
    if kind.searches:
        one = settings_of(kind.settings)["simulations"]
        default, most = simulations or one.default, one.metadata["declared"].served
        budget = {"name": one.name, "default": default, "most": int(most)}
        parts.append("simulations={budget}")
    template = f"{kind.name}({','.join(parts)})" if parts else kind.name
    spec, thinks = template.replace("{budget}", str(budget and budget["default"])), template
    if kind.thinks:
        thinks = kind.thinks.replace("{simulations}", "{budget}")
    return {"kind": kind.name, "label": label, "spec": spec, "template": template, "thinks": thinks, "budget": budget}


def _check_run(named: str) -> None:
    name, at, iteration = named.rpartition("@")
    known = {directory.name for directory in all_runs()}
    if named not in known and (not at or name not in known or not iteration.isdecimal()):
        raise ForethoughtError(f"There is no run '{named}'; /api/runs lists them.")
