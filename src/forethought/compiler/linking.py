"""Functions that only machine code calls: kept as LLVM's code, which is linked into that of their callers.

Numba makes machine code of every function it compiles and a wrapper through which Python can call it, and keeps the
LLVM code besides, to link it into callers. Only the callers' machine code ever runs, and the wrappers, which unpack
tuples of many arrays, are longer than most kernels. Without both, a search compiles in little more than half the time.
The code of the callers is the same.
"""

from typing import Any, Self

from llvmlite import binding  # type: ignore[import-untyped]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Optimized LLVM code that the engine never makes machine code of."""

    @classmethod
    def restored(cls, codegen: Any, name: str, code: bytes) -> Self:
        """Return the library that was kept as these bytes."""
        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(code)
        library._finalize_final_module()
        return library

    def serialize_using_object_code(self) -> tuple[str, bytes]:
        return self.name, self._get_module_for_linking().as_bitcode()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:  # noqa: ARG002
        return 0

    @property
    def codegen(self) -> Self:
        """Where Numba registers the function's environment; `caches.py` does so in the machine code of the callers."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: there is no machine code to read it."""


class LinkingCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, with such a library for its output."""

    def __init__(self, typing_context: Any, target_context: Any, _library: Any, *rest: Any) -> None:
        super().__init__(typing_context, target_context, LinkedLibrary(target_context.codegen(), "linked"), *rest)


def restored_result(target_context: Any, library: Any, fndesc: Any, environment: Any, *rest: Any) -> CompileResult:
    """Return what Numba compiled and kept, as `CompileResult._rebuild` does for machine code."""
    signature, objectmode, lifted, annotation, reload_init, environments = rest
    linked = LinkedLibrary.restored(target_context.codegen(), *library)
    return compile_result(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=target_context.get_executable(linked, fndesc, environment),
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        fndesc=fndesc,
        library=linked,
        environment=environment,
        reload_init=reload_init,
        referenced_envs=environments,
    )
