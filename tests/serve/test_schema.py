"""Whatever fits the OpenAPI description, or nearly, gets an answer that fits it too, and never a 500."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from forethought.serve.services import Settings
from forethought.serve.settings import Limits
from tests.serve.running_server import opened, running

EXAMPLES = 25
CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
ADDRESSES = 18  # of the description, without streams


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """A server that is in no hurry, and tables in different states."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORETHOUGHT_RUNS", str(tmp_path_factory.mktemp("runs")))
        limits = Limits(requests_per_second=1e6, requests_at_once=1e6, tables_per_client=1000, tables=1000)
        with running(Settings(limits=limits)) as base, httpx.Client(base_url=base, timeout=60) as client:
            tables = [opened(client, game, "human", "random")["id"] for game in ("leduc", "tic_tac_toe", "hex(size=3)")]
            client.post(f"/api/tables/{tables[2]}/resign")
            yield base, tables


def test_nothing_that_can_be_asked_breaks_the_server(server: tuple[str, list[str]]) -> None:
    base, tables = server
    schema = schemathesis.openapi.from_url(f"{base}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    asked = [one for one in operations if not one.path.endswith("/events")]
    assert len(asked) >= ADDRESSES
    for operation in asked:
        _try_out(operation, tables)


def _try_out(operation: Any, tables: list[str]) -> None:
    ends_the_table = operation.method.lower() == "delete" and operation.path == "/api/tables/{id}"

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), table=st.sampled_from([*tables, ""]))
    def try_one(case: Any, table: str) -> None:
        if table and "id" in case.path_parameters and not ends_the_table:
            case.path_parameters["id"] = table
        answer = case.call()
        assert answer.status_code < 500, (case.method, case.formatted_path, case.body, answer.text)
        case.validate_response(answer, checks=CHECKS)

    try_one()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'{"game": "kuhn"}',
        b"\xff\xfe",
        b"[" * 60_000,
        b'{"game": "\\ud800", "seats": ["human", "random"]}',
        b'{"game": "kuhn", "seats": ["human", "\\ud800"]}',
        b'{"game": "kuhn", "seats": ["human", "random"], "seed": NaN}',
        b'{"game": "kuhn", "seats": ["human", "random"], "seed": 1e400}',
        b'{"game": "kuhn", "seats": ["human", "random"], "seed": true}',
        b'{"game": "kuhn", "seats": ["human", "random"], "seed": ' + b"9" * 5000 + b"}",
        b'{"game": "kuhn(\\u0000)", "seats": ["human", "random"]}',
    ],
)
def test_bodies_that_are_no_requests_are_told_so(server: tuple[str, list[str]], body: bytes) -> None:
    answer = httpx.post(f"{server[0]}/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert isinstance(answer.json()["detail"], str)
