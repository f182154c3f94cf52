"""Only a wait that lasts is announced, once, on stderr."""

import time

import pytest

from forethought.compiler import announce
from forethought.compiler.announce import compiling


def test_a_long_compilation_is_announced_once_even_if_others_nest_in_it(monkeypatch, capsys) -> None:
    monkeypatch.setattr(announce, "PATIENCE_SECONDS", 0.01)
    with compiling("the rules of leduc"), compiling("a kernel"):
        time.sleep(0.2)
    captured = capsys.readouterr()
    assert captured.err == "compiling the rules of leduc ... (first run only)\n"
    assert captured.out == ""


def test_a_short_one_is_not(capsys) -> None:
    with compiling("the rules of kuhn"):
        pass
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_after_a_failure_the_next_is_announced_again(monkeypatch, capsys) -> None:
    monkeypatch.setattr(announce, "PATIENCE_SECONDS", 0.01)
    with pytest.raises(ValueError, match="no"), compiling("one"):
        raise ValueError("no")
    with compiling("two"):
        time.sleep(0.2)
    assert "compiling two" in capsys.readouterr().err
