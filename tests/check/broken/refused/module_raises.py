"""A line outside all functions raises a KeyError."""

SIZES = {}
SIZE = SIZES[3]
