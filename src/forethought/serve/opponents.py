"""Players that may be asked for: planners within bounds, and networks of runs by name; never a file."""

from pathlib import Path
from typing import Any, NamedTuple

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.players import KINDS, NewPlayer, find_player
from forethought.runs import WEIGHTS, all_runs, iterations_in
from forethought.serve.refusals import bad_request
from forethought.specs import parameters, read_arguments, split_spec

HUMAN = "human"
SERVED = ("oos", "ismcts", "uct", "az", "net", "random")
RUN_ARGUMENTS = {"az": "run", "net": "run", "oos": "net"}  # which argument of a kind names a run

# The most a client may ask for, by the name of the argument, whichever kind takes it.
MOST: dict[str, float] = {
    "simulations": 200_000,
    "seconds": 10.0,
    "max_infosets": 1_000_000,
    "max_nodes": 1_000_000,
    "slots": 64,
    "width": 64,
    "considered": 64,
    "cut": 10_000,
}


class Planner(NamedTuple):
    """A kind of player that searches, as it is offered."""

    kind: str
    label: str
    simulations: int


PLANNERS = {
    True: (Planner("oos", "Online Outcome Sampling", 10_000), Planner("ismcts", "Information Set MCTS", 10_000)),
    False: (Planner("uct", "Monte Carlo tree search", 1_600),),
}
# Who thinks for a person, by whether the game hides something; it should know all hands, not only the one held.
THINKERS = {True: "oos(simulations=50000,targeting=public)", False: "uct:20000"}


def check_player(spec: str) -> None:
    """Refuse a player that does not exist, asks for too much, or names anything but a run that is listed."""
    short, _, value = spec.strip().partition(":")
    name, arguments = (short, value) if short in KINDS else split_spec(spec, "random or oos:10000")
    if name not in SERVED:
        raise bad_request(f"There is no player '{spec}' here; players are {', '.join(SERVED)}.")
    values = read_arguments(name, arguments, dict(list(parameters(KINDS[name]).items())[1:]))
    for key, most in MOST.items():
        if key in values and not 0 <= values[key] <= most:
            raise bad_request(f"{name}: {key} must be at most {most:g}, not {values[key]:g}.")
    run = values.get(RUN_ARGUMENTS.get(name, ""), "")
    if run:
        _check_run(run)


def make_player(spec: str, game: Game) -> NewPlayer:
    """Return what makes the player for each decision; reads its network, if it has one."""
    check_player(spec)
    return find_player(spec)(game)


def offered(game: Game, trained: list[tuple[Path, str]]) -> list[dict[str, Any]]:
    """List the players that suit a game, the recommended first, then its runs: directories and their algorithms."""
    entries = [_entry(one.kind, one.label, f"{one.kind}:{{budget}}", one.simulations) for one in PLANNERS[game.hidden]]
    entries.append(_entry("random", "Random", "random", None))
    for directory, algorithm in trained:
        done = iterations_in(directory / WEIGHTS)
        if done:
            label = f"{directory.name} ({algorithm}, {done[-1]} iterations)"
            searches = algorithm == "alphazero"
            template = f"az(run={directory.name},simulations={{budget}})" if searches else f"net:{directory.name}"
            entries.append(_entry("az" if searches else "net", label, template, 200 if searches else None))
    return entries


def _entry(kind: str, label: str, template: str, simulations: int | None) -> dict[str, Any]:
    most = int(MOST["simulations"])
    budget = None if simulations is None else {"name": "simulations", "default": simulations, "most": most}
    spec = template.replace("{budget}", str(simulations))
    return {"kind": kind, "label": label, "spec": spec, "template": template, "budget": budget}


def _check_run(named: str) -> None:
    name, at, iteration = named.rpartition("@")
    known = {directory.name for directory in all_runs()}
    if named not in known and (not at or name not in known or not iteration.isdecimal()):
        raise ForethoughtError(f"There is no run '{named}'; /api/runs lists them.")
