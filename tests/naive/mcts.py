"""Monte Carlo tree search through the Python face: nodes are objects, walks recursive, states cloned."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import forethought as ft
from forethought.arrays import Float64s
from forethought.nets.evaluator import Evaluator, evaluator_of
from forethought.nets.questions import Questions
from forethought.search.mcts.forest import Forest
from forethought.search.mcts.tree import NO_NODE, NodePool
from tests.naive import xoshiro

Summary = tuple[Any, ...]  # of a node: who is to move, visits, total; and by action prior, visits, total, and the child
Returns = list[float]
Answer = tuple[list[float], list[float]]  # a policy over the legal actions, and what each player is expected to win


@dataclass
class Edge:
    prior: float = 0.0
    visits: int = 0
    waiting: int = 0  # walks that have not been backed up yet
    total: float = 0.0
    child: "Node | None" = None


@dataclass
class Node:
    player: int
    visits: int = 0
    total: float = 0.0
    edges: dict[int, Edge] = field(default_factory=dict)  # by action
    order: list[int] = field(default_factory=list)  # of actions, as they are compared; with UCB1, as they were tried

    def expand(self, actions: list[int], priors: list[float]) -> None:
        """Trees keep probabilities in single precision."""
        self.order = actions
        self.edges = {a: Edge(float(np.float32(p))) for a, p in zip(actions, priors, strict=True)}

    def summary(self) -> Summary:
        below = {
            action: (edge.prior, edge.visits, edge.total, edge.child.summary() if edge.child else None)
            for action, edge in sorted(self.edges.items())
        }
        return self.player, self.visits, self.total, below


@dataclass
class Search:
    words: list[int]  # of the generator
    position: ft.State
    evaluate: Callable[[ft.State], Answer] | None = None
    selection: str = "ucb1"
    exploration: float = math.sqrt(2.0)
    first_play_urgency: str = "parent"
    prior_temperature: float = 1.0
    expansion_threshold: int = 1
    virtual_loss: int = 1
    rollout_weight: float = 1.0
    rollout_limit: int = 1000
    worth: float = 1.0
    largest: float = 1.0
    root: Node = field(init=False)

    def __post_init__(self) -> None:
        self.root = Node(self.position.player)

    def play(self, *actions: int) -> None:
        """Go on to a later position, and keep what is known of it."""
        for action in actions:
            self.position.apply(action)
            edge = self.root.edges.get(action, Edge())
            self.root = edge.child or Node(self.position.player)

    def walk(self) -> None:
        self._visit(self.root, self.position.clone())

    def _visit(self, node: Node, s: ft.State) -> Returns:
        """Walk on from a node to the end or to a leaf, and tell the node what each player has won."""
        if s.is_terminal:
            returns = self._ends(s)
        elif s.is_chance:
            returns = self._follow(node, self._drawn(node, s), s)
        elif self._is_open(node):
            returns = self._follow(node, self._chosen(node, s), s)
        else:
            returns = self._leaf(node, s)
        node.visits += 1
        if node.player >= 0:
            node.total += returns[node.player]
        return returns

    def walk_together(self, walks: int, width: int) -> None:
        """Walk so often; up to `width` walks wait for the evaluator at the same time, but no two at one position."""
        begun = 0
        while begun < walks:
            waiting: list[tuple[list[tuple[Node, Edge]], Node, ft.State]] = []
            here = 0
            while here < width and begun < walks:
                path, node, s = self._descended()
                asks = not s.is_terminal and not node.edges
                if asks and path and path[-1][1].waiting > 1:
                    for _, edge in path:
                        edge.waiting -= 1
                    break
                if asks:
                    waiting.append((path, node, s))
                else:
                    self._back_up(path, node, self._ends(s) if s.is_terminal else self._leaf(node, s))
                here += asks or here > 0
                begun += 1
            for path, node, s in waiting:
                self._back_up(path, node, self._leaf(node, s))

    def _descended(self) -> tuple[list[tuple[Node, Edge]], Node, ft.State]:
        """Walk down to the end of the game or to a position that is not open."""
        path, node, s = list[tuple[Node, Edge]](), self.root, self.position.clone()
        while not s.is_terminal and (s.is_chance or self._is_open(node)):
            action = self._drawn(node, s) if s.is_chance else self._chosen(node, s)
            path.append((node, node.edges[action]))
            path[-1][1].waiting += 1
            s.apply(action)
            path[-1][1].child = node = path[-1][1].child or Node(s.player)
        return path, node, s

    def _back_up(self, path: list[tuple[Node, Edge]], leaf: Node, returns: Returns) -> None:
        for node in [*(node for node, _ in path), leaf]:
            node.visits += 1
            node.total += returns[node.player] if node.player >= 0 else 0.0
        for node, edge in path:
            edge.visits, edge.waiting = edge.visits + 1, edge.waiting - 1
            edge.total += returns[node.player] if node.player >= 0 else 0.0

    def _is_open(self, node: Node) -> bool:
        """Whether walks go on beyond a decision: it was visited often enough, or is the root."""
        return node.visits >= (1 if node is self.root else self.expansion_threshold)

    def _follow(self, node: Node, action: int, s: ft.State) -> Returns:
        edge = node.edges[action]
        s.apply(action)
        edge.child = edge.child or Node(s.player)
        returns = self._visit(edge.child, s)
        edge.visits += 1
        if node.player >= 0:
            edge.total += returns[node.player]
        return returns

    def _drawn(self, node: Node, s: ft.State) -> int:
        if not node.edges:
            node.expand(s.legal_actions(), s.chance())
        rest = xoshiro.uniform(self.words)
        for action in node.order:
            rest -= node.edges[action].prior
            if rest < 0:
                break
        return action

    def _chosen(self, node: Node, s: ft.State) -> int:
        if not node.edges:
            node.expand(s.legal_actions(), [0.0] * len(s.legal_actions()))
        if self.selection == "puct":
            return max(node.order, key=lambda action: self._puct(node, node.edges[action]))
        tried = sum(edge.visits > 0 for edge in node.edges.values())
        if tried == len(node.order):
            return max(node.order, key=lambda action: self._ucb1(node, node.edges[action]))
        place = tried + xoshiro.below(len(node.order) - tried, self.words)
        node.order[tried], node.order[place] = node.order[place], node.order[tried]
        return node.order[tried]

    def _ucb1(self, node: Node, edge: Edge) -> float:
        spread = math.sqrt(math.log(node.visits) / edge.visits)
        return edge.total / edge.visits + self.exploration * self.largest * spread

    def _puct(self, node: Node, edge: Edge) -> float:
        unvisited = -1.0 if self.first_play_urgency == "loss" else node.total / (node.visits * self.largest)
        lost = self.virtual_loss * edge.waiting
        visits = edge.visits + lost
        mean = (edge.total / self.largest - lost) / visits if visits else unvisited
        return mean + self.exploration * math.sqrt(node.visits) * edge.prior / (1 + visits)

    def _leaf(self, node: Node, s: ft.State) -> Returns:
        """Say what a position that is not open yet is worth."""
        if self.evaluate is None:
            return self._rolled_out(s)
        policy, expected = self.evaluate(s)
        raised = [(chance / max(policy)) ** (1.0 / self.prior_temperature) for chance in policy]
        tempered = policy if self.prior_temperature == 1.0 else [one / sum(raised) for one in raised]
        node.expand(s.legal_actions(), tempered)
        share, played = self.rollout_weight, self._rolled_out(s) if self.rollout_weight > 0 else [0.0] * s.game.players
        return [(1 - share) * self.worth * value + share * won for value, won in zip(expected, played, strict=True)]

    def _rolled_out(self, s: ft.State) -> Returns:
        for _ in range(self.rollout_limit):
            if s.is_terminal:
                break
            legal = s.legal_actions()
            choice = xoshiro.choose(s.chance(), self.words) if s.is_chance else xoshiro.below(len(legal), self.words)
            s.apply(legal[choice])
        return self._ends(s) if s.is_terminal else [0.0] * s.game.players

    def _ends(self, s: ft.State) -> Returns:
        returns = s.returns()
        self.largest = max(self.largest, *(abs(value) for value in returns))
        return returns


def known_to(forest: Forest, tree: int = 0) -> Summary:
    """All that a tree of a forest knows, in the terms of `Node.summary`."""
    return known_below(forest._pool, int(forest._trees.roots[tree]))


def known_below(pool: NodePool, node: int) -> Summary:
    nodes, edges, below = pool.nodes, pool.edges, {}
    for edge in range(nodes.first[node], nodes.first[node] + nodes.degree[node]):
        child = None if edges.child[edge] == NO_NODE else known_below(pool, edges.child[edge])
        below[int(edges.action[edge])] = (edges.prior[edge], edges.visits[edge], edges.total[edge], child)
    return nodes.player[node], nodes.visits[node], nodes.total[node], dict(sorted(below.items()))


@cache
def hashed_answer(facts: tuple[int, ...], actions: int, columns: int) -> tuple[Float64s, Float64s]:
    """A policy and values that look like any, and are always the same for the same facts."""
    rng = np.random.default_rng([len(facts), *facts])
    return rng.dirichlet(np.ones(actions)), rng.uniform(-1.0, 1.0, columns)


def hashed_evaluator(game: ft.Game) -> Evaluator:
    """An evaluator that answers a forest's questions by the facts alone."""
    return evaluator_of(game, hashed_answers)


