"""Requests that are understood and not done: a status and one sentence that says what to do."""

from forethought.errors import ForethoughtError


class Refused(ForethoughtError):  # noqa: N818 (an answer, not a failure)
    """What the client is told in place of an answer."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def bad_request(sentence: str) -> Refused:
    return Refused(400, sentence)


def unknown(sentence: str) -> Refused:
    return Refused(404, sentence)


def not_now(sentence: str) -> Refused:
    return Refused(409, sentence)


def too_many(sentence: str) -> Refused:
    return Refused(429, sentence)
