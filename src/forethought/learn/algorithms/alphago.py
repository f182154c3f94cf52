"""AlphaGo (Silver et al., 2016), from games to a value network: one learner whose iterations pass through its stages.

    expert           games of a strong player, where there are no records
    imitation        a policy network predicts their moves
    rollout          a linear policy on patterns predicts them too, fast enough for roll-outs
    policy_gradient  another network, which begins as the first, learns by winning against its earlier selves
    value            a network predicts who wins games of the second

A stage of no iterations is left out. The networks may begin as another run has left them, so any stage can be done
alone. Everything random in an iteration is drawn from the run's seed and its number. What a stage has learned is in the
checkpoints, and the expert's games are in the run.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import ClassVar

from forethought.errors import ForethoughtError
from forethought.game import Game
from forethought.learn.alphago.expert import DIFFERENT_GAMES, ExpertStage
from forethought.learn.alphago.imitation import (
    ACCURACY,
    ACCURACY_5,
    LOG_LOSS,
    TRAIN_ACCURACY,
    TRAIN_LOG_LOSS,
    ImitationStage,
)
from forethought.learn.alphago.networks import has_value_network
from forethought.learn.alphago.reinforcement import POOL, POOL_WIN_RATE, ReinforcementStage
from forethought.learn.alphago.rollout import ROLLOUT_ACCURACY, ROLLOUT_LOG_LOSS, RolloutStage
from forethought.learn.alphago.settings import (
    EXPERT_STAGE,
    IMITATION_STAGE,
    POLICY_GRADIENT_STAGE,
    ROLLOUT_STAGE,
    VALUE_STAGE,
    AlphaGoConfiguration,
)
from forethought.learn.alphago.stage import Pipeline, TrainingStage, named, part_of
from forethought.learn.alphago.value import DROPPED, POSITIONS, TEST_ERROR, TRAIN_ERROR, ValueStage
from forethought.learn.learner import Learner, LearnerState, register_learner
from forethought.learn.metrics import Metric
from forethought.learn.network_learner import ENTROPY, require_torch
from forethought.learn.play import Play
from forethought.learn.run import SavedGame
from forethought.nets.formats import REINFORCED
from forethought.patterns.model import suits_patterns
from forethought.player import PlayerSettings
from forethought.players.network import NetworkSettings
from forethought.search.mcts.alphago import AlphaGoSettings
from forethought.tensors import write_parts

LEARNING_FROM_GAMES = (IMITATION_STAGE, ROLLOUT_STAGE)
OWN = "stage."  # of arrays of a checkpoint: those of the stage that it was made in


def suits_alphago(game: Game) -> bool:
    return not game.hidden and game.players == 2 and game.zero_sum


@register_learner("alphago", AlphaGoConfiguration, label="AlphaGo", suits=suits_alphago)
class AlphaGo(Learner):
    """The algorithm, for one game and configuration."""

    metrics: ClassVar[Sequence[Metric]] = (
        DIFFERENT_GAMES,
        ACCURACY,
        ACCURACY_5,
        LOG_LOSS,
        TRAIN_ACCURACY,
        TRAIN_LOG_LOSS,
        ROLLOUT_ACCURACY,
        ROLLOUT_LOG_LOSS,
        POOL_WIN_RATE,
        ENTROPY,
        POOL,
        TEST_ERROR,
        TRAIN_ERROR,
        POSITIONS,
        DROPPED,
    )
    remedy: ClassVar[str] = "more games to imitate, or more iterations of policy gradient"
    has_patterns: ClassVar[bool] = True

    def __init__(self, game: Game, configuration: AlphaGoConfiguration) -> None:
        require_torch()
        if not suits_alphago(game):
            raise game.mistake("AlphaGo is for two players, of whom one wins what the other loses, with nothing hidden")
        if configuration.planned == 0:
            raise ForethoughtError("All stages have 0 iterations: there is nothing to train.")
        super().__init__(game, configuration)
        self._chosen, self.pipeline = configuration, Pipeline(game, configuration)
        self._expert = ExpertStage(self.pipeline)
        self._imitation = ImitationStage(self.pipeline, self._expert.collection)
        self.stages: dict[str, TrainingStage] = {
            EXPERT_STAGE: self._expert,
            IMITATION_STAGE: self._imitation,
            ROLLOUT_STAGE: RolloutStage(self.pipeline, self._imitation),
            POLICY_GRADIENT_STAGE: ReinforcementStage(self.pipeline),
            VALUE_STAGE: ValueStage(self.pipeline),
        }
        self._stage = ""  # that of the last iteration
        if configuration.rollout.iterations and not suits_patterns(game):
            self.warnings.append(f"{game.name} has no board that patterns suit: roll-outs will be uniform.")

    def iterate(self, number: int, play: Play) -> Mapping[str, float]:
        place = self._chosen.place(number)
        self._stage = place.stage
        return self.stages[place.stage].iterate(number, place.number, play)

    def iterations_within(self, seconds: float) -> int:  # noqa: ARG002
        """Plan all stages: the minutes may end the training before."""
        return self._chosen.planned

    def state(self) -> LearnerState:
        shared, own = self.pipeline.state(), self.stages[self._stage].state()
        games = {"games": self._imitation.lessons.fingerprint} if self._stage in LEARNING_FROM_GAMES else {}
        return LearnerState({**shared.arrays, **named(own, OWN)}, {"stage": self._stage, **games, **shared.about})

    def restore(self, state: LearnerState, games: Iterable[Sequence[SavedGame]]) -> None:
        self._stage = str(state.about["stage"])
        if self._stage in (EXPERT_STAGE, *LEARNING_FROM_GAMES):  # later stages need none of them
            for played in islice(games, self._chosen.length(EXPERT_STAGE)):
                self._expert.collection.add(played)
        if self._stage in LEARNING_FROM_GAMES and state.about["games"] != self._imitation.lessons.fingerprint:
            raise ForethoughtError("The games to imitate are not those that this run began with: restore the records.")
        self.pipeline.restore(state)
        own = part_of(state.arrays, OWN)
        if own:
            self.stages[self._stage].restore(own)

    def export(self, path: Path) -> None:
        write_parts(path, self.pipeline.contents())

    @classmethod
    def players(cls, run: str) -> Mapping[str, PlayerSettings]:
        found: dict[str, PlayerSettings] = {
            "network": NetworkSettings(run=run, policy=REINFORCED),
            "policy": NetworkSettings(run=run, policy=REINFORCED, greedy="never"),
        }
        return found | ({"search": AlphaGoSettings(run=run)} if has_value_network(run) else {})
