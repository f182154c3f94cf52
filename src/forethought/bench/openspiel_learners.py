"""OpenSpiel's learners in torch: NFSP, Deep CFR and PPO in self-play, with settings of its examples where they fit.

They are run in processes of their own (`race.py`), as they need torch and OpenSpiel at once and draw from generators
that all of a process shares. Where OpenSpiel leaves it open how a learner is driven, it is driven the fastest way we
found. A better setting or a faster loop is welcome: it makes the comparison fairer.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import pyspiel
import torch
from open_spiel.python import rl_environment
from open_spiel.python.pytorch import deep_cfr, nfsp, ppo

from forethought.game import State
from forethought.games import load
from forethought.solve.best_response import strength
from forethought.solve.tree import GameTree
from forethought.solve.unroll import unroll

SEED = 1
EPISODES = 100  # of NFSP, from one look at the clock to the next
TABLES, STEPS = 32, 64  # games of PPO at once, and decisions of each seat of each in a batch


class Infosets(NamedTuple):
    """What OpenSpiel shows a network in every information set of our tree, row by row."""

    inputs: torch.Tensor
    legal: torch.Tensor
    player: npt.NDArray[np.int8]


class OpenSpielLearner(Protocol):
    """One of OpenSpiel's algorithms."""

    def learn(self) -> None:
        """Learn for about a second."""

    def finish(self) -> None:
        """Do what is done once, when the learning has ended, so that it can play."""

    def policies(self, infosets: Infosets) -> torch.Tensor:
        """Return the probabilities of all actions [rows, actions], those of illegal actions too."""


class NashConvExam:
    """Measures NashConv by our own exact best response, on our own tree of the game."""

    def __init__(self, spec: str, peer_spec: str) -> None:
        self._tree = unroll(load(spec))
        self.infosets = matched_infosets(self._tree, pyspiel.load_game(peer_spec))

    def nashconv(self, learner: OpenSpielLearner) -> float:
        legal = self.infosets.legal
        with torch.no_grad():
            weights = torch.where(legal, learner.policies(self.infosets).double(), 0.0)
        policies = weights / weights.sum(1, keepdim=True)
        return strength(self._tree, policies[legal].numpy()).nashconv  # legal actions are in the same order here


def matched_infosets(tree: GameTree, game: Any) -> Infosets:
    """Play both implementations through, side by side: actions correspond by their place among the legal ones."""
    rows = {tree.row_facts(row): row for row in range(tree.infosets)}
    inputs = np.zeros((len(rows), game.information_state_tensor_size()), np.float32)
    legal = np.zeros((len(rows), game.num_distinct_actions()), bool)
    for state, spiel in decisions(tree.game.start(), game.new_initial_state()):
        row = rows[tuple(state.facts(state.player))]
        inputs[row] = spiel.information_state_tensor()
        legal[row, spiel.legal_actions()] = True
    return Infosets(torch.from_numpy(inputs), torch.from_numpy(legal), tree.rows.player)


def decisions(state: State, spiel: Any) -> Iterator[tuple[State, Any]]:
    """Yield every history in which a player decides, here and in OpenSpiel."""
    if state.is_terminal:
        return
    if not state.is_chance:
        yield state, spiel
    for after, action in zip(successors(state), spiel.legal_actions(), strict=True):
        yield from decisions(after, spiel.child(action))


def successors(state: State) -> Iterable[State]:
    """Return the next states; as in our trees, outcomes that lead to the same state are one (cards of a rank)."""
    found: dict[bytes, State] = {}
    for action in state.legal_actions():
        after = state.clone()
        after.apply(action)
        found.setdefault(after.memory.tobytes(), after)
    return found.values()


