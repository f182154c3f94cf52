"""The factory looks up a place that a tuple has not."""


def factory_raises_index_error():
    sizes = (1, 2)
    return sizes[len(sizes)]
