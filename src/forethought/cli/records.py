"""`forethought records`: games from files to data sets, and from data sets to files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Game, Json, Seed
from forethought.cli.output import print_json, print_table, progress

if TYPE_CHECKING:
    from forethought.api.records import CheckedRecords
    from forethought.records.summary import RecordsSummary

DRAWN = 3  # skipped games that are shown

app = typer.Typer(
    name="records",
    help="Read games that were played from files, check every move, and write data sets to learn from.",
    epilog="Formats: sgf (Go, Hex, Othello, Gomoku), wthor (Othello), openspiel, json, runs, and data sets themselves.",
    no_args_is_help=True,
)

Files = Annotated[list[Path], typer.Argument(help="Files, directories of files, or runs.")]
DataSet = Annotated[Path, typer.Argument(help="A data set that `records import` has made.")]
FormatName = Annotated[
    str | None, typer.Option("--format", help="sgf, wthor, openspiel, json, run or data-set; else by the file's name.")
]
MinRating = Annotated[
    str | None, typer.Option(help="Only games in which both players have this rating at least: 1850, 6d, 9p.")
]
Result = Annotated[str, typer.Option(help="Only games whose result is known, or decided: somebody won; or any.")]
OwnGame = Annotated[str | None, typer.Option("--game", help="The game, if it is a file of your own: my_game.py.")]
Part = Annotated[str, typer.Option(help="Which games: train, held_out or all.")]


@app.command("import")
def import_(
    game: Game,
    files: Files,
    output: Annotated[Path, typer.Option("--output", "-o", help="The data set to write: a file .safetensors.")],
    format: FormatName = None,
    min_rating: MinRating = None,
    result: Result = "any",
    held_out: Annotated[float, typer.Option(help="Share of the games that is held out of training.")] = 0.05,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Make a data set of games from files: every move is replayed, bad games and duplicates are skipped and counted."""
    with progress("import") as report:
        found = ft.import_records(
            game,
            files,
            output,
            format=format,
            min_rating=min_rating,
            result=result,
            held_out=held_out,
            seed=seed,
            progress=report,
        )
    if as_json:
        print_json(found)
        return
    _print_checked(found)
    print(f"{found.output}: {found.train:,} games to learn from, {found.held_out:,} held out, seed {found.seed}")


@app.command()
def verify(
    game: Game,
    files: Files,
    format: FormatName = None,
    min_rating: MinRating = None,
    result: Result = "any",
    as_json: Json = False,
) -> None:
    """Replay every move of the games of files, and say what is wrong with which; nothing is written."""
    with progress("verify") as report:
        found = ft.verify_records(game, files, format=format, min_rating=min_rating, result=result, progress=report)
    print_json(found) if as_json else _print_checked(found)


@app.command()
def export(
    data_set: DataSet,
    output: Annotated[Path, typer.Argument(help="The file to write: .sgf, .wtb, .openspiel, .jsonl.")],
    format: FormatName = None,
    part: Part = "all",
    game: OwnGame = None,
    as_json: Json = False,
) -> None:
    """Write the games of a data set to a file that other programs read."""
    found = ft.export_records(data_set, output, format=format, part=part, game=game)
    if as_json:
        print_json(found)
        return
    print(f"{found.output}: {found.games:,} games of {found.game} as {found.format}")
    if found.left_out:
        print(f"{found.left_out:,} games are left out: it is not known who won them, and {found.format} must say it")


@app.command()
def stats(data_set: DataSet, game: OwnGame = None, as_json: Json = False) -> None:
    """Say what a data set holds: games, results, ratings, first moves."""
    found = ft.describe_records(data_set, game=game)
    print_json(found) if as_json else _print_summary(found)


def _print_checked(found: "CheckedRecords") -> None:
    rate = f"{found.seconds:.1f} s, {found.games_per_second:,.0f} games/s"
    print(f"{found.game}   {found.files:,} {'file' if found.files == 1 else 'files'}   {rate}")
    rows = [["read", f"{found.games:,}"], ["kept", f"{found.kept:,}"]]
    rows += [[f"skipped: {kind}", f"{count:,}"] for kind, count in found.skipped.items()]
    print_table(("games", "number"), rows, right=("number",))
    if found.disagreements:
        print(f"{found.disagreements:,} of the games kept have another winner in the file than by the rules")
    for one in found.examples[:DRAWN]:
        print(one)
        if one.position:
            print(one.position + "\n")
    if len(found.examples) > DRAWN:
        print(f"--json lists the first {len(found.examples)} games that are wrong")


def _print_summary(found: "RecordsSummary") -> None:
    print(f"{found.file}: {found.games:,} games of {found.game}")
    print(f"{found.train:,} to learn from, {found.held_out:,} held out, seed {found.seed}")
    lengths = f"mean {found.mean_plies:.1f}, from {found.shortest} to {found.longest}"
    print(f"{found.plies:,} plies: {lengths}" + (f"; {found.set_up:,} begin set up" if found.set_up else ""))
    columns = ("seat", "wins", "draws", "losses", "unknown", "rated", "mean rating", "lowest", "highest")
    rows = [
        [
            str(seat.seat),
            *(f"{count:,}" for count in (seat.wins, seat.draws, seat.losses, seat.unknown, seat.rated)),
            *(
                "" if one is None else f"{one:.0f}"
                for one in (seat.mean_rating, seat.lowest_rating, seat.highest_rating)
            ),
        ]
        for seat in found.seats
    ]
    print_table(columns, rows, right=columns)
    for title, counted in (("first moves", found.first_moves), ("players", found.players)):
        if counted:
            print(f"{title}: " + ", ".join(f"{one.name} {one.games:,}" for one in counted))
