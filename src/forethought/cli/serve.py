"""`forethought serve`: the page."""

import secrets
import webbrowser
from typing import Annotated
from urllib.parse import quote

import typer

from forethought.cli.match import DEFAULT_STORE
from forethought.errors import ForethoughtError


def serve(
    what: Annotated[
        str | None, typer.Argument(help="What to begin with: a game, a run, or your own file my_game.py.")
    ] = None,
    port: Annotated[int, typer.Option(help="Where to listen; 0 takes a free port.", min=0, max=65535)] = 8000,
    host: Annotated[str, typer.Option(help="Another address to listen on than this machine's own; needs --token.")] = (
        "127.0.0.1"
    ),
    token: Annotated[
        str | None, typer.Option(help="What every client must bring; 'new' draws one.", show_default=False)
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Play, see what it thinks and watch it learn, on a page in the browser."""
    try:
        from forethought.serve.access import AccessRules  # noqa: PLC0415 (slow to import, and optional)
        from forethought.serve.server import listening_socket  # noqa: PLC0415
        from forethought.serve.server import serve as run_server  # noqa: PLC0415
        from forethought.serve.settings import ServerSettings  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("forethought"):
            raise
        raise ForethoughtError("The page needs more packages: pip install 'forethought[web]'.") from error

    new_token = secrets.token_urlsafe(16)
    access = AccessRules(host, new_token if token == "new" else token)  # noqa: S105 (a word, not a secret)
    if not access.is_local and not access.token:
        raise ForethoughtError(
            f"Others can reach {host}; add --token WORD, or --token new, to let only some of them in."
        )
    route, file = _destination(what)
    taken = listening_socket(host, port)
    entrance = f"/?token={quote(access.token, safe='')}" if access.token else "/"
    address = f"http://{f'[{host}]' if ':' in host else host}:{taken.getsockname()[1]}{entrance}{route}"

    def listening() -> None:
        print(f"{address}   (Ctrl-C ends)", flush=True)
        if open_page:
            webbrowser.open(address)

    run_server(ServerSettings(file, access, matches=DEFAULT_STORE), taken, listening)


def _destination(what: str | None) -> tuple[str, str | None]:
    """Return where the page begins, and the file whose game may be played there."""
    from forethought.games import GAMES  # noqa: PLC0415 (imports numpy)
    from forethought.runs import find_run  # noqa: PLC0415
    from forethought.serve.game_catalogue import GameCatalogue  # noqa: PLC0415
    from forethought.specs import split_spec  # noqa: PLC0415

    if what is None:
        return "", None
    name, _ = split_spec(what, "leduc, my_game.py or the name of a run")
    if name.endswith(".py") or ".py:" in name:
        return "#play?game=yours", what
    if name in GAMES:
        catalogue = GameCatalogue()
        catalogue.plain(what)  # a game that cannot be is told at once
        return f"#play?game={quote(catalogue.normal(what), safe='')}", None
    return f"#watch/{quote(find_run(what).name, safe='')}", None
