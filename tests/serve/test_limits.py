"""How much may be asked for: bodies, requests, sessions, streams and searches."""

import asyncio
import http.client
import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from forethought.serve.game_catalogue import GameCatalogue
from forethought.serve.settings import ServerLimits, ServerSettings
from tests.serve.running_server import PATIENCE, Stream, asking, first_legal, opened, played_out, running

RULES = Path("tests/userfiles/take_away.py").read_text()
NEW = {"game": "kuhn", "seats": ["human", "random"]}


def test_a_large_body_is_refused_announced_or_not() -> None:
    with asking() as client:
        assert client.post("/api/sessions", content=b" " * 70_000).status_code == 413
        assert client.post("/api/sessions", content=iter([b" " * 10_000] * 7)).status_code == 413
        assert client.post("/api/sessions", content=b" " * 64 * 1024).status_code == 422
        assert client.post("/api/sessions", json=NEW).status_code == 201


def test_a_body_that_never_ends_is_not_waited_for() -> None:
    with running(ServerSettings(limits=ServerLimits(body_seconds=0.2))) as base:
        place = urlsplit(base)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
        connection.putrequest("POST", "/api/sessions")
        connection.putheader("Content-Length", "100")
        connection.endheaders(b"{")
        assert connection.getresponse().status == 408
        connection.close()


def test_headers_that_never_end_are_not_waited_for() -> None:
    with running(ServerSettings(limits=ServerLimits(header_seconds=1.0))) as base:
        place = urlsplit(base)
        whole = f"GET /api/games HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode()
        for begun in (b"", whole[:30], whole + whole[:30]):  # nothing, a part, and a part after a whole request
            with socket.create_connection((place.hostname or "", place.port or 0), PATIENCE) as connection:
                connection.sendall(begun)
                answers = b"".join(iter(lambda taken=connection: taken.recv(65536), b""))  # until the server closes
            assert answers.count(b"HTTP/1.1 200") == begun.count(whole)
        assert httpx.get(f"{base}/api/games").status_code == 200


def test_too_many_requests_are_refused_until_some_time_has_gone() -> None:
    with asking(ServerSettings(limits=ServerLimits(requests_per_second=0.001, requests_at_once=5))) as client:
        statuses = [client.get("/api/sessions/nothing").status_code for _ in range(8)]
    assert statuses == [404] * 5 + [429] * 3


def test_finished_sessions_make_room_for_new_ones_and_games_in_progress_stay(home: Path) -> None:
    with asking(ServerSettings(limits=ServerLimits(sessions_per_client=3))) as client:
        first, second, third = (opened(client, "kuhn", "human", "random") for _ in range(3))
        refused = client.post("/api/sessions", json=NEW)
        assert refused.status_code == 429
        assert "end one" in refused.json()["detail"]
        played_out(client, second)
        fourth = opened(client, "kuhn", "human", "random")
        statuses = [client.get(f"/api/sessions/{one['id']}").status_code for one in (first, second, third, fourth)]
        assert statuses == [200, 404, 200, 200]
        client.delete(f"/api/sessions/{first['id']}")
        assert client.post("/api/sessions", json=NEW).status_code == 201
    assert len(list((home / ".sessions").iterdir())) == 3


def test_sessions_are_counted_over_all_clients_too_and_after_a_restart() -> None:
    with asking() as client:
        old = [opened(client, "kuhn", "human", "random")["id"] for _ in range(3)]
    with asking(ServerSettings(limits=ServerLimits(sessions=3))) as client:
        opened(client, "kuhn", "human", "random")
        assert sorted(client.get(f"/api/sessions/{one}").status_code for one in old) == [200, 200, 404]


def test_streams_are_counted() -> None:
    with asking(ServerSettings(limits=ServerLimits(streams=2))) as client:
        view = opened(client, "kuhn", "human", "random")
        path, base = f"/api/sessions/{view['id']}/events", str(client.base_url)
        with Stream(base, path) as one, Stream(base, path) as two:
            one.wait("view")
            two.wait("view")
            assert client.get(path).status_code == 429
            assert client.get("/api/games").status_code == 200


