"""What the results of a process may depend on besides its jobs, compared before it works for another."""

import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from pathlib import Path

from forethought.registry import PLUGINS
from forethought.sources import package_digest

# What changes machine code or results, or names modules of the user's, and is the same in all processes of a cluster.
FORWARDED = (
    "FORETHOUGHT_CHECKS",
    PLUGINS,
    "NUMBA_CPU_FEATURES",
    "NUMBA_CPU_NAME",
    "NUMBA_DISABLE_JIT",
)


@dataclass(frozen=True)
class Environment:
    """Versions of what runs."""

    python: str
    numpy: str
    numba: str
    sources: str  # a digest of forethought's own

    def differences(self, wanted: "Environment") -> str:
        """Say what is not as wanted; nothing if all is."""
        differing = [one.name for one in fields(self) if getattr(self, one.name) != getattr(wanted, one.name)]
        if differing == ["sources"]:
            return "other sources of forethought"
        versions = [name for name in differing if name != "sources"]  # whose digest contains the versions
        return " and ".join(f"{name} {getattr(self, name)} instead of {getattr(wanted, name)}" for name in versions)


@cache
def environment() -> Environment:
    """Return what this process runs."""
    return Environment(platform.python_version(), version("numpy"), version("numba"), package_digest())


def forwarded_variables() -> dict[str, str]:
    """Return the variables of the environment that workers are to have, too."""
    found = {name: os.environ[name] for name in FORWARDED if name in os.environ}
    return found | ({PLUGINS: _absolute(found[PLUGINS])} if PLUGINS in found else {})


def _absolute(plugins: str) -> str:
    """Name files by their whole paths: a worker has another working directory."""
    names = filter(None, map(str.strip, plugins.split(",")))
    return ",".join(str(Path(name).expanduser().resolve()) if name.endswith(".py") else name for name in names)


def adopt_variables(variables: Mapping[str, str]) -> None:
    """Take over the variables of another process, before anything here reads them."""
    os.environ.update(variables)
