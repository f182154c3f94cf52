"""The factory looks up a key that a dictionary has not."""


def factory_raises_key_error():
    return {}["size"]
