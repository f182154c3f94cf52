"""`forethought explain`: which patterns does a run of TSPG go by?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from forethought.cli.moves import position_after
from forethought.cli.output import Json, print_json, print_table
from forethought.errors import ForethoughtError

if TYPE_CHECKING:
    from forethought.evaluate.explanations import ExplainedMove, Weighed
    from forethought.game import Game, State
    from forethought.patterns.model import PatternModel

BOTH = "both"
SPOKEN = 3  # patterns named for a move, and as many against it
BAR = 20  # characters of a probability of one
LEGEND = """\
f friend   e enemy   - empty   # off the board   ! not   . anything   [ ] the move goes here   ( ) it comes from here
A pattern counts as well when turned or reflected. double and tspg include what the pattern weighs in ce."""


def explain(
    run: Annotated[str, typer.Argument(help="A run of TSPG: RUN, or RUN@25 for what it knew after 25 games.")],
    player: Annotated[str, typer.Option(help="Whose patterns: 0, 1 or both.")] = BOTH,
    policy: Annotated[str, typer.Option(help="By whose weights: tspg, double or ce.")] = "tspg",
    top: Annotated[int, typer.Option(help="How many patterns to draw.", min=1)] = 12,
    moves: Annotated[
        str | None, typer.Option(help='Explain the moves after these, with commas between: "d, d, e"; "" at the start.')
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Draw the patterns as a picture: a file .svg or .png.")] = None,
    as_json: Json = False,
) -> None:
    """Show the patterns that weigh most in what a run of TSPG has learned, or what they say of each move."""
    from forethought.evaluate.pictures import check_picture_file  # noqa: PLC0415

    _check_choices(player, policy, moves)
    if save is not None:
        check_picture_file(save)
    game, model = _learned(run)
    asked = {"run": run, "game": game.spec or game.name, "policy": policy}
    if moves is None:
        shown = _explain_policy(game, model, player, asked | {"top": top}, as_json)
    else:
        shown = _explain_position(game, model, moves, asked | {"top": top}, as_json)
    if save is not None:
        _save(shown, game, f"{asked['game']}, {run}: weights of {policy}", save)
        if not as_json:
            print(f"drew {save}")


def _check_choices(player: str, policy: str, moves: str | None) -> None:
    from forethought.patterns.model import OBJECTIVES  # noqa: PLC0415 (imports numpy)

    if player not in (BOTH, "0", "1"):
        raise ForethoughtError(f"--player must be 0, 1 or both, not {player}.")
    if policy not in OBJECTIVES:
        raise ForethoughtError(f"--policy must be one of {', '.join(OBJECTIVES)}, not {policy}.")
    if moves is not None and player != BOTH:
        raise ForethoughtError("With --moves the patterns are those of whoever is to move; leave --player out.")


def _learned(run: str) -> "tuple[Game, PatternModel]":
    """Return the game of a run, its rules not compiled yet, and what was learned of it."""
    from forethought.games import load  # noqa: PLC0415
    from forethought.learn.run import read_configuration  # noqa: PLC0415
    from forethought.patterns.model import load_model  # noqa: PLC0415
    from forethought.runs import weights_of  # noqa: PLC0415

    weights = weights_of(run)
    configuration = read_configuration(weights.parents[1])
    if configuration.algorithm != "tspg":
        raise ForethoughtError(
            f"The run '{run}' was trained by {configuration.algorithm}, whose network has no patterns to read; "
            "explain needs a run of `forethought train GAME --algorithm tspg`."
        )
    game = load(configuration.game, compiled=False)
    return game, load_model(weights, game)


# The whole policy


def _explain_policy(
    game: "Game", model: "PatternModel", player: str, asked: dict[str, Any], as_json: bool
) -> "list[Weighed]":
    """Print the strongest patterns of one player or both, and return them."""
    from forethought.evaluate.explanations import by_strength  # noqa: PLC0415

    policy, top = asked["policy"], asked["top"]
    players = [0, 1] if player == BOTH else [int(player)]
    strongest = {one: by_strength(model, one, policy)[:top] for one in players}
    if as_json:
        told = [
            {"player": one, "patterns": len(model.patterns[one]), "strongest": list(map(_record, listed))}
            for one, listed in strongest.items()
        ]
        print_json({**asked, "players": told})
    else:
        for one, listed in strongest.items():
            count = f"{len(listed)} of {len(model.patterns[one])} patterns"
            print(
                f"{asked['game']}, {asked['run']}: what player {one} goes by, {count}, the strongest in {policy} first"
            )
            _print_patterns(listed, game)
        print(LEGEND)
    return [one for listed in strongest.values() for one in listed]


def _record(one: "Weighed") -> dict[str, Any]:
    from forethought.patterns.text import to_text  # noqa: PLC0415

    return {"rank": one.rank, "pattern": to_text(one.pattern), "weights": one.weights}


def _print_patterns(patterns: "list[Weighed]", game: "Game") -> None:
    """Print each pattern as a drawing beside its weights, an empty line after it."""
    from rich.markup import escape  # noqa: PLC0415 (slow to import)

    from forethought.patterns.model import OBJECTIVES, board_of  # noqa: PLC0415
    from forethought.patterns.text import draw  # noqa: PLC0415

    tiling = board_of(game).grid.tiling
    rows = [
        [
            f"#{one.rank}",
            escape(draw(one.pattern, tiling)) + "\n",
            *(f"{one.weights[name]:+.3f}" for name in OBJECTIVES),
        ]
        for one in patterns
    ]
    print_table(["", "pattern", *OBJECTIVES], rows, right=["", *OBJECTIVES])


def _save(patterns: "list[Weighed]", game: "Game", title: str, path: Path) -> None:
    from forethought.evaluate.pattern_pictures import draw_patterns  # noqa: PLC0415
    from forethought.evaluate.pictures import save_figure  # noqa: PLC0415
    from forethought.patterns.model import board_of  # noqa: PLC0415

    save_figure(draw_patterns(patterns, board_of(game).grid.tiling, title), path)


# One position


def _explain_position(
    game: "Game", model: "PatternModel", moves: str, asked: dict[str, Any], as_json: bool
) -> "list[Weighed]":
    """Print what each policy thinks of the legal moves and why; return the patterns that were drawn."""
    from forethought.evaluate.explanations import explain_moves  # noqa: PLC0415
    from forethought.games import load  # noqa: PLC0415

    compiled = load(game)
    state = position_after(compiled, moves, seed=0)
    explained = explain_moves(compiled, model, state, asked["policy"])
    named = sorted({one.rank: one for move in explained for one in _spoken(move)}.items())
    drawn = [one for _, one in named[: asked["top"]]]
    if as_json:
        told = [
            {
                "action": move.action,
                "name": state.action_name(move.action),
                "probabilities": move.probabilities,
                "supporting": list(map(_record, move.supporting)),
                "opposing": list(map(_record, move.opposing)),
            }
            for move in explained
        ]
        print_json({**asked, "moves": moves, "player": state.player, "actions": told})
    else:
        _print_position(state, explained, asked)
        _print_patterns(drawn, game)
        if len(drawn) < len(named):
            print(f"--top {len(named)} draws all patterns that are named above")
        print(LEGEND)
    return drawn


def _spoken(move: "ExplainedMove") -> "list[Weighed]":
    """Return the patterns that are named beside a move."""
    return move.supporting[:SPOKEN] + move.opposing[:SPOKEN]


def _print_position(state: "State", explained: "list[ExplainedMove]", asked: dict[str, Any]) -> None:
    from forethought.patterns.model import OBJECTIVES  # noqa: PLC0415

    policy = asked["policy"]
    print(f"{asked['game']}, {asked['run']}: player {state.player} is to move")
    print(state.show(state.player))
    rows = [
        [
            state.action_name(move.action),
            *(f"{move.probabilities[name]:.3f}" for name in OBJECTIVES),
            "█" * round(BAR * move.probabilities[policy]),
            *(_named(side[:SPOKEN], policy) for side in (move.supporting, move.opposing)),
        ]
        for move in explained
    ]
    print_table(["move", *OBJECTIVES, "", "for", "against"], rows, right=OBJECTIVES)


def _named(patterns: "list[Weighed]", policy: str) -> str:
    return "  ".join(f"#{one.rank} {one.weights[policy]:+.2f}" for one in patterns)
