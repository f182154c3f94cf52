"""The addresses of watching: runs, their games and curves, and the ladder. Nothing is decided here."""

import asyncio
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, Response, StreamingResponse

from forethought.serve import schemas
from forethought.serve.event_streams import Events
from forethought.serve.ladder import standings
from forethought.serve.services import REFUSALS, TheHouse

router = APIRouter(prefix="/api", responses=REFUSALS)

Count = Annotated[int, InPath(ge=0, lt=2**31)]


@router.get("/runs", response_model=list[schemas.RunLine])
async def runs(house: TheHouse) -> Response:
    """List the runs."""
    return JSONResponse(await asyncio.to_thread(house.watch.listed))


@router.get("/runs/{name}", response_model=schemas.RunWithSettings)
async def run(house: TheHouse, name: str) -> Response:
    """Tell how a run goes, and with which settings."""
    told = await asyncio.to_thread(house.watch.told, name)
    return JSONResponse({**told, "settings": await asyncio.to_thread(house.watch.settings, name)})


@router.get("/runs/{name}/events", response_class=Events, response_model=schemas.Run)
async def run_events(house: TheHouse, name: str) -> Response:
    """Stream `run` events whenever a run has told more."""
    await asyncio.to_thread(house.watch.told, name)  # a run that is not there is told as such, not by a broken stream
    return StreamingResponse(house.watch.follow(name, house.closing), media_type=Events.media_type)


@router.get("/runs/{name}/games/{iteration}/{index}", response_model=schemas.Replay)
async def run_game(house: TheHouse, name: str, iteration: Count, index: Count) -> Response:
    """Show every position of a game of self-play."""
    return JSONResponse(await asyncio.to_thread(house.watch.game, name, iteration, index))


@router.get("/ladder", response_model=schemas.Ladder)
async def ladder(house: TheHouse) -> Response:
    """Rate the players of all matches that were kept."""
    return JSONResponse({"games": await asyncio.to_thread(standings, house.settings.matches)})
