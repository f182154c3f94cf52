"""What clients ask for, as command lines of `forethought`: games of the catalogue, checked players and settings.

No part of a command is a path of a client's, and nothing of a client's can be taken for an option.
"""

from pathlib import Path
from typing import Literal

from forethought.learn.learner import LEARNERS
from forethought.player import player_title
from forethought.runs import new_run, runs_directory
from forethought.serve.errors import bad_request, conflict
from forethought.serve.game_catalogue import GameCatalogue
from forethought.serve.player_catalogue import check_player
from forethought.serve.processes import NewProcess, contestants
from forethought.serve.schemas.processes import (
    NewLadderSchema,
    NewMatchSchema,
    NewStudySchema,
    NewTrainingSchema,
    ResumeSchema,
    StoredProcessSchema,
)
from forethought.serve.training_forms import checked_configuration, setting_texts


def training(new: NewTrainingSchema, games: GameCatalogue) -> NewProcess:
    """Return the process of a training in a new run."""
    spec = games.key(new.game).spec
    checked_configuration(new, games.plain(new.game), spec)
    name = new.run or new_run(None, spec).name
    if (runs_directory() / name).exists():
        raise conflict(f"The run {name} exists; choose another name, or resume it.")
    options = ["--algorithm", new.algorithm, "--run", name, "--preset", new.preset]
    options += [f"--set={text}" for text in setting_texts(new.settings)]
    return NewProcess(
        "training",
        games.normal(new.game),
        games.title(new.game),
        LEARNERS.find(new.algorithm).label,
        ["train", "--json", *options, "--", spec],
        name,
        games.user_file().version,
    )


def resumption(run: Path, game: str, how: ResumeSchema, games: GameCatalogue) -> NewProcess:
    """Return the process that goes on with a run; of a file, only of the one named on the command line."""
    known = games.known_as(game)
    if known is None:
        raise conflict(f"{run.name} plays the game of a file; start `forethought serve FILE` with it to resume it.")
    options = [] if how.iterations is None else ["--iterations", str(how.iterations)]
    options += [] if how.minutes is None else ["--minutes", str(how.minutes)]
    arguments = ["resume", "--json", *options, "--", run.name]
    return NewProcess("training", known, games.title(known), "resumed", arguments, run.name, games.user_file().version)


def match(new: NewMatchSchema, games: GameCatalogue, store: Path) -> NewProcess:
    """Return the process of a match, whose rounds go to the store of all matches."""
    return _contest("match", " against ", [new.a, new.b], new, games, store)


def ladder(new: NewLadderSchema, games: GameCatalogue, store: Path) -> NewProcess:
    """Return the process of a ladder, whose rounds go to the store of all matches."""
    twice = [player for player in new.players if new.players.count(player) > 1]
    if twice:
        raise bad_request(f"{player_title(twice[0])} is named twice; a ladder takes each player once.")
    return _contest("ladder", "; ", new.players, new, games, store)


def continuation(ended: StoredProcessSchema, games: GameCatalogue) -> NewProcess:
    """Return the process that goes on with a match or a ladder: rounds that are in the store are not played again."""
    spec, players = contestants(ended)
    if not players:
        raise conflict(f"A {ended.kind} is not resumed here, only a match or a ladder.")
    if spec != games.key(ended.game).spec:
        raise conflict("This was played with another file; start `forethought serve FILE` with it to resume it.")
    for player in players:
        check_player(player)
    version = games.user_file().version
    return NewProcess(ended.kind, ended.game, ended.game_title, ended.title, ended.arguments, version=version)


def _contest(
    verb: Literal["match", "ladder"],
    between: str,
    players: list[str],
    new: NewMatchSchema | NewLadderSchema,
    games: GameCatalogue,
    store: Path,
) -> NewProcess:
    spec = games.key(new.game).spec
    for player in players:
        check_player(player)
    options = ["--games", str(new.games), "--seed", str(new.seed), "--store", str(store.absolute())]
    return NewProcess(
        verb,
        games.normal(new.game),
        games.title(new.game),
        between.join(map(player_title, players)),
        [verb, "--json", *options, "--", spec, *players],
        version=games.user_file().version,
    )


def study(new: NewStudySchema, games: GameCatalogue) -> NewProcess:
    """Return the process of a study."""
    spec, budgets = games.key(new.game).spec, new.budgets
    if sorted(set(budgets)) != budgets:
        raise bad_request("The budgets of a study must be in ascending order, such as 10, 100 and 1000.")
    options = ["--games", str(new.games), "--budgets", ",".join(map(str, budgets)), "--seed", str(new.seed)]
    if new.planner is not None:
        check_player(new.planner)
        options += ["--planner", new.planner]
    title = f"{new.games} games, {', '.join(map(str, budgets))} simulations"
    return NewProcess(
        "study",
        games.normal(new.game),
        games.title(new.game),
        title,
        ["study", "--json", *options, "--", spec],
        None,
        games.user_file().version,
    )
