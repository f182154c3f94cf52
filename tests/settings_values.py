"""Random values that settings can have, for hypothesis."""

import math
from dataclasses import MISSING, Field
from typing import Any

from hypothesis import strategies as st

from forethought.settings import Settings, kind_of, settings_of

PRINTABLE = st.text(st.characters(exclude_categories=("C",))).filter(str.isprintable)


def values_of(one: Field[Any]) -> st.SearchStrategy[Any]:
    """Any value that a setting can have."""
    limits, kind = one.metadata["range"], kind_of(one)
    if limits.words:
        return st.sampled_from(limits.words)
    if kind is bool:
        return st.booleans()
    if kind is str:
        texts = PRINTABLE if limits.pattern in (".*", ".+") else st.from_regex(limits.pattern, fullmatch=True)
        return texts.filter(limits.admits)
    low = None if limits.low == limits.above == -math.inf else max(limits.low, limits.above)
    if kind is int:
        return st.integers(low if low is None else math.ceil(low), limits.high).filter(limits.admits)
    return st.floats(low, float(limits.high), allow_nan=False, allow_infinity=False).filter(limits.admits)


def any_settings(kind: type[Settings]) -> st.SearchStrategy[Settings]:
    """Settings of a class, some as they are by default."""
    known = settings_of(kind)
    required = {key: values_of(one) for key, one in known.items() if one.default is MISSING}
    optional = {key: values_of(one) for key, one in known.items() if key not in required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: kind(**given))
