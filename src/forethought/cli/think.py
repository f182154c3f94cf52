"""`forethought think`: what does a player think of a position?"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

import forethought as ft
from forethought.cli.options import DrawnSeed, Game, Json
from forethought.cli.output import print_json, print_table, progress
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.api.thinking import ThoughtResult

BAR = 30  # characters of a share of one
ROWS = 24  # actions that are shown one by one; of more, only the likeliest


def think(
    game: Game,
    player: Annotated[
        str | None,
        typer.Option(help="Who thinks: oos(seconds=1), uct:1000, policy:FILE; by default oos:10000 or uct:10000."),
    ] = None,
    moves: Annotated[str, typer.Option(help="How the game has gone: actions and outcomes, with commas between.")] = "",
    board: Annotated[
        str | None,
        typer.Option(help="Pieces to begin from: rows from the top such as 3/1X1/2O, numbers for empty cells."),
    ] = None,
    to_move: Annotated[int, typer.Option(help="Who is to move on that board.", min=0)] = 0,
    seat: Annotated[int | None, typer.Option(help="Whose decision it must be, to be sure.", min=0)] = None,
    seed: DrawnSeed = None,
    as_json: Json = False,
) -> None:
    """Show what a player sees in a position, and what it thinks of each action."""
    from forethought.api.arguments import chosen_seed  # noqa: PLC0415 (imports Numba)

    if player is not None:
        ft.player(player)  # a mistake is reported before anything is compiled
    drawn = chosen_seed(seed)
    state = ft.position(game, moves, board=board, to_move=to_move, seed=drawn)
    if seat is not None and seat != state.player:
        raise ForethoughtError(f"There player {state.player} is to move, not {seat}; give other --moves or no --seat.")
    with progress(f"{player or 'a search'} thinks") as report:
        thought = ft.think(state, player, seed=drawn, progress=report)
    print_json(thought) if as_json else _print(state, thought)


def _print(state: "ft.State", thought: "ThoughtResult") -> None:
    print(f"{thought.game}, player {thought.seat} is to move, and sees")
    print(state.show(thought.seat) or f"facts {', '.join(map(str, thought.facts))}")
    numbers, share = thought.numbers, thought.share_name
    shown, rest = _likeliest(thought.actions)
    rows = [
        [
            one["name"],
            f"{one['share']:.3f}",
            "█" * round(BAR * one["share"]),
            *(f"{one[key]:,.4g}" if key != "visits" else f"{one[key]:,.0f}" for key in numbers),
        ]
        for one in shown
    ]
    print_table(["action", share, "", *numbers], rows, right=[share, *numbers])
    if rest:
        print(f"and {len(rest)} more actions, {sum(one['share'] for one in rest):.3f} together; --json lists all")
    if thought.simulations_per_second is not None:
        rate = f"{thought.simulations_per_second:,.0f} simulations/s"
        print(f"{thought.player}: {thought.simulations:,} simulations in {thought.seconds:.3g} s, {rate}")
    if thought.infosets:
        kept = "information sets" if state.game.hidden else "positions"
        print(f"  {thought.infosets:,} {kept} in memory")
    print(f"seed {thought.seed}")


def _likeliest(actions: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Divide a long list: the likeliest actions, best first, and the rest; a short one stays as it is."""
    if len(actions) <= ROWS:
        return actions, []
    ordered = sorted(actions, key=lambda one: -one["share"])
    return ordered[:ROWS], ordered[ROWS:]