def test_a_thought_that_nobody_hears_any_more_gives_up_its_thread() -> None:
    with asking(ServerSettings(limits=ServerLimits(threads=1))) as client:
        base = str(client.base_url)
        places = [f"/api/sessions/{opened(client, 'connect_four', 'human', 'random')['id']}" for _ in range(3)]
        with Stream(base, f"{places[0]}/events") as left:
            client.post(f"{places[0]}/thoughts", json={"player": "uct(seconds=10)", "ply": 0})
            left.wait("thought")
        with Stream(base, f"{places[1]}/events") as stopped:
            client.post(f"{places[1]}/thoughts", json={"player": "uct(seconds=10)", "ply": 0})
            stopped.wait("thought")
            assert client.delete(f"{places[1]}/thoughts").status_code == 204
            with Stream(base, f"{places[2]}/events") as last:
                client.post(f"{places[2]}/thoughts", json={"player": "uct:50", "ply": 0})
                last.wait("thought", lambda thought: thought["done"])
            thoughts = [json.loads(data) for kind, data in left.events + stopped.events if kind == "thought"]
            assert not any(thought["done"] for thought in thoughts)


def test_bots_move_while_the_only_thread_for_thoughts_is_taken() -> None:
    with asking(ServerSettings(limits=ServerLimits(threads=1))) as client:
        busy, other = (opened(client, "connect_four", "human", "uct:50") for _ in range(2))
        place = f"/api/sessions/{busy['id']}"
        with Stream(str(client.base_url), f"{place}/events") as stream:
            client.post(f"{place}/thoughts", json={"player": "uct(seconds=10)", "ply": 0})
            stream.wait("thought")
            played_out(client, other, first_legal)
            thoughts = [json.loads(data) for kind, data in stream.events if kind == "thought"]
            assert not any(thought["done"] for thought in thoughts)


def test_a_client_that_leaves_in_the_middle_of_a_request_leaves_nothing_behind() -> None:
    with asking() as client:
        place = urlsplit(str(client.base_url))
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE)
        connection.putrequest("POST", "/api/sessions")
        connection.putheader("Content-Length", "100")
        connection.endheaders(b"{")
        connection.close()
        assert client.get("/api/games").status_code == 200


def test_requests_at_the_same_time_play_a_move_once() -> None:
    with asking() as client:
        view = opened(client, "tic_tac_toe", "human", "human")
        place, asked = f"/api/sessions/{view['id']}/moves", {"action": 4, "ply": 0}
        with ThreadPoolExecutor(8) as threads:
            answers = list(threads.map(lambda _: client.post(place, json=asked), range(20)))
        assert {answer.status_code for answer in answers} == {200}
        assert client.get(f"/api/sessions/{view['id']}").json()["ply"] == 1


def test_a_wrong_number_of_seats_is_refused_before_anything_is_compiled(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(RULES.replace("        s.left = stones\n", "        s.left = int(str(stones), *[], **{})\n"))
    with asking(ServerSettings(file=str(file))) as client:
        few, enough = (client.post("/api/sessions", json={"game": "yours", "seats": ["human"] * n}) for n in (2, 3))
        assert (few.status_code, few.json()["detail"]) == (400, "take_away has 3 seats, not 2.")
        assert enough.status_code == 400
        assert "compile" in enough.json()["detail"]


def test_who_waits_for_a_game_to_be_compiled_holds_no_thread(tmp_path: Path) -> None:
    file, gate = tmp_path / "gated.py", tmp_path / "gate"
    waiting = f"    while not Path({str(gate)!r}).exists():\n        time.sleep(0.01)\n    state = record("
    file.write_text("import time\nfrom pathlib import Path\n" + RULES.replace("    state = record(", waiting))
    gate.touch()
    catalogue = GameCatalogue(str(file))
    gate.unlink()

    async def asked() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        finding = [asyncio.create_task(catalogue.find("yours")) for _ in range(4)]
        for _ in range(20):
            async with asyncio.timeout(PATIENCE):
                assert await asyncio.to_thread(catalogue.normal, "goofspiel(6)") == "goofspiel(cards=6)"
        assert not any(one.done() for one in finding)
        gate.touch()
        assert len({id(game) for game in await asyncio.gather(*finding)}) == 1

    asyncio.run(asked())
