"""The application: its routes, the page's files, and one sentence for every error."""

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
from forethought.serve import play_routes, process_routes, watch_routes
from forethought.serve.errors import RequestError
from forethought.serve.game_catalogue import GameCatalogue
from forethought.serve.middleware import AccessMiddleware
from forethought.serve.schemas.base import ErrorSchema
from forethought.serve.services import Services
from forethought.serve.settings import ServerSettings

STATIC = Path(__file__).parent / "static"
DESCRIBED = "/api/openapi.json describes what is expected"
UNFIT = {  # by what pydantic calls them
    "missing": f"The request needs '{{field}}'; {DESCRIBED}.",
    "extra_forbidden": f"The request must not have '{{field}}'; {DESCRIBED}.",
    "json_invalid": f"The request is not JSON; {DESCRIBED}.",
}
STATUS_SENTENCES = {404: "There is nothing at this address.", 405: "This address does not support that method."}


def make_app(settings: ServerSettings) -> FastAPI:
    """Return the application; a mistake in the game file is reported here, before the server starts."""
    games = GameCatalogue(settings.file)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.services = Services(settings, games)
        if settings.warm:
            app.state.services.preparations.warm()
        yield
        app.state.services.close()

    app = FastAPI(
        title="forethought",
        version=__version__,
        docs_url=None,  # these pages load scripts from other sites
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.include_router(play_routes.router)
    app.include_router(watch_routes.router)
    app.include_router(process_routes.router)
    app.include_router(process_routes.starting)
    app.add_api_route("/", _index, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=STATIC))
    app.add_exception_handler(ForethoughtError, _answer_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid_request)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_middleware(AccessMiddleware, access=settings.access, limits=settings.limits)
    return app


async def _index() -> Response:
    return FileResponse(STATIC / "index.html", media_type="text/html")


def _error_response(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    detail = sentence.encode("utf-8", "replace").decode()  # a lone surrogate cannot be sent
    return JSONResponse(ErrorSchema(detail=detail).model_dump(), status, headers)


async def _answer_error(_: Request, error: Exception) -> Response:
    return _error_response(error.status if isinstance(error, RequestError) else 400, str(error))


async def _answer_invalid_request(_: Request, error: Exception) -> Response:
    """Say what is wrong with the first invalid field; what the client sent is not repeated."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 (registered for it)
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"][1:])
    if first["type"] in UNFIT:
        return _error_response(422, UNFIT[first["type"]].format(field=field))
    what = f"'{field}' does not fit" if field else "The request does not fit"
    return _error_response(422, f"{what}: {first['msg'][0].lower()}{first['msg'][1:]}; {DESCRIBED}.")


async def _answer_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 (registered for it)
    sentence = STATUS_SENTENCES.get(error.status_code, str(error.detail))
    return _error_response(error.status_code, sentence, dict(error.headers or {}))
