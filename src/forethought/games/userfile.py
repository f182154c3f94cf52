"""A user's own game file. Loading it runs it, as running any Python file does."""

import difflib
import hashlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from forethought.errors import ForethoughtError, reason_of

_sources: dict[Path, bytes] = {}  # of files as they were run last


def factory_in_file(name: str) -> Callable[..., Any]:
    """Return the function that makes the game: the one named after `.py:`, else the file's only one."""
    path, wanted = path_and_function(name)
    if not path.is_file():
        raise ForethoughtError(f"There is no file '{path}'{_near(path)}.")
    functions = _functions(_module(path))
    if wanted:
        if wanted not in functions:
            raise ForethoughtError(f"{path} has no function '{wanted}'; it has {', '.join(functions) or 'none'}.")
        return functions[wanted]
    makers = [function for function in functions.values() if _makes_game(function)]
    if len(makers) == 1:
        return makers[0]
    if path.stem in functions:
        return functions[path.stem]
    found = ", ".join(function.__name__ for function in makers) or "none"
    raise ForethoughtError(
        f"{path} must say which function makes the game: {path}:function, or one function '-> Game' (found {found})."
    )


def path_and_function(name: str) -> tuple[Path, str]:
    """Return the file that `my_game.py` or `my_game.py:factory` names, and the function, if it does."""
    file, _, function = name.partition(".py:")
    return Path(file if function else name).with_suffix(".py").expanduser(), function


def source_of(name: str) -> bytes:
    """Return the text of a game's file as it was run last, which may have been edited since."""
    path = path_and_function(name)[0]
    return _sources.get(path.resolve()) or path.read_bytes()


def is_file(name: str) -> bool:
    """Whether the name of a game is that of a file."""
    return name.endswith(".py") or ".py:" in name


@contextmanager
def failures_placed(path: Path) -> Iterator[None]:
    """Turn whatever a file raises into a sentence that names the file and the line in it."""
    try:
        yield
    except SyntaxError as error:
        file = Path(error.filename or path).name
        place = f"{file}, line {error.lineno}" if error.lineno else file
        raise ForethoughtError(f"{place}: {error.msg}.") from error
    except (Exception, SystemExit) as error:
        own = [line for frame, line in traceback.walk_tb(error.__traceback__) if _is_of(frame.f_code.co_filename, path)]
        place = f"{path.name}, line {own[-1]}" if own else path.name
        raise ForethoughtError(f"{place}: {reason_of(error)}.") from error


def _is_of(file: str, path: Path) -> bool:
    return Path(file).name == path.name and Path(file).resolve() == path.resolve()


def _near(path: Path) -> str:
    siblings = [file.name for file in path.parent.glob("*.py")] if path.parent.is_dir() else []
    near = difflib.get_close_matches(path.name, siblings, n=1)
    return f"; did you mean {path.parent / near[0]}" if near else ""


class ContentLoader(SourceFileLoader):
    """Runs the content that was read. Python itself may take an edit within the same second for no edit at all."""

    def __init__(self, name: str, path: Path, content: bytes) -> None:
        super().__init__(name, str(path))
        self._content = content

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002 (the interface of loaders)
        return self.source_to_code(self._content, self.path)


def _module(path: Path) -> ModuleType:
    """Run the file as a module named by its path and content, so that an edited file is run anew."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ForethoughtError(f"{path} cannot be read: {error.strerror}.") from error
    digest = hashlib.sha256(str(path.resolve()).encode() + content).hexdigest()[:12]
    name = f"forethought_user_{path.stem}_{digest}"
    _sources[path.resolve()] = content
    if name in sys.modules:
        return sys.modules[name]
    loader = ContentLoader(name, path, content)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None:
        raise ForethoughtError(f"{path} cannot be loaded as a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with failures_placed(path):
            loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    members = inspect.getmembers(module, inspect.isfunction)
    return {name: f for name, f in members if f.__module__ == module.__name__ and not name.startswith("_")}


def _makes_game(function: Callable[..., Any]) -> bool:
    result = function.__annotations__.get("return")
    return (result if isinstance(result, str) else getattr(result, "__name__", "")).split(".")[-1] == "Game"
