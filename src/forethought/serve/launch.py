"""Starting the server: where it listens, who may come in, and where the page begins."""

import secrets
import webbrowser
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from forethought.errors import ForethoughtError
from forethought.games import GAMES
from forethought.games.userfile import is_file
from forethought.runs import all_runs, find_run
from forethought.specs import did_you_mean, split_spec

LOCAL = "127.0.0.1"
NEW_TOKEN = "new"  # noqa: S105 (a word that asks for one)


def serve(
    what: str | Path | None = None,
    *,
    port: int = 8000,
    host: str = LOCAL,
    token: str | None = None,
    open_page: bool = False,
    announce: Callable[[str], None] = lambda address: print(address, flush=True),  # noqa: T201
) -> None:
    """Serve the page until Ctrl-C; `announce` is called with its address when it can be opened.

    `what` is where the page begins: a game, a run, or a file my_game.py, whose game can then be played. Port 0 takes a
    free one. Another host than this machine's own needs a `token`, which every client must bring; "new" draws one.
    Raises ForethoughtError if packages are missing, or the port is taken.
    """
    try:
        from forethought.serve.access import AccessRules  # noqa: PLC0415 (slow to import, and optional)
        from forethought.serve.server import listening_socket, run_server  # noqa: PLC0415
        from forethought.serve.settings import ServerSettings  # noqa: PLC0415
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("forethought"):
            raise
        raise ForethoughtError("The page needs more packages: pip install 'forethought[web]'.") from error

    access = AccessRules(host, secrets.token_urlsafe(16) if token == NEW_TOKEN else token)
    if not access.is_local and not access.token:
        raise ForethoughtError(
            f"Others can reach {host}; add --token new, or a word of your own, to let only some of them in."
        )
    route, file = _destination(None if what is None else str(what))
    taken = listening_socket(host, port)
    entrance = f"/?token={quote(access.token, safe='')}" if access.token else "/"
    address = f"http://{f'[{host}]' if ':' in host else host}:{taken.getsockname()[1]}{entrance}{route}"

    def listening() -> None:
        announce(address)
        if open_page:
            webbrowser.open(address)

    run_server(ServerSettings(file, access, warm=True), taken, listening)


def _destination(what: str | None) -> tuple[str, str | None]:
    """Return where the page begins, and the file whose game may be played there."""
    from forethought.serve.game_catalogue import GameCatalogue  # noqa: PLC0415 (imports the web framework)

    if what is None:
        return "", None
    name, _ = split_spec(what, "leduc, my_game.py or the name of a run")
    if is_file(name):
        return "#play?game=yours", what
    if name in GAMES:
        catalogue = GameCatalogue()
        catalogue.plain(what)  # a mistake in its parameters is reported at once
        return f"#play?game={quote(catalogue.normal(what), safe='')}", None
    return f"#watch/{quote(_run(what, name).name, safe='')}", None


def _run(what: str, name: str) -> Path:
    try:
        return find_run(what)
    except ForethoughtError:
        near = did_you_mean(name, [*GAMES.names(), *(run.name for run in all_runs())])
        known = "`forethought games` and `forethought runs` list what there is."
        raise ForethoughtError(f"There is no game or run '{what}'; {near}{known}") from None
