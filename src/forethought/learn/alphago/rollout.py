"""The fast policy of roll-outs, fitted to the games that are imitated (`rollout_policy.py`): a round per iteration."""

from collections.abc import Mapping

from forethought.learn.alphago.imitation import ImitationStage
from forethought.learn.alphago.stage import Pipeline, TrainingStage
from forethought.learn.learner import GROWTH
from forethought.learn.metrics import Metric
from forethought.learn.play import Play
from forethought.learn.rollout_policy import RolloutFit, improved, judged, starting_model
from forethought.patterns.model import suits_patterns
from forethought.records.data_set import HELD_OUT

ROLLOUT_ACCURACY = Metric(
    "rollout_accuracy", "Accuracy of the roll-out policy on held-out games", "share", better="higher"
)
ROLLOUT_LOG_LOSS = Metric(
    "rollout_log_loss", "Log-loss of the roll-out policy on held-out games", "nats", better="lower"
)


class RolloutStage(TrainingStage):
    """Patterns learn to play as the games were played. Where there is no board, roll-outs stay uniform."""

    def __init__(self, pipeline: Pipeline, imitation: ImitationStage) -> None:
        super().__init__(pipeline)
        self._imitation = imitation

    def iterate(self, number: int, place: int, play: Play) -> Mapping[str, float]:  # noqa: ARG002
        if not suits_patterns(self.game):
            return {}
        chosen, records = self.chosen.rollout, self._imitation.lessons.records
        fit = RolloutFit(chosen.rate, chosen.batch, chosen.growth_positions)
        model = self.pipeline.rollout or starting_model(self.game)
        self.pipeline.rollout = improved(model, records, fit, (self.chosen.seed, GROWTH, number))
        found = judged(self.pipeline.rollout, records, HELD_OUT)
        if found.positions == 0:
            return {}
        return {ROLLOUT_ACCURACY.name: found.accuracy, ROLLOUT_LOG_LOSS.name: found.log_loss}
