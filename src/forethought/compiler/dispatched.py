"""Generic functions for kernels: one name, with an implementation for each class of named tuple.

    answer = dispatched("answer")

    @answer.register(Perceptron)
    @kernel
    def answer_of_perceptron(network, questions, rows): ...

A kernel calls `answer(network, questions, rows)`. The type of the first argument decides, when the kernel is compiled,
which implementation that is; so the call costs what any other costs. Anybody may register a class of their own, in or
outside this package. Machine code is kept on disk under the implementations chosen for it (`implementations`): those of
other classes may be added and changed, and it is not compiled again.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import config, types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import AbstractTemplate, infer_global

from forethought.compiler.content import Description, describe
from forethought.errors import ForethoughtError

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


class Dispatched:
    """A generic function. Called from Python too, it goes by the class of its first argument."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        self._implementations: dict[type, Any] = {}
        if not config.DISABLE_JIT:
            infer_global(self, types.Function(_template(self)))

    def register(self, kind: type) -> Callable[[Kernel], Kernel]:
        """Make a kernel the implementation for a class of named tuples."""

        def registered(kernel: Kernel) -> Kernel:
            if not config.DISABLE_JIT and not isinstance(kernel, Dispatcher):
                raise ForethoughtError(
                    f"'{kernel.__name__}' must be a kernel to implement '{self.__name__}'; add @kernel."
                )
            if kind in self._implementations:
                raise ForethoughtError(f"'{self.__name__}' has an implementation for {kind.__name__} already.")
            self._implementations[kind] = kernel
            return kernel

        return registered

    def implements(self, kind: type) -> bool:
        """Is there an implementation for this class?"""
        return kind in self._implementations

    def implementation(self, kind: type | None) -> Any:
        """Return the kernel for a class."""
        try:
            return self._implementations[kind]  # type: ignore[index]
        except KeyError:
            name = kind.__name__ if kind else "anything but a named tuple"
            raise ForethoughtError(f"'{self.__name__}' has no implementation for {name}; register one.") from None

    def __call__(self, first: Any, *others: Any) -> Any:
        return self.implementation(type(first))(first, *others)


dispatched = Dispatched


def _template(function: Dispatched) -> type[AbstractTemplate]:
    """Return how Numba finds out what a call of the function means."""

    class Call(AbstractTemplate):  # type: ignore[misc]
        key = function

        def generic(self, arguments: Any, keywords: Any) -> Any:
            return types.Dispatcher(_chosen(arguments)).get_call_type(self.context, arguments, keywords)

        def get_impl_key(self, signature: Any) -> Any:
            return _chosen(signature.args).get_overload(signature.args)

    def _chosen(arguments: Any) -> Any:
        return function.implementation(getattr(arguments[0], "instance_class", None) if arguments else None)

    return Call


@describe.register
def _(value: Dispatched, description: Description) -> str:
    description.generic.setdefault(value)
    return f"dispatched:{value.__name__}"


def implementations(description: Description) -> str:
    """Describe the implementations of all generic functions met so far for all named tuples met so far.

    A kernel meets the named tuples of its signature and those that it makes itself. An implementation may use others.
    """
    chosen: dict[tuple[Dispatched, type], str] = {}
    while missing := [
        (function, kind)
        for function in description.generic
        for kind in description.named_tuples
        if function.implements(kind) and (function, kind) not in chosen
    ]:
        for function, kind in missing:
            text = description.of(function.implementation(kind))
            chosen[function, kind] = f"{function.__name__} {description.of(kind)} {text}"
    return str(sorted(chosen.values()))
