"""A field of the record is text."""

from numpy import int8
from tests.check.bases import stones

from forethought import record


def record_of_text():
    return stones(record=record(left=int8, turn=int8, name=str))
