"""A file that one process at a time may hold; the system frees it however that process ends."""

import fcntl
import os
import time
from pathlib import Path

from forethought.errors import ForethoughtError

TRIES, PAUSE = 20, 0.01  # who looks whether a lock is free holds it for an instant


def take_lock(path: Path, name: str) -> int:
    """Return the file, open and locked."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be written: {error.strerror}.") from error
    for _ in range(TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return descriptor
        except BlockingIOError:
            time.sleep(PAUSE)
        except OSError as error:
            os.close(descriptor)
            raise ForethoughtError(f"{path} cannot be locked: {error.strerror}.") from error
    os.close(descriptor)
    raise ForethoughtError(f"{name} is being trained by another process; stop that one first.")


def release(descriptor: int) -> None:
    """Let a lock go, also if a child process has the file open."""
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether some process holds the lock."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False  # a file system without locks
    finally:
        os.close(descriptor)
    return False
