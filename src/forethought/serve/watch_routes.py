"""The routes of watching: runs with their metrics and games, and ladders."""

import asyncio
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import StreamingResponse

from forethought.serve.errors import ERROR_RESPONSES
from forethought.serve.event_streams import EventStreamResponse
from forethought.serve.ladder import read_ladders
from forethought.serve.schemas.play import ReplaySchema
from forethought.serve.schemas.watch import LaddersSchema, RunDetailsSchema, RunSchema, RunSummarySchema
from forethought.serve.services import TheServices

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)

Count = Annotated[int, InPath(ge=0, lt=2**31)]


@router.get("/runs")
async def runs(services: TheServices) -> list[RunSummarySchema]:
    """List the runs."""
    return await asyncio.to_thread(services.runs.summaries)


@router.get("/runs/{name}")
async def run(services: TheServices, name: str) -> RunDetailsSchema:
    """Return a run's metrics, newest games and settings."""
    return await asyncio.to_thread(services.runs.details, name)


@router.get("/runs/{name}/events", response_class=EventStreamResponse, response_model=RunSchema)
async def run_events(services: TheServices, name: str) -> StreamingResponse:
    """Stream a `run` event whenever a run has changed."""
    await asyncio.to_thread(services.runs.run, name)  # refuses an unknown run before the stream starts
    return StreamingResponse(services.runs.follow(name, services.closing), media_type=EventStreamResponse.media_type)


@router.get("/runs/{name}/games/{iteration}/{index}")
async def run_game(services: TheServices, name: str, iteration: Count, index: Count) -> ReplaySchema:
    """Return every position of a game of self-play."""
    return await asyncio.to_thread(services.runs.self_play_game, name, iteration, index)


@router.get("/ladder")
async def ladder(services: TheServices) -> LaddersSchema:
    """Rate the players of all matches in the store."""
    return await asyncio.to_thread(read_ladders, services.settings.matches, services.games.title)
