"""A colon is missing: the file is no Python."""


def syntax_error()
    return None
