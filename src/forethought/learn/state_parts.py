"""What a checkpoint holds of a learner that is made of parts, each of which has arrays of its own."""

from collections.abc import Mapping
from typing import Any, Protocol

from forethought.arrays import Array


class HasState(Protocol):
    """A part of a learner that is kept in checkpoints."""

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: dict[str, Any]) -> None: ...


def state_of_parts(parts: Mapping[str, HasState]) -> dict[str, Array]:
    """Return the arrays of all parts, each by the name of its part and its own."""
    return {f"{part}.{name}": array for part, one in parts.items() for name, array in one.state().items()}


def restore_parts(parts: Mapping[str, HasState], state: Mapping[str, Array]) -> None:
    """Let each part become what it was."""
    for part, one in parts.items():
        prefix = f"{part}."
        one.restore({name.removeprefix(prefix): a for name, a in state.items() if name.startswith(prefix)})
