"""What results show in a notebook: well-formed, without scripts, everything escaped, and nothing that is hidden."""

import dataclasses
from pathlib import Path
from xml.etree import ElementTree

import pytest

import forethought as ft
from forethought.drawing.charts import curve
from forethought.drawing.markup import bar, element, interval, table
from forethought.drawing.positions import PositionView
from forethought.games import GAMES
from forethought.results import Listing
from tests.check.variants import leaks_the_other_card
from tests.evaluate.given_players import GivenPlayer
from tests.evaluate.pattern_runs import ROW_OF_OWN, make_run, model_of

HOSTILE = '<script>alert(\'x\')</script>" onload="x" & \x00\x1b ]]>'


def parsed(markup: str) -> ElementTree.Element:
    """Read markup as XML, which is stricter than HTML; nothing in it may run."""
    root = ElementTree.fromstring(f"<div>{markup}</div>")  # noqa: S314 (our own)
    for one in root.iter():
        assert one.tag != "script"
        assert not any(name.startswith("on") for name in one.attrib)
        assert not any("javascript:" in value or "url(" in value for value in one.attrib.values())
    return root


def words(markup: str) -> str:
    return " ".join(parsed(markup).itertext())


def shown(result: object) -> str:
    return words(result._repr_html_())  # type: ignore[attr-defined]


def trained(directory: Path) -> str:
    settings = {"games": 2, "learning.steps": 4, "learning.hidden": "8", "evaluation.games": 4}
    ft.train("kuhn", run=directory, iterations=2, seed=3, simulations=20, settings=settings)
    return str(directory)


# Each kind of result


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (
            lambda: ft.think(ft.position("leduc", "Ks, Qs, raise"), "oos:50", seed=1),
            ["fold", "regret", "oos:50"],
        ),
        (lambda: ft.think(ft.position("leduc", "Ks, Qs").observation(0), "random", seed=1), ["it knows the facts"]),
        (lambda: ft.play("connect_four", "random", seed=1), ["connect_four", "random (seat 0)", "0. "]),
        (lambda: ft.match("kuhn", "random", "random", games=10), ["win rate (95 %)", "seed 0"]),
        (lambda: ft.ladder("kuhn", ["random", "random()"], games=10), ["payoff per game (95 %)", "against random"]),
        (lambda: ft.solve("kuhn", iterations=30), ["kuhn solved by cfr+", "exploitability", "iterations"]),
        (
            lambda: ft.exploitability("kuhn", "random"),
            ["= 0.458333", "value -0.125, best response +0.416667, gain 0.541667", "exact, by tree"],
        ),
        (lambda: ft.accuracy("tic_tac_toe", "random", positions=20), ["share right (95 %)", "tic_tac_toe"]),
        (lambda: ft.accuracy("tic_tac_toe", "random", positions=2, max_nodes=1), ["moves differ"]),
        (lambda: ft.check("kuhn", plies=20), ["kuhn: no law broken in 58 positions, all there are"]),
        (lambda: ft.check(leaks_the_other_card(), plies=20), ["breaks the law 'secrets'", "deal 2"]),
        (ft.games, ["liars_dice", "cards=13, payoff=win"]),
        (ft.cache, ["Machine code in"]),
    ],
)
def test_a_result_says_what_it_found(result, said: list[str]) -> None:
    text = shown(result())
    assert all(one in text for one in said), text


def test_runs_draw_their_curves(tmp_path: Path) -> None:
    run = ft.open_run(trained(tmp_path / "run"))
    text = shown(run)
    assert "run: exit-oos on kuhn, 2 iterations, seed 3" in text
    assert "NashConv of the policy" in text
    assert parsed(run._repr_html_()).iter("polyline")
    assert "drawn to" in shown(run.plot())


def test_patterns_are_drawn(tmp_path: Path) -> None:
    run = make_run(tmp_path / "ttt", "tic_tac_toe", {1: model_of(("to", ROW_OF_OWN), {"tspg": [0.0, 2.0]})})
    assert "#1 of player 0" in shown(ft.explain(run))
    explained = shown(ft.explain_moves(run, "a1, a2, b1, b2"))
    assert "c1" in explained
    assert "#1 +2.00" in explained


# Positions


