"""The factory asserts what is not so."""


def factory_asserts(size: int = 3):
    assert size % 2 == 0, "the size must be even"
