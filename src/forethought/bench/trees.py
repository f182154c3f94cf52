"""Tree search beside OpenSpiel's, AlphaZero beside mctx with pgx, and the tower that guides it beside torch.

Peers do at least as little work as we do. OpenSpiel's search is the same UCT, all in C++. In mctx and pgx, which are
JAX, all games take a step of their searches at once, on all cores. Torch is given planes that are ready, and need not
look for legal actions. All networks have batch norm folded into their weights.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from forethought.bench import openspiel
from forethought.bench.learning import ABSENT as NO_TORCH
from forethought.bench.learning import machine_rate
from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.questions import some_questions
from forethought.bench.result import Benchmark, Claim, Result
from forethought.game import Game
from forethought.games import load
from forethought.learn.algorithms.alphazero import AlphaZeroConfiguration, AlphaZeroSearch, GamesAtOnce
from forethought.nets.backends.pytorch import folded_tower, planes_of
from forethought.nets.convolution import layout_of
from forethought.nets.evaluator import Evaluator, evaluator_of
from forethought.nets.formats import Parameters
from forethought.nets.questions import Questions
from forethought.nets.tower import Shape, Tower, make_tower, tower_of
from forethought.nets.values import value_columns
from forethought.randomness import generator
from forethought.runtime.threads import Threads
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.search import TreeSearch
from forethought.search.mcts.settings import MctsSettings

EXPLORATION = 2.0  # of UCT, on both sides
MEMORY = 1_000  # MB that OpenSpiel's tree may take: more than it needs
GAME, BLOCKS, FILTERS, VALUE_UNITS = "connect_four", 4, 64, 64
WORKERS, TOGETHER = 2, 16  # threads, and games of each that make one batch
SELF_PLAY_WALKS, SIMULATIONS = 100, 64  # at a decision of self-play, and in one search beside mctx
ROWS, BARE_ROWS, MCTX_GAMES = 64, (16, 32, 64), (64, 256)  # of batches; where there are several, the best counts

SHARE = Claim("az:self-play", "evaluations/s", "the network alone", goal=0.8)
WALKS = Claim("az:simulations", "simulations/s", "mctx with pgx", goal=2.0)
TOWER = Claim("az:tower", "evaluations/s", "torch", goal=1.5)
PEAK = Claim("az:tower-peak", "GFLOP/s", "sgemm of 1024 x 1024 x 1024", goal=0.25)

NO_MCTX = "mctx and pgx are not installed: pip install mctx pgx"
BRIEF, MIDDLING, LONG = Budget(seconds=0.1, rounds=8), Budget(seconds=0.4, rounds=5), Budget(seconds=1.0, rounds=3)


class Searches(NamedTuple):
    """One game, as we and as OpenSpiel write it, and the simulations of one search in it."""

    ours: str
    peer: str
    simulations: int = 10_000


UCT = {
    f"uct:{searches.ours}": searches
    for searches in (
        Searches("connect_four", "connect_four"),
        Searches("hex(size=11)", "hex(board_size=11)"),
        Searches("othello", "othello", simulations=1_000),  # as OpenSpiel needs a second for that
        Searches("breakthrough", "breakthrough"),
    )
}


class Portions(NamedTuple):
    """Work whose unit is a portion of several simulations or evaluations."""

    work: Work
    size: int


def beside(claim: Claim, ours: Portions, peers: Sequence[Portions], absent: str, budget: Budget) -> Result:
    """Compare with the fastest of the peers; if they are absent, that is said."""
    works = [ours, *peers]
    rates = best_rates([portions.work for portions in works], budget)
    ours_rate, *others = (portions.size * rate for portions, rate in zip(works, rates, strict=True))
    return claim.by_rate(ours_rate, max(others, default=None), "" if peers else absent)


def uct_beside_openspiel(name: str, searches: Searches, budget: Budget = MIDDLING) -> Result:
    """Search the start of the game, each time with an empty memory."""
    claim = Claim(name, "simulations/s", "OpenSpiel", goal=4.0)
    ours, theirs = our_searches(searches), openspiel_searches(searches)
    return beside(claim, ours, [theirs] if theirs else [], openspiel.ABSENT, budget)


def our_searches(searches: Searches) -> Portions:
    game = load(searches.ours)
    observation = game.start().observation(0)

    def search() -> None:
        tree = TreeSearch(game, MctsSettings(exploration=EXPLORATION), generator(1))
        tree.aim_at(observation)
        tree.simulate(searches.simulations)

    return Portions(repeating(search), searches.simulations)


def openspiel_searches(searches: Searches) -> Portions | None:
    try:
        pyspiel = import_module("pyspiel")
    except ImportError:
        return None
    game, rollouts = pyspiel.load_game(searches.peer), pyspiel.RandomRolloutEvaluator(1, 1)
    searcher = pyspiel.MCTSBot(game, rollouts, EXPLORATION, searches.simulations, MEMORY, **openspiel.SILENT)
    return Portions(repeating(lambda: searcher.mcts_search(game.new_initial_state())), searches.simulations)


def self_play_share(budget: Budget = LONG) -> Result:
    """Self-play of two workers beside what their network does if it has nothing to wait for."""
    game = load(GAME)
    net = new_tower(game)
    plays = [partial(play_games, game, worker) for worker in range(WORKERS)]
    evaluations = sum(evaluations_of(play, game, net) for play in plays)
    playing = Portions(at_once([partial(play, net) for play in plays]), evaluations)
    return beside(SHARE, playing, [answers_at_once(game, net, rows) for rows in BARE_ROWS], "", budget)


def answers_at_once(game: Game, net: Tower, rows: int) -> Portions:
    """Let a network answer batches of so many rows in every worker."""
    return Portions(
        at_once([asking(net, some_questions(game, rows, value_columns(game))) for _ in range(WORKERS)]), WORKERS * rows
    )


def play_games(game: Game, worker: int, guide: Evaluator) -> object:
    """Play the games of one worker, always the same ones."""
    search = AlphaZeroSearch(simulations=SELF_PLAY_WALKS)
    chosen = AlphaZeroConfiguration(game=GAME, seed=1, search=search)
    rngs = [generator(1, worker, number) for number in range(TOGETHER)]
    return GamesAtOnce(game, chosen, guide, rngs).play(lambda: False)


def evaluations_of(play: Callable[[Evaluator], object], game: Game, net: Tower) -> int:
    """Count what games ask a network: fewer questions than walks, as some walks come to the end of the game.

    The kernel that is measured does not count. But games are the same whoever asks the network for them.
    """
    scratch, asked = net.scratch(TOGETHER), []

    def count(questions: Questions, rows: int) -> None:
        net.answer(questions, rows, scratch)
        asked.append(rows)

    play(evaluator_of(game, count))
    return sum(asked)


def simulations_beside_mctx(budget: Budget = LONG) -> Result:
    """Search the start of many games at once, each time with empty trees."""
    game = load(GAME)
    ours = at_once([partial(search_trees, game, new_tower(game), worker) for worker in range(WORKERS)])
    theirs = [Portions(work, games * SIMULATIONS) for games in MCTX_GAMES if (work := mctx_searches(games))]
    return beside(WALKS, Portions(ours, WORKERS * TOGETHER * SIMULATIONS), theirs, NO_MCTX, budget)


def search_trees(game: Game, net: Tower, worker: int) -> None:
    """Search as one worker of AlphaZero does."""
    settings = MctsSettings(selection="puct", exploration=1.5, rollout_weight=0.0, dirichlet_epsilon=0.25)
    forest = Forest(game, settings, [generator(1, worker, tree) for tree in range(TOGETHER)], net)
    for tree in range(TOGETHER):
        forest.aim(tree, game.start())
    forest.search(1 + SIMULATIONS)  # the first only evaluates the root, which mctx does not count


def mctx_searches(games: int) -> Work | None:
    """Return the same of mctx, with the rules of pgx; None if they are not installed."""
    try:
        jax, mctx, pgx = map(import_module, ("jax", "mctx", "pgx"))
    except ImportError:
        return None
    rules, tower, where = pgx.make(GAME), jax_tower(jax), jax.numpy.where

    def answer(states: Any) -> Any:
        logits, values = tower(states.observation)
        return where(states.legal_action_mask, logits, jax.numpy.finfo(logits.dtype).min), values

    def follow(_parameters: Any, _key: Any, actions: Any, states: Any) -> Any:
        after = jax.vmap(rules.step)(states, actions)
        logits, values = answer(after)
        won = after.rewards[jax.numpy.arange(games), states.current_player]
        discounts, values = (where(after.terminated, 0.0, rest) for rest in (-1.0, values))
        return mctx.RecurrentFnOutput(reward=won, discount=discounts, prior_logits=logits, value=values), after

    @jax.jit  # type: ignore[untyped-decorator]
    def search(states: Any, key: Any) -> Any:
        logits, values = answer(states)
        root = mctx.RootFnOutput(prior_logits=logits, value=values, embedding=states)
        return mctx.muzero_policy((), key, root, follow, SIMULATIONS, ~states.legal_action_mask).action

    keys = jax.random.split(jax.random.PRNGKey(1), games)
    states = jax.vmap(rules.init)(keys)
    return repeating(lambda: search(states, keys[0]).block_until_ready())


def jax_tower(jax: Any) -> Callable[[Any], tuple[Any, Any]]:
    """Return a tower of the same size for the two planes of pgx: [games, 6, 7, 2] to logits and values."""
    rng, relu = np.random.default_rng(1), jax.nn.relu

    def weights(*shape: int) -> Any:
        return jax.numpy.array(rng.normal(0.0, np.sqrt(2.0 / np.prod(shape[:-1])), shape), np.float32)

    def convolution(size: int, inputs: int, outputs: int) -> Callable[[Any], Any]:
        table, bias, order = weights(size, size, inputs, outputs), weights(outputs), ("NHWC", "HWIO", "NHWC")
        convolve = jax.lax.conv_general_dilated
        return lambda planes: convolve(planes, table, (1, 1), "SAME", dimension_numbers=order) + bias

    def connection(inputs: int, outputs: int) -> Callable[[Any], Any]:
        table, bias = weights(inputs, outputs), weights(outputs)
        return lambda units: units.reshape(len(units), -1) @ table + bias

    first, heads = convolution(3, 2, FILTERS), convolution(1, FILTERS, 3)
    blocks = [(convolution(3, FILTERS, FILTERS), convolution(3, FILTERS, FILTERS)) for _ in range(BLOCKS)]
    policy, hidden, value = connection(2 * 42, 7), connection(42, VALUE_UNITS), connection(VALUE_UNITS, 1)

    def tower(observations: Any) -> tuple[Any, Any]:
        features = relu(first(observations.astype(np.float32)))
        for begin, end in blocks:
            features = relu(features + end(relu(begin(features))))
        read = relu(heads(features))
        return policy(read[..., :2]), jax.numpy.tanh(value(relu(hidden(read[..., 2]))))[:, 0]

    return tower


def tower_beside_torch(budget: Budget = BRIEF) -> Result:
    """One thread on each side; torch with its planes in either order, of which the faster counts."""
    game = load(GAME)
    questions = some_questions(game, ROWS, value_columns(game))
    works = [repeating(asking(new_tower(game), questions)), *torch_towers(game, questions)]
    ours, *theirs = [Portions(work, ROWS) for work in works]
    return beside(TOWER, ours, theirs, NO_TORCH, budget)


def tower_peak(budget: Budget = BRIEF) -> Result:
    """Count the products of Winograd's method, of which there are a third as many as in convolutions written out."""
    game = load(GAME)
    net = new_tower(game)
    rate = ROWS * best_rates([repeating(asking(net, some_questions(game, ROWS, value_columns(game))))], budget)[0]
    operations = 2 * net.tiling.tiles_down * net.tiling.tiles_across * net.convolutions.size
    written_out = 2 * 2 * BLOCKS * net.tiling.height * net.tiling.width * (3 * FILTERS) ** 2
    note = f"as convolutions written out {rate * written_out / 1e9:.0f} GFLOP/s"
    return PEAK.by_rate(rate * operations / 1e9, machine_rate() / 1e9, note)


