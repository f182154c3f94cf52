"""The addresses of playing: games, players, tables, thoughts. Nothing is decided here."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from forethought.serve import schemas
from forethought.serve.event_streams import Events
from forethought.serve.player_catalogue import default_thinker, make_player, offered
from forethought.serve.services import REFUSALS, TheClient, TheHouse

router = APIRouter(prefix="/api", responses=REFUSALS)

# Games and players


@router.get("/games", response_model=list[schemas.ListedGame])
async def games(house: TheHouse) -> Response:
    """List the games one may ask for."""
    return JSONResponse(await asyncio.to_thread(house.catalogue.listed))


@router.get("/players", response_model=list[schemas.ListedPlayer])
async def players(house: TheHouse, game: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """List the players that suit a game, the recommended first."""

    def found() -> list[dict[str, Any]]:
        return offered(house.catalogue.plain(game), house.watch.trained_on(game))

    return JSONResponse(await asyncio.to_thread(found))


# Tables


@router.post("/tables", status_code=201, response_model=schemas.View)
async def open_table(house: TheHouse, client: TheClient, wanted: schemas.NewTable) -> Response:
    """Begin a game."""
    room = await house.hall.open(client, wanted.game, wanted.seats, wanted.seed)
    return JSONResponse(room.table.view(), 201)


@router.post("/tables/load", status_code=201, response_model=schemas.View)
async def load_table(house: TheHouse, client: TheClient, saved: schemas.SavedGame) -> Response:
    """Load a saved game, to replay it or play on."""
    room = await house.hall.load(client, saved.model_dump())
    return JSONResponse(room.table.view(), 201)


@router.get("/tables/{id}", response_model=schemas.View)
async def view_table(house: TheHouse, id: str) -> Response:
    """Look at a game, as the person at the table may."""
    return JSONResponse((await house.hall.find(id)).table.view())


@router.delete("/tables/{id}", status_code=204)
async def end_table(house: TheHouse, id: str) -> Response:
    """End a game and forget it."""
    await house.hall.remove(id)
    return Response(status_code=204)


@router.post("/tables/{id}/moves", response_model=schemas.View)
async def move(house: TheHouse, id: str, move: schemas.Move) -> Response:
    """Play an action; the same one sent twice is played once."""
    room = await house.hall.find(id)
    async with room.changing() as table:
        table.move(move.action, move.ply)
    return JSONResponse(room.table.view())


@router.post("/tables/{id}/undo", response_model=schemas.View)
async def undo(house: TheHouse, id: str) -> Response:
    """Go back to the person's last decision."""
    room = await house.hall.find(id)
    async with room.changing() as table:
        table.undo()
    return JSONResponse(room.table.view())


@router.post("/tables/{id}/resign", response_model=schemas.View)
async def resign(house: TheHouse, id: str) -> Response:
    """Give the game up."""
    room = await house.hall.find(id)
    async with room.changing() as table:
        table.resign()
    return JSONResponse(room.table.view())


@router.get("/tables/{id}/record", response_model=schemas.SavedGame)
async def record(house: TheHouse, id: str) -> Response:
    """Save a game; one with hidden information when it is over."""
    return JSONResponse((await house.hall.find(id)).table.record())


@router.get("/tables/{id}/positions", response_model=list[schemas.Position])
async def positions(house: TheHouse, id: str) -> Response:
    """Show every position so far, for replay."""
    return JSONResponse(await asyncio.to_thread((await house.hall.find(id)).table.positions))


@router.get("/tables/{id}/review", response_model=schemas.Review)
async def review(house: TheHouse, id: str, request: Request) -> Response:
    """Say what each move of a finished game cost, in a planner's opinion."""
    return JSONResponse(await (await house.hall.find(id)).review.told(request.is_disconnected))


@router.get("/tables/{id}/events", response_class=Events, response_model=schemas.View | schemas.Thought)
async def table_events(house: TheHouse, id: str) -> Response:
    """Stream `view` events whenever the table changes, and `thought` events while a planner thinks."""
    return StreamingResponse((await house.hall.find(id)).listen(), media_type=Events.media_type)


@router.post("/tables/{id}/thoughts", status_code=202, response_model=schemas.Thinking)
async def think(house: TheHouse, id: str, wanted: schemas.Wondering) -> Response:
    """Let a planner think about the person's decision, from what the person may know."""
    room = await house.hall.find(id)
    player = wanted.player or default_thinker(room.table.game)
    new_player = await asyncio.to_thread(make_player, player, room.table.game)
    room.think(new_player, wanted.ply)
    return JSONResponse({"player": player}, 202)


@router.delete("/tables/{id}/thoughts", status_code=204)
async def stop_thinking(house: TheHouse, id: str) -> Response:
    """Let the planner stop."""
    (await house.hall.find(id)).forget_thought()
    return Response(status_code=204)
