"""What must stay light: the package, and the core without torch."""

import subprocess
import sys

HEAVY = ("numba", "torch", "rich", "typer", "numpy")


def loaded_after(statement: str) -> set[str]:
    """Which heavy modules a fresh interpreter has loaded after a statement."""
    program = f"import sys\n{statement}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import forethought") == set()


def test_the_command_line_starts_without_numpy_and_numba() -> None:
    assert loaded_after("import forethought.cli") & {"numpy", "numba", "torch"} == set()


def test_an_interpreted_game_needs_no_numba() -> None:
    statement = "import forethought as ft\nft.load('leduc', compiled=False).start().legal_actions()"
    assert loaded_after(statement) == {"numpy"}


def test_playing_and_checking_need_no_torch() -> None:
    statement = "import forethought as ft\nft.check(ft.load('kuhn'), plies=50)"
    assert "torch" not in loaded_after(statement)


def test_every_public_name_is_there() -> None:
    import forethought as ft  # noqa: PLC0415

    for name in ft.__all__:
        assert getattr(ft, name) is not None
    assert dir(ft) == sorted(ft.__all__)
