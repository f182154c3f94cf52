"""Games of several persons, each at a screen of its own; spectators; and series of games."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from forethought.serve.settings import ServerLimits, ServerSettings
from tests.serve.running_server import Stream, asking, opened, played_out, settled

View = dict[str, Any]


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with asking() as made:
        yield made


def started(client: httpx.Client, game: str, *seats: str, seed: int = 1) -> View:
    answer = client.post("/api/sessions", json={"game": game, "seats": seats, "seed": seed})
    assert answer.status_code == 201, answer.text
    return answer.json()


def links(view: View) -> dict[int | None, str]:
    return {link["seat"]: link["id"] for link in view["links"]}


def at(client: httpx.Client, id: str) -> View:
    return client.get(f"/api/sessions/{id}").json()


def play_first(client: httpx.Client, view: View) -> httpx.Response:
    asked = {"action": view["legal"][0]["action"], "ply": view["ply"]}
    return client.post(f"/api/sessions/{view['id']}/moves", json=asked)


def finished(client: httpx.Client, host: View) -> View:
    """Let host and guest play the first legal action until the game is over."""
    ids = (host["id"], *[id for seat, id in links(host).items() if seat is not None])
    while not (view := at(client, host["id"]))["over"]:
        mover = next(found for id in ids if (found := at(client, id))["legal"])
        assert play_first(client, mover).status_code == 200
    return view


def test_two_persons_play_poker_and_neither_sees_the_others_card(client: httpx.Client) -> None:
    host = started(client, "leduc", "human", "guest")
    guest = at(client, links(host)[1])
    assert (host["role"], guest["role"]) == ("host", "guest")
    assert (host["seats"], guest["seats"]) == (["human", "guest"], ["guest", "human"])
    assert guest["links"] == []
    assert [bool(view["legal"]) for view in (host, guest)] == [True, False]
    cards = [[item["cards"][0]["hidden"] for item in view["position"]["drawing"][:4:2]] for view in (host, guest)]
    assert cards == [[False, True], [True, False]]
    assert play_first(client, guest | {"legal": host["legal"]}).status_code == 409  # not its turn
    assert play_first(client, host).status_code == 200
    guest = at(client, guest["id"])
    assert guest["legal"]
    assert play_first(client, guest).status_code == 200
    over = finished(client, host)
    assert at(client, guest["id"])["returns"] == over["returns"]


def test_a_guest_may_not_do_what_is_the_hosts(client: httpx.Client) -> None:
    host = started(client, "tic_tac_toe", "human", "guest")
    guest = links(host)[1]
    assert play_first(client, host).status_code == 200
    assert client.delete(f"/api/sessions/{guest}").status_code == 403
    assert client.post(f"/api/sessions/{guest}/undo").status_code == 403
    assert client.post(f"/api/sessions/{host['id']}/undo").status_code == 409  # the guest has not agreed to it
    assert client.post(f"/api/sessions/{guest}/resign").json()["returns"] == [1.0, -1.0]
    assert client.delete(f"/api/sessions/{host['id']}").status_code == 204
    assert client.get(f"/api/sessions/{guest}").status_code == 404


def test_spectators_follow_and_change_nothing(client: httpx.Client) -> None:
    host = opened(client, "tic_tac_toe", "human", "random", seed=2)
    watched = links(host)[None]
    place = f"/api/sessions/{watched}"
    with Stream(str(client.base_url), f"{place}/events") as stream:
        assert stream.wait("view")["role"] == "spectator"
        for what, asked in (("moves", {"action": 0, "ply": 0}), ("undo", None), ("resign", None)):
            assert client.post(f"{place}/{what}", json=asked).status_code in (403, 409)
        assert client.delete(place).status_code == 403
        assert play_first(client, host).status_code == 200
        assert stream.wait("view", lambda view: view["ply"] == 2)["legal"] == []
        over = played_out(client, settled(client, at(client, host["id"])))
        seen = stream.wait("view", lambda view: view["over"])
    assert seen["history"] == over["history"]
    assert seen["seats"] == ["guest", "random"]


def test_links_and_series_survive_a_restart() -> None:
    with asking() as client:
        host = started(client, "kuhn", "human", "guest")
        finished(client, host)
        following = client.post(f"/api/sessions/{host['id']}/next").json()
        before = {id: at(client, id) for view in (host, following) for id in (view["id"], *links(view).values())}
    with asking() as client:
        assert {id: at(client, id) for id in before} == before
        assert client.post(f"/api/sessions/{host['id']}/next").json()["id"] == following["id"]


def test_a_series_moves_everybody_on_by_a_seat_and_keeps_the_total(client: httpx.Client) -> None:
    view, totals = opened(client, "kuhn", "human", "random", seed=1), [0.0, 0.0]
    assert view["series"] is None
    assert client.post(f"/api/sessions/{view['id']}/next").status_code == 409  # it is not over
    for games in range(1, 4):
        over = played_out(client, view)
        seat = view["seats"].index("human")
        totals = [totals[0] + over["returns"][seat], totals[1] + over["returns"][1 - seat]]
        view = settled(client, client.post(f"/api/sessions/{over['id']}/next").json())
        assert view["seats"].index("human") == 1 - seat
        mine = view["seats"].index("human")
        assert view["series"] == {"games": games, "totals": totals if mine == 0 else totals[::-1]}
        assert at(client, over["id"])["has_next"]


def test_host_and_guest_meet_in_the_next_game(client: httpx.Client) -> None:
    host = started(client, "kuhn", "human", "guest")
    finished(client, host)
    guest = client.post(f"/api/sessions/{links(host)[1]}/next").json()
    again = client.post(f"/api/sessions/{host['id']}/next").json()
    watched = client.post(f"/api/sessions/{links(host)[None]}/next").json()
    assert (guest["role"], again["role"], watched["role"]) == ("guest", "host", "spectator")
    assert (guest["seats"], again["seats"]) == (["human", "guest"], ["guest", "human"])
    assert links(again)[0] == guest["id"]
    assert links(again)[None] == watched["id"]


def test_nothing_is_taken_back_once_the_next_game_has_begun(client: httpx.Client) -> None:
    over = played_out(client, opened(client, "tic_tac_toe", "human", "random", seed=1))
    client.post(f"/api/sessions/{over['id']}/next")
    answer = client.post(f"/api/sessions/{over['id']}/undo")
    assert (answer.status_code, "next game" in answer.json()["detail"]) == (409, True)


def test_a_full_server_makes_room_for_the_next_game() -> None:
    """The finished game may itself be the oldest one, which is removed."""
    with asking(ServerSettings(limits=ServerLimits(sessions_per_client=1))) as small:
        over = played_out(small, opened(small, "kuhn", "human", "random", seed=1))
        assert small.post(f"/api/sessions/{over['id']}/next").status_code == 201


def test_two_planners_think_side_by_side(client: httpx.Client) -> None:
    view = opened(client, "connect_four", "human", "random", seed=1)
    place = f"/api/sessions/{view['id']}"
    with Stream(str(client.base_url), f"{place}/events") as stream:
        for where, player in (("first", "uct:50"), ("second", "alphabeta(depth=1)")):
            asked = {"player": player, "ply": 0, "place": where}
            assert client.post(f"{place}/thoughts", json=asked).status_code == 202
        assert stream.wait("thought", lambda told: told["done"])["simulations"] == 50
        assert stream.wait("second-thought", lambda told: told["done"])["simulations"] == 0
