"""`forethought accuracy`, as a user types it."""

import json

import pytest

from tests.cli.processes import Run

ACCURACY = ("accuracy", "tic_tac_toe", "random", "--positions", "60", "--seed", "2")


def test_as_json_it_is_the_same_for_any_number_of_workers(run: Run) -> None:
    shown = [run(*ACCURACY, "--json", "--workers", str(workers)).out for workers in (1, 2)]
    assert shown[0] == shown[1]
    result = json.loads(shown[0])
    assert (result["game"], result["player"], result["seed"]) == ("tic_tac_toe", "random", 2)
    assert (result["from_plies"], result["to_plies"]) == (3, 7)
    assert result["positions"] == result["solved"] == 60
    assert 0 < result["right"] < result["differing"] < 60
    assert result["share_right"] == result["right"] / result["differing"]
    assert result["share_right_low"] < result["share_right"] < result["share_right_high"]
    assert result["mean_loss"] > 0


def test_as_a_table_it_says_what_was_skipped(run: Run) -> None:
    done = run(*ACCURACY, "--from-plies", "1", "--to-plies", "1", "--max-nodes", "2")
    assert done.code == 0, done.err
    assert "tic_tac_toe   random   after 1 to 1 random plies   seed 2" in done.out
    assert "share right" in done.out
    assert "60 positions were not solved within 2 nodes" in done.out
    assert "no position was solved in which moves differ" in done.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("leduc", "random"), "leduc: it hides information; exact values of positions need games"),
        (("tests/userfiles/dice_race.py", "random"), "chance acts in it; exact values of positions need games without"),
        (("tests/userfiles/take_away.py", "random"), "only zero-sum games of two players"),
        (("tic_tac_toe", "randm"), "There is no player 'randm'; did you mean random?"),
        (("tic_tac_toe", "random", "--from-plies", "9"), "positions after 9 to 9 plies were asked for"),
    ],
)
def test_a_mistake_is_a_sentence(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run("accuracy", *arguments)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
