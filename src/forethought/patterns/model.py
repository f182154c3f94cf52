"""Linear policies on patterns: each player's patterns and their weights under each objective, in memory and on disk.

ce       minimises the cross-entropy to the search's visits
double   the same, as an offset that is added to ce
tspg     an offset that is added to ce and maximises the search's values: the Tree-Search Policy Gradient
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from forethought.arrays import Float64s
from forethought.board import Board
from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.patterns.pattern import Pattern
from forethought.patterns.policies import Policies, join, make_policies, write_weights
from forethought.patterns.text import from_text, to_text
from forethought.tensors import PARTS, Content, Format, Tensors, read_tensors, write_tensors

FORMAT = Format(
    "forethought patterns 2",
    "model of patterns",
    "`forethought train GAME --algorithm tspg` makes one",
    "patterns are played by linear and biased",
)
ROLLOUT = "rollout"  # in a file of several parts
CE, DOUBLE, TSPG = "ce", "double", "tspg"
OBJECTIVES = (CE, DOUBLE, TSPG)
PLAYERS = 2


@dataclass(frozen=True)
class PatternModel:
    """Patterns by player, and by objective and player their weights; those of double and tspg are offsets over ce."""

    patterns: tuple[tuple[Pattern, ...], ...]
    weights: Mapping[str, tuple[Float64s, ...]]

    def total(self, objective: str) -> tuple[Float64s, ...]:
        """Return the weights a policy plays with, player by player."""
        base = self.weights[CE]
        if objective == CE:
            return base
        return tuple(own + offset for own, offset in zip(base, self.weights[objective], strict=True))

    def policies(self, game: Game, priors: str = CE, playing: str = TSPG) -> Policies:
        """Return policies for kernels, by the objectives whose weights give the priors and play the roll-outs."""
        policies = make_policies(join(self.patterns, board_of(game)))
        write_weights(policies, self.total(priors), self.total(playing))
        return policies


def suits_patterns(game: Game) -> bool:
    """Whether patterns can be used: two players on a board where nothing is hidden."""
    return not game.hidden and game.board is not None and game.players == PLAYERS


def board_of(game: Game) -> Board:
    """Return the board of a game that patterns suit; others are refused."""
    if game.board is None or not suits_patterns(game):
        raise game.mistake("patterns need a game of two players on a board, where nothing is hidden")
    return game.board


def save_model(path: Path, model: PatternModel, game: Game) -> None:
    """Write a model of this game as a file."""
    write_tensors(path, *model_content(model, game))


def model_content(model: PatternModel, game: Game) -> Content:
    """Return what a file holds of a model of this game: its weights, and in the header its patterns."""
    patterns = [[to_text(pattern) for pattern in own] for own in model.patterns]
    arrays = {f"{name}{player}": array for name, both in model.weights.items() for player, array in enumerate(both)}
    about = {"game": game.name, "spec": game.spec or game.name, "actions": game.actions, "patterns": patterns}
    return Content(FORMAT, arrays, about)


def has_rollout_part(path: Path) -> bool:
    """Whether a file of several parts has a model of patterns for roll-outs."""
    return ROLLOUT in read_tensors(path, PARTS).about.get("parts", {})


def load_model(path: Path, game: Game) -> PatternModel:
    """Read a model of this game, alone in its file or the part for roll-outs; a damaged or foreign file is refused."""
    board_of(game)
    file = read_tensors(path, FORMAT, PARTS)
    if file.format == PARTS:
        file = file.part(ROLLOUT, FORMAT)
    file.check_about(game.spec or game.name, game=game.name, actions=game.actions)
    return model_in(file)


def model_in(file: Tensors) -> PatternModel:
    """Return the model that `model_content` describes; what is damaged is refused."""
    try:
        patterns = tuple(tuple(from_text(text) for text in own) for own in file.about["patterns"])
        weights = {name: tuple(file.arrays[f"{name}{player}"] for player in range(PLAYERS)) for name in OBJECTIVES}
    except (ForethoughtError, AttributeError, KeyError, TypeError) as error:
        raise file.damaged() from error
    fits = all(
        array.shape == (len(own),) and array.dtype == np.float64 and np.isfinite(array).all()
        for both in weights.values()
        for own, array in zip(patterns, both, strict=False)
    )
    if len(patterns) != PLAYERS or not fits:
        raise file.damaged()
    return PatternModel(patterns, weights)
