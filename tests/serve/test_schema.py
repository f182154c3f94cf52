"""Whatever fits the OpenAPI description, or nearly, gets an answer that fits it exactly, and never a 500."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

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

from forethought.serve.app import make_app
from forethought.serve.settings import ServerLimits, ServerSettings
from tests.serve.running_server import PATIENCE, opened, running
from tests.serve.stored_processes import make_study
from tests.serve.stored_runs import make_run
from tests.serve.test_ladder import line, written

EXAMPLES = 25
CHECKS = [status_code_conformance, content_type_conformance, response_schema_conformance]
RUN, STUDY = "first", "0123456789abcdef"
SUCCESS = ("200", "201", "202", "204")
NO_CONTENT = {
    ("delete", "/api/sessions/{id}"),
    ("delete", "/api/sessions/{id}/thoughts"),
    ("delete", "/api/processes/{process}"),
}
DRAWN = {  # a game's own, reduced to the known
    *("CardSchema", "CardsSchema", "CellsSchema", "ChipsSchema", "DiceSchema", "NoteSchema", "NotesSchema"),
    *("PointMoveSchema", "PointSchema", "PointsSchema"),
    *("ScoreSchema", "WordsSchema"),
}


KNOWN: dict[str, Any] = {"name": RUN, "iteration": 1, "index": 0, "ply": 0, "study": STUDY}  # of what there is


class Served(NamedTuple):
    """A server with something to answer everywhere."""

    base: str
    sessions: list[str]  # in different states


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server without rate limits, with sessions and a ladder."""
    runs: Path = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORETHOUGHT_RUNS", str(runs))
        make_study(runs, STUDY)
        matches = written(runs / "matches.jsonl", [line("a", "b", number, 1.0) for number in range(5)])
        limits = ServerLimits(  # no processes: a training that anybody resumes would go on when the tests are over
            requests_per_second=1e6, requests_at_once=1e6, sessions_per_client=1000, sessions=1000, processes=0
        )
        with (
            running(ServerSettings(limits=limits, matches=matches)) as base,
            httpx.Client(base_url=base, timeout=PATIENCE) as client,
        ):
            games = (
                ("leduc", "human", "random"),
                ("tic_tac_toe", "random", "human"),
                ("hex(size=3)", "human", "random"),
            )
            begun = [opened(client, *game) for game in games]
            sessions = [view["id"] for view in begun] + [view["links"][0]["id"] for view in begun]
            client.post(f"/api/sessions/{sessions[2]}/resign")
            yield Served(base, sessions)


def test_every_route_declares_a_schema_without_other_fields() -> None:
    description = make_app(ServerSettings()).openapi()
    operations = [(path, way, one) for path, ways in description["paths"].items() for way, one in ways.items()]
    assert len(operations) > 15
    for path, way, operation in operations:
        [success] = [answer for status, answer in operation["responses"].items() if status in SUCCESS]
        assert (way, path) in NO_CONTENT or "#/components/schemas/" in str(success["content"]), (way, path)
    closed = {name: kind.get("additionalProperties") for name, kind in description["components"]["schemas"].items()}
    assert {name for name, other in closed.items() if other is not False} == DRAWN


def test_nothing_that_can_be_asked_breaks_the_server(server: Served, home: Path) -> None:
    make_run(home / RUN).close()
    schema = schemathesis.openapi.from_url(f"{server.base}/api/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    tried = [operation for operation in operations if not operation.path.endswith("/events")]
    answered = {one.path for one in tried if one.method.lower() == "get" and _answers(one.path, server)}
    for operation in tried:
        answered |= _try_out(operation, server)
    assert {one.path for one in tried if one.method.lower() == "get"} - answered == set()


def _answers(path: str, server: Served) -> bool:
    """Whether an address answers where something is to be told; later requests may change that."""
    addresses = {path.format(id=session, process=STUDY, **KNOWN) for session in server.sessions}
    return any(httpx.get(f"{server.base}{address}").status_code < 300 for address in addresses)


def _try_out(operation: Any, server: Served) -> set[str]:
    """Ask an address many times; return it if it answered other than by a refusal."""
    ends_session = operation.method.lower() == "delete" and operation.path == "/api/sessions/{id}"
    answered = set[str]()

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), session=st.sampled_from([*server.sessions, ""]), real=st.booleans())
    def try_one(case: Any, session: str, real: bool) -> None:
        if session and "id" in case.path_parameters and not ends_session:
            case.path_parameters["id"] = session
        if real:
            case.path_parameters.update({key: KNOWN[key] for key in case.path_parameters.keys() & KNOWN.keys()})
            case.query.update({"game": "kuhn"} if "game" in case.query else {})
        answer = case.call(timeout=PATIENCE)
        assert answer.status_code < 500, (case.method, case.formatted_path, case.body, answer.text)
        case.validate_response(answer, checks=CHECKS)
        answered.update([operation.path] if answer.status_code < 300 else [])

    try_one()
    return answered


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
def test_bodies_that_are_no_requests_are_told_so(server: Served, body: bytes) -> None:
    answer = httpx.post(f"{server.base}/api/sessions", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert isinstance(answer.json()["detail"], str)
