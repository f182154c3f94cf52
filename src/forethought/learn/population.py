"""The latest networks of a training."""

from forethought.arrays import Array
from forethought.nets.formats import Parameters


class Population:
    """Up to so many networks, the oldest first."""

    def __init__(self, size: int) -> None:
        self.size, self.members = size, list[Parameters]()

    def add(self, member: Parameters) -> None:
        self.members = [*self.members, member][-self.size :]

    def state(self) -> dict[str, Array]:
        """Return all networks, each array by the number of its network and its name."""
        return {f"{i}.{name}": array for i, member in enumerate(self.members) for name, array in member.items()}

    def restore(self, state: dict[str, Array]) -> None:
        """Become what gave this state."""
        members: dict[int, Parameters] = {}
        for key, array in state.items():
            number, _, name = key.partition(".")
            members.setdefault(int(number), {})[name] = array
        self.members = [members[number] for number in sorted(members)]
