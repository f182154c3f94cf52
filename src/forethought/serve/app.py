"""The application put together: addresses, the page, and one sentence for whatever goes wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from forethought import __version__
from forethought.errors import ForethoughtError
from forethought.serve import play_routes, watch_routes
from forethought.serve.errors import Refused
from forethought.serve.game_catalogue import Catalogue
from forethought.serve.middleware import Door
from forethought.serve.services import House, Settings

PAGE = Path(__file__).parent / "static"


def make_application(settings: Settings) -> FastAPI:
    """Return the application; a mistake in the game file is told here, before anything runs."""
    catalogue = Catalogue(settings.file)

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        app.state.house = House(settings, catalogue)
        yield
        app.state.house.close()

    app = FastAPI(
        title="forethought",
        version=__version__,
        docs_url=None,  # their page loads scripts of others
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=living,
    )
    app.include_router(play_routes.router)
    app.include_router(watch_routes.router)
    app.add_api_route("/", _index, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=PAGE))
    app.add_exception_handler(ForethoughtError, _tell_mistake)
    app.add_exception_handler(RequestValidationError, _tell_wrong_request)
    app.add_exception_handler(HTTPException, _tell_status)
    app.add_middleware(Door, guard=settings.guard, limits=settings.limits)
    return app


async def _index() -> Response:
    return FileResponse(PAGE / "index.html", media_type="text/html")


def _failure(status: int, sentence: str) -> Response:
    return JSONResponse({"detail": sentence.encode("utf-8", "replace").decode()}, status)


async def _tell_mistake(_: Request, error: Exception) -> Response:
    return _failure(error.status if isinstance(error, Refused) else 400, str(error))


async def _tell_wrong_request(_: Request, error: Exception) -> Response:
    """Say what is wrong with the first thing that is; what was sent is not sent back."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for it)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:])
    return _failure(422, f"{place or 'The request'}: {first['msg']}.")


async def _tell_status(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 (registered for it)
    said = {404: "There is nothing at this address.", 405: "This address does not answer that method."}
    return JSONResponse(
        {"detail": said.get(error.status_code, str(error.detail))}, error.status_code, headers=error.headers
    )
