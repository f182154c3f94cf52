"""Policy gradient: self-play in lock-step beside the same games stepped in Python, and its learning beside bare torch.

The peers do what implementations of PPO in Python do. One steps many games and asks torch for the policies and values
of all of them at once. The other takes steps of the same two networks, by torch's own differentiation and optimizer, on
inputs that are there already and with the simplest losses.
"""

from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from forethought.bench.learning import ABSENT
from forethought.bench.measure import Budget, Work, best_rates
from forethought.bench.result import Benchmark, Claim, Result
from forethought.errors import ForethoughtError
from forethought.game import Game, State
from forethought.games import load
from forethought.learn.lockstep import Networks, advantages, play_games
from forethought.learn.network_learner import require_torch
from forethought.learn.policy_gradient import BatchUpdate, Weights
from forethought.nets.mlp import Mlp, make_mlp, parameters_of
from forethought.randomness import generators
from forethought.runtime.threads import Threads

GAME = "goofspiel(cards=13)"
HIDDEN, TOGETHER, THREADS, MINIBATCH = (256, 256), 128, 2, 512
PLAY = Claim("mmd:self-play", "decisions/s", "the same games stepped in Python through torch", goal=20.0)
LEARN = Claim("mmd:learning", "rows/s", "the bare networks in torch", goal=0.6)
LONG = Budget(seconds=1.5, rounds=4)
UPDATE = BatchUpdate(Weights(0.1, 0.2, 0.05, 0.2), rate=1e-4, max_gradient_norm=0.5, epochs=1, share=0.01)


def self_play(budget: Budget = LONG) -> Result:
    """Games are counted in decisions of the first ones; both sides play two networks, and ours a magnet beside them."""
    game = load(GAME)
    networks = new_networks(game)
    per_game = play_games(game, networks, generators(TOGETHER, 1)).decisions.rows / TOGETHER
    ours = our_games(game, networks)
    if not has_torch():
        return PLAY.by_rate(per_game * TOGETHER * best_rates([ours], budget)[0], None, ABSENT)
    our_rate, torch_rate = best_rates([ours, stepped_games(game, networks)], budget)
    return PLAY.by_rate(per_game * TOGETHER * our_rate, per_game * TOGETHER * torch_rate)


def learning(budget: Budget = LONG) -> Result:
    """A unit is a batch of the decisions of some games, learned from once."""
    if not has_torch():
        return LEARN.by_rate(0.0, None, ABSENT)
    from forethought.learn.actor_critic import ActorCritic  # noqa: PLC0415 (torch)

    game = load(GAME)
    networks = new_networks(game)
    played, rng = play_games(game, networks, generators(TOGETHER, 1)), np.random.default_rng(1)
    gains = advantages(played, 1.0, 0.95)
    both = ActorCritic(game, parameters_of(networks.actor), parameters_of(networks.critic), MINIBATCH, THREADS)

    def ours(batches: int) -> None:
        import_module("torch").set_num_threads(1)
        for _ in range(batches):
            both.learn(played.decisions, gains, UPDATE, rng)

    rows = played.decisions.rows
    steps = max(1, rows // MINIBATCH)
    our_rate, torch_rate = best_rates([ours, bare_steps([networks.actor, networks.critic], steps)], budget)
    return LEARN.by_rate(rows * our_rate, steps * MINIBATCH * torch_rate)


def new_networks(game: Game) -> Networks:
    rng = np.random.default_rng(1)
    actor, magnet = (make_mlp(game.facts, game.actions, HIDDEN, rng) for _ in range(2))
    return Networks(actor, magnet, make_mlp(game.facts * game.players, 1, HIDDEN, rng))


def our_games(game: Game, networks: Networks) -> Work:
    """Play groups of games in two threads."""
    return lambda groups: list(
        Threads(THREADS).map(
            lambda group, _stopping: play_games(game, networks, generators(TOGETHER, 1, group)), range(groups)
        )
    )


def stepped_games(game: Game, networks: Networks) -> Work:
    """Play groups of games in Python, all games of a group at once; torch uses as many threads as we do."""
    torch = import_module("torch")
    actor, critic = (torch_network(torch, net) for net in (networks.actor, networks.critic))

    def work(groups: int) -> None:
        torch.set_num_threads(THREADS)
        for group in range(groups):
            rng, states = np.random.default_rng(group), [game.start() for _ in range(TOGETHER)]
            while states:
                states = [state for state in states if not _passed(state, rng).is_terminal]
                if states:
                    step_together(torch, actor, critic, states)

    return work


def step_together(torch: Any, actor: Any, critic: Any, states: list[State]) -> None:
    """Let the network decide once in every game."""
    game = states[0].game
    inputs, barred = np.zeros((len(states), 2 * game.facts), np.float32), np.ones((len(states), game.actions), bool)
    for row, state in enumerate(states):
        inputs[row, state.facts(state.player)] = 1.0
        inputs[row, [game.facts + fact for fact in state.facts(1 - state.player)]] = 1.0
        barred[row, state.legal_actions()] = False
    with torch.no_grad():
        seen = torch.from_numpy(inputs)
        logits = actor(seen[:, : game.facts]).masked_fill(torch.from_numpy(barred), -torch.inf)
        critic(seen)
        chosen = torch.multinomial(logits.softmax(1), 1)[:, 0].tolist()
    for state, action in zip(states, chosen, strict=True):
        state.apply(action)


def _passed(state: State, rng: np.random.Generator) -> State:
    """Let chance act, and whoever has a single action."""
    while not state.is_terminal:
        legal = state.legal_actions()
        if state.is_chance:
            state.apply(int(rng.choice(legal, p=state.chance())))
        elif len(legal) == 1:
            state.apply(legal[0])
        else:
            break
    return state


def bare_steps(nets: list[Mlp], steps: int) -> Work:
    """Take so many steps of Adam with each network."""
    torch = import_module("torch")
    made = [torch_network(torch, net) for net in nets]
    adams = [torch.optim.Adam(net.parameters(), lr=1e-4) for net in made]
    inputs = [(torch.rand(MINIBATCH, net.facts) < 0.1).float() for net in nets]

    def work(units: int) -> None:
        torch.set_num_threads(THREADS)
        for _ in range(units * steps):
            for net, adam, batch in zip(made, adams, inputs, strict=True):
                adam.zero_grad()
                net(batch).square().mean().backward()
                adam.step()

    return work


def torch_network(torch: Any, net: Mlp) -> Any:
    """Return a network of the same sizes, made of torch's modules; its weights do not matter here."""
    layers = [torch.nn.Linear(*sizes) for sizes in pairwise(net.widths.tolist())]
    between = [part for layer in layers[:-1] for part in (layer, torch.nn.ReLU())]
    return torch.nn.Sequential(*between, layers[-1])


def has_torch() -> bool:
    try:
        require_torch()
    except ForethoughtError:
        return False
    return True


BENCHMARKS: dict[str, Benchmark] = {PLAY.name: self_play, LEARN.name: learning}
