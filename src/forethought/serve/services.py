"""All that answers requests, and how a request finds it."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from fastapi import Depends, Request

from forethought.runs import runs_directory
from forethought.serve import schemas
from forethought.serve.game_catalogue import Catalogue
from forethought.serve.middleware import Guard
from forethought.serve.registry import Hall
from forethought.serve.run_reader import Watch
from forethought.serve.session_store import Store
from forethought.serve.settings import Limits
from forethought.serve.stoppable_search import Threads

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Failure, "description": description}
    for status, description in {
        400: "It cannot be done.",
        403: "This client may not ask.",
        404: "There is no such thing.",
        409: "It cannot be done now.",
        413: "The request is too large.",
        422: "The request is not as described.",
        429: "Too much was asked for.",
    }.items()
}


@dataclass(frozen=True)
class Settings:
    """What the command line says."""

    file: str | None = None  # the one game file that may be played
    guard: Guard = field(default_factory=Guard)
    limits: Limits = field(default_factory=Limits)
    matches: Path = field(default_factory=lambda: runs_directory() / "matches.jsonl")


class House:
    """Games, tables, runs and the threads that search."""

    def __init__(self, settings: Settings, catalogue: Catalogue) -> None:
        self.settings, self.catalogue = settings, catalogue
        self.threads, self.closing = Threads(settings.limits.threads), asyncio.Event()
        self.hall = Hall(self.catalogue, Store(runs_directory()), self.threads, settings.limits)
        self.watch = Watch(self.catalogue)

    def quieten(self) -> None:
        """End all streams and searches; requests are still answered."""
        self.closing.set()
        self.hall.quieten()

    def close(self) -> None:
        self.quieten()
        self.threads.close()


def _house(request: Request) -> House:
    house: House = request.app.state.house
    return house


def _client(request: Request) -> str:
    return request.client.host if request.client else "unknown"


TheHouse = Annotated[House, Depends(_house)]
TheClient = Annotated[str, Depends(_client)]
