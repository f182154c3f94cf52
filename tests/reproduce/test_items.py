"""Data files: those of the package can be read, name what exists and keep within their budgets; mistakes are told."""

from pathlib import Path

import pytest

import forethought as ft
from forethought.errors import ForethoughtError
from forethought.games import load
from forethought.player import PLAYERS, read_player
from forethought.reproduce import check_item
from forethought.reproduce.items import BUDGETS, Item, expanded, filled, item_names, paper_names, read_item
from forethought.reproduce.measures import DifferenceMeasured
from forethought.reproduce.verdicts import HIGHER, LOWER, NEITHER
from tests.reproduce.small import PAPERS, copied

PACKAGED = [(paper, item) for paper in paper_names() for item in item_names(paper)]


def test_the_papers_and_their_items() -> None:
    assert paper_names() == ["alphago", "alphazero", "exit-oos", "nfsp", "oos", "tspg"]
    assert item_names("exit-oos") == ["figure-1", "table-1", "table-2", "table-3", "table-4", "table-5"]
    assert item_names("tspg") == ["figure-2", "figure-3", "figure-4", "table-1"]


@pytest.mark.parametrize(("paper", "item"), PACKAGED)
def test_packaged_items_are_sound(paper: str, item: str) -> None:
    listed = {budget: read_item(paper, item, budget) for budget in BUDGETS}
    for budget, one in listed.items():
        check_item(one)
        assert 0 < one.budget.minutes <= BUDGETS[budget]
        assert len({row.name for row in one.rows}) == len(one.rows)
        check_rows(one)
    assert listed["quick"].budget.minutes < listed["hour"].budget.minutes <= listed["paper"].budget.minutes
    assert listed["paper"].left_out == []
    assert any(row.printed is not None or row.low is not None for row in listed["quick"].rows)


def check_rows(item: Item) -> None:
    assert item.head.better in (HIGHER, LOWER)
    names: list[str] = []
    for row in item.rows:
        assert row.better in ("", HIGHER, LOWER, NEITHER)
        game = load(row.game, compiled=False)
        for player in row.measure.players:
            kind, _ = read_player(player.replace("{run}", "run"))
            assert "{" not in player.replace("{run}", "")
            assert kind.suits(game)
            assert kind.name in dict(PLAYERS)
        if isinstance(row.measure, DifferenceMeasured):
            assert {row.measure.of, row.measure.minus} <= {*names}
        if row.printed is not None and row.low is not None and row.high is not None:
            assert row.low <= row.printed <= row.high
        names.append(row.name)


def test_the_list_has_all_items_with_their_forecasts() -> None:
    listed = ft.reproducible()
    assert [(one.paper, one.item) for one in listed] == PACKAGED
    assert all([*one.minutes] == [*BUDGETS] for one in listed)
    assert [one.item for one in ft.reproducible("nfsp")] == ["leduc"]


def test_words_stand_for_values_and_rows_are_repeated() -> None:
    assert filled({"a": ["{n}", "x{n}{run}"], "b": 2}, {"n": 3}) == {"a": [3, "x3{run}"], "b": 2}
    block = {"over": {"game": ["a", "b"], "at": [1, 2]}, "name": "{game} {at}", "x": "{at}"}
    rows = [*expanded(block)]
    assert [one["name"] for one in rows] == ["a 1", "a 2", "b 1", "b 2"]
    assert [one["x"] for one in rows] == [1, 2, 1, 2]
    assert [*expanded({"name": "alone"})] == [{"name": "alone"}]


def test_words_of_the_caller_replace_those_of_the_budget() -> None:
    item = read_item("small", "table-1", "quick", PAPERS, {"games": 4, "seeds": [5]})
    assert item.budget.seeds == [5]
    assert item.trainings["net"].seeds == (5,)
    assert {row.measure.games for row in item.rows if hasattr(row.measure, "games")} == {4}
    assert item.left_out == ["after the last iteration"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("smal",), "There is no paper 'smal'; did you mean small? Papers are small."),
        (("small", "table-9"), "There is no item 'table-9'; did you mean table-1? Items are table-1."),
        (("small", "table-1", "day"), "There is no budget 'day'; budgets are quick, hour, paper."),
    ],
)
def test_what_there_is_not_is_told_in_one_sentence(arguments: tuple[str, ...], message: str) -> None:
    paper, item, budget = (*arguments, *(None, "quick")[len(arguments) - 1 :])[:3]
    with pytest.raises(ForethoughtError) as refusal:
        ft.reproduce(str(paper), item, budget=str(budget), papers=PAPERS)
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("unit =", "unot =", "there is no key 'unot'; did you mean unit?"),
        ('unit = "number"\n', "", "unit is missing."),
        ("resolution = 5.0", 'resolution = "wide"', "resolution cannot be 'wide'."),
        ("minutes = 1\n", "minutes = true\n", "budgets.quick.minutes cannot be True."),
        (
            "seeds = [1, 2]\n",
            "seeds = [1, 1]\n",
            "seeds must be a list of different whole numbers at least 0, not [1, 1].",
        ),
        ("metric = {name", "metrik = {name", "rows 'NashConv': one of match, rating, nashconv, metric, accuracy, "),
        ('training = "net"', 'training = "not"', "rows 'NashConv': there is no training 'not'."),
        ('algorithm = "exit-oos"', 'algorithm = "exit"', "There is no algorithm 'exit'"),
        ('against = "oos:20"', 'against = "os:20"', "There is no player 'os'"),
        ('game = "kuhn"', 'game = "kun"', "There is no game 'kun'"),
        ("iterations = 1, ", "", "iterations must be a whole number at least 1"),
    ],
)
def test_mistakes_in_a_file_are_told_before_anything_is_done(old: str, new: str, message: str, tmp_path: Path) -> None:
    home = copied(tmp_path)
    file = home / "small" / "table-1.toml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(ForethoughtError) as refusal:
        ft.reproduce("small", papers=home)
    assert message in str(refusal.value)


def test_words_that_nobody_reads_are_refused() -> None:
    with pytest.raises(ForethoughtError, match="there is no key 'game'; did you mean games"):
        ft.reproduce("small", papers=PAPERS, words={"game": 3})
