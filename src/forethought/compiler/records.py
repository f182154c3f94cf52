"""Records in machine code as the interpreter has them: every index is checked, none is negative, every value must fit.

These are Numba's records and arrays in all but what reads and writes a number. Arrays that a rule has from elsewhere,
constants of its file for one, are checked by Numba itself (`boundscheck`), and take negative indices as in Python.
"""

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.datamodel.models import ArrayModel, NestedArrayModel, RecordModel
from numba.core.errors import TypingError
from numba.core.typing import signature
from numba.extending import intrinsic, lower_builtin, register_model
from numba.np.arrayobj import getitem_array_tuple, getitem_arraynd_intp, make_array, populate_array, setitem_array


class CheckedRecord(types.Record):  # type: ignore[misc]
    """A record whose arrays are checked."""

    def typeof(self, key: str) -> Any:
        if key not in self.fields:
            raise TypingError(f"Unknown attribute '{key}' of type Record")
        return super().typeof(key)


class CheckedField(types.NestedArray):  # type: ignore[misc]
    """An array in a record."""

    def copy(self, **changed: Any) -> Any:
        return CheckedArray(self.dtype, self.ndim, self.layout).copy(**changed)


class CheckedArray(types.Array):  # type: ignore[misc]
    """A part of an array in a record, or the room for a rule's answer."""

    def copy(self, **changed: Any) -> Any:
        plain = super().copy(**changed)
        return CheckedArray(plain.dtype, plain.ndim, plain.layout, readonly=not plain.mutable, aligned=plain.aligned)


register_model(CheckedRecord)(RecordModel)
register_model(CheckedField)(NestedArrayModel)
register_model(CheckedArray)(ArrayModel)


def checked_record(layout: np.dtype[Any]) -> CheckedRecord:
    """Return the type of a game's record."""
    plain = from_dtype(layout)
    fields = [(name, {"type": _checked(of.type), "offset": of.offset}) for name, of in plain.fields.items()]
    return CheckedRecord(fields, plain.size, plain.aligned)


def _checked(kind: Any) -> Any:
    return CheckedField(kind.dtype, kind.shape) if isinstance(kind, types.NestedArray) else kind


@intrinsic  # type: ignore[untyped-decorator]
def room(_context: Any, record: Any, pointer: Any, size: Any) -> Any:
    """Make the room for an answer, of a known size, an array, if the record is checked."""
    kind = CheckedArray(pointer.dtype, 1, "C")

    def unchecked(_context: Any, _builder: Any, _call: Any, values: Any) -> Any:
        return values[1]

    def generate(context: Any, builder: Any, _call: Any, values: Any) -> Any:
        array, itemsize = make_array(kind)(context, builder), context.get_abi_sizeof(context.get_data_type(kind.dtype))
        populate_array(
            array,
            data=builder.bitcast(values[1], array.data.type),
            shape=[values[2]],
            strides=[context.get_constant(types.intp, itemsize)],
            itemsize=itemsize,
            meminfo=None,
        )
        return array._getvalue()

    if not isinstance(record, CheckedRecord):
        return pointer(record, pointer, size), unchecked
    return kind(record, pointer, size), generate


def _parts(builder: Any, kind: Any, index: Any) -> Iterator[tuple[Any, Any]]:
    """List an index's types and values: one for each dimension that it names."""
    if isinstance(kind, types.BaseTuple):
        return zip(kind.types, cgutils.unpack_tuple(builder, index, len(kind)), strict=True)
    return iter([(kind, index)])


def _checked_index(context: Any, builder: Any, array: tuple[Any, Any], index: tuple[Any, Any]) -> Any:
    """Raise unless all numbers of an index are in range; return the index's type, its numbers now without a sign."""
    shape = cgutils.unpack_tuple(builder, make_array(array[0])(context, builder, array[1]).shape)
    kinds = []
    for (kind, part), size in zip(_parts(builder, *index), shape, strict=False):
        if isinstance(kind, types.Integer):
            outside = builder.icmp_unsigned(">=", context.cast(builder, part, kind, types.uintp), size)
            with cgutils.if_unlikely(builder, outside):
                context.call_conv.return_user_exc(builder, IndexError, ("an index is out of range",))
        kinds.append(types.uintp if isinstance(kind, types.Integer) else kind)
    return types.BaseTuple.from_types(kinds) if isinstance(index[0], types.BaseTuple) else kinds[0]


def get_item(context: Any, builder: Any, call: Any, values: Any) -> Any:
    (array, index), (array_value, index_value) = call.args, values
    kind = _checked_index(context, builder, (array, array_value), (index, index_value))
    get = getitem_array_tuple if isinstance(index, types.BaseTuple) else getitem_arraynd_intp
    return get(context, builder, signature(call.return_type, array, kind), values)


def set_item(context: Any, builder: Any, call: Any, values: Any) -> Any:
    (array, index, value), (array_value, index_value, new) = call.args, values
    kind = _checked_index(context, builder, (array, array_value), (index, index_value))
    if isinstance(value, types.Number | types.Boolean):
        new, value = fitted(context, builder, new, value, array.dtype), array.dtype
    return setitem_array(context, builder, signature(call.return_type, array, kind, value), (*values[:2], new))


for _kind in (CheckedField, CheckedArray):
    lower_builtin(operator.getitem, _kind, types.Integer)(get_item)
    lower_builtin(operator.getitem, _kind, types.BaseTuple)(get_item)
    lower_builtin(operator.setitem, _kind, types.Any, types.Any)(set_item)


def fitted(context: Any, builder: Any, value: Any, kind: Any, wanted: Any) -> Any:
    """Convert a number to the type of a field; raise if that does not hold it.

    Bits in all 64 places have a sign or none as Numba's types will have it: there is nothing to check.
    """
    if isinstance(wanted, types.Integer) and isinstance(kind, types.Float):
        raise TypingError(f"{wanted} cannot hold a fraction")
    converted = context.cast(builder, value, kind, wanted)
    if isinstance(wanted, types.Integer) and isinstance(kind, types.Integer) and wanted.bitwidth < types.int64.bitwidth:
        wide = types.int64 if kind.signed else types.uint64
        before, after = context.cast(builder, value, kind, wide), context.cast(builder, converted, wanted, wide)
        with cgutils.if_unlikely(builder, builder.icmp_unsigned("!=", before, after)):
            context.call_conv.return_user_exc(builder, OverflowError, (f"a field ({wanted}) cannot hold a number",))
    return converted


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def store_field(_context: Any, record: Any, name: Any, value: Any) -> Any:
    """Write a number to a field."""
    if not isinstance(name, types.StringLiteral) or not isinstance(record, CheckedRecord):
        return None
    if isinstance(record.typeof(name.literal_value), CheckedField):
        raise TypingError(f"the field '{name.literal_value}' is an array: assign to its elements")
    field, value = record.fields[name.literal_value], types.unliteral(value)

    def generate(context: Any, builder: Any, _call: Any, values: Any) -> Any:
        new = fitted(context, builder, values[2], value, field.type)
        place = cgutils.get_record_member(builder, values[0], field.offset, context.get_data_type(field.type))
        context.pack_value(builder, field.type, new, place, align=None if record.aligned else 1)
        return context.get_dummy_value()

    return types.none(record, name, value), generate


# What reads and writes records in machine code.
CHECKS = (checked_record, room, get_item, set_item, _checked_index, fitted, store_field)
