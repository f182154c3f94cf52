"""Players in texts: each as people call it, and nothing else."""

from forethought.serve.player_titles import with_titles


def test_players_are_named_and_parts_of_words_are_not() -> None:
    text = "uct:1000 scores 60% against uct:100, randomly; random loses"
    named = with_titles(text, ["random", "uct:100", "uct:1000"])
    search = "Monte Carlo tree search"
    assert named == f"{search}, 1,000 simulations scores 60% against {search}, 100 simulations, randomly; Random loses"
    assert with_titles(text, []) == text