def torch_towers(game: Game, questions: Questions) -> list[Work]:
    """Return torch's answers to the questions, on one thread: with planes one by one, and with squares one by one.

    TorchScript, optimised for inference, was slower than the second.
    """
    try:
        torch = import_module("torch")
    except ImportError:
        return []
    torch.set_num_threads(1)
    facts = torch.zeros(ROWS, game.facts)
    for row in range(ROWS):
        facts[row, questions.facts[row, : questions.known[row]]] = 1.0
    play = torch.inference_mode()
    (parameters, shape), orders = new_parameters(game), (torch.contiguous_format, torch.channels_last)
    planes = planes_of(shape.layout, facts)
    return [repeating(partial(play(folded_tower(torch, parameters, order)), planes)) for order in orders]


def new_tower(game: Game) -> Tower:
    return tower_of(*new_parameters(game))


def new_parameters(game: Game) -> tuple[Parameters, Shape]:
    shape = Shape(BLOCKS, FILTERS, VALUE_UNITS, game.actions, value_columns(game), layout_of(game))
    return make_tower(shape, np.random.default_rng(1)), shape


def asking(net: Evaluator, questions: Questions) -> Callable[[], None]:
    """Return what lets a network answer all of these questions."""
    rows = len(questions.known)
    return partial(net.answer, questions, rows, net.scratch(rows))


def repeating(once: Callable[[], object]) -> Work:
    def work(times: int) -> None:
        for _ in range(times):
            once()

    return work


def at_once(jobs: Sequence[Callable[[], object]]) -> Work:
    """Return what repeats each of the jobs in a thread of its own."""
    works = [repeating(job) for job in jobs]
    return lambda times: list(Threads(len(works)).map(lambda work, _stopping: work(times), works))


BENCHMARKS: dict[str, Benchmark] = {
    **{name: partial(uct_beside_openspiel, name, searches) for name, searches in UCT.items()},
    SHARE.name: self_play_share,
    WALKS.name: simulations_beside_mctx,
    TOWER.name: tower_beside_torch,
    PEAK.name: tower_peak,
}
