"""SGF: its text, the dialect of each game, and what sgfmill (a package by others) makes of what we write."""

import io
import tracemalloc
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from sgfmill import sgf, sgf_moves

import forethought as ft
from forethought.game import PUBLIC
from forethought.records.formats import RECORD_FORMATS, CheckedGame
from forethought.records.sgf.grammar import encoding_of, escaped, main_lines, nodes_of, text_of, unescaped
from forethought.records.transcript import (
    AFTER_END,
    ILLEGAL,
    NO_MOVES,
    OTHER_GAME,
    SET_UP,
    UNREADABLE,
    WRONG_TURN,
)
from tests.records.reading import names_of, played_game, random_actions, read, same

SGF = RECORD_FORMATS.find("sgf")
# Two games of Little Golem between strong players, given up when they were decided.
CELUCH = """(;FF[4]EV[hex.mc.2010.oct.1.11]PB[Maciej Celuch]PW[pensando]SZ[13]RE[B]GC[ game #1254910]
SO[http://www.littlegolem.com];W[mf];B[gg];W[de];B[df];W[ji];B[if];W[ld];B[jg];W[jf];B[ig];W[kg];B[kc];W[mb];B[ma];
W[lb];B[la];W[kb];B[ka];W[jb];B[ja];W[hc];B[hb];W[fd];B[fc];W[ib];B[ia];W[gc];B[gb];W[cd];B[da];W[eb];B[dd];W[ce];B[dc];
W[cc];B[db];W[bb];B[le];W[kf];B[ke];W[je];B[il];W[jj];B[kk];W[hk];B[resign])"""
SEPCZUK = """(;FF[4]EV[hex.ch.23.1.1]PB[Daniel Sepczuk]PW[Maciej Celuch]SZ[13]RE[W]GC[ game #1139802]
SO[http://www.littlegolem.com];W[mf];B[swap];W[kj];B[ie];W[fh];B[ed];W[cd];B[cb];W[dd];B[fb];W[db];B[ii];W[ef];B[dj];
W[ld];B[kd];W[hi];B[hl];W[ej];B[dk];W[el];B[fg];W[dg];B[dh];W[eh];B[eg];W[kf];B[ke];W[le];B[lc];W[gf];B[gg];W[hf];B[ig];
W[hg];B[gh];W[hh];B[fk];W[resign])"""
SHORTEST_OTHELLO = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]  # Black has all discs after nine moves


def in_turns(texts: list[str], colours: str = "BW") -> str:
    return "".join(f";{colours[place % 2]}[{text}]" for place, text in enumerate(texts))


# The text.


def lines_of(content: bytes) -> list[bytes]:
    return [line.text for line in main_lines(io.BytesIO(content)) if not line.problem]


def test_main_lines_are_the_first_variations_however_deep_they_nest() -> None:
    content = b"(;FF[4];B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))"
    (line,) = lines_of(content)
    assert [list(node.items()) for node in nodes_of(line)[1:]] == [
        [(b"B", [b"aa"])],
        [(b"W", [b"bb"])],
        [(b"B", [b"cc"])],
    ]
    deep = 50_000
    assert [nodes_of(line) for line in lines_of(b"(;B[aa]" * deep + b")" * deep)] == [[{b"B": [b"aa"]}] * deep]


def test_brackets_and_parentheses_in_values_end_nothing() -> None:
    content = rb"(;C[a \] ( ; \\];B[aa])(;B[bb]C[)])"
    assert [nodes_of(line)[-1][b"B"] for line in lines_of(content)] == [[b"aa"], [b"bb"]]
    assert unescaped(r"a \] \\ \:") == r"a ] \ :"
    assert unescaped("one \\\nline") == "one line"
    for text in ("plain", "a]b", "\\", "a\\]b:c"):
        assert unescaped(escaped(text)) == text


def test_collections_and_what_stands_between_games() -> None:
    content = b"From: somebody\n\n(;B[aa])\n-- \n( \n;B[bb];W[cc])rest"
    assert [len(nodes_of(line)) for line in lines_of(content)] == [1, 2]


def test_old_long_names_of_properties() -> None:
    assert nodes_of(b"(;GaMe[1]SiZe[9];Black[aa]White[bb]") == [
        {b"GM": [b"1"], b"SZ": [b"9"]},
        {b"B": [b"aa"], b"W": [b"bb"]},
    ]


