"""The verbs, as a user types them: in another process, with exit codes, stdout and stderr."""

import io
import json
import os
import signal
import subprocess
import sys

import pytest

from forethought import play_games
from forethought.cli.play import play
from forethought.games import GAMES
from tests.check.variants import BROKEN
from tests.cli.processes import Run, in_new_process


def test_help_names_every_verb() -> None:
    shown = in_new_process("--help").stdout
    for verb in ("games", "check", "play", "bench", "cache"):
        assert verb in shown


def test_games_as_json_tells_sizes_and_parameters(run: Run) -> None:
    listed = {game["name"]: game for game in json.loads(run("games", "--json").out)}
    assert listed["goofspiel"]["parameters"] == {"cards": 13, "payoff": "win"}
    assert listed["leduc"]["hidden"]
    assert not listed["tic_tac_toe"]["hidden"]
    assert (listed["kuhn"]["players"], listed["kuhn"]["actions"], listed["kuhn"]["facts"]) == (2, 2, 9)


def test_games_as_a_table_names_each_game(run: Run) -> None:
    shown = run("games").out
    assert all(f" {name} " in shown for name in GAMES.names())


def test_a_lawful_game_checks_with_exit_code_0(run: Run) -> None:
    done = run("check", "docs/games/doubt.py", "--plies", "500", "--json")
    report = json.loads(done.out)
    assert done.code == 0
    assert report["ok"]
    assert report["exhaustive"]


def test_a_broken_game_checks_with_exit_code_1_and_its_proof(run: Run) -> None:
    spec = "tests/check/variants.py:leaks_the_other_card"
    done = run("check", spec, "--plies", "500")
    assert done.code == 1
    assert "breaks the law 'secrets'" in done.out
    assert "deal 2" in done.out
    assert "cards 2 0" in done.out
    report = json.loads(run("check", spec, "--plies", "500", "--json").out)
    assert report["violation"]["law"] == "secrets"
    assert len(report["violation"]["histories"]) == 2
    assert next(law for make, law in BROKEN.items() if make.__name__ == "leaks_the_other_card") == "secrets"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "ledux"), "error: There is no game 'ledux'; did you mean leduc?"),
        (("play", "kuhn", "--seat", "2"), "error: kuhn: there is no seat 2; seats are 0 to 1."),
        (
            ("play", "kuhn", "--against", "stockfish"),
            "error: There is no player 'stockfish'; players are alphabeta, alphago, az, biased, ismcts, linear, ",
        ),
        (("bench", "playouts:chess"), "error: There is no benchmark 'playouts:chess'"),
    ],
)
def test_a_mistake_is_one_sentence_and_exit_code_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert done.err.startswith(said)
    assert len(done.err.strip().splitlines()) == 1
    assert done.out == ""


def test_debug_shows_the_original_error_wherever_it_stands(run: Run) -> None:
    for arguments in (("--debug", "check", "ledux"), ("check", "ledux", "--debug")):
        done = run(*arguments)
        assert "Traceback" in done.err
        assert done.code == 2


def test_a_game_is_played_with_numbers_names_and_nonsense(run: Run) -> None:
    done = run("play", "kuhn", "--seed", "5", answers="7\nnonsense\n\nbet\n1\n")
    assert done.code == 0
    assert done.out.count("Please answer with one of 0, 1") == 3
    assert "you: " in done.out


def test_where_names_are_numbers_they_mean_what_is_printed(run: Run) -> None:
    game = "tests/userfiles/take_away.py(players=1,stones=4)"
    done = run("play", game, "--seed", "5", answers="0\n2\n2\n")
    assert "your actions: 1   2   3\n" in done.out
    assert "Please answer with one of 1, 2, 3; q quits." in done.out
    assert "2 stones, player 0 to take\nyour actions: 1   2\n" in done.out
    assert "0 stones" in done.out


def test_the_same_seed_plays_the_same_game(run: Run) -> None:
    first, second = (run("play", "leduc", "--watch", "--games", "2", "--seed", "9").out for _ in range(2))
    assert first == second
    assert "game 2 of 2" in first
    assert run("play", "leduc", "--watch", "--games", "2", "--seed", "10").out != first


def test_watched_games_are_written_down_as_json(run: Run) -> None:
    games = json.loads(run("play", "kuhn", "--watch", "--games", "3", "--seed", "2", "--json").out)
    assert len(games) == 3
    for game in games:
        assert len(game["actions"]) == len(game["names"]) >= 4
        assert sum(game["returns"]) == 0
    assert run("play", "kuhn", "--json").code == 2


def test_the_other_hand_stays_hidden_until_the_end(run: Run) -> None:
    shown = run("play", "kuhn", "--seed", "3", answers="pass\npass\n").out
    middle, end = shown.rsplit("cards ", 1)
    assert "?" in middle
    assert "?" not in end
    assert middle.count("chance: deal") == 1  # one's own card only


def test_a_player_is_not_told_how_often_another_tried_unseen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [play_games("tests/userfiles/dark_claims.py", "random", 1, seed=seed)[0] for seed in range(12)]
    assert len({game.actions.index(3) for game in games}) > 2  # what is hidden differs
    told = set()
    for seed in range(12):
        monkeypatch.setattr("sys.stdin", io.StringIO("0\nq\n"))
        play("tests/userfiles/dark_claims.py", seat=0, against="random", seed=seed)
        told.add(capsys.readouterr().out.partition("\n")[2])  # the first line tells the seed
    assert len(told) == 1
    assert "acted" not in told.pop()


