"""The record has a thousand million million cells."""

from numpy import int8
from tests.check.bases import stones

from forethought import record


def record_too_large():
    return stones(record=record(left=int8, turn=int8, taken=(int8, 10**15)))
