"""The page on broken games, those of tests/check/broken/: a sentence for whoever opens one, and the server goes on."""

from pathlib import Path

import pytest

import forethought as ft
from forethought.serve.server import PageServer
from forethought.serve.settings import ServerSettings
from tests.serve.running_server import asking

SAMPLE = ("refused/apply_raises", "refused/syntax_error", "unlawful/names_raise", "unlawful/draw_raises")
CORPUS = sorted(f"{file.parent.name}/{file.stem}" for file in Path("tests/check/broken").glob("*/*.py"))


def is_made(file: str) -> bool:
    try:
        ft.load(file, compiled=False)
    except ft.ForethoughtError:
        return False
    return True


def open_on_the_page(file: str) -> None:
    settings = ServerSettings(file=f"tests/check/broken/{file}.py")
    if not is_made(settings.file):
        with pytest.raises(ft.ForethoughtError):  # the sentence with which `forethought serve` ends
            PageServer(settings, lambda: None)
        return
    with asking(settings) as client:
        assert client.get("/api/games").json()[0]["name"] == "yours"
        answer = client.post("/api/sessions", json={"game": "yours", "seats": ["human", "random"]})
        assert answer.status_code in (201, 400, 422), answer.text
        if answer.status_code != 201:
            assert "Traceback" not in answer.text
            assert len(answer.json()["detail"]) < 500
        assert client.get("/api/games").status_code == 200


@pytest.mark.parametrize("file", SAMPLE)
@pytest.mark.quick_cases(2)
def test_a_broken_game_is_answered_with_a_sentence(file: str) -> None:
    open_on_the_page(file)


@pytest.mark.slow
@pytest.mark.parametrize("file", CORPUS)
def test_every_broken_game_is_answered_with_a_sentence(file: str) -> None:
    open_on_the_page(file)
