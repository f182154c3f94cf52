"""The command line: verbs that read arguments, call the library and show what it says. Heavy imports wait."""

import faulthandler
import sys
import traceback
import warnings
from typing import Annotated

import typer

from forethought import __version__
from forethought.cli import (
    accuracy,
    bench,
    cache,
    check,
    cluster,
    compare,
    explain,
    exploit,
    games,
    ladder,
    match,
    play,
    plot,
    records,
    registered,
    reproduce,
    runs,
    serve,
    solve,
    study,
    sweep,
    think,
    train,
)
from forethought.errors import ForethoughtError, reason_of

app = typer.Typer(
    name="forethought",
    help="Learn to play games by planning: rules in plain Python, at machine speed.",
    epilog="A GAME is a name (leduc), with parameters (goofspiel(cards=6)), or a file (my_game.py:factory(size=5)). "
    "A PLAYER is a name (random), with settings (oos(delta=0.5)), or with its first setting (uct:1000).",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
VERBS = (
    games.games,
    registered.players,
    registered.learners,
    check.check,
    play.play,
    think.think,
    train.train,
    train.resume,
    sweep.sweep,
    reproduce.reproduce,
    runs.runs,
    plot.plot,
    explain.explain,
    solve.solve,
    exploit.exploit,
    match.match,
    ladder.ladder,
    accuracy.accuracy,
    compare.compare,
    study.study,
    serve.serve,
    bench.bench,
    cache.cache,
)
for verb in VERBS:
    app.command()(verb)
app.add_typer(records.app)
app.add_typer(cluster.app)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"forethought {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the original error in full.")] = False,
) -> None:
    pass


def _show_warning(message: Warning | str, *_: object) -> None:
    """Show a warning as a sentence, without the line of the program that gave it."""
    print(f"warning: {message}", file=sys.stderr)


def _too_large(error: MemoryError) -> str:
    wanted = f" ({reason_of(error)})" if error.args else ""
    return f"There is not enough memory{wanted}: declare fewer actions, facts or plies, or ask for a smaller search."


def main() -> None:
    """Run a verb. A mistake of the user's is one sentence on stderr and exit code 2; Ctrl-C ends quietly."""
    if sys.__stderr__ is not None and not faulthandler.is_enabled():
        faulthandler.enable(sys.__stderr__)  # a crash tells where
    warnings.showwarning = _show_warning  # type: ignore[assignment]  # it needs the message only
    arguments = sys.argv[1:]
    debug = "--debug" in arguments  # wherever it stands
    try:
        app(args=[argument for argument in arguments if argument != "--debug"])
    except (ForethoughtError, MemoryError) as error:
        if debug:
            traceback.print_exc()
        print(f"error: {_too_large(error) if isinstance(error, MemoryError) else error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        sys.stderr.close()
        sys.exit(0)
