"""Actions as people write them: by number, by name, or by the beginning of a name or of a word in it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forethought.game import State


def find_action(state: "State", text: str) -> int | None:
    """Return the legal action that a person means, None if that is not clear."""
    wanted = text.strip().lower()
    names = {action: state.action_name(action).lower() for action in state.legal_actions()}
    ways: tuple[Callable[[int, str], bool], ...] = (
        lambda action, name: wanted in (str(action), name),
        lambda _action, name: name.startswith(wanted),
        lambda _action, name: any(word.startswith(wanted) for word in name.split()),
    )
    for fits in ways if wanted else ():
        matches = [action for action, name in names.items() if fits(action, name)]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None


def listed_actions(state: "State") -> str:
    """List the legal actions, with the numbers they may be called by."""
    return "   ".join(f"[{action}] {state.action_name(action)}" for action in state.legal_actions())
