"""The processor that machine code is made for. Another one may round the last bit of a sum differently."""

from functools import cache

from numba.core.registry import cpu_target

from forethought.compiler.content import digest_of


@cache
def processor() -> str:
    """Return its name, and a digest of its features: `znver3-1f2e3d4c`.

    NUMBA_CPU_NAME and NUMBA_CPU_FEATURES name another one to compile for, as all nodes of a cluster may have it.
    """
    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    return f"{name}-{digest_of(features)[:8]}"
