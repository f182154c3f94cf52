"""Files of arrays: what is written is read, and any other content is refused with one sentence, whatever the format."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

import forethought as ft
from forethought.learn.arrays import arrays_to_bytes, read_arrays
from forethought.nets.convolution import layout_of
from forethought.nets.formats import load_weights
from forethought.nets.mlp import make_mlp, save_mlp
from forethought.nets.tower import Shape, make_tower, save_tower
from forethought.patterns.atomic import atomic_patterns
from forethought.patterns.model import OBJECTIVES, PatternModel, load_model, save_model
from forethought.solve.policies import load_policy
from forethought.solve.unroll import unroll
from forethought.tensors import HEADER, Format, read_tensors, tensors_to_bytes, write_tensors

SOME, OTHER = Format("test some 1", "thing", "a test makes one"), Format("test other 3", "thing", "a test makes one")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "some"
    arrays = {"a": np.arange(6).reshape(2, 3).T, "b": np.ones(2, np.float32), "nothing": np.zeros((0, 4), np.uint8)}
    about = {"one": 1, "name": 'a "quoted" ü', "list": [1.5, None]}
    write_tensors(path, SOME, arrays, about)
    for formats in ((SOME,), (OTHER, SOME)):
        file = read_tensors(path, *formats)
        assert (file.path, file.format, file.about) == (path, SOME, about)
        assert file.arrays.keys() == arrays.keys()
        assert all(np.array_equal(file.arrays[name], arrays[name]) for name in arrays)
        assert all(file.arrays[name].dtype == arrays[name].dtype for name in arrays)
        assert all(array.flags.writeable for array in file.arrays.values())
    assert list(path.parent.iterdir()) == [path]  # no temporary file is left


def test_every_damaged_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "some"
    whole = tensors_to_bytes(SOME, {"a": np.arange(3), "b": np.ones(2, np.float32)}, {"one": 1})
    path.write_bytes(whole)
    sound = read_tensors(path, SOME)
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            read = read_tensors(path, SOME)
        except ft.ForethoughtError:
            continue
        # Spaces that fill up the header mean nothing.
        assert whole[place] == ord(" ")
        assert read.about == sound.about
        assert all(np.array_equal(read.arrays[name], sound.arrays[name]) for name in "ab")
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(ft.ForethoughtError, match=r"is damaged, or no thing: .*; a test makes one"):
            read_tensors(path, SOME)


def test_another_format_is_named(tmp_path: Path) -> None:
    path, third = tmp_path / "some", Format("test third 1", "thing", "a test makes one", "things are for tests")
    write_tensors(path, SOME, {}, {})
    with pytest.raises(ft.ForethoughtError, match="holds 'test some 1', not 'test other 3'; a test makes one"):
        read_tensors(path, OTHER)
    with pytest.raises(ft.ForethoughtError, match="not 'test third 1' or 'test other 3'; things are for tests"):
        read_tensors(path, third, OTHER)


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", tmp_path, tmp_path / "nowhere" / "deeper"):
        with pytest.raises(ft.ForethoughtError, match=f"There is no thing '{path}'; a test makes one"):
            read_tensors(path, SOME)


# Every format of the product.


def saved_mlp(path: Path) -> Callable[[], object]:
    game = ft.load("leduc", compiled=False)
    save_mlp(path, make_mlp(game.facts, game.actions, (8,), np.random.default_rng(1)), game)
    return lambda: load_weights(path, game)


def saved_tower(path: Path) -> Callable[[], object]:
    game = ft.load("tic_tac_toe", compiled=False)
    shape = Shape(1, 4, 8, game.actions, 1, layout_of(game))
    save_tower(path, make_tower(shape, np.random.default_rng(1)), shape, game)
    return lambda: load_weights(path, game)


def saved_patterns(path: Path) -> Callable[[], object]:
    game = ft.load("tic_tac_toe", compiled=False)
    assert game.board is not None
    patterns = tuple(atomic_patterns(game.board)[:3])
    weights = {name: (np.ones(3), np.ones(3)) for name in OBJECTIVES}
    save_model(path, PatternModel((patterns, patterns), weights), game)
    return lambda: load_model(path, game)


def saved_policy(path: Path) -> Callable[[], object]:
    tree = unroll(ft.load("kuhn"))
    tree.policy(tree.uniform()).save(path)
    return lambda: load_policy(path, tree.game)


def saved_arrays(path: Path) -> Callable[[], object]:
    path.write_bytes(arrays_to_bytes({"a": np.arange(5)}, {"one": 1}))
    return lambda: read_arrays(path)


def header_with(content: bytes, **changes: str) -> bytes:
    """Return the file with another header; its arrays stay where they are."""
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    metadata = header["__metadata__"]
    metadata[HEADER] = json.dumps(json.loads(metadata[HEADER]) | changes)
    words = json.dumps(header).encode()
    return len(words).to_bytes(8, "little") + words + content[8 + length :]


DAMAGES = {
    "empty": lambda _: b"",
    "cut": lambda content: content[: len(content) // 2],
    "one byte short": lambda content: content[:-1],
    "one byte too many": lambda content: content + b"x",
    "length of the header": lambda content: b"\xff" * 8 + content[8:],
    "no length": lambda content: b"\x00" * 8 + content[8:],
    "header of a list": lambda _: (2).to_bytes(8, "little") + b"[]",
    "header without words": lambda _: save({"weights": np.zeros(3)}),
    "words that are no text": lambda content: header_with(content, sha256=7),
    "another format": lambda _: save({"weights": np.zeros(3)}, {HEADER: '{"format": "something else"}'}),
    "about is no JSON": lambda content: header_with(content, about="{"),
    "about is a list": lambda content: header_with(content, about="[1, 2]"),
    "about something else": lambda content: header_with(content, about='{"game": "kuhn"}'),
    "another digest": lambda content: header_with(content, sha256="0" * 64),
    "pickle": lambda _: pickle.dumps({"weight0": [1, 2, 3]}),
    "text": lambda _: b"weights " * 50,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("saved", [saved_mlp, saved_tower, saved_patterns, saved_policy, saved_arrays])
def test_a_damaged_or_foreign_file_is_refused_in_one_sentence(
    tmp_path: Path, saved: Callable[[Path], Callable[[], object]], damage: str
) -> None:
    path = tmp_path / "file.safetensors"
    load = saved(path)
    load()
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(ft.ForethoughtError, match=r"file.safetensors (is damaged, or no |holds ')") as refusal:
        load()
    sentence = str(refusal.value)
    assert "\n" not in sentence
    assert sentence.endswith(".")
    assert "; " in sentence  # what is wrong; what to do


@pytest.mark.slow
def test_equal_content_is_equal_bytes_in_every_process() -> None:
    """The order of a file's header must not hang on hashes, which differ between processes."""
    program = (
        "import sys, numpy as np; from tests.test_tensors import SOME, tensors_to_bytes;"
        "arrays = {name: np.arange(3.0) for name in 'zyxwvu'};"
        "sys.stdout.buffer.write(tensors_to_bytes(SOME, arrays, {'game': 'kuhn', 'seed': 1, 'run': 'x'}))"
    )
    written = {subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout for _ in "abcd"}
    assert len(written) == 1
