"""The one exception a user is meant to read."""


class ForethoughtError(Exception):
    """A mistake the user can mend: the message is one sentence that says what is wrong and what to do."""


def reason_of(error: BaseException) -> str:
    """Return the message of another exception as a part of a sentence; one word says too little without its type."""
    text, kind = " ".join(str(error).split()).rstrip("."), type(error).__name__
    return text if " " in text else f"{kind}: {text}" if text else kind
