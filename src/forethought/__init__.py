"""forethought learns to play games by planning.

>>> import forethought as ft
>>> ft.think(ft.position("leduc", "Ks, Qs, raise"), "oos:10000")   # what a planner thinks, drawn in a notebook
>>> ft.match("leduc", "oos:1000", "random", games=200)              # who is stronger, with intervals
>>> ft.solve("leduc", "cfr+", exploitability=1e-3).player()         # an equilibrium, to play against
>>> ft.train("leduc", minutes=2).metrics["nashconv"]                # a network that learns, on disk and resumable

Every verb of the command line is one of these functions: it prints what the function returns. Games are named by
strings or are a `Game`; players by strings or are settings; paths are texts or `pathlib` paths.

Names are imported when first used, so that `import forethought` and `forethought --help` stay quick.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from forethought.api.accuracy import accuracy
    from forethought.api.caching import cache
    from forethought.api.cluster import cluster_forecast, cluster_status
    from forethought.api.comparing import compare
    from forethought.api.explaining import explain, explain_moves
    from forethought.api.games import check, games
    from forethought.api.matches import ladder, match
    from forethought.api.playing import play, play_games, player
    from forethought.api.positions import position
    from forethought.api.records import (
        describe_records,
        export_records,
        import_records,
        open_records,
        verify_records,
    )
    from forethought.api.registered import learners, players
    from forethought.api.runs import open_run, plot, runs
    from forethought.api.solving import exploitability, solve
    from forethought.api.studies import study
    from forethought.api.sweeps import sweep
    from forethought.api.thinking import think
    from forethought.api.training import resume, train
    from forethought.bench import bench
    from forethought.errors import ForethoughtError
    from forethought.game import CHANCE, EVERYONE, PUBLIC, TERMINAL, Game, Observation, State, record
    from forethought.games import load, register_game
    from forethought.learn.learner import register_learner
    from forethought.player import Policy, register_player
    from forethought.reproduce import reproduce, reproducible
    from forethought.runtime.executor import register_executor
    from forethought.serve.launch import serve

__version__ = "0.1.0"

_HOMES = {
    "forethought.api.accuracy": ("accuracy",),
    "forethought.api.caching": ("cache",),
    "forethought.api.cluster": ("cluster_forecast", "cluster_status"),
    "forethought.api.comparing": ("compare",),
    "forethought.api.explaining": ("explain", "explain_moves"),
    "forethought.api.games": ("check", "games"),
    "forethought.api.matches": ("ladder", "match"),
    "forethought.api.playing": ("play", "play_games", "player"),
    "forethought.api.positions": ("position",),
    "forethought.api.records": (
        "describe_records",
        "export_records",
        "import_records",
        "open_records",
        "verify_records",
    ),
    "forethought.api.registered": ("learners", "players"),
    "forethought.api.runs": ("open_run", "plot", "runs"),
    "forethought.api.solving": ("exploitability", "solve"),
    "forethought.api.studies": ("study",),
    "forethought.api.sweeps": ("sweep",),
    "forethought.api.thinking": ("think",),
    "forethought.api.training": ("resume", "train"),
    "forethought.bench": ("bench",),
    "forethought.errors": ("ForethoughtError",),
    "forethought.game": ("CHANCE", "EVERYONE", "PUBLIC", "TERMINAL", "Game", "Observation", "State", "record"),
    "forethought.games": ("load", "register_game"),
    "forethought.learn.learner": ("register_learner",),
    "forethought.player": ("Policy", "register_player"),
    "forethought.reproduce": ("reproduce", "reproducible"),
    "forethought.runtime.executor": ("register_executor",),
    "forethought.serve.launch": ("serve",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHANCE",
    "EVERYONE",
    "PUBLIC",
    "TERMINAL",
    "ForethoughtError",
    "Game",
    "Observation",
    "Policy",
    "State",
    "accuracy",
    "bench",
    "cache",
    "check",
    "cluster_forecast",
    "cluster_status",
    "compare",
    "describe_records",
    "explain",
    "explain_moves",
    "exploitability",
    "export_records",
    "games",
    "import_records",
    "ladder",
    "learners",
    "load",
    "match",
    "open_records",
    "open_run",
    "play",
    "play_games",
    "player",
    "players",
    "plot",
    "position",
    "record",
    "register_executor",
    "register_game",
    "register_learner",
    "register_player",
    "reproduce",
    "reproducible",
    "resume",
    "runs",
    "serve",
    "solve",
    "study",
    "sweep",
    "think",
    "train",
    "verify_records",
]


class _Package(ModuleType):
    """The package. Its functions come before its folders: `ft.solve` is the function, though `solve/` is a folder.

    Importing a folder binds it as an attribute of the package, after which a `__getattr__` would no longer be asked.
    """

    def __getattribute__(self, name: str) -> Any:
        if name in _HOME_OF:
            return getattr(import_module(_HOME_OF[name]), name)
        return super().__getattribute__(name)

    def __dir__(self) -> list[str]:
        return sorted(__all__)


sys.modules[__name__].__class__ = _Package
