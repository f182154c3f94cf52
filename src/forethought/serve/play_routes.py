"""The routes of playing: games, players, sessions, thoughts and reviews."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import StreamingResponse

from forethought.serve.errors import ERROR_RESPONSES
from forethought.serve.event_streams import EventStreamResponse
from forethought.serve.game_exports import as_json, as_sgf
from forethought.serve.player_catalogue import check_player, default_thinker, list_players, make_player
from forethought.serve.schemas.play import (
    ListedGameSchema,
    ListedPlayerSchema,
    PositionSchema,
    PreparationSchema,
    ReviewSchema,
    RulesSchema,
    SessionSchema,
    SgfSchema,
)
from forethought.serve.schemas.requests import MoveSchema, NewSessionSchema, SavedGameSchema, Seats, Spec, ThinkSchema
from forethought.serve.schemas.thought import ThinkingSchema, ThoughtSchema
from forethought.serve.services import ClientAddress, TheServices
from forethought.serve.viewpoints import PERSONS

router = APIRouter(prefix="/api", responses=ERROR_RESPONSES)

# Games and players


@router.get("/games")
async def games(services: TheServices) -> list[ListedGameSchema]:
    """List the games that can be played."""
    return await asyncio.to_thread(services.games.listed)


@router.get("/rules")
async def rules(services: TheServices, game: Annotated[str, Query(min_length=1, max_length=200)]) -> RulesSchema:
    """Explain a game in a minute, with an example."""
    return await asyncio.to_thread(services.rules.rules, game)


@router.get("/players")
async def players(
    services: TheServices, game: Annotated[str, Query(min_length=1, max_length=200)]
) -> list[ListedPlayerSchema]:
    """List the players that suit a game, the recommended one first."""

    def find() -> list[ListedPlayerSchema]:
        return list_players(services.games.plain(game), services.runs.trained_on(game))

    return await asyncio.to_thread(find)


@router.get("/preparation/events", response_class=EventStreamResponse, response_model=PreparationSchema)
async def preparation_events(
    services: TheServices, game: Annotated[Spec, Query()], player: Annotated[Seats, Query()]
) -> StreamingResponse:
    """Stream `preparation` events while a game and its players are compiled; a client that leaves stops that.

    A session can be started without this, and waits as long.
    """
    players = [spec for spec in player if spec not in PERSONS]

    def check() -> None:
        services.games.plain(game)
        for spec in players:
            check_player(spec)

    await asyncio.to_thread(check)
    return StreamingResponse(services.preparations.events(game, players), media_type=EventStreamResponse.media_type)


# Sessions


@router.post("/sessions", status_code=201)
async def start_session(services: TheServices, client: ClientAddress, new: NewSessionSchema) -> SessionSchema:
    """Start a game."""
    return (await services.sessions.start(client, new)).view()


@router.post("/sessions/load", status_code=201)
async def load_session(services: TheServices, client: ClientAddress, saved: SavedGameSchema) -> SessionSchema:
    """Load a saved game, to replay or continue it."""
    return (await services.sessions.load(client, saved)).view()


@router.post("/sessions/{id}/next", status_code=201)
async def start_next(services: TheServices, client: ClientAddress, id: str) -> SessionSchema:
    """Begin the next game of a series, or join it: all move on by a seat, and totals are kept."""
    return (await services.sessions.continue_series(client, id)).view()


@router.get("/sessions/{id}")
async def view_session(services: TheServices, id: str) -> SessionSchema:
    """Return what may be seen of a game; the id is that of its host, or one of its links."""
    return (await services.sessions.find(id)).view()


@router.delete("/sessions/{id}", status_code=204)
async def end_session(services: TheServices, id: str) -> None:
    """End a session and delete its game."""
    await services.sessions.remove(id)


@router.post("/sessions/{id}/moves")
async def move(services: TheServices, id: str, move: MoveSchema) -> SessionSchema:
    """Play an action; the same move sent twice is played once."""
    session, viewpoint = visit = await services.sessions.find(id)
    async with session.change() as live:
        live.move(viewpoint, move.action, move.ply)
    return visit.view()


@router.post("/sessions/{id}/undo")
async def undo(services: TheServices, id: str) -> SessionSchema:
    """Go back to the host's last decision; chance, and all that the host does not know, is drawn anew."""
    session, viewpoint = visit = await services.sessions.find(id)
    async with session.change() as live:
        live.check_host(viewpoint)
        live.undo(await asyncio.to_thread(live.before_last_decision))
    return visit.view()


@router.post("/sessions/{id}/resign")
async def resign(services: TheServices, id: str) -> SessionSchema:
    """Resign the game."""
    session, viewpoint = visit = await services.sessions.find(id)
    async with session.change() as live:
        live.resign(viewpoint)
    return visit.view()


@router.get("/sessions/{id}/record")
async def record(services: TheServices, id: str) -> SavedGameSchema:
    """Save a game; one with hidden information can be saved when it is over."""
    return as_json((await services.sessions.find(id)).session.live)


@router.get("/sessions/{id}/sgf")
async def sgf(services: TheServices, id: str) -> SgfSchema:
    """Write a game in the Smart Game Format, which knows some games where nothing is hidden."""
    return as_sgf((await services.sessions.find(id)).session.live)


@router.get("/sessions/{id}/positions")
async def positions(services: TheServices, id: str) -> list[PositionSchema]:
    """Return every position so far, for replay."""
    session, viewpoint = await services.sessions.find(id)
    return await asyncio.to_thread(session.live.positions, viewpoint)


@router.get("/sessions/{id}/review")
async def review(services: TheServices, id: str, request: Request) -> ReviewSchema:
    """Return what each move of a finished game cost by a planner's values."""
    return await (await services.sessions.find(id)).session.review.result(request.is_disconnected)


@router.get(
    "/sessions/{id}/events",
    response_class=EventStreamResponse,
    response_model=SessionSchema | ThoughtSchema | PreparationSchema,
)
async def session_events(services: TheServices, id: str) -> StreamingResponse:
    """Stream a `view` event whenever the session changes, and `thought` events while a planner thinks.

    While something is compiled that a player needs, the first time only, `preparation` events tell how far that is.
    """
    session, viewpoint = await services.sessions.find(id)
    return StreamingResponse(session.events(viewpoint), media_type=EventStreamResponse.media_type)


@router.post("/sessions/{id}/thoughts", status_code=202)
async def start_thinking(services: TheServices, id: str, think: ThinkSchema) -> ThinkingSchema:
    """Let a planner think about a person's decision, from what the person may know."""
    session, viewpoint = await services.sessions.find(id)
    game = session.live.game
    player = think.player or default_thinker(game)
    await asyncio.to_thread(make_player, player, game)  # refuses one that does not suit the game
    session.start_thinking(viewpoint, think.place, player, think.ply)
    return ThinkingSchema(player=player)


@router.get("/sessions/{id}/thoughts/{ply}")
async def bot_thought(services: TheServices, id: str, ply: Annotated[int, Path(ge=0, lt=2**31)]) -> ThoughtSchema:
    """Return what a bot thought after so many actions; where something is hidden, when the game is over."""
    session, viewpoint = await services.sessions.find(id)
    return session.live.bot_thought(viewpoint, ply)


@router.delete("/sessions/{id}/thoughts", status_code=204)
async def stop_thinking(services: TheServices, id: str) -> None:
    """Stop the planners."""
    session, viewpoint = await services.sessions.find(id)
    session.stop_thinking(viewpoint)
