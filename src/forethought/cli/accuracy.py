"""`forethought accuracy`: how often does a player find the best move?"""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from forethought.cli.output import Json, print_json, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Callable

    from forethought.evaluate.accuracy import Accuracy, Answer, Exam
    from forethought.game import Game


def accuracy(
    game: Annotated[str, typer.Argument(help="The game: connect_four, hex(size=4), my_game.py.")],
    player: Annotated[str, typer.Argument(help="The player: uct:1600, net:RUN, random.")],
    positions: Annotated[int, typer.Option(help="How many random positions to ask about.", min=1)] = 1_000,
    from_plies: Annotated[
        int | None,
        typer.Option(help="Random plies before a position, at least; two fifths of the longest game.", min=0),
    ] = None,
    to_plies: Annotated[
        int | None, typer.Option(help="And at most; six sevenths of the longest game if not given.", min=0)
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all chance; the same seed, the same positions.", min=0)] = 0,
    max_nodes: Annotated[
        int, typer.Option(help="Skip positions that take longer to solve; two million are about a second.", min=1)
    ] = 5_000_000,
    workers: Annotated[int | None, typer.Option(help="Threads at work; a core each if not given.", min=1)] = None,
    as_json: Json = False,
) -> None:
    """Solve random positions exactly and count how often the player keeps their value; nothing may be hidden."""
    from forethought.evaluate.accuracy import Exam, ask_all  # noqa: PLC0415 (imports Numba)
    from forethought.evaluate.accuracy import accuracy as summed_up  # noqa: PLC0415
    from forethought.evaluate.rounds import entrant  # noqa: PLC0415
    from forethought.games import load  # noqa: PLC0415
    from forethought.games.reference import reference_to  # noqa: PLC0415
    from forethought.player import find_player  # noqa: PLC0415
    from forethought.runtime.threads import Threads  # noqa: PLC0415
    from forethought.solve.alphabeta import check_solvable  # noqa: PLC0415

    made = load(game, compiled=False)  # mistakes are told before anything is compiled
    check_solvable(made)
    find_player(player)
    started = time.monotonic()
    with progress("accuracy") as report:
        compiled = load(made)
        exam = Exam(reference_to(compiled), entrant(player), *_plies(made, from_plies, to_plies), max_nodes, seed)
        answers: list[Answer] = []
        for answer in ask_all(exam, positions, Threads(workers or 0)):
            answers.append(answer)
            _report(exam, answers, positions, report)
        result = summed_up(exam, answers)
    if as_json:
        print_json(result)
    else:
        _print(result, time.monotonic() - started)


def _plies(game: "Game", first: int | None, last: int | None) -> tuple[int, int]:
    """Return the range of plies: what is not given follows the length of the game, and what is given."""
    if first is None:
        first = 2 * game.plies // 5
        first = first if last is None else min(first, last)
    return first, max(first, 6 * game.plies // 7) if last is None else last


def _report(exam: "Exam", answers: "list[Answer]", positions: int, report: "Callable[[str, float], None]") -> None:
    losses = [answer.loss for answer in answers if answer.loss is not None]
    right = f", {losses.count(0.0) / len(losses):.1%} right" if losses else ""
    report(f"{exam.player.name}: {len(answers):,} positions{right}", len(answers) / positions)


def _print(result: "Accuracy", seconds: float) -> None:
    plies = f"after {result.from_plies} to {result.to_plies} random plies"
    print(f"{result.game}   {result.player}   {plies}   seed {result.seed}   {seconds:.1f} s")
    counts = [f"{count:,}" for count in (result.positions, result.solved, result.differing, result.right)]
    columns = ("positions", "solved", "moves differ", "right", "share right", "(95 %)", "mean loss")
    print_table(columns, [[*counts, *_rates(result)]], right=columns)
    if result.solved < result.positions:
        skipped = result.positions - result.solved
        print(f"{skipped:,} positions were not solved within {result.max_nodes:,} nodes; --max-nodes allows more")
    if result.differing == 0:
        print("no position was solved in which moves differ; ask for more positions, or later ones (--from-plies)")


def _rates(result: "Accuracy") -> list[str]:
    if result.share_right is None:
        return ["", "", ""]
    interval = f"{result.share_right_low:.1%} to {result.share_right_high:.1%}"
    return [f"{result.share_right:.1%}", interval, f"{result.mean_loss:.3f}"]
