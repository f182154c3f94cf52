"""How often a player finds the best move."""

from forethought.api.arguments import (
    ExecutorLike,
    GameLike,
    PlayerLike,
    Progress,
    chosen_executor,
    chosen_seed,
    quiet,
)
from forethought.evaluate.accuracy import Accuracy, Answer, Exam, ask_all, plies_of, summed_up
from forethought.evaluate.rounds import entrant
from forethought.games import load
from forethought.games.reference import reference_to
from forethought.solve.alphabeta import check_solvable


def accuracy(  # noqa: PLR0913 (each is a choice of the caller)
    game: GameLike,
    player: PlayerLike,
    *,
    positions: int = 1_000,
    from_plies: int | None = None,
    to_plies: int | None = None,
    seed: int = 0,
    max_nodes: int = 5_000_000,
    executor: ExecutorLike | None = None,
    workers: int | None = None,
    progress: Progress = quiet,
) -> Accuracy:
    """Solve random positions exactly, and count how often a player's move keeps their value.

    Positions follow `from_plies` to `to_plies` random plies: from two fifths to six sevenths of the longest game if not
    given. Those that take more than `max_nodes` nodes to solve are skipped; two million take about a second. Raises
    ForethoughtError unless the game is zero-sum, of two players, without chance and hidden information.
    """
    made, asked = load(game, compiled=False), entrant(player)  # mistakes before anything is compiled
    check_solvable(made)
    runner = chosen_executor(executor, workers)
    plies = plies_of(made, from_plies, to_plies)
    exam = Exam(reference_to(load(made)), asked, *plies, max_nodes, chosen_seed(seed))
    answers: list[Answer] = []
    right = differing = 0
    for answer in ask_all(exam, positions, runner):
        answers.append(answer)
        differing += answer.loss is not None
        right += answer.loss == 0.0
        share = f", {right / differing:.1%} right" if differing else ""
        progress(f"{asked.name}: {len(answers):,} positions{share}", len(answers) / positions)
    return summed_up(exam, answers)