@pytest.mark.parametrize("name", GAMES.names())
def test_every_game_is_drawn_from_its_start_to_its_end(name: str) -> None:
    states = list(ft.play(name, "random", seed=5).states())
    for state in (states[0], states[len(states) // 2], states[-1]):
        root = parsed(state._repr_html_())
        assert len(list(root.iter())) > 3
    if state.game.board is not None:
        circles = [one for one in root.iter("circle") if one.get("fill") != "none"]
        assert len(circles) == sum(owner > 0 for owner in state.game.board.owners(state.facts(ft.PUBLIC)))


def test_the_likeliest_move_is_the_warmest_cell() -> None:
    """A disc falls on those that lie in the column already: heat is where it comes to rest."""
    state = ft.position("connect_four", "d, d")
    cells = parsed(state.seen_by().html({3: 0.75, 4: 0.25})).iter("g")
    warm = {cell[0].text: float(one.get("opacity")) for cell in cells for one in cell if one.get("opacity")}
    assert warm == {"d3": pytest.approx(0.85), "e1": pytest.approx(0.85 / 3, abs=1e-6)}


def test_cards_dice_chips_and_words() -> None:
    items = [
        {"kind": "cards", "label": "held", "cards": [{"text": "K", "suit": "h"}, {"hidden": True}], "seat": 0},
        {"kind": "dice", "label": "cup", "dice": [6, None, 9], "seat": 1},
        {"kind": "chips", "label": "pot", "amount": 2.5},
        {"kind": "words", "label": "said", "text": "pass"},
        {"kind": "unheard of", "label": "left out"},
    ]
    root = parsed(PositionView("", items=items).html())
    text = " ".join(root.itertext())
    assert all(word in text for word in ("K \u2665", "?", "9", "2.5", "pass"))
    assert "left out" not in text
    assert len(list(root.iter("circle"))) == 6  # pips
    assert len(list(root.iter("ellipse"))) == 3


def test_points_of_backgammon() -> None:
    """Fifteen checkers each, of which five of a pile are drawn; those of player 1 have a ring."""
    root = parsed(ft.load("backgammon", compiled=False).start().seen_by().html())
    fills = [one.get("fill") for one in root.iter("circle")]
    assert fills.count("#1f5f99") == fills.count("#e8a317") == fills.count("none") == 15
    assert {"1", "24", "bar", "off"} <= set(root.itertext())


# Secrets


@pytest.mark.parametrize(
    ("game", "one", "other", "seat"),
    [
        ("kuhn", "K, J", "K, Q", 0),
        ("kuhn", "K, J, pass", "Q, J, pass", 1),
        ("leduc", "Ks, Qs, raise", "Js, Qs, raise", 1),
        ("liars_dice", "0, 1", "0, 5", 0),
        ("goofspiel(cards=4)", "0", "3", 1),
    ],
)
def test_a_thought_shows_only_what_its_seat_sees(game: str, one: str, other: str, seat: int) -> None:
    thoughts = [ft.think(ft.position(game, moves), "oos:20", seed=1) for moves in (one, other)]
    assert [thought.seat for thought in thoughts] == [seat, seat]
    first, second = (dataclasses.replace(thought, seconds=1.0)._repr_html_() for thought in thoughts)
    assert first == second


def test_the_other_hand_lies_face_down() -> None:
    thought = ft.think(ft.position("kuhn", "K, J"), "random")
    text = shown(thought)
    assert "K" in text
    assert "J" not in text
    assert "a card face down" in thought._repr_html_()


# Hostile words


def hostile_game() -> ft.Game:
    """Tic-tac-toe whose names and drawings are an attack."""
    made = ft.load("tic_tac_toe", compiled=False)

    def action_name(s, action):
        return f"{HOSTILE}{action}"

    def show(s):
        return HOSTILE

    def draw(s, observer):
        return [
            {"kind": "cards", "label": HOSTILE, "cards": [{"text": HOSTILE, "suit": HOSTILE}], "seat": 0},
            {"kind": "words", "label": HOSTILE, "text": HOSTILE},
        ]

    rules = [rule for rule in made.rules if rule.__name__ not in ("action_name", "show", "draw", "set_up")]
    return dataclasses.replace(made, rules=[*rules, action_name, show, draw], board=None, spec=HOSTILE, name=HOSTILE)


class HostilePlayer(GivenPlayer):
    def __str__(self) -> str:
        return HOSTILE


def test_names_and_drawings_cannot_become_markup() -> None:
    game = hostile_game()
    player = HostilePlayer(made=ft.player("random").new_player(game))
    thought = ft.think(game.start(), player, seed=1)
    for result in (thought, ft.play(game, player, seed=1), game.start()):
        text = shown(result)
        assert "<script>alert('x')</script>" in text
    assert "<script>" in words(PositionView(HOSTILE)._repr_html_())
    assert "<script>" in shown(Listing([dataclasses.replace(thought, actions=[])]))


def test_elements_escape_whatever_they_are_given() -> None:
    markup = element("div", HOSTILE, [HOSTILE, None], title=HOSTILE)
    root = parsed(markup)
    assert root[0].get("title").startswith("<script>")
    assert len(root[0]) == 0
    parsed(table([HOSTILE], [[HOSTILE]]))
    parsed(curve(HOSTILE, [1.0, 2.0], [1.0, 2.0], (HOSTILE, HOSTILE)))


# Numbers


@pytest.mark.parametrize("share", [-1.0, 0.0, 0.5, 1.0, 7.0])
def test_bars_stay_within_their_ground(share: float) -> None:
    ground, filled = parsed(bar(share)).iter("rect")
    assert 0.0 <= float(filled.get("width")) <= float(ground.get("width"))


def test_an_interval_without_width_is_drawn() -> None:
    dot = next(parsed(interval(3.0, 3.0, 3.0, (3.0, 3.0))).iter("circle"))
    assert float(dot.get("cx")) == 5.0


@pytest.mark.parametrize(
    ("ys", "logarithmic", "points"),
    [
        ([1.0, 0.1, 0.01], True, 3),
        ([1.0, 0.0, 0.01], True, 2),
        ([1.0, float("nan"), float("inf")], False, 1),
        ([2.0, 2.0, 2.0], False, 3),
        ([1e-300, 1e300, 1.0], True, 3),
    ],
)
def test_a_curve_leaves_out_what_cannot_be_drawn(ys: list[float], logarithmic: bool, points: int) -> None:
    root = parsed(curve("error", [1, 2, 3], ys, ("iterations", "error"), logarithmic))
    assert len(list(root.iter("circle"))) == points
    for one in root.iter("circle"):
        assert 0.0 <= float(one.get("cx")) <= 360.0
        assert 0.0 <= float(one.get("cy")) <= 200.0


def test_a_curve_of_nothing_says_so() -> None:
    assert "nothing was measured" in words(curve("loss", [1], [float("nan")], ("iteration", "")))


def test_an_empty_listing_says_so() -> None:
    assert shown(Listing()) == "nothing"
