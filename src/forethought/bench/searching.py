"""Walks of Online Outcome Sampling: beside OpenSpiel's outcome sampling, targeted beside untargeted, with baselines
beside without, in two threads."""

from functools import partial

from forethought.bench.mccfr import MIDDLING, peer_walks
from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.openspiel import beside_openspiel
from forethought.bench.playouts import PeerGame
from forethought.bench.result import Benchmark, Claim, Result
from forethought.bench.threads import LONG, beside_one_thread
from forethought.game import Game, Observation
from forethought.games import load
from forethought.player import draw_action
from forethought.players.random import RandomPlayer
from forethought.randomness import generator
from forethought.search.oos.search import OnlineOutcomeSampling, OosSettings

CONTESTS = {
    "oos:leduc": PeerGame("leduc", "leduc_poker", goal=5.0),
    "oos:goofspiel(cards=13)": PeerGame(
        "goofspiel(cards=13)", "goofspiel(imp_info=True,num_cards=13,points_order=ascending)", goal=20.0
    ),
}
TARGETED = {"oos:targeted-leduc": "leduc", "oos:targeted-goofspiel(cards=13)": "goofspiel(cards=13)"}
BASELINES = {"oos:baselines-leduc": "leduc", "oos:baselines-goofspiel(cards=13)": "goofspiel(cards=13)"}
PLAIN, BASELINE_RATE = OosSettings(), 0.5
MILLION = Claim("oos:million", "walks/s", "one million", goal=1.0)
THREADS = Claim("oos:threads", "walks/s", "one thread", goal=1.8)
MEMORY = Claim("oos:memory", "bytes/infoset", "32 + 16 an action", goal=0.75)
MEMORY_GAME, MEMORY_WALKS = "goofspiel(cards=13)", 500_000


def walks_beside_openspiel(name: str, contest: PeerGame, budget: Budget = MIDDLING) -> Result:
    """Each round begins with an empty memory, on both sides."""
    claim = Claim(name, "walks/s", contest.peer_name, contest.goal)
    return beside_openspiel(claim, our_walks(load(contest.ours)), peer_walks(contest.peer), budget)


def a_million_a_second(budget: Budget = MIDDLING) -> Result:
    return MILLION.by_rate(best_rates([our_walks(load("leduc"))], budget)[0], 1e6)


def targeted_beside_untargeted(name: str, spec: str, budget: Budget = MIDDLING) -> Result:
    game = load(spec)
    works = [our_walks(game, middle_of_a_game(game)), our_walks(game)]
    targeted, untargeted = best_rates(works, budget)
    return Claim(name, "walks/s", "untargeted", goal=1 / 3).by_rate(targeted, untargeted)


def baselines_beside_none(name: str, spec: str, budget: Budget = MIDDLING) -> Result:
    game = load(spec)
    works = [our_walks(game, settings=OosSettings(baseline_rate=rate)) for rate in (BASELINE_RATE, 0.0)]
    with_baselines, without = best_rates(works, budget)
    return Claim(name, "walks/s", "without baselines", goal=0.7).by_rate(with_baselines, without)


def walks_in_threads(budget: Budget = LONG) -> Result:
    game = load("leduc")
    return beside_one_thread(THREADS, [our_walks(game, seed=seed) for seed in range(2)], budget)


def memory_of_an_information_set() -> Result:
    """Count what is in use: the whole index, and the entries that have been written to."""
    search = OnlineOutcomeSampling(load(MEMORY_GAME), OosSettings(), generator(1))
    search.simulate(MEMORY_WALKS)
    table, rows = search.table, search.infosets
    actions = float(table.used[0]) / 2 / rows
    ours = (table.infosets.slots.nbytes + 8 * float(table.used[0])) / rows
    return MEMORY.by_cost(ours, 32 + 16 * actions, f"{rows:,} information sets of {actions:.1f} actions")


def our_walks(game: Game, observation: Observation | None = None, seed: int = 1, settings: OosSettings = PLAIN) -> Work:
    """Search anew each time, as from this observation."""

    def work(walks: int) -> None:
        search = OnlineOutcomeSampling(game, settings, generator(seed))
        search.aim_at(observation)
        search.simulate(walks)

    work(1000)  # so that what makes tables larger is compiled too, before the clock starts
    return work


def middle_of_a_game(game: Game) -> Observation:
    """Return what a player observes halfway through a random game."""
    state, rng, seen = game.start(), generator(1), []
    while not state.is_terminal:
        if not state.is_chance:
            seen.append(state.observation(state.player))
        state.apply(draw_action(state, [RandomPlayer()] * game.players, rng))
    return seen[len(seen) // 2]


BENCHMARKS: dict[str, Benchmark] = {
    **{name: partial(walks_beside_openspiel, name, contest) for name, contest in CONTESTS.items()},
    MILLION.name: a_million_a_second,
    **{name: partial(targeted_beside_untargeted, name, spec) for name, spec in TARGETED.items()},
    **{name: partial(baselines_beside_none, name, spec) for name, spec in BASELINES.items()},
    THREADS.name: walks_in_threads,
    MEMORY.name: memory_of_an_information_set,
}
