"""A corpus of broken games, one fault each, through the verbs: each ends with one sentence, or works; none hangs.

tests/check/broken/ has four kinds of files, and the first line of each says what is wrong with it:

    refused     no verb accepts it
    late        its rules fail deep in play: `match` meets that, as others may
    unlawful    its rules run, and break a law: `check` convicts it, other verbs may work
    sound       nothing is wrong with it, and every verb works
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.verbs import Ending, VerbRunner

CORPUS = sorted(Path("tests/check/broken").glob("*/*.py"))
PERSON = "0\n1\n" * 20  # what somebody types who plays

# Each verb with a small budget.
VERBS = {
    "check": ("check", "--histories", "300", "--plies", "2000", "--seconds", "5"),
    "play": ("play", "--seed", "1"),
    "match": ("match", "random", "random", "--games", "1200", "--fresh"),
    "solve": ("solve", "--iterations", "20", "--max-nodes", "20000"),
    "uct": ("think", "--player", "uct:2000", "--seed", "1"),
    "oos": ("think", "--player", "oos:2000", "--seed", "1"),
    "ismcts": ("match", "ismcts:20", "random", "--games", "4", "--fresh"),
    "exploit": ("exploit", "random", "--max-nodes", "20000", "--games", "200", "--response", "search:200"),
}
SAMPLED = ("play", "match", "solve", "uct")  # what refuses a game at once: one verb each


def named(file: Path) -> str:
    return f"{file.parent.name}/{file.stem}"


def of_kind(*kinds: str) -> list[Path]:
    return [file for file in CORPUS if file.parent.name in kinds]


@pytest.fixture(scope="module")
def verbs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VerbRunner]:
    runner = VerbRunner(tmp_path_factory.mktemp("runs"))
    yield runner
    runner.close()


def run(verbs: VerbRunner, name: str, game: Path) -> Ending:
    """Run a verb on a game, and look at what holds however it ends."""
    verb, *options = VERBS[name]
    ending = verbs.run(verb, str(game), *options, answers=PERSON)
    assert ending.code in (0, 1, 2), f"{name} on {named(game)} ended with {ending.code}: {ending.err}"
    assert "Traceback" not in ending.err
    assert " at 0x" not in ending.err + ending.out
    errors = [line for line in ending.sentences if line.startswith("error: ")]
    assert len(errors) == (ending.code == 2), ending.err
    assert (ending.code == 1) <= (verb == "check"), ending.err
    return ending


def is_refused(ending: Ending) -> bool:
    """Whether a verb refuses a game: by an error, or by a law that is broken."""
    return ending.code == 2 or (ending.code == 1 and "breaks the law" in ending.out)


def test_every_file_says_what_is_wrong_with_it() -> None:
    faults = [file.read_text().split('"""')[1] for file in CORPUS]
    assert len(CORPUS) >= 60
    assert len(set(faults)) == len(faults)
    assert all(fault.endswith(".") for fault in faults)


@pytest.mark.parametrize("game", of_kind("refused"), ids=named)
@pytest.mark.quick_cases(10)
def test_what_cannot_run_is_refused_in_a_sentence(verbs: VerbRunner, game: Path) -> None:
    name = SAMPLED[CORPUS.index(game) % len(SAMPLED)]
    assert is_refused(run(verbs, name, game))


@pytest.mark.parametrize("game", of_kind("late"), ids=named)
@pytest.mark.quick_cases(4)
def test_what_fails_deep_in_play_stops_a_match(verbs: VerbRunner, game: Path) -> None:
    assert is_refused(run(verbs, "match", game))


@pytest.mark.parametrize("game", of_kind("unlawful"), ids=named)
@pytest.mark.quick_cases(8)
def test_what_breaks_a_law_is_convicted(verbs: VerbRunner, game: Path) -> None:
    assert is_refused(run(verbs, "check", game))


@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("game", of_kind("sound"), ids=named)
@pytest.mark.quick_cases(3)
def test_what_is_sound_works(verbs: VerbRunner, game: Path, name: str) -> None:
    suits = name not in ("oos", "ismcts")  # these are for games that hide something
    assert run(verbs, name, game).code == 0 or not suits


@pytest.mark.slow
@pytest.mark.parametrize("name", VERBS)
@pytest.mark.parametrize("game", CORPUS, ids=named)
def test_every_verb_ends_with_a_sentence_or_works(verbs: VerbRunner, game: Path, name: str) -> None:
    ending = run(verbs, name, game)
    assert is_refused(ending) or game.parent.name != "refused"
