"""The factory uses a name that nothing has."""


def factory_raises_name_error():
    return size  # noqa: F821
