"""The benchmark of the page: games are played to their ends on a real server, and every move is timed."""

import pytest

from forethought.bench import page


@pytest.mark.slow
def test_moves_on_a_real_server_are_timed() -> None:
    result = page.waiting_for_moves(games=3, clients=2)
    assert result.name in page.BENCHMARKS
    assert (result.peer, result.unit) == (page.LONGEST_WAIT, "seconds")
    assert 0.0 < result.ours < page.PATIENCE
    assert "3 games of connect_four by 2 clients" in result.note


def test_without_the_packages_of_the_page_there_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "find_spec", lambda _name: None)
    result = page.waiting_for_moves()
    assert (result.holds, result.note) == (None, page.ABSENT)
