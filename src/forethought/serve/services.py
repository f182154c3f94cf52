"""What routes work with: games, sessions, runs, and the threads that search. One of each per server."""

import asyncio
from typing import Annotated

from fastapi import Depends, Request

from forethought.runs import runs_directory
from forethought.serve.game_catalogue import GameCatalogue
from forethought.serve.preparation import Preparations
from forethought.serve.processes import Processes
from forethought.serve.registry import SessionRegistry
from forethought.serve.run_reader import RunReader
from forethought.serve.session_store import SessionStore
from forethought.serve.settings import ServerSettings
from forethought.serve.thread_pools import ThreadPools


class Services:
    """The parts of a running server."""

    def __init__(self, settings: ServerSettings, games: GameCatalogue) -> None:
        self.settings, self.games = settings, games
        self.pools, self.closing = ThreadPools(settings.limits.threads), asyncio.Event()
        self.preparations = Preparations(games, settings.limits.compilations)
        store = SessionStore(runs_directory())
        self.sessions = SessionRegistry(games, self.preparations, store, self.pools, settings.limits)
        self.runs = RunReader(games)
        self.processes = Processes(settings.limits.processes)

    def stop_streams(self) -> None:
        """End all streams and searches; requests are still answered."""
        self.closing.set()
        self.sessions.stop_streams()

    def close(self) -> None:
        self.stop_streams()
        self.preparations.close()
        self.pools.close()


def _services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


def _client(request: Request) -> str:
    return request.client.host if request.client else "unknown"


TheServices = Annotated[Services, Depends(_services)]
ClientAddress = Annotated[str, Depends(_client)]
