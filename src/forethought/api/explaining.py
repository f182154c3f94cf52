"""Which patterns a run goes by, of TSPG or in AlphaGo's roll-outs: in all it does, and in one position."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from forethought.api.arguments import PathLike
from forethought.api.positions import position
from forethought.board.grids import Tiling
from forethought.drawing.markup import Markup, bar, beside, block, element, table
from forethought.drawing.positions import PositionView
from forethought.errors import ForethoughtError
from forethought.evaluate.explanations import ExplainedMove, WeighedPattern, by_strength
from forethought.evaluate.explanations import explain_moves as explained_moves
from forethought.evaluate.pattern_pictures import draw_patterns
from forethought.evaluate.pictures import save_figure
from forethought.game import Game, State
from forethought.games import load
from forethought.learn.learner import LEARNERS
from forethought.learn.run import read_configuration
from forethought.patterns.model import OBJECTIVES, TSPG, PatternModel, board_of, load_model
from forethought.patterns.text import draw, to_text
from forethought.results import ASIDE, ResultBase
from forethought.runs import weights_of

NAMED = 3  # patterns named for a move, and as many against it
TOP = 12


@dataclass(frozen=True)
class RankedPattern:
    """A pattern in words, and what it weighs in each policy; rank 1 weighs most, for good or ill."""

    rank: int
    pattern: str
    weights: dict[str, float]


@dataclass(frozen=True)
class PlayerPatterns:
    """The strongest of one player's patterns."""

    player: int
    patterns: int  # in all
    strongest: list[RankedPattern]


@dataclass(frozen=True)
class PatternPictures:
    """Patterns that are drawn, on their kind of board."""

    patterns: Sequence[WeighedPattern]
    tiling: Tiling

    def save(self, path: PathLike, title: str) -> Path:
        return save_figure(draw_patterns(self.patterns, self.tiling, title), path)

    def of_player(self, player: int) -> "PatternPictures":
        return PatternPictures([one for one in self.patterns if one.player == player], self.tiling)

    def drawings(self) -> list[str]:
        """Draw each pattern as text."""
        return [draw(one.pattern, self.tiling) for one in self.patterns]

    def html(self) -> Markup:
        rows = [
            [
                f"#{one.rank} of player {one.player}",
                element("pre", drawing, style="margin:0.4em"),
                *(f"{one.weights[name]:+.3f}" for name in OBJECTIVES),
            ]
            for one, drawing in zip(self.patterns, self.drawings(), strict=True)
        ]
        return table(["", "pattern", *OBJECTIVES], rows, left=["", "pattern"])


@dataclass(frozen=True)
class PolicyExplanation(ResultBase):
    """The patterns that weigh most in what a run has learned."""

    run: str
    game: str
    policy: str  # by whose weights: tspg, double or ce
    top: int
    players: list[PlayerPatterns]
    pictures: PatternPictures = field(repr=False, compare=False, metadata=ASIDE)

    def save(self, path: PathLike) -> Path:
        """Draw the patterns to a file, .png or .svg; return its path."""
        return self.pictures.save(path, _title(self))

    def _repr_html_(self) -> str:
        return block(_title(self), self.pictures.html())


@dataclass(frozen=True)
class ExplainedAction:
    """A legal move: how likely each policy makes it, and the patterns for and against it, strongest first."""

    action: int
    name: str
    probabilities: dict[str, float]
    supporting: list[RankedPattern]
    opposing: list[RankedPattern]

    @property
    def named(self) -> tuple[list[RankedPattern], list[RankedPattern]]:
        """The strongest few of either side."""
        return self.supporting[:NAMED], self.opposing[:NAMED]


@dataclass(frozen=True)
class MoveExplanation(ResultBase):
    """What patterns say about each move of a position, the likeliest move first."""

    run: str
    game: str
    policy: str  # by whose weights: tspg, double or ce
    top: int
    moves: str  # that led to the position
    player: int  # who is to move
    actions: list[ExplainedAction]
    view: PositionView = field(repr=False, compare=False, metadata=ASIDE)
    named: int = field(repr=False, compare=False, metadata=ASIDE)  # patterns that are named; `top` of them are drawn
    pictures: PatternPictures = field(repr=False, compare=False, metadata=ASIDE)

    def save(self, path: PathLike) -> Path:
        """Draw the patterns to a file, .png or .svg; return its path."""
        return self.pictures.save(path, _title(self))

    def _repr_html_(self) -> str:
        shares = {one.action: one.probabilities[self.policy] for one in self.actions}
        rows = [
            [
                one.name,
                f"{shares[one.action]:.3f}",
                bar(shares[one.action]),
                *(named_patterns(side, self.policy) for side in one.named),
            ]
            for one in self.actions
        ]
        columns = ["move", self.policy, "", "for", "against"]
        listed = table(columns, rows, left=["move", "", "for", "against"])
        return block(_title(self), beside(self.view.html(shares), listed), self.pictures.html())


