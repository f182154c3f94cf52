"""The compiler of rules and their helpers: Numba's, with checks put in before types are known."""

from typing import Any

from numba import types
from numba.core import cgutils, ir, ir_utils
from numba.core.analysis import compute_cfg_from_blocks
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.untyped_passes import IRProcessing
from numba.extending import intrinsic

from forethought.compiler.linking import LinkingCompiler
from forethought.compiler.records import store_field

# Of a loop in one call of a rule, about a quarter of a second; more means that it is endless, or a `for` that nobody
# would wait for: range(10**15).
MOST_TURNS = 2**27


@intrinsic  # type: ignore[untyped-decorator]
def count_turn(_context: Any) -> Any:
    """Count a turn of a loop; raise if it has had too many."""

    def generate(context: Any, builder: Any, _call: Any, _values: Any) -> Any:
        counter = cgutils.alloca_once(builder, cgutils.intp_t)  # zero where the function begins
        turns = builder.add(builder.load(counter), cgutils.intp_t(1))
        builder.store(turns, counter)
        with cgutils.if_unlikely(builder, builder.icmp_signed(">", turns, cgutils.intp_t(MOST_TURNS))):
            context.call_conv.return_user_exc(builder, RuntimeError, ("a loop does not end",))
        return context.get_dummy_value()

    return types.none(), generate


@register_pass(mutates_CFG=False, analysis_only=False)
class PutInChecks(FunctionPass):  # type: ignore[misc]
    """Lets loops count their turns, and makes `s.field = value` a call of `store_field`.

    Numba would convert the value before any check could see it.
    """

    _name = "put_in_checks"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        blocks = state.func_ir.blocks
        for block in blocks.values():
            block.body = [new for statement in block.body for new in _checked_store(block.scope, statement)]
        for place in compute_cfg_from_blocks(blocks).loops():
            _count_turns(blocks[place])
        state.func_ir._definitions = ir_utils.build_definitions(blocks)
        return True


def _checked_store(scope: Any, statement: Any) -> list[Any]:
    if not isinstance(statement, ir.SetAttr):
        return [statement]
    name = _variable(scope, statement.loc)
    call = _call(scope, store_field, [statement.target, name, statement.value], statement.loc)
    return [ir.Assign(ir.Const(statement.attr, statement.loc), name, statement.loc), *call]


def _count_turns(begin: Any) -> None:
    """Count where a loop begins."""
    begin.body = [*_call(begin.scope, count_turn, [], begin.loc), *begin.body]


def _call(scope: Any, function: Any, arguments: list[Any], place: Any) -> list[Any]:
    called, result = _variable(scope, place), _variable(scope, place)
    return [
        ir.Assign(ir.Global(function.__name__, function, place), called, place),
        ir.Assign(ir.Expr.call(called, arguments, (), place), result, place),
    ]


def _variable(scope: Any, place: Any) -> Any:
    return ir.Var(scope, ir_utils.mk_unique_var("$check"), place)


class RuleCompiler(LinkingCompiler):
    """The compiler of rules and their helpers."""

    def define_pipelines(self) -> list[Any]:
        pipelines: list[Any] = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.add_pass_after(PutInChecks, IRProcessing)
            pipeline.finalize()
        return pipelines


PUT_IN = (count_turn, PutInChecks, _checked_store, _count_turns)
