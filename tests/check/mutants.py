"""Valid games with one small fault each, made by changing their syntax trees: what an author might have mistyped.

Each game has a small instance, all positions of which can be checked, and a larger one, where random games must do. So
it can be measured how many of the faults that show in a small game random games find in a large one.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import process_time
from typing import Any

from forethought.api.arguments import quiet
from forethought.check.budget import TimeBudget
from forethought.check.checker import EXPLORING, Checker
from forethought.check.positions import LawBrokenError
from forethought.game import COMPILED_RULES, Game

ROOT = Path(__file__).parent.parent.parent
MOST_POSITIONS = 20_000
MINUTES = 60.0  # seconds of the processor

Edit = tuple[str, Callable[[], None]]  # what it is called, and the change itself


@dataclass(frozen=True)
class Base:
    """A valid game in two sizes."""

    file: str
    factory: str
    small: tuple[tuple[str, Any], ...] = ()
    large: tuple[tuple[str, Any], ...] = ()


BASES = (
    Base("src/forethought/games/kuhn.py", "kuhn"),
    Base("src/forethought/games/goofspiel.py", "goofspiel", (("cards", 3),), (("cards", 8),)),
    Base("src/forethought/games/hex.py", "hex", (("size", 2), ("swap", True)), (("size", 6), ("swap", True))),
    Base("src/forethought/games/breakthrough.py", "breakthrough", (("rows", 4), ("columns", 2)), (("rows", 6),)),
    Base("docs/games/doubt.py", "doubt", (("faces", 3),), (("faces", 20),)),
    Base("tests/userfiles/take_away.py", "take_away", (("stones", 6),), (("stones", 100),)),
    Base("tests/userfiles/dice_race.py", "dice_race", (("steps", 3), ("rounds", 2)), (("steps", 20), ("rounds", 15))),
    Base("tests/userfiles/kuhn3.py", "kuhn3"),
    Base("tests/userfiles/pincer.py", "pincer", (("size", 2),), (("size", 6),)),
)


@dataclass(frozen=True)
class Mutant:
    """A game with the fault of this number."""

    base: Base
    number: int

    def __str__(self) -> str:
        return f"{self.base.factory} {self.number}: {names_of_edits(self.base.file)[self.number]}"

    def make(self, size: tuple[tuple[str, Any], ...]) -> Game:
        tree = parsed(self.base.file)
        edits(tree)[self.number][1]()
        module: dict[str, Any] = {"__name__": "mutant"}
        source = compile(ast.fix_missing_locations(tree), self.base.file, "exec")
        exec(source, module)  # noqa: S102 (our own games)
        return module[self.base.factory](**dict(size))


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: the law it breaks in the small instance, and the one that random games find broken."""

    mutant: Mutant
    convicted: str | None
    caught: str | None
    seconds: float  # of random games


@cache
def all_mutants() -> list[Mutant]:
    return [Mutant(base, number) for base in BASES for number in range(len(names_of_edits(base.file)))]


def tried(mutant: Mutant, seconds: float) -> Outcome:
    """Check all of the small instance; if that breaks a law, play random games of the large one for so long at most."""
    explorer = Checker(mutant.make(mutant.base.small), 0, TimeBudget(MINUTES / EXPLORING, quiet, process_time))
    convicted = broken_by(explorer, lambda: explorer.explore(MOST_POSITIONS))
    if convicted is None:
        return Outcome(mutant, None, None, 0.0)
    began = process_time()
    sampler = Checker(mutant.make(mutant.base.large), 0, TimeBudget(seconds, quiet, process_time))
    caught = broken_by(sampler, lambda: sampler.play_games(10**9))
    spent = process_time() - began
    return Outcome(mutant, convicted, caught if spent <= seconds else None, spent)


def broken_by(checker: Checker, check: Callable[[], None]) -> str | None:
    try:
        with checker.budget.interrupted_if_endless():
            check()
    except LawBrokenError as broken:
        return broken.law
    return None


# Syntax trees.


def parsed(file: str) -> ast.Module:
    """Return the tree of a game, whose functions are not registered."""
    tree = ast.parse((ROOT / file).read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [one for one in node.decorator_list if "register_game" not in ast.unparse(one)]
    return tree


def edits(tree: ast.Module) -> list[Edit]:
    """List the changes that can be made to the rules in a tree, always in the same order."""
    return [
        (f"{rule.name}, line {getattr(node, 'lineno', rule.lineno)}: {what}", change)
        for rule in rules_in(tree)
        for node in ast.walk(rule)
        for what, change in edits_of(node)
    ]


@cache
def names_of_edits(file: str) -> list[str]:
    return [what for what, _ in edits(parsed(file))]


def rules_in(tree: ast.Module) -> list[ast.FunctionDef]:
    """List the rules that decide a game, and the functions they call in the same file; drawings aside."""
    inner = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    wanted = [name for name in (*COMPILED_RULES, "sees") if name in inner]
    for name in wanted:  # which grows meanwhile
        called = {node.id for node in ast.walk(inner[name]) if isinstance(node, ast.Name)}
        wanted += [other for other in inner if other in called and other not in wanted]
    return [inner[name] for name in wanted]


SWAPPED: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)


def edits_of(node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.Constant(value=bool()):
            yield "True for False", lambda: setattr(node, "value", not node.value)
        case ast.Constant(value=int()):
            yield "one more", lambda: setattr(node, "value", node.value + 1)
        case ast.Compare(ops=[op]) if type(op) in SWAPPED:
            yield "another comparison", lambda: setattr(node, "ops", [SWAPPED[type(op)]()])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) | ast.BoolOp(op=op) if type(op) in SWAPPED:
            yield "another operation", lambda: setattr(node, "op", SWAPPED[type(op)]())
        case ast.UnaryOp(op=ast.USub()):
            yield "the sign", lambda: setattr(node, "op", ast.UAdd())
        case ast.If(test=test):
            yield "a condition negated", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.IfExp(body=first, orelse=second):
            yield "alternatives exchanged", lambda: (setattr(node, "body", second), setattr(node, "orelse", first))[0]
        case ast.Assign(targets=[ast.Tuple()], value=ast.Tuple(elts=values)):
            yield "values exchanged", lambda: setattr(node.value, "elts", values[::-1])
        case ast.Subscript(slice=ast.Name() | ast.Attribute() as index):
            other = ast.BinOp(ast.Constant(1), ast.Sub(), index)
            yield "the other index", lambda: setattr(node, "slice", other)
    for block in (getattr(node, name, None) for name in ("body", "orelse")):
        if isinstance(block, list):
            yield from edits_of_block(block)


def edits_of_block(block: list[ast.stmt]) -> Iterator[Edit]:
    for place, statement in enumerate(block):
        if isinstance(statement, (*SIMPLE, ast.For)) and not is_text(statement):
            yield (
                f"without '{ast.unparse(statement).splitlines()[0]}'",
                lambda p=place: block.__setitem__(p, ast.Pass()),
            )
        following = block[place + 1 : place + 2]
        if isinstance(statement, SIMPLE) and not is_text(statement) and following and isinstance(following[0], SIMPLE):
            yield "statements exchanged", lambda p=place: block.__setitem__(slice(p, p + 2), block[p : p + 2][::-1])


def is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
