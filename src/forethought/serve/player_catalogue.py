"""Players that may be asked for: planners within bounds, and networks of runs by name; never a file."""

from pathlib import Path
from typing import Any, NamedTuple

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.players import NewPlayer, find_player, read_player
from forethought.runs import WEIGHTS, all_runs, iterations_in
from forethought.serve.errors import bad_request

HUMAN = "human"
SERVED = ("oos", "ismcts", "uct", "az", "biased", "net", "linear", "random")
QUICK = ("net", "linear", "random")  # those that do not search
# Which argument of a kind names a run.
RUN_ARGUMENTS = {"az": "run", "biased": "run", "net": "run", "linear": "run", "oos": "net"}
# Who searches with what an algorithm has learned, and how much; what others have learned plays alone.
SEARCHERS: dict[str, tuple[str, int]] = {"alphazero": ("az", 200), "tspg": ("biased", 1_600)}

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
# Kinds that think otherwise than they play: for a person they should know all hands, not only the one held.
THINKING = {"oos": "oos(simulations={budget},targeting=public)"}
# Who thinks for a person who names nobody, by whether the game hides something.
THINKERS = {True: THINKING["oos"].format(budget=50_000), False: "uct:20000"}


def check_player(spec: str) -> None:
    """Refuse a player that does not exist, asks for too much, or names anything but a run that is listed."""
    name, values = read_player(spec)
    if name not in SERVED:
        raise bad_request(f"There is no player '{spec}' here; players are {', '.join(SERVED)}.")
    for key, most in MOST.items():
        if key in values and not 0 <= values[key] <= most:
            raise bad_request(f"{name}: {key} must be at most {most:g}, not {values[key]:g}.")
    run = values.get(RUN_ARGUMENTS.get(name, ""), "")
    if run:
        _check_run(run)


def searches(spec: str) -> bool:
    """Whether a player takes its time to think."""
    return read_player(spec)[0] not in QUICK


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
            kind, simulations = SEARCHERS.get(algorithm, ("net", None))
            budgeted = f"{kind}(run={directory.name},simulations={{budget}})"
            template = budgeted if simulations else f"{kind}:{directory.name}"
            entries.append(_entry(kind, label, template, simulations))
    return entries


def _entry(kind: str, label: str, template: str, simulations: int | None) -> dict[str, Any]:
    most = int(MOST["simulations"])
    budget = None if simulations is None else {"name": "simulations", "default": simulations, "most": most}
    spec, thinks = template.replace("{budget}", str(simulations)), THINKING.get(kind, template)
    return {"kind": kind, "label": label, "spec": spec, "template": template, "thinks": thinks, "budget": budget}


def _check_run(named: str) -> None:
    name, at, iteration = named.rpartition("@")
    known = {directory.name for directory in all_runs()}
    if named not in known and (not at or name not in known or not iteration.isdecimal()):
        raise ForethoughtError(f"There is no run '{named}'; /api/runs lists them.")