@pytest.mark.parametrize("answers", ["q\n", ""], ids=["q", "end of input"])
def test_leaving_a_game_is_no_error(run: Run, answers: str) -> None:
    done = run("play", "tic_tac_toe", "--seed", "1", answers=answers)
    assert done.code == 0
    assert done.out.endswith("bye\n")
    assert done.err == "" or "compiling" in done.err


def test_ctrl_c_ends_a_game_quietly() -> None:
    command = [sys.executable, "-u", "-m", "forethought", "play", "tic_tac_toe", "--seed", "1"]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    shown = ""
    while not shown.endswith("\n> "):  # the prompt: it waits for an answer
        shown += game.stdout.read(1)
    os.kill(game.pid, signal.SIGINT)
    rest, errors = game.communicate()
    assert rest.endswith("bye\n")
    assert "Traceback" not in errors


@pytest.mark.slow
def test_cache_tells_where_machine_code_is_and_clears_it(run: Run, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("FORETHOUGHT_CACHE", str(tmp_path / "cache"))
    in_new_process("play", "kuhn", "--watch", "--seed", "1")
    kept = json.loads(run("cache", "--json").out)
    assert kept["directory"] == str(tmp_path / "cache")
    assert kept["files"] > 8
    run("cache", "--clear")
    assert json.loads(run("cache", "--json").out)["files"] == 0


def test_think_shows_what_is_seen_and_thought(run: Run) -> None:
    shown = run("think", "leduc", "--player", "oos:3000", "--moves", "deal Ks, Qs, raise", "--seed", "1")
    assert shown.code == 0, shown.err
    assert "player 1 is to move" in shown.out
    assert "player 0: ?" in shown.out  # the other's king is not shown
    for word in ("fold", "call", "raise", "regret", "visits", "simulations/s", "information sets in memory", "█"):
        assert word in shown.out


def test_think_takes_the_search_that_suits_and_shows_shares_of_visits_where_nothing_is_hidden(run: Run) -> None:
    shown = run("think", "gomoku(size=7)", "--seed", "1").out
    assert "uct:10000: 10,000 simulations" in shown
    assert "visited" in shown
    assert "and 25 more actions" in shown
    assert " positions in memory" in shown
    thought = json.loads(run("think", "tic_tac_toe", "--seed", "1", "--json").out)
    visits = [one["visits"] for one in thought["actions"]]
    assert [one["share"] for one in thought["actions"]] == pytest.approx([count / sum(visits) for count in visits])
    hidden = json.loads(run("think", "kuhn", "--seed", "1", "--json").out)
    assert hidden["player"] == "oos:10000"
    assert all(one["share"] == one["probability"] for one in hidden["actions"])


def test_many_actions_are_listed_in_lines_of_the_terminal_by_how_they_begin(run: Run) -> None:
    shown = run("play", "breakthrough(rows=6,columns=6)", "--seed", "1", answers="q\n").out
    lines = [line for line in shown.splitlines() if line.startswith("[")]
    assert max(map(len, lines)) <= 80
    assert len(lines) == 6  # the moves of one piece on one line
    for line in lines:
        assert len({one.split("-")[0].split()[-1] for one in line.split("   ") if one}) == 1


def test_the_table_of_a_match_of_three_says_what_it_counts(run: Run) -> None:
    shown = run("match", "tests/userfiles/kuhn3.py", "random", "random", "--games", "30").out
    assert "compare A with each of the other 2 seats: 2 for every game" in shown
    assert "compare A" not in run("match", "kuhn", "random", "random", "--games", "30").out


def test_think_speaks_json_and_a_seed_repeats_it(run: Run) -> None:
    command = ("think", "goofspiel(cards=4)", "--player", "oos:2000", "--moves", "0,3", "--seed", "5", "--json")
    first, second = (json.loads(run(*command).out) for _ in range(2))
    assert first["actions"] == second["actions"]
    assert first["seat"] == 0
    assert first["simulations"] == 2000
    assert first["simulations_per_second"] > 0
    assert [action["name"] for action in first["actions"]] == ["bid 1", "bid 2", "bid 3"]
    assert sum(action["probability"] for action in first["actions"]) == pytest.approx(1.0)
    assert all({"regret", "visits"} <= set(action) for action in first["actions"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--moves", "deal Ks, nonsense"], "'nonsense' is no action of chance there; possible are [0] deal Js"),
        (["--moves", "deal K"], "'deal K' is no action of chance"),
        (["--moves", "Ks,Qs,raise,fold"], "The game is over after these moves"),
        (["--moves", "Ks,Qs,raise,fold,raise"], "The game is over before 'raise'"),
        (["--moves", "Ks,Qs", "--seat", "1"], "There player 0 is to move, not 1"),
        (["--player", "oos:none"], "simulations must be a whole number"),
    ],
)
def test_think_refuses_in_one_sentence(run: Run, arguments: list[str], message: str) -> None:
    refused = run("think", "leduc", *arguments)
    assert refused.code == 2
    assert message in refused.err
    assert "Traceback" not in refused.err
