"""The one exception a user is meant to read."""


class ForethoughtError(Exception):
    """A mistake the user can mend: the message is one sentence that says what is wrong and what to do."""
