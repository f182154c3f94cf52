"""A plugin that takes torch away."""

import sys

sys.modules["torch"] = None  # type: ignore[assignment]
