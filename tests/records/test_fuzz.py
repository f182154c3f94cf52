"""Nothing that a file holds makes a reader fail: each game is played by the rules, or counted with a sentence."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forethought.records.collection import RecordReader, Wanted
from forethought.records.formats import RECORD_FORMATS, RecordFormat, RecordSource
from tests.records.reading import loaded, played_game

BRIEF = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
SPECS = {
    "sgf": ["go(size=5)", "hex(size=4,swap=true)", "othello", "gomoku(size=6)"],
    "wthor": ["othello"],
    "openspiel": ["breakthrough(rows=4,columns=3)", "hex(size=4,swap=true)", "othello", "go(size=5)"],
    "json": ["tic_tac_toe", "leduc"],
}
CASES = [(format, spec) for format, specs in SPECS.items() for spec in specs]

points = st.text("abcdefghjt0123456789-:", max_size=4)
special = st.sampled_from(
    ["swap-pieces", "swap-sides", "swap", "resign", "pass", "", "tt", "aa:cc", "B+R", "0", "4", "5", "11", "2"]
)
properties = st.tuples(
    st.sampled_from(["B", "W", "AB", "AW", "SZ", "GM", "RE", "CA", "KM", "BR", "PB", "C", "Black", "", "1"]),
    st.lists(st.one_of(points, special, st.text(max_size=6)), max_size=3),
).map(lambda pair: pair[0] + "".join(f"[{value}]" for value in pair[1]))
nodes = st.lists(properties, max_size=3).map(lambda parts: ";" + "".join(parts))
sgf_like = st.lists(
    st.one_of(nodes, st.sampled_from(["(", ")", "[", "]", "\\", "(;", "(;SZ[5];B[aa]"])), max_size=30
).map("".join)
json_like = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["leduc", "tic_tac_toe"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["game", "actions", "returns", "players", "ratings", "setup", "resigned"]), inner
        ),
    ),
    max_leaves=12,
).map(json.dumps)
numbers = st.lists(
    st.one_of(st.integers(-2, 100).map(str), st.sampled_from(["\n", "[Game]\n", "[State]\n", "#", "hex()\n"]))
).map(" ".join)
texts = st.one_of(sgf_like, json_like, numbers, st.text(max_size=50)).map(lambda text: text.encode(errors="replace"))
contents = st.one_of(st.binary(max_size=200), texts, st.tuples(texts, st.binary(max_size=9)).map(b"".join))


class Held(RecordSource):
    """A file that is nowhere on the disk."""

    def __init__(self, content: bytes) -> None:
        super().__init__(Path("fuzz"))
        self._file = io.BytesIO(content)


def check_reads(format: RecordFormat, spec: str, content: bytes) -> None:
    """Read some bytes: nothing fails, and all that is kept is played again by the rules one by one."""
    game = loaded(spec)
    reader = RecordReader(game, Wanted())
    with Held(content) as source:
        for transcript in format.read(source, game):
            replayed = reader._replayer.replay(transcript)
            state = game.start()
            for action in replayed.game.actions:
                state.apply(action)
            if replayed.problem is not None:
                assert replayed.problem.reason
                assert len(replayed.problem.reason) < 300
            else:
                assert len(replayed.game.actions) > replayed.game.setup


@pytest.mark.parametrize(("format", "spec"), CASES)
@pytest.mark.quick_cases(2)
def test_any_bytes(format: str, spec: str) -> None:
    @BRIEF
    @given(contents)
    def check(content: bytes) -> None:
        check_reads(RECORD_FORMATS.find(format), spec, content)

    check()


@pytest.mark.parametrize(("format", "spec"), CASES)
@pytest.mark.quick_cases(2)
def test_sound_files_that_are_spoilt(format: str, spec: str) -> None:
    """Bytes are changed, left out and put in, and files cut short."""
    kind, game = RECORD_FORMATS.find(format), loaded(spec)
    sound = b"".join(kind.write(game, [played_game(game, seed, ("a", "b")) for seed in range(3)]))

    @BRIEF
    @given(st.lists(st.tuples(st.integers(0, len(sound)), st.integers(0, 3), st.binary(max_size=3)), max_size=6))
    def check(changes: list[tuple[int, int, bytes]]) -> None:
        content = sound
        for place, length, put_in in changes:
            content = content[:place] + put_in + content[place + length :]
        check_reads(kind, spec, content)
        check_reads(kind, spec, sound[: changes[0][0]] if changes else sound)

    check()
