"""A run's curves for TensorBoard, beside its own events: `tensorboard --logdir runs`."""

from pathlib import Path
from typing import Any

from forethought.errors import ForethoughtError
from forethought.learn.metrics import IterationReport


class TensorBoard:
    """Writes every number of a report as a scalar."""

    def __init__(self, run: Path) -> None:
        try:
            from tensorboardX import SummaryWriter  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise ForethoughtError("This needs TensorBoard's files: pip install 'forethought[tensorboard]'.") from error
        self._writer: Any = SummaryWriter(str(run / "tensorboard"))

    def add(self, report: IterationReport) -> None:
        for name, value in report.values.items():
            self._writer.add_scalar(name, value, report.iteration)
        self._writer.flush()
