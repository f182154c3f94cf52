"""Which code is running: results are kept together with it."""

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path


@cache
def package_digest() -> str:
    """Digest all of forethought's sources, and the versions of what they run on."""
    package = Path(__file__).parent
    state = hashlib.sha256(f"{version('numba')} {version('numpy')} {platform.python_version()}".encode())
    for path in sorted(package.rglob("*.py")):
        state.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes())
    return state.hexdigest()[:16]


package_digest()  # now, as the sources are loaded: later they may have been edited
