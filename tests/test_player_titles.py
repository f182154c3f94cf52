"""Players are named for people by what the registry knows of them."""

import pytest

from forethought.player import player_title


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("oos", "Online Outcome Sampling, 10,000 simulations"),
        ("oos:200", "Online Outcome Sampling, 200 simulations"),
        ("oos(seconds=1.5)", "Online Outcome Sampling, 1.5 seconds per decision"),
        ("oos(simulations=7,targeting=public)", "Online Outcome Sampling, 7 simulations, targeting public"),
        ("alphabeta", "Alpha-beta search, 4 plies ahead"),
        ("random", "Random"),
        ("az(run=first)", "AlphaZero, 800 simulations, run first"),
        ("policy:runs/kuhn.policy", "A solved policy, kuhn.policy"),
        ("mccfr:5000", "Monte Carlo CFR, 5,000 iterations"),
        ("nobody:5", "nobody:5"),
    ],
)
def test_titles(spec: str, title: str) -> None:
    assert player_title(spec) == title
