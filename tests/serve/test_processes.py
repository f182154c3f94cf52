"""What is started from the page: processes that outlive the server, so many at most, and nothing that is forbidden."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from forethought.learn.configuration import keys_of
from forethought.learn.learner import LEARNERS
from forethought.serve import commands
from forethought.serve.access import AccessRules
from forethought.serve.errors import RequestError
from forethought.serve.game_catalogue import GameCatalogue
from forethought.serve.processes import DIRECTORY, KEPT, OUTPUT, PROGRESS, NewProcess, Processes
from forethought.serve.schemas.processes import ProcessSchema
from forethought.serve.settings import ServerSettings
from forethought.serve.training_forms import ANY_TEXT, ELSEWHERE
from forethought.settings import kind_of
from tests.serve.running_server import PATIENCE, asking
from tests.serve.stored_processes import make_stopped_match, make_study
from tests.serve.test_command import begun

# A verb that does as its argument says: `forethought` itself takes seconds to start.
PROGRAM = """
import json, os, sys, time
what = sys.argv[1]
if what == "finish":
    print(json.dumps({"findings": ["So it is."]}))
elif what == "fail":
    sys.exit("error: It cannot be.")
else:
    try:
        with open(os.environ["FORETHOUGHT_PROGRESS"], "w") as file:  # Ctrl-C while it is closed unseen would be lost
            file.write('{"what": "waiting", "part": 0.5, "seconds_left": 3.0}')
        time.sleep(120)
    except KeyboardInterrupt:
        sys.exit("interrupted")