def named_patterns(patterns: Sequence[RankedPattern], policy: str) -> str:
    """Name patterns by their ranks and weights."""
    return "  ".join(f"#{one.rank} {one.weights[policy]:+.2f}" for one in patterns)


def explain(run: PathLike, *, player: int | None = None, policy: str = TSPG, top: int = TOP) -> PolicyExplanation:
    """Return the patterns that weigh most in what a run of TSPG has learned, or in the roll-out policy of AlphaGo.

    `run` may name an iteration, RUN@25; `player` is 0, 1 or None for both; `policy` is one of ce, double and tspg, by
    whose weights patterns are ranked (in a roll-out policy all are those of ce). Raises ForethoughtError if the run was
    trained by another algorithm.
    """
    _check_policy(policy)
    if player not in (None, 0, 1):
        raise ForethoughtError(f"player must be 0 or 1, not {player}.")
    game, model = _learned(str(run))
    players = (0, 1) if player is None else (player,)
    strongest = {one: by_strength(model, one, policy)[:top] for one in players}
    listed = [PlayerPatterns(one, len(model.patterns[one]), _ranked(found)) for one, found in strongest.items()]
    pictures = PatternPictures([one for found in strongest.values() for one in found], board_of(game).grid.tiling)
    return PolicyExplanation(str(run), game.spec or game.name, policy, top, listed, pictures)


def explain_moves(run: PathLike, moves: str = "", *, policy: str = TSPG, top: int = TOP) -> MoveExplanation:
    """Return what a run's patterns say about each legal move of the position after some moves.

    `moves` are written as in `position`, and the rest as in `explain`.
    """
    _check_policy(policy)
    game, model = _learned(str(run))
    state = position(game, moves)
    found = explained_moves(state.game, model, state, policy)
    named = {one.rank: one for move in found for side in (move.supporting, move.opposing) for one in side[:NAMED]}
    drawn = [one for _, one in sorted(named.items())][:top]
    return MoveExplanation(
        run=str(run),
        game=game.spec or game.name,
        policy=policy,
        top=top,
        moves=moves,
        player=state.player,
        actions=[_explained(state, move) for move in found],
        view=state.seen_by(),
        named=len(named),
        pictures=PatternPictures(drawn, board_of(game).grid.tiling),
    )


def _check_policy(policy: str) -> None:
    if policy not in OBJECTIVES:
        raise ForethoughtError(f"policy must be one of {', '.join(OBJECTIVES)}, not '{policy}'.")


def _learned(run: str) -> tuple[Game, PatternModel]:
    """Return the game of a run, its rules not compiled yet, and what was learned of it."""
    weights = weights_of(run)
    configuration = read_configuration(weights.parents[1])
    if not LEARNERS.find(configuration.algorithm).learner.has_patterns:
        able = " or ".join(name for name, kind in LEARNERS if kind.learner.has_patterns)
        raise ForethoughtError(
            f"The run '{run}' was trained by {configuration.algorithm}, whose network has no patterns to read; "
            f"explain needs a run of `forethought train GAME --algorithm ...` by {able}."
        )
    game = load(configuration.game, compiled=False)
    return game, load_model(weights, game)


def _ranked(patterns: Sequence[WeighedPattern]) -> list[RankedPattern]:
    return [RankedPattern(one.rank, to_text(one.pattern), one.weights) for one in patterns]


def _explained(state: State, move: ExplainedMove) -> ExplainedAction:
    sides = _ranked(move.supporting), _ranked(move.opposing)
    return ExplainedAction(move.action, state.action_name(move.action), move.probabilities, *sides)


def _title(one: PolicyExplanation | MoveExplanation) -> str:
    return f"{one.game}, {one.run}: weights of {one.policy}"