class Nfsp:
    """Neural Fictitious Self-Play, as in `nfsp_leduc_pytorch.py`."""

    SETTINGS: dict[str, Any] = {
        "hidden_layers_sizes": [128],
        "reservoir_buffer_capacity": 2_000_000,
        "replay_buffer_capacity": 200_000,
        "min_buffer_size_to_learn": 1_000,
        "anticipatory_param": 0.1,
        "batch_size": 128,
        "learn_every": 64,
        "rl_learning_rate": 0.01,
        "sl_learning_rate": 0.01,
        "optimizer_str": "sgd",
        "loss_str": "mse",
        "update_target_network_every": 19_200,
        "discount_factor": 1.0,
        "epsilon_decay_duration": 20_000_000,
        "epsilon_start": 0.06,
        "epsilon_end": 0.001,
    }

    def __init__(self, spec: str) -> None:
        self._environment = rl_environment.Environment(pyspiel.load_game(spec))
        size = self._environment.observation_spec()["info_state"][0]
        actions, players = self._environment.action_spec()["num_actions"], range(self._environment.num_players)
        self._agents = [nfsp.NFSP(player, size, actions, seed=SEED, **self.SETTINGS) for player in players]

    def learn(self) -> None:
        for _ in range(EPISODES):
            time_step = self._environment.reset()
            while not time_step.last():
                agent = self._agents[time_step.observations["current_player"]]
                time_step = self._environment.step([agent.step(time_step).action])
            for agent in self._agents:
                agent.step(time_step)

    def finish(self) -> None:
        """Its average policy is learned all the time."""

    def policies(self, infosets: Infosets) -> torch.Tensor:
        logits = torch.zeros(infosets.legal.shape)
        for player, agent in enumerate(self._agents):
            own = torch.from_numpy(infosets.player == player)
            logits[own] = agent._avg_network(infosets.inputs[own])
        return softmax_of_legal(logits, infosets.legal)


class DeepCfr:
    """Deep CFR: the networks, rate and memory that `deep_cfr_pytorch.py` recommends.

    Iterations are those of its example, which are shorter than the recommended ones, so that there are more of them.
    """

    FINISHING_STEPS = 2_500
    SETTINGS: dict[str, Any] = {
        "policy_network_layers": (64, 64, 64),
        "advantage_network_layers": (64, 64, 64),
        "learning_rate": 1e-3,
        "memory_capacity": 1_000_000,
        "num_traversals": 375,
        "batch_size_advantage": 256,
        "batch_size_strategy": 256,
        "advantage_network_train_steps": 375,
    }

    def __init__(self, spec: str) -> None:
        self._solver = deep_cfr.DeepCFRSolver(
            pyspiel.load_game(spec),
            num_iterations=1,
            policy_network_train_steps=1,  # which follow each iteration; the others are those of `finish`
            seed=SEED,
            **self.SETTINGS,
        )

    def learn(self) -> None:
        self._solver.solve()  # one more iteration

    def finish(self) -> None:
        """Learn the average policy, from nothing."""
        self._solver._reinitialize_policy_network()
        for _ in range(self.FINISHING_STEPS):
            self._solver._learn_strategy_network()

    def policies(self, infosets: Infosets) -> torch.Tensor:
        probabilities: torch.Tensor = self._solver._policy_network(infosets.inputs)
        return probabilities


class Batch(NamedTuple):
    """The memory of PPO's agent [steps, columns], as arrays."""

    obs: npt.NDArray[np.float32]
    legal_actions_mask: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.float32]
    logprobs: npt.NDArray[np.float32]
    values: npt.NDArray[np.float32]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.float32]


Answer = tuple[int, float, float]  # an action, the logarithm of its probability, and the value of the position