"""
VERB = (sys.executable, "-c", PROGRAM)


@pytest.fixture
def processes() -> Iterator[Processes]:
    made = Processes(2, VERB)
    yield made
    for one in made.listed():
        with suppress(RequestError):  # it has ended already
            made.stop(one.id)


def new(what: str, run: str | None = None) -> NewProcess:
    return NewProcess("study", "kuhn", "Kuhn poker", what, [what], run)


def until(processes: Processes, id: str, holds: Callable[[ProcessSchema], bool]) -> ProcessSchema:
    """Wait until something is true of a process."""
    end = time.monotonic() + PATIENCE
    while True:
        [found] = [one for one in processes.listed() if one.id == id]
        if holds(found):
            return found
        assert time.monotonic() < end, found
        time.sleep(0.01)


def test_a_process_outlives_the_server_and_is_stopped_by_the_next(processes: Processes) -> None:
    started = processes.start(new("wait", "first"))
    assert started.state == "running"
    later = Processes(2, VERB)  # of a server that starts after this one was killed
    found = until(later, started.id, lambda one: one.part is not None)
    assert (found.state, found.told, found.part, found.seconds_left) == ("running", "waiting", 0.5, 3.0)
    with pytest.raises(RequestError, match="is running; stop it first"):
        later.remove(started.id)
    later.stop_training("first")
    stopped = until(later, started.id, lambda one: one.state != "running")
    assert (stopped.state, stopped.part) == ("stopped", None)
    with pytest.raises(RequestError, match="not running any more"):
        later.stop(started.id)
    with pytest.raises(RequestError, match="was not started from this page"):
        later.stop_training("first")
    later.remove(started.id)
    assert later.listed() == []


def test_no_more_than_so_many_run_at_once_also_of_an_earlier_server(processes: Processes) -> None:
    first = processes.start(new("wait", "first"))
    with pytest.raises(RequestError, match="first is being trained already"):
        processes.start(new("wait", "first"))
    processes.start(new("wait"))
    for server in (processes, Processes(2, VERB)):
        with pytest.raises(RequestError, match="2 processes are running already") as refused:
            server.start(new("wait"))
        assert refused.value.status == 429
    until(processes, first.id, lambda one: one.part is not None)  # it can be interrupted
    processes.stop(first.id)
    until(processes, first.id, lambda one: one.state == "stopped")
    processes.stop(processes.start(new("wait")).id)


def test_what_ends_says_what_it_found_or_why_not(processes: Processes) -> None:
    finished, failed = processes.start(new("finish")).id, processes.start(new("fail")).id
    assert until(processes, finished, lambda one: one.state != "running").told == "So it is."
    assert processes.result(finished, "study") == {"findings": ["So it is."]}
    found = until(processes, failed, lambda one: one.state != "running")
    assert (found.state, found.told) == ("failed", "It cannot be.")
    with pytest.raises(RequestError, match="has no result: It cannot be"):
        processes.result(failed, "study")
    with pytest.raises(RequestError, match="There is no match"):
        processes.result(finished, "match")


def test_a_match_that_was_stopped_goes_on_with_its_rounds(home: Path, processes: Processes) -> None:
    make_stopped_match(home, "a" * 16, "kuhn", "random", "oos:20")
    ended = processes.ended("a" * 16)
    again = commands.continuation(ended, GameCatalogue())
    assert (again.kind, again.title, again.arguments) == ("match", ended.title, ended.arguments)
    make_stopped_match(home, "b" * 16, "/srv/game.py", "random", "oos:20")
    make_stopped_match(home, "c" * 16, "kuhn", "random", "policy:/etc/passwd")
    make_study(home, "d" * 16)
    waiting = processes.start(new("wait"))
    with pytest.raises(RequestError, match="is running already"):
        processes.ended(waiting.id)
    until(processes, waiting.id, lambda one: one.part is not None)  # it can be interrupted
    with asking() as client:
        for letter, status in {"b": 400, "c": 400, "d": 409, "e": 404}.items():
            answer = client.post(f"/api/processes/{letter * 16}/resume")
            assert (answer.status_code, answer.json()["detail"][-1]) == (status, ".")
        assert len(client.get("/api/processes").json()) == 5


def test_results_of_another_version_are_told_as_such(home: Path) -> None:
    make_study(home, "0123456789abcdef")
    output = home / DIRECTORY / "0123456789abcdef" / OUTPUT
    with asking() as client:
        assert client.get("/api/studies/0123456789abcdef").json()["games"] == 20
        for text in ('{"findings": 3}', '{"findings": [{}]}', "{}"):
            output.write_text(text)
            answer = client.get("/api/studies/0123456789abcdef")
            assert (answer.status_code, "another version" in answer.json()["detail"]) == (409, True)
            assert client.get("/api/processes").json()[0]["state"] == "finished"
        output.write_text("[")
        assert client.get("/api/studies/0123456789abcdef").status_code == 409
        assert client.get("/api/processes").json()[0]["state"] == "stopped"


def test_old_ones_are_forgotten_and_damaged_ones_skipped(home: Path, processes: Processes) -> None:
    for number in range(KEPT + 3):
        make_study(home, f"{number:016x}")
    (home / DIRECTORY / f"{0:016x}" / "process.json").write_text("{")
    processes.start(new("finish"))
    assert len(processes.listed()) == KEPT
    with pytest.raises(RequestError, match="printable characters"):
        processes.start(NewProcess("study", "kuhn", "Kuhn poker", "", ["\0"]))
    assert not (home / DIRECTORY / PROGRESS).exists()


TRAINING = {"game": "kuhn", "algorithm": "exit-oos"}
MATCH = {"game": "kuhn", "a": "random", "b": "oos:20"}
STUDY = {"game": "kuhn", "budgets": [10]}
HOSTILE: list[tuple[str, dict[str, object]]] = [
    ("ladders", {"game": "kuhn", "players": ["random", "oos:20", "random"]}),
    *(("trainings", TRAINING | {"run": name}) for name in ("..", "../x", "/srv/x", "a/b", "-x", "", ".hidden", "a\nb")),
    *(
        ("trainings", TRAINING | {"settings": {key: value}})
        for key, value in {
            "evaluation.against": "policy:/etc/passwd",
            "start.start": "../../etc",
            "learning.hidden": "1; rm -rf",
            "workers": 10_000,
            "game": "/srv/game.py",
            "seed": -1,
            "games": 10**30,
            "nothing": 1,
            "--json": 1,
        }.items()
    ),
    ("trainings", TRAINING | {"evaluation": {}}),
    ("trainings", TRAINING | {"preset": "../paper"}),
    ("trainings", TRAINING | {"algorithm": "alphazero"}),  # information is hidden
    ("trainings", TRAINING | {"algorithm": "no_such"}),
    ("trainings", {"game": "tic_tac_toe", "algorithm": "alphago", "settings": {"imitation.records": "/etc/passwd"}}),
    ("trainings", {"game": "tic_tac_toe", "algorithm": "alphago", "settings": {"expert.player": "policy:/etc/passwd"}}),
    *(("trainings", TRAINING | {"game": game}) for game in ("/srv/game.py", "yours", "no_such", "kuhn(x=1)", "--help")),
    *(
        ("matches", MATCH | {"a": player})
        for player in ("policy:x.policy", "net:../../x", "--store=/srv/x", "human", "")
    ),
    ("matches", MATCH | {"a": "oos:100000000"}),
    ("matches", MATCH | {"games": 10**9}),
    ("matches", MATCH | {"store": "/srv/x"}),
    ("ladders", {"game": "kuhn", "players": ["random"]}),
    ("ladders", {"game": "kuhn", "players": ["random", "net:/etc/passwd"]}),
    ("ladders", {"game": "kuhn", "players": ["random"] * 100}),
    ("studies", STUDY | {"budgets": [100, 10]}),
    ("studies", STUDY | {"budgets": []}),
    ("studies", STUDY | {"budgets": [10**9]}),
    ("studies", STUDY | {"planner": "policy:x"}),
    ("studies", STUDY | {"game": "../x.py"}),
    ("studies", STUDY | {"out": "/srv/x"}),
    ("runs/nothing/resume", {}),
    ("runs/..%2F..%2Fetc/resume", {}),
    ("runs/nothing/stop", {}),
    ("processes/..%2F..%2Fetc/stop", {}),
]


def test_whatever_is_not_allowed_is_refused_in_a_sentence_and_starts_nothing(home: Path) -> None:
    with asking() as client:
        for path, body in HOSTILE:
            answer = client.post(f"/api/{path}", json=body)
            assert answer.status_code in (400, 404, 409, 422), (path, body, answer.text)
            if answer.status_code != 404:
                sentence = answer.json()["detail"]
                assert sentence.endswith((".", "?")), (path, body, sentence)
                assert "\n" not in sentence
        assert client.get("/api/processes").json() == []
    assert not (home / DIRECTORY).exists()


def test_nothing_is_started_where_anybody_can_reach_the_server() -> None:
    with asking(ServerSettings(access=AccessRules("0.0.0.0"))) as client:  # noqa: S104 (it listens on loopback)
        for path, body in (("trainings", TRAINING), ("matches", MATCH), ("studies", STUDY)):
            answer = client.post(f"/api/{path}", json=body)
            assert (answer.status_code, "token" in answer.json()["detail"]) == (403, True)
        assert client.get("/api/processes").status_code == 200


def test_forms_are_made_of_the_registered_settings(home: Path) -> None:
    with asking() as client:
        first, *others = client.get("/api/learners", params={"game": "kuhn"}).json()
        alphago = client.get("/api/learners", params={"game": "tic_tac_toe"}).json()
    assert (first["name"], first["recommended"]) == ("exit-oos", True)
    assert not any(one["recommended"] for one in others)
    assert first["presets"] == {name: dict(values) for name, values in LEARNERS.find("exit-oos").presets.items()}
    for listed in (first, *others, *alphago):
        declared = keys_of(LEARNERS.find(listed["name"]).configuration)
        kept = {one["key"] for one in listed["settings"]}
        left_out = {key: one for key, one in declared.items() if key not in kept and key not in ELSEWHERE}
        assert len(kept) > 10
        assert all(one.metadata["range"].pattern in ANY_TEXT and kind_of(one) is str for one in left_out.values())
    settings = {one["key"]: one for one in first["settings"]}
    rate = settings["learning.rate"]
    assert (rate["kind"], rate["default"], rate["low"], rate["high"]) == ("float", 2e-3, 0.0, 1.0)
    assert rate["about"] == "learning rate"
    assert settings["learning.device"]["words"] == ["cpu", "cuda", "auto"]
    assert (settings["seed"]["default"], settings["iterations"]["high"]) == ("", None)


def test_the_file_of_the_command_line_is_watched(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    source = (Path(__file__).parents[1] / "userfiles" / "coin_toss.py").read_text()
    file.write_text(source)
    with asking(ServerSettings(file=str(file))) as client:
        before = client.get("/api/file").json()
        assert (before["name"], before["mistake"]) == ("mine.py", None)
        assert client.get("/api/file").json() == before
        file.write_text(source.replace("pure luck", "luck alone"))
        after = client.get("/api/file").json()
        assert after["version"] != before["version"]
        assert client.get("/api/games").json()[0]["summary"] == "A game of luck alone, with choices."
        file.write_text("def broken(")
        mistake = client.get("/api/file").json()
        assert "mine.py, line 1" in mistake["mistake"]
        assert mistake["version"] != after["version"]
    with asking() as client:
        assert client.get("/api/file").json() == {"name": None, "version": "", "mistake": None}


SMALL = {"games": 2, "search.simulations": 10, "learning.steps": 2, "learning.hidden": "8", "evaluation.games": 2}


@pytest.mark.slow  # three processes that import everything
def test_a_real_training_outlives_a_killed_server_and_is_stopped_and_resumed(home: Path) -> None:
    with begun("--port", "0", deaf=True) as server:
        try:
            assert server.stdout
            with httpx.Client(base_url=server.stdout.readline().split()[0], timeout=PATIENCE) as client:
                body = TRAINING | {"run": "mine", "settings": SMALL | {"iterations": 1_000_000, "seed": 1}}
                assert client.post("/api/trainings", json=body).status_code == 201
                _until(client, lambda run: run.get("iterations", 0) > 0)
        finally:
            server.kill()
    with asking() as client:
        assert client.get("/api/processes").json()[0]["state"] == "running"
        before = client.get("/api/runs/mine").json()
        assert before["training"]
        assert before["progress"]["games"] == 2
        _until(client, lambda run: run["iterations"] > before["iterations"])
        assert client.post("/api/runs/mine/resume", json={}).status_code == 409
        assert client.post("/api/runs/mine/stop").status_code == 200
        _until_ended(client)
        done = _until(client, lambda run: not run["training"])["iterations"]
        assert client.get("/api/processes").json()[0]["state"] == "stopped"
        assert client.post("/api/runs/mine/resume", json={"iterations": done + 1}).status_code == 201
        _until(client, lambda run: run["iterations"] == done + 1)
        _until_ended(client)
        assert client.get("/api/processes").json()[0]["state"] == "finished"
    assert {path.name for path in home.iterdir()} <= {"mine", ".processes", ".sessions", "matches.jsonl"}


@pytest.mark.slow  # two processes
def test_a_real_match_and_a_real_study_report_what_the_verbs_print(home: Path) -> None:
    with asking(ServerSettings(matches=home / "matches.jsonl")) as client:
        started = client.post("/api/matches", json=MATCH | {"games": 4}).json()
        study = client.post("/api/studies", json=STUDY | {"games": 4}).json()
        _until_ended(client)
        found = {one["id"]: one for one in client.get("/api/processes").json()}
        assert (found[started["id"]]["state"], found[study["id"]]["state"]) == ("finished", "finished")
        assert found[started["id"]]["title"] == "Random against Online Outcome Sampling, 20 simulations"
        assert " per game for Random; " in found[started["id"]]["told"]
        report = client.get(f"/api/studies/{study['id']}").json()
        assert (report["game"], report["titles"]["kuhn"]) == ("kuhn", "Kuhn poker")
        assert set(report["titles"]) == {"kuhn", report["planner"], *(one["less"] for one in report["skill"])}
        assert report["planner"] not in " ".join(report["findings"])
        assert [one["game"] for one in client.get("/api/ladder").json()["games"]] == ["kuhn"]
    assert (home / "matches.jsonl").stat().st_size > 0


@pytest.mark.slow  # two processes
def test_a_real_match_is_stopped_and_goes_on_where_it_was(home: Path) -> None:
    matches = home / "matches.jsonl"

    def played(more: int) -> int:
        end = time.monotonic() + PATIENCE
        while not matches.exists() or matches.read_bytes().count(b"\n") <= more:
            assert time.monotonic() < end
            time.sleep(0.01)
        return matches.read_bytes().count(b"\n")

    with asking(ServerSettings(matches=matches)) as client:
        first = client.post("/api/matches", json=MATCH | {"games": 1_000_000}).json()
        played(0)
        client.post(f"/api/processes/{first['id']}/stop")
        _until_ended(client)
        assert client.get("/api/processes").json()[0]["state"] == "stopped"
        before = played(0)
        second = client.post(f"/api/processes/{first['id']}/resume").json()
        played(before)
        client.post(f"/api/processes/{second['id']}/stop")
        _until_ended(client)
        assert [one["id"] for one in client.get("/api/processes").json()] == [second["id"]]
    numbers = [json.loads(line)["round"] for line in matches.read_text().splitlines()]
    assert len(set(numbers)) == len(numbers)


def _until_ended(client: httpx.Client) -> None:
    end = time.monotonic() + PATIENCE
    while any(one["state"] == "running" for one in client.get("/api/processes").json()):
        assert time.monotonic() < end
        time.sleep(0.1)


def _until(client: httpx.Client, holds: Callable[[dict[str, object]], bool]) -> dict[str, object]:
    end = time.monotonic() + PATIENCE
    while True:
        run = client.get("/api/runs/mine").json()
        if "detail" not in run and holds(run):
            return run
        assert time.monotonic() < end, run
        time.sleep(0.1)
