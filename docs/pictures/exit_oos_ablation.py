"""What each part of ExIt-OOS gives: the same training without it, over several seeds; a table for docs/results.md.

    python -P docs/pictures/exit_oos_ablation.py leduc --iterations 40 --seeds 3 --start mmd-1

The run that `--start` names is one of `mmd`, for the rows that begin with its network or ask its critic.
"""

import argparse
import sys
import time
from collections.abc import Mapping
from statistics import fmean
from typing import Any

import forethought as ft

WITHOUT: dict[str, dict[str, Any]] = {
    "all of it (the default)": {},
    "no prior: every search begins with uniform play": {"search.prior": 0.0},
    "one head: searches begin with the average policy": {"search.prior_policy": "average"},
    "no baselines": {"search.baseline_rate": 0.0},
    "no linear weights": {"search.linear": False},
    "exploration 0.4 instead of 0.6": {"search.epsilon": 0.4},
    "the last weights play, no moving average": {"learning.averaged_steps": 0},
    "only decisions that were played are learned": {"play.extra_samples": 0},
    "targeted simulations": {"search.targeting": "infoset"},
    "the paper's setting": {"preset": "paper"},
}
STARTED: dict[str, dict[str, Any]] = {
    "begun with the network of mmd": {},
    "begun with it, leaves judged by its critic": {"search.leaf": "value"},
    "begun with it, leaves by critic and roll-out": {"search.leaf": "mix"},
}


def measured(game: str, settings: Mapping[str, Any], iterations: int, seed: int, name: str) -> tuple[float, float]:
    """Return NashConv after the last iteration, and the seconds of the processor that it took."""
    began = time.process_time()
    run = ft.train(
        game,
        algorithm="exit-oos",
        iterations=iterations,
        seed=seed,
        run=name,
        settings={"evaluation.games": 2} | settings,
    )
    return run.nashconv, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--iterations", type=int, default=40)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--start", default="", help="a run of mmd")
    chosen = parser.parse_args()
    started = {what: {"learning.start": chosen.start} | settings for what, settings in STARTED.items()}
    rows = WITHOUT | (started if chosen.start else {})
    sys.stdout.write("| | NashConv of each seed | mean | CPU seconds per run |\n|---|---|---|---|\n")
    for number, (what, settings) in enumerate(rows.items()):
        found = [
            measured(chosen.game, settings, chosen.iterations, seed, f"ablation-{number}-{seed}")
            for seed in range(1, chosen.seeds + 1)
        ]
        each, seconds = ", ".join(f"{nashconv:.3f}" for nashconv, _ in found), fmean(spent for _, spent in found)
        sys.stdout.write(f"| {what} | {each} | {fmean(nashconv for nashconv, _ in found):.3f} | {seconds:.0f} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
