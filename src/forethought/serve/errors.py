"""Requests that are refused: an HTTP status and one sentence that says what to do."""

from typing import Any

from forethought.errors import ForethoughtError
from forethought.serve.schemas.base import ErrorSchema

# Every status with which a route may refuse, for the OpenAPI description.
ERROR_RESPONSES: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorSchema, "description": description}
    for status, description in {
        400: "The request is well-formed but cannot be done.",
        403: "This client is not allowed to ask.",
        404: "There is no such thing.",
        409: "It cannot be done now.",
        413: "The request is too large.",
        422: "The request does not match its schema.",
        429: "The client asks for too much.",
    }.items()
}


class RequestError(ForethoughtError):
    """A refused request."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def bad_request(sentence: str) -> RequestError:
    return RequestError(400, sentence)


def forbidden(sentence: str) -> RequestError:
    return RequestError(403, sentence)


def not_found(sentence: str) -> RequestError:
    return RequestError(404, sentence)


def conflict(sentence: str) -> RequestError:
    return RequestError(409, sentence)


def too_many_requests(sentence: str) -> RequestError:
    return RequestError(429, sentence)