class Ppo:
    """Proximal policy optimization: one network decides for both seats.

    OpenSpiel's driver is for one agent alone. Here the agent's batch is filled by self-play: its columns are the seats
    of games that are played together, so that each column has the decisions of one seat and what came of them. Its
    example's settings are for Atari games; rate and entropy were chosen by a few short runs in Leduc, not tuned.
    """

    def __init__(self, spec: str, tables: int = TABLES, steps: int = STEPS) -> None:
        torch.manual_seed(SEED)
        np.random.seed(SEED)  # noqa: NPY002 (with which OpenSpiel shuffles)
        self._rng, self.game = random.Random(SEED), pyspiel.load_game(spec)
        self.tables, self.players = tables, self.game.num_players()
        self.agent = ppo.PPO(
            input_shape=(self.game.information_state_tensor_size(),),
            num_actions=self.game.num_distinct_actions(),
            num_players=self.players,
            num_envs=self.players * tables,
            steps_per_batch=steps,
            gamma=1.0,
            learning_rate=1e-3,
            entropy_coef=0.1,
            agent_fn=ppo.PPOAgent,
        )
        self.batch = Batch(*(getattr(self.agent, name).numpy() for name in Batch._fields))

    def learn(self) -> None:
        self.play()
        ended = SimpleNamespace(observations={"info_state": [np.zeros(self.agent.input_shape)]})
        self.agent.learn([ended] * self.agent.num_envs)  # no column ends within a game: what follows does not matter

    def play(self) -> None:
        """Fill a batch."""
        self.batch.rewards.fill(0.0)
        self.batch.dones.fill(0.0)
        tables = [_Table(self, number) for number in range(self.tables)]
        while tables:
            inputs = np.array([table.state.information_state_tensor() for table in tables], np.float32)
            legal = np.array([table.state.legal_actions_mask() for table in tables], bool)
            with torch.no_grad():
                actions, logs, _, values, _ = self.agent.get_action_and_value(
                    torch.from_numpy(inputs), legal_actions_mask=torch.from_numpy(legal)
                )
            answers = zip(actions.tolist(), logs.tolist(), values[:, 0].tolist(), strict=True)
            for table, *row in zip(tables, inputs, legal, answers, strict=True):
                table.decide(*row)
            tables = [table for table in tables if not table.full]

    def deal(self, state: Any) -> None:
        """Let chance act."""
        while state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(self._rng.choices(outcomes, odds)[0])

    def finish(self) -> None:
        """Its policy is learned all the time."""

    def policies(self, infosets: Infosets) -> torch.Tensor:
        return softmax_of_legal(self.agent.network.actor(infosets.inputs), infosets.legal)


class _Table:
    """One game after another, until the columns of all seats are full."""

    def __init__(self, learner: Ppo, number: int) -> None:
        self._learner, self._steps = learner, int(learner.agent.steps_per_batch)
        self._columns = range(number * learner.players, (number + 1) * learner.players)
        self._filled = [0] * learner.players
        self._new_game()

    def _new_game(self) -> None:
        self._before, self.state = list(self._filled), self._learner.game.new_initial_state()
        self._learner.deal(self.state)

    @property
    def full(self) -> bool:
        """Whether nothing more is to be played here: a game is played to its end."""
        return min(self._before) == self._steps

    def decide(self, inputs: npt.NDArray[np.float32], legal: npt.NDArray[np.bool_], answer: Answer) -> None:
        """Write down a decision of whoever is to move, if there is room, and go on to the next one."""
        seat, batch = self.state.current_player(), self._learner.batch
        if self._filled[seat] < self._steps:
            place = self._filled[seat], self._columns[seat]
            batch.obs[place], batch.legal_actions_mask[place] = inputs, legal
            batch.actions[place], batch.logprobs[place], batch.values[place] = answer
            self._filled[seat] += 1
        self.state.apply_action(answer[0])
        self._learner.deal(self.state)
        if self.state.is_terminal():
            self._reward()
            self._new_game()

    def _reward(self) -> None:
        """Give the returns to the last decision of each seat in this game, if one was written down."""
        returns = self.state.returns()
        for seat, column in enumerate(self._columns):
            if self._filled[seat] > self._before[seat]:
                self._learner.batch.rewards[self._filled[seat] - 1, column] = returns[seat]
                self._learner.batch.dones[self._filled[seat] - 1, column] = 1.0


def softmax_of_legal(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    return torch.where(legal, logits, -torch.inf).softmax(1)


LEARNERS: dict[str, Callable[[str], OpenSpielLearner]] = {"NFSP": Nfsp, "Deep CFR": DeepCfr, "PPO": Ppo}