def hashed_answers(questions: Questions, count: int) -> None:
    for row in range(count):
        facts, actions = questions.facts[row, : questions.known[row]], int(questions.counts[row])
        policy, values = hashed_answer(tuple(facts.tolist()), actions, questions.values.shape[1])
        questions.policies[row, :actions], questions.values[row] = policy, values


def hashed_evaluate(s: ft.State) -> Answer:
    """Answer the reference alike. Values begin with the player to move; with two who win each other's, one says all."""
    players, two = s.game.players, s.game.players == 2 and s.game.zero_sum
    policy, values = hashed_answer(tuple(s.facts(s.player)), len(s.legal_actions()), 1 if two else players)
    seats = [values[0], -values[0]] if two else values.tolist()
    return policy.tolist(), [float(seats[(who - s.player) % players]) for who in range(players)]


class Perfect:
    """What player 0 gets if everybody plays perfectly, in zero-sum games of two: by trying everything."""

    def __init__(self) -> None:
        self._known: dict[bytes, float] = {}

    def value(self, s: ft.State) -> float:
        key = s.memory.tobytes()
        if key not in self._known:
            self._known[key] = self._found(s)
        return self._known[key]

    def after(self, s: ft.State) -> dict[int, float]:
        """What each action is worth to the player to move."""
        sign = -1.0 if s.player == 1 else 1.0
        return {action: sign * self.value(child(s, action)) for action in s.legal_actions()}

    def _found(self, s: ft.State) -> float:
        if s.is_terminal:
            return s.returns()[0]
        values = list(self.after(s).values())
        if s.is_chance:
            return sum(p * value for p, value in zip(s.chance(), values, strict=True))
        return -max(values) if s.player == 1 else max(values)


def child(s: ft.State, action: int) -> ft.State:
    """The position after an action that is known to be legal."""
    played = s.clone()
    played.game.table.apply(played.memory, action)
    return played
