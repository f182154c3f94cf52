"""Which code is running: results are kept together with it."""

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from forethought import __version__


@cache
def package_digest() -> str:
    """Digest all of forethought's sources, and the versions of what they run on."""
    package = Path(__file__).parent
    state = hashlib.sha256(f"{version('numba')} {version('numpy')} {platform.python_version()}".encode())
    for path in sorted(package.rglob("*.py")):
        state.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return state.hexdigest()[:16]


def versions() -> dict[str, str | None]:
    """Return what results may depend on; None for what is not installed."""
    found: dict[str, str | None] = {"python": platform.python_version(), "forethought": __version__}
    for package in ("numpy", "numba", "torch"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found | {"platform": platform.platform(), "machine": platform.machine()}


package_digest()  # now, as the sources are loaded: later they may have been edited
