"""`forethought explain`, as a user types it, on a run made by hand."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from forethought.games import load
from forethought.learn.algorithms.exit_oos import ExitOosConfiguration
from forethought.learn.run import Run
from forethought.nets.mlp import MlpWeights, make_mlp, parameters_of
from forethought.patterns.model import model_content
from forethought.runs import numbered
from forethought.tensors import write_parts
from tests.cli.processes import Run as RunVerb
from tests.cli.test_runs import home
from tests.evaluate.pattern_runs import ROW_OF_OTHERS, ROW_OF_OWN, make_run, model_of

__all__ = ["home"]  # a fixture

NEAR_OTHERS, AT_THE_EDGE = "to e@1,0", "to #@1,0"
TEXTS = ("to", ROW_OF_OWN, NEAR_OTHERS, ROW_OF_OTHERS, AT_THE_EDGE)
WEIGHTS = {
    "ce": [0.5, 1.0, -0.4, 0.8, -0.1],
    "double": [0.0, 0.0, 0.0, 0.5, 0.0],
    "tspg": [0.0, 2.0, 0.0, 0.0, -1.5],
}
TWO_IN_A_ROW = "a1, a2, b1, b2"  # x, to move, wins at c1; o threatens c2


@pytest.fixture
def learned(home: Path) -> str:
    make_run(home / "ttt", "tic_tac_toe", {1: model_of(TEXTS, {}), 7: model_of(TEXTS, WEIGHTS)})
    return "ttt"


def strongest(run: RunVerb, *arguments: str) -> list[dict[str, object]]:
    (told,) = json.loads(run("explain", *arguments, "--player", "1", "--json").out)["players"]
    assert (told["player"], told["patterns"]) == (1, len(TEXTS))
    listed: list[dict[str, object]] = told["strongest"]
    return listed


def test_the_strongest_pattern_comes_first_whatever_its_sign(run: RunVerb, learned: str) -> None:
    first, second, third = strongest(run, learned, "--top", "3")
    assert (first["rank"], first["pattern"]) == (1, ROW_OF_OWN)
    assert first["weights"] == {"ce": 1.0, "double": 1.0, "tspg": 3.0}
    assert (second["pattern"], third["pattern"]) == (AT_THE_EDGE, ROW_OF_OTHERS)
    by_double = [one["pattern"] for one in strongest(run, learned, "--policy", "double")]
    assert by_double == [ROW_OF_OTHERS, ROW_OF_OWN, "to", NEAR_OTHERS, AT_THE_EDGE]


def test_an_earlier_state_of_the_run_can_be_asked_for(run: RunVerb, learned: str) -> None:
    assert {str(one["weights"]) for one in strongest(run, f"{learned}@1")} == {str(dict.fromkeys(WEIGHTS, 0.0))}


def test_the_roll_out_policy_is_read_among_networks(run: RunVerb, learned: str, home: Path) -> None:
    """As in a run of AlphaGo, whose weights are a file of several parts."""
    game = load("tic_tac_toe", compiled=False)
    net = make_mlp(game.facts, game.actions, (8,), np.random.default_rng(1))
    fitted = model_content(model_of(TEXTS, {"ce": WEIGHTS["ce"]}), game)
    network = MlpWeights(parameters_of(net)).content(game)
    write_parts(numbered(home / learned / "weights", 7), {"imitation": network, "rollout": fitted})
    first, *_ = strongest(run, learned)
    assert (first["pattern"], first["weights"]) == (ROW_OF_OWN, {"ce": 1.0, "double": 1.0, "tspg": 1.0})
    write_parts(numbered(home / learned / "weights", 7), {"imitation": network})
    done = run("explain", learned)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "has no part 'rollout', only imitation; " in done.err


def test_patterns_are_drawn_beside_their_weights_and_as_a_picture(run: RunVerb, learned: str, tmp_path: Path) -> None:
    picture = tmp_path / "patterns.svg"
    done = run("explain", learned, "--top", "2", "--save", str(picture))
    assert done.code == 0, done.err
    assert "tic_tac_toe, ttt: what player 0 goes by, 2 of 5 patterns, the strongest in tspg first" in done.out
    lines = [line.split() for line in done.out.splitlines()]
    assert lines.count(["#1", "[", "]", "f", "f", "+1.000", "+1.000", "+3.000"]) == 2  # of either player
    assert lines.count(["#2", "[", "]", "#", "-0.100", "-0.100", "-1.600"]) == 2
    assert "f friend   e enemy   - empty   # off the board" in done.out
    assert f"drew {picture}" in done.out
    shown = picture.read_text()
    assert all(f"#{rank} of player {player}" in shown for rank in (1, 2) for player in (0, 1))


def test_moves_are_explained_by_what_tells_them_apart(run: RunVerb, learned: str) -> None:
    told = json.loads(run("explain", learned, "--moves", TWO_IN_A_ROW, "--json").out)
    assert (told["player"], told["policy"]) == (0, "tspg")
    moves = {move["name"]: move for move in told["actions"]}
    assert list(moves)[:3] == ["c1", "c2", "c3"]
    for policy, own, others in (("ce", 1.0, 0.8), ("double", 1.0, 1.3), ("tspg", 3.0, 0.8)):
        risen = {"c1": own, "c2": others - 0.4, "c3": 0.0, "a3": -0.4, "b3": -0.4}
        total = sum(map(math.exp, risen.values()))
        for name, logit in risen.items():
            assert moves[name]["probabilities"][policy] == pytest.approx(math.exp(logit) / total)
    sides = {
        name: [[one["pattern"] for one in move[side]] for side in ("supporting", "opposing")]
        for name, move in moves.items()
    }
    assert sides == {
        "c1": [[ROW_OF_OWN], []],
        "c2": [[ROW_OF_OTHERS], [NEAR_OTHERS]],
        "c3": [[], []],  # "to" and the edge speak of every move alike
        "a3": [[], [NEAR_OTHERS]],
        "b3": [[], [NEAR_OTHERS]],
    }


def test_moves_are_shown_with_the_numbers_of_their_patterns(run: RunVerb, learned: str) -> None:
    done = run("explain", learned, "--moves", TWO_IN_A_ROW, "--top", "2")
    assert "tic_tac_toe, ttt: player 0 is to move" in done.out
    lines = [line.split() for line in done.out.splitlines()]
    (winning,) = [line for line in lines if line[:1] == ["c1"]]
    assert winning[-2:] == ["#1", "+3.00"]
    (threatened,) = [line for line in lines if line[:1] == ["c2"]]
    assert threatened[-4:] == ["#3", "+0.80", "#5", "-0.40"]
    assert ["#3", "[", "]", "e", "e", "+0.800", "+1.300", "+0.800"] in lines
    assert "--top 3 draws all patterns that are named above" in done.out


def test_the_sign_of_a_captured_piece_is_shown(run: RunVerb, home: Path) -> None:
    make_run(home / "b", "breakthrough", {1: model_of(["to o@-1,-1 e@0,0"], {"ce": [1.0]})})
    shown = run("explain", "b", "--player", "0").out
    assert "[e]" in shown
    assert "( )" in shown


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("nothing",), "There is no run 'nothing'"),
        (("ttt@5",), "has no weights of iteration 5, only of 1, 7."),
        (
            ("leduc-1",),
            "The run 'leduc-1' was trained by exit-oos, whose network has no patterns to read; explain needs",
        ),
        (("ttt", "--player", "2"), "--player must be 0, 1 or both, not 2."),
        (("ttt", "--policy", "cd"), "policy must be one of ce, double, tspg, not 'cd'."),
        (("ttt", "--moves", "", "--player", "0"), "those of the player to move; leave --player out."),
        (("ttt", "--moves", "a1, a1"), "'a1' is no action of player 1 there"),
        (("ttt", "--save", "a.gif"), "The picture a.gif must end in .png or .svg."),
    ],
)
def test_a_mistake_is_one_sentence(
    run: RunVerb, learned: str, home: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    with Run.create(home / "leduc-1", ExitOosConfiguration(game="leduc", seed=1)) as other:
        other.weights_file(1).parent.mkdir(exist_ok=True)
        other.weights_file(1).touch()
    done = run("explain", *arguments)
    assert done.code == 2
    assert complaint in done.err
    assert done.err.count("\n") == 1
