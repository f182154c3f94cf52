"""What all schemas share: exactly the declared fields, of exactly the declared types."""

from pydantic import BaseModel, ConfigDict


class Schema(BaseModel):
    """The base of requests and responses. A response of another form than described cannot be built."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class ErrorSchema(Schema):
    """Why a request was refused, in one sentence."""

    detail: str