@pytest.mark.parametrize("seed", range(5))
def test_where_a_window_ends_makes_no_difference(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    content = rb"(;C[a \] ( ; \\];B[aa](;W[bb])(;W[cc]C[\]]))x(;B[dd]C[" + b"y" * 70 + b"])(;B[ee];W[ff]"
    whole = list(main_lines(io.BytesIO(content)))
    monkeypatch.setattr("forethought.records.window.CHUNK", seed + 1)
    assert list(main_lines(io.BytesIO(content))) == whole
    assert [bool(line.problem) for line in whole] == [False, False, True]


class Endless(io.RawIOBase):
    """A large file that is nowhere."""

    def __init__(self, start: bytes, filling: bytes, size: int) -> None:
        self.start, self.filling, self.left = start, filling, size

    def read(self, size: int = -1) -> bytes:
        data = self.start or (self.filling * (size // len(self.filling)))[: self.left]
        self.left -= len(data)
        self.start = b""
        return data


@pytest.mark.parametrize(
    ("start", "filling"),
    [
        (b"(;C[", b"x"),
        (b"(;B[aa]", b";B[aa]C[no end]"),
        (b"(;B[aa]", b"("),
        (b"(", b" "),
        (b"(;B[aa](;W[bb])", b"(;W[cc])"),
        (b"", b"(;"),
    ],
    ids=["value", "moves", "depth", "space", "variations", "starts"],
)
@pytest.mark.quick_cases(3)
def test_no_file_exhausts_memory(start: bytes, filling: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forethought.records.window.CHUNK", 1 << 14)
    monkeypatch.setattr("forethought.records.sgf.grammar.LONGEST_GAME", 1 << 15)
    tracemalloc.start()
    found = [line.problem for line in main_lines(Endless(start, filling, 1 << 20))]  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 19
    assert len(found) == (b";" in start + filling) or "longer than" in found[0]


@pytest.mark.parametrize(
    ("declared", "name", "encoding"),
    [
        (b"CA[UTF-8]", "藤沢秀行", "utf-8"),
        (b"", "藤沢秀行", "utf-8"),
        (b"", "Müller", "latin-1"),
        (b"CA[GB18030]", "藤沢秀行", "gb18030"),
        (b"CA[no such]", "Müller", "latin-1"),
        (b"CA[idna]", "Müller", "latin-1"),
        (b"CA[\x00]", "Müller", "latin-1"),
    ],
)
def test_encodings(declared: bytes, name: str, encoding: str) -> None:
    root = nodes_of(b"(;" + declared + b"PB[" + name.encode(encoding) + b"]")[0]
    assert text_of(root, b"PB", encoding_of(root)) == name


# Go.


def test_go_rows_are_counted_from_the_top_and_both_passes_are_passes(tmp_path: Path) -> None:
    content = "(;GM[1]SZ[9]KM[7.5]PB[a]PW[b]BR[6d]WR[9p]RE[B+3.5];B[aa];W[ia];B[ai];W[];B[tt])"
    (one,) = read("sgf", "go(size=9)", content, tmp_path).games
    assert names_of("go(size=9)", one.actions) == ["a9", "i9", "a1", "pass", "pass"]
    assert one.names == ("a", "b")
    assert one.ratings == (2600.0, 2940.0)
    assert one.returns == (1.0, -1.0)  # as the players agreed, though White has more by our count


def test_go_counts_by_the_rules_only_if_nobody_says_who_won_with_this_komi(tmp_path: Path) -> None:
    def result(about: str) -> object:
        content = f"(;SZ[5]{about};B[aa];W[];B[])"
        (one,) = read("sgf", "go(size=5,komi=0.5)", content, tmp_path).games
        return one.returns

    assert result("") == result("KM[0.50]") == (1.0, -1.0)
    assert result("RE[W+R]KM[0.5]") == (-1.0, 1.0)
    assert result("KM[6.5]") is result("KM[six]") is None
    assert result("RE[?]KM[6.5]") is result("RE[Void]KM[6.5]") is None
    assert result("RE[0]") == result("RE[Draw]") == (0.0, 0.0)


def test_go_handicap_stones_are_set_up(tmp_path: Path) -> None:
    content = "(;SZ[9]HA[4]AB[cc][gc][cg]AB[gg]RE[W+R];W[hf];B[fb])"
    (one,) = read("sgf", "go(size=9)", content, tmp_path).games
    assert one.setup == 7
    state = ft.load("go(size=9)").start()
    for action in one.actions[: one.setup]:
        state.apply(action)
    owners = state.game.board.owners(state.facts(PUBLIC))
    handicap = [state.game.board.grid.name(cell) for cell, who in enumerate(owners) if who == 1]
    assert handicap == ["c3", "g3", "c7", "g7"]
    assert 2 not in owners
    assert state.player == 1
    assert names_of("go(size=9)", one.actions)[7:] == ["h4", "f8"]
    (written,) = SGF.write(ft.load("go(size=9)"), [one])
    assert b"HA[4]AB[cc][gc][cg][gg];W[hf];B[fb]" in written


def test_points_of_a_rectangle(tmp_path: Path) -> None:
    (one,) = read("sgf", "go(size=5)", "(;SZ[5]AB[aa:ba][cc];W[ee])", tmp_path).games
    assert names_of("go(size=5)", one.actions) == ["a5", "pass", "b5", "pass", "c3", "e1"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("(;SZ[9];B[cc];W[cc])", (ILLEGAL, 2)),
        ("(;SZ[9];B[cc];B[dd])", (WRONG_TURN, 2)),
        ("(;SZ[9];W[cc])", (WRONG_TURN, 1)),
        ("(;SZ[9];B[];W[];B[cc])", (AFTER_END, 3)),
        ("(;SZ[9];B[cc];W[jj])", (UNREADABLE, 2)),
        ("(;SZ[9];B[cc]W[dd])", (UNREADABLE, 1)),
        ("(;SZ[9];B[c c])", (UNREADABLE, 1)),
        ("(;SZ[9];B[cc];AB[dd])", (SET_UP, 2)),
        ("(;SZ[9]AB[dd]AW[cc];B[ee])", (SET_UP, 0)),
        ("(;SZ[9]AB[dd][dd];W[ee])", (ILLEGAL, 0)),
        ("(;SZ[9]AB[aa:zz];W[ee])", (UNREADABLE, 1)),
        ("(;SZ[9]AB[dd];B[ee])", (WRONG_TURN, 1)),
        ("(;SZ[13];B[cc])", (OTHER_GAME, 0)),
        ("(;SZ[9:13];B[cc])", (OTHER_GAME, 0)),
        ("(;B[cc])", (OTHER_GAME, 0)),  # which means 19
        ("(;GM[2]SZ[9];B[cc])", (OTHER_GAME, 0)),
        ("(;SZ[9])", (NO_MOVES, 0)),
        ("(;SZ[9];B[cc];W[dd]", (UNREADABLE, 0)),
        ("(;SZ[9];B[cc];W[d", (UNREADABLE, 0)),
        ("", (UNREADABLE, 0)),
        ("no game", (UNREADABLE, 0)),
        (bytes(range(256)) * 100, (UNREADABLE, 0)),
    ],
)
def test_what_is_wrong_with_a_game_and_where(content: str | bytes, problem: tuple[str, int], tmp_path: Path) -> None:
    assert read("sgf", "go(size=9)", content, tmp_path).problem == problem


def test_a_bad_game_is_drawn_and_the_others_are_read(tmp_path: Path) -> None:
    found = read("sgf", "go(size=5)", "(;SZ[5];B[aa];W[aa])(;SZ[5];B[bb])(;SZ[9];B[cc])(;SZ[5];B[bb])", tmp_path)
    assert (found.tally.games, found.tally.kept) == (4, 1)
    assert found.tally.skipped == {ILLEGAL: 1, OTHER_GAME: 1, "duplicate": 1}
    first, second = found.tally.examples
    assert str(first) == f"{tmp_path}/games.sgf: game 1, move 2: a5 is not legal."
    assert first.position == "X . . . . 5\n. . . . . 4\n. . . . . 3\n. . . . . 2\n. . . . . 1\na b c d e"
    assert str(second) == f"{tmp_path}/games.sgf: game 3: its board is 9, not 5."


@pytest.mark.parametrize("seed", range(3))
def test_games_of_sgfmill_come_to_the_same_stones(seed: int, tmp_path: Path) -> None:
    """Our random moves, written by sgfmill, replayed on its board and by our rules."""
    game = ft.load("go(size=9)")
    made = sgf.Sgf_game(size=9)
    for place, action in enumerate(random_actions(game, seed, 120)):
        point = None if action == 81 else divmod(action, 9)
        made.extend_main_sequence().set_move("bw"[place % 2], point)
    made.get_root().set("RE", "W+R")
    board, plays = sgf_moves.get_setup_and_moves(made)
    for colour, point in plays:
        if point is not None:
            board.play(*point, colour)
    (one,) = read("sgf", "go(size=9)", made.serialise(), tmp_path).games
    state = game.start()
    for action in one.actions:
        state.apply(action)
    owners = np.array(game.board.owners(state.facts(PUBLIC))).reshape(9, 9)
    theirs = [[{None: 0, "b": 1, "w": 2}[board.get(row, column)] for column in range(9)] for row in range(9)]
    assert owners.tolist() == theirs
    assert one.returns == (-1.0, 1.0)


def test_sgfmill_reads_what_we_write() -> None:
    game = ft.load("go(size=9,komi=6.5)")
    one = played_game(game, 5, ("Ann [1]", "Ünal \\"))
    theirs = sgf.Sgf_game.from_bytes(next(iter(SGF.write(game, [one]))))
    assert (theirs.get_size(), theirs.get_komi()) == (9, 6.5)
    assert (theirs.get_player_name("b"), theirs.get_player_name("w")) == one.names
    assert theirs.get_winner() == ("b" if one.returns[0] > 0 else "w")
    assert theirs.get_root().get("BR") == "1500"
    _, plays = sgf_moves.get_setup_and_moves(theirs)
    assert [81 if point is None else 9 * point[0] + point[1] for _, point in plays] == one.actions
    handicap = CheckedGame([20, 81, 24, 40, 41], 3, (1.0, -1.0), (), ())
    board, plays = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(next(iter(SGF.write(game, [handicap])))))
    assert [board.get(*divmod(cell, 9)) for cell in (20, 24)] == ["b", "b"]
    assert plays == [("w", (4, 4)), ("b", (4, 5))]


@pytest.mark.parametrize("spec", ["othello", "gomoku(size=9)", "hex(size=5)", "hex(size=5,swap=true)"])
def test_sgfmill_reads_other_games_as_we_write_them(spec: str) -> None:
    game = ft.load(spec)
    for content in SGF.write(game, [played_game(game, seed) for seed in range(5)]):
        theirs = sgf.Sgf_game.from_bytes(content)
        assert theirs.get_root().get("SZ") == game.board.grid.shape[0]
        colours = [node.get_raw_move()[0] for node in theirs.get_main_sequence()[1:]]
        assert colours == ["b", "w"] * (len(colours) // 2) + ["b"] * (len(colours) % 2)


@pytest.mark.parametrize(
    "spec", ["go(size=9)", "go(size=5,komi=0.5)", "othello", "gomoku", "hex(size=7)", "hex(size=4,swap=true)"]
)
def test_what_we_write_we_read(spec: str, tmp_path: Path) -> None:
    game = ft.load(spec)
    games = [played_game(game, seed, (f"a{seed}", "b")) for seed in range(20)]
    games += [played_game(game, 100 + seed, (f"a{seed}", "b"), plies=7) for seed in range(5)]  # given up
    found = read("sgf", spec, b"".join(SGF.write(game, games)), tmp_path)
    assert not found.tally.skipped
    assert found.tally.disagreements == 0
    assert all(same(*pair) for pair in zip(found.games, games, strict=True))


def test_a_game_that_sgf_does_not_know_is_refused() -> None:
    with pytest.raises(ft.ForethoughtError, match="SGF is for go, gomoku, hex, othello here, not for leduc"):
        SGF.check_game(ft.load("leduc", compiled=False))


# Othello.


def as_letters(name: str) -> str:
    return name[0] + "abcdefgh"[int(name[1]) - 1]


@pytest.mark.parametrize("written", [str, str.upper, as_letters])
def test_othello_has_a1_in_the_top_left_corner(written: object, tmp_path: Path) -> None:
    content = f"(;GM[2]{in_turns([written(name) for name in SHORTEST_OTHELLO])})"  # type: ignore[operator]
    (one,) = read("sgf", "othello", content, tmp_path).games
    assert one.returns == (1.0, -1.0)
    state = ft.load("othello").start()
    for action in one.actions:
        state.apply(action)
    assert state.game.board.owners(state.facts(PUBLIC)).count(1) == 13


@pytest.mark.parametrize("write_passes", [True, False])
def test_othello_of_open_spiel_with_passes_and_without(write_passes: bool, tmp_path: Path) -> None:
    """Its names of cells are those of SGF; where a pass is left out, one colour moves twice."""
    expected, content, passes = [], "", 0
    for seed in range(30):
        rng, state, moves = np.random.default_rng(seed), pyspiel.load_game("othello").new_initial_state(), []
        while not state.is_terminal():
            action = int(rng.choice(state.legal_actions()))
            passes += action == 64
            if action != 64 or write_passes:
                moves.append(
                    f";{'BW'[state.current_player()]}[{'' if action == 64 else state.action_to_string(action)}]"
                )
            state.apply_action(action)
        content += f"(;GM[2]SZ[8]{''.join(moves)}{';B[];W[]' if write_passes else ''})"
        expected.append(tuple(state.returns()))
    found = read("sgf", "othello", content, tmp_path)
    assert passes > 5
    assert [one.returns for one in found.games] == expected


def test_othello_may_set_up_its_beginning(tmp_path: Path) -> None:
    setup = "AB[d5][e4]AW[d4][e5]"
    assert read("sgf", "othello", f"(;GM[2]{setup};B[f5])", tmp_path).games
    assert read("sgf", "othello", f"(;GM[2]{setup}AB[a1];B[f5])", tmp_path).problem == (SET_UP, 0)
    assert read("sgf", "othello(size=6)", "(;GM[2]SZ[6]AB[c4][d3]AW[c3][d4];B[e4])", tmp_path).games
    assert read("sgf", "othello", "(;GM[2];B[f5];W[f5])", tmp_path).problem == (ILLEGAL, 2)
    assert read("sgf", "othello", "(;GM[2];B[f5];W[i9])", tmp_path).problem == (UNREADABLE, 2)


# Gomoku.


def test_gomoku_by_letters_and_by_numbers(tmp_path: Path) -> None:
    lettered = "(;GM[4]SZ[15];B[hh];W[aa];B[ih];W[ba];B[jh];W[ca];B[kh];W[da];B[lh])"
    numbered = "(;GM[4];B[h8];W[a15];B[i8];W[b15];B[j8];W[c15];B[k8];W[d15];B[L8])"
    (one,), (other,) = (read("sgf", "gomoku", content, tmp_path).games for content in (lettered, numbered))
    assert one.actions == other.actions
    assert one.returns == (1.0, -1.0)


def test_what_a_file_says_against_the_rules_is_counted(tmp_path: Path) -> None:
    content = "(;GM[4]SZ[15]RE[W+];B[hh];W[aa];B[ih];W[ba];B[jh];W[ca];B[kh];W[da];B[lh])"
    found = read("sgf", "gomoku", content, tmp_path)
    assert found.tally.disagreements == 1
    assert found.games[0].returns == (1.0, -1.0)


# Hex.


def hex_returns(moves: str, directory: Path, spec: str = "hex(size=3)") -> object:
    found = read("sgf", spec, f"(;GM[11]SZ[3]{moves})", directory)
    assert not found.tally.skipped
    return found.games[0].returns


def test_hex_black_joins_top_and_bottom(tmp_path: Path) -> None:
    assert hex_returns(";B[b1];W[a1];B[b2];W[a2];B[B3]", tmp_path) == (1.0, -1.0)
    assert hex_returns(";B[a1];W[a2];B[c1];W[b2];B[c3];W[c2]", tmp_path) == (-1.0, 1.0)
    assert hex_returns(";B[a1];W[b1];B[b3];W[c3];B[c2]", tmp_path) is None  # three that touch neither side


def test_hex_may_begin_with_white_who_joins_left_and_right(tmp_path: Path) -> None:
    assert hex_returns(";W[a2];B[a1];W[b2];B[c1];W[c2]", tmp_path) == (1.0, -1.0)
    found = read("sgf", "hex(size=3)", "(;GM[11]SZ[3]PB[second]PW[first]RE[W+];W[a2];B[a1])", tmp_path)
    assert found.games[0].names == ("first", "second")
    assert found.games[0].returns == (1.0, -1.0)


def test_hex_of_open_spiel(tmp_path: Path) -> None:
    """Its first player joins top and bottom as well, and it names cells as SGF does; swaps mirror the stone."""
    expected, content = [], ""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        state, moves = pyspiel.load_game("hex(board_size=4,swap=True)").new_initial_state(), []
        while not state.is_terminal():
            legal = state.legal_actions()
            action = 16 if seed % 2 and len(moves) == 1 else int(rng.choice([one for one in legal if one != 16]))
            moves.append("swap-pieces" if action == 16 else state.action_to_string(action))
            state.apply_action(action)
        content += f"(;GM[11]SZ[4]{in_turns(moves)})"
        expected.append(tuple(state.returns()))
    found = read("sgf", "hex(size=4,swap=true)", content, tmp_path)
    assert [one.returns for one in found.games] == expected


def test_hex_swapping_sides_leaves_the_stone_where_it_is(tmp_path: Path) -> None:
    """After it the first player is White. The same game, mirrored, has swapped pieces."""
    spec = "hex(size=3,swap=true)"
    sides = ";B[b1];W[swap-sides];W[a2];B[b2];W[c2];B[b3]"
    pieces = ";B[b1];W[swap-pieces];B[b1];W[b2];B[b3];W[c2]"
    (one,), (other,) = (read("sgf", spec, f"(;GM[11]SZ[3]{moves})", tmp_path).games for moves in (sides, pieces))
    assert one.actions == other.actions
    assert one.returns == (-1.0, 1.0)  # the second player, who has b1, b2 and b3
    given_up = read("sgf", spec, "(;GM[11]SZ[3]RE[B+R];B[b1];W[swap-sides];W[a2])", tmp_path)
    assert given_up.games[0].returns == (-1.0, 1.0)  # Black has won, who is the second player now


def test_hex_giving_up(tmp_path: Path) -> None:
    assert hex_returns(";B[b1];W[a1];B[resign]", tmp_path) == (-1.0, 1.0)
    assert hex_returns(";B[b1];W[forfeit]", tmp_path) == (1.0, -1.0)


def test_hex_with_a_swap_is_another_game_than_without(tmp_path: Path) -> None:
    content = "(;GM[11]SZ[3];B[b1];W[swap-pieces])"
    assert read("sgf", "hex(size=3)", content, tmp_path).problem == (OTHER_GAME, 0)
    late = "(;GM[11]SZ[3];B[b1];W[a1];B[swap-pieces])"
    assert read("sgf", "hex(size=3,swap=true)", late, tmp_path).problem == (ILLEGAL, 3)


@pytest.mark.parametrize(("content", "winner"), [(CELUCH, 0), (SEPCZUK, 1)])
@pytest.mark.quick_cases(1)
def test_hex_of_little_golem(content: str, winner: int, tmp_path: Path) -> None:
    """Its White begins, joins top and bottom, and is named and scored as Black."""
    (one,) = read("sgf", "hex(size=13,swap=true)", content, tmp_path).games
    assert one.returns == ((1.0, -1.0) if winner == 0 else (-1.0, 1.0))
    assert (one.names[0] in content.partition("PW")[0], one.names[1] in content.partition("PW")[0]) == (True, False)
    assert len(one.actions) == content.count(";") - 2  # but the root, and that somebody gave up
    columns_first = [f";{'WB'[place % 2]}[{text}]" for place, text in enumerate(["ba", "aa", "bb", "ca", "bc"])]
    found = read("sgf", "hex(size=3)", f"(;FF[4]SZ[3]{''.join(columns_first)})", tmp_path)
    assert found.games[0].returns == (1.0, -1.0)


def test_hex_of_little_golem_is_the_standard_with_other_letters(tmp_path: Path) -> None:
    theirs = "(;SZ[5]PB[first]PW[second]RE[B];W[ab];B[swap];W[cd];B[ea];W[dd];B[resign])"
    standard = "(;GM[11]SZ[5]PB[first]PW[second]RE[B+R];B[a2];W[swap-pieces];B[c4];W[e1];B[d4])"
    (one,), (other,) = (read("sgf", "hex(size=5,swap=true)", content, tmp_path).games for content in (theirs, standard))
    assert same(one, other)
