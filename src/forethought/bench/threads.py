"""What a second thread adds. Kernels release the GIL, so it should add nearly a whole processor."""

from concurrent.futures import ThreadPoolExecutor

from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.playouts import our_playouts
from forethought.bench.result import Benchmark, Claim, Result

THREADS = 2
GAME = "goofspiel(cards=13)"
LONG = Budget(seconds=0.6, rounds=5)  # so that handing out the work is too short to matter
CLAIM = Claim("threads:playouts", "playouts/s", "one thread", goal=1.8)


def playouts_in_threads(budget: Budget = LONG) -> Result:
    return beside_one_thread(CLAIM, [our_playouts(GAME, seed) for seed in range(THREADS)], budget)


def beside_one_thread(claim: Claim, workers: list[Work], budget: Budget) -> Result:
    """Compare workers, each in a thread of its own, with the first of them alone."""
    with ThreadPoolExecutor(len(workers)) as threads:
        together, one = best_rates([_together(workers, threads), workers[0]], budget)
    return claim.by_rate(together, one)


def _together(workers: list[Work], threads: ThreadPoolExecutor) -> Work:
    def work(units: int) -> None:
        share = -(-units // len(workers))  # rounded up: nobody is sent to play no game at all
        list(threads.map(lambda worker: worker(share), workers))

    return work


BENCHMARKS: dict[str, Benchmark] = {CLAIM.name: playouts_in_threads}
