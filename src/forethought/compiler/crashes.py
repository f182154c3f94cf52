"""A crash in spite of all checks: advice, besides where it was, which `faulthandler` tells."""

import ctypes
import os
import signal
from typing import Any

from llvmlite import binding  # type: ignore[import-untyped]

ADVICE = b"\nforethought crashed. If the game is your own, run `forethought check` on it. Where it crashed:\n"

# Nothing but machine code may run in a process that has crashed. The handler before this one is called afterwards.
_HANDLER = r"""
@advice = private constant [{size} x i8] c"{advice}"
@handlers = global [64 x ptr] zeroinitializer
declare i64 @write(i32, ptr, i64)
declare ptr @signal(i32, ptr)
declare i32 @raise(i32)

define void @crashed(i32 %number) {{
    %written = call i64 @write(i32 2, ptr @advice, i64 {size})
    %place = getelementptr [64 x ptr], ptr @handlers, i32 0, i32 %number
    %before = load ptr, ptr %place
    %replaced = call ptr @signal(i32 %number, ptr %before)
    %raised = call i32 @raise(i32 %number)
    ret void
}}

define void @watch(i32 %number) {{
    %before = call ptr @signal(i32 %number, ptr @crashed)
    %place = getelementptr [64 x ptr], ptr @handlers, i32 0, i32 %number
    store ptr %before, ptr %place
    ret void
}}
"""
_kept: list[Any] = []  # the machine code


def advise_on_crash() -> None:
    """Print the advice when this process crashes, before what `faulthandler` prints."""
    if os.name != "posix":
        return
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    text = "".join(f"\\{byte:02x}" for byte in ADVICE)
    module = binding.parse_assembly(_HANDLER.format(size=len(ADVICE), advice=text))
    engine = binding.create_mcjit_compiler(module, binding.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    _kept.append(engine)
    watch = ctypes.CFUNCTYPE(None, ctypes.c_int)(engine.get_function_address("watch"))
    for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT):
        watch(number)
