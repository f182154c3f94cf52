"""`forethought explain`: which patterns does a run of TSPG go by, or the roll-outs of AlphaGo?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import forethought as ft
from forethought.cli.options import Json
from forethought.cli.output import print_json, print_table
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.api.explaining import MoveExplanation, PatternPictures, PolicyExplanation

PLAYERS = {"0": 0, "1": 1, "both": None}
BAR = 20  # characters of a probability of one
LEGEND = """\
f friend   e enemy   - empty   # off the board   ! not   . anything   [ ] the move goes here   ( ) it comes from here
A pattern counts as well when turned or reflected. double and tspg include what the pattern weighs in ce."""


def explain(
    run: Annotated[
        str, typer.Argument(help="A run of TSPG or AlphaGo: RUN, or RUN@25 for what it knew after 25 iterations.")
    ],
    player: Annotated[str, typer.Option(help="Whose patterns: 0, 1 or both.")] = "both",
    policy: Annotated[str, typer.Option(help="By whose weights: tspg, double or ce.")] = "tspg",
    top: Annotated[int, typer.Option(help="How many patterns to draw.", min=1)] = 12,
    moves: Annotated[
        str | None, typer.Option(help='Explain the moves after these, with commas between: "d, d, e"; "" at the start.')
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Draw the patterns as a picture: a file .svg or .png.")] = None,
    as_json: Json = False,
) -> None:
    """Show the patterns that weigh most in what a run of TSPG or AlphaGo has learned, or what they say of each move."""
    from forethought.evaluate.pictures import check_picture_file  # noqa: PLC0415

    if player not in PLAYERS:
        raise ForethoughtError(f"--player must be 0, 1 or both, not {player}.")
    if moves is not None and player != "both":
        raise ForethoughtError("With --moves the patterns are those of the player to move; leave --player out.")
    if save is not None:
        check_picture_file(save)
    found: PolicyExplanation | MoveExplanation
    if moves is None:
        found = policies = ft.explain(run, player=PLAYERS[player], policy=policy, top=top)
        print_json(found) if as_json else _print_policy(policies)
    else:
        found = position = ft.explain_moves(run, moves, policy=policy, top=top)
        print_json(found) if as_json else _print_position(position)
    if save is not None:
        found.save(save)
        if not as_json:
            print(f"drew {save}")


def _print_policy(found: "PolicyExplanation") -> None:
    for one in found.players:
        count = f"{len(one.strongest)} of {one.patterns} patterns"
        print(
            f"{found.game}, {found.run}: what player {one.player} goes by, {count}, "
            f"the strongest in {found.policy} first"
        )
        _print_patterns(found.pictures.of_player(one.player))
    print(LEGEND)


def _print_position(found: "MoveExplanation") -> None:
    from forethought.api.explaining import named_patterns  # noqa: PLC0415 (imports numpy)

    print(f"{found.game}, {found.run}: player {found.player} is to move")
    print(found.view.text)
    policies = list(found.actions[0].probabilities)
    rows = [
        [
            one.name,
            *(f"{one.probabilities[name]:.3f}" for name in policies),
            "█" * round(BAR * one.probabilities[found.policy]),
            *(named_patterns(side, found.policy) for side in one.named),
        ]
        for one in found.actions
    ]
    print_table(["move", *policies, "", "for", "against"], rows, right=policies)
    _print_patterns(found.pictures)
    if len(found.pictures.patterns) < found.named:
        print(f"--top {found.named} draws all patterns that are named above")
    print(LEGEND)


def _print_patterns(pictures: "PatternPictures") -> None:
    """Print each pattern as a drawing beside its weights, an empty line after it."""
    from rich.markup import escape  # noqa: PLC0415 (slow to import)

    policies = list(pictures.patterns[0].weights) if pictures.patterns else []
    rows = [
        [f"#{one.rank}", escape(drawing) + "\n", *(f"{one.weights[name]:+.3f}" for name in policies)]
        for one, drawing in zip(pictures.patterns, pictures.drawings(), strict=True)
    ]
    print_table(["", "pattern", *policies], rows, right=["", *policies])
