"""`forethought serve`: the page."""

from typing import Annotated

import typer

import forethought as ft


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
    ft.serve(what, port=port, host=host, token=token, open_page=open_page, announce=_print)


def _print(address: str) -> None:
    print(f"{address}   (Ctrl-C ends)", flush=True)
