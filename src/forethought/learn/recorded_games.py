"""The games that every run keeps, as records."""

from collections.abc import Iterator
from pathlib import Path

from forethought.game import Game
from forethought.learn.run import Run
from forethought.records.formats import RecordFormat, RecordSource, register_record_format
from forethought.records.identity import called, is_same_game
from forethought.records.transcript import OTHER_GAME, UNREADABLE, Problem, Transcript, read_numbers
from forethought.runs import CONFIGURATION


@register_record_format("run")
class RunGames(RecordFormat):
    label = "a run"

    def accepts(self, path: Path) -> bool:
        return (path / CONFIGURATION).is_file()

    def read(self, source: RecordSource, game: Game) -> Iterator[Transcript]:
        run = Run.open(source.path, lock=False)
        spec = run.configuration.game
        if not is_same_game(spec, game):
            yield Transcript(1, problem=Problem(OTHER_GAME, f"it is a run of {spec}, not of {called(game)}"))
            return
        number = 0
        for iteration in run.complete_iterations():
            for one in run.games(iteration):
                number += 1
                actions = read_numbers(one.about.get("actions"))
                problem = Problem(UNREADABLE, "its actions are not kept") if actions is None else None
                setup = one.about.get("setup", 0)
                sound = type(setup) is int and 0 <= setup < len(actions or [])
                yield Transcript(number, actions or [], setup=setup if sound else 0, problem=problem)
        if number == 0:
            yield Transcript(1, problem=Problem(UNREADABLE, f"{run.name} keeps no games"))
