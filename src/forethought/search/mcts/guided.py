"""Tree search guided by a compiled network: walks and answers take turns inside one kernel.

Calling a kernel costs more than many walks. So there is one kernel for each kind of network; other evaluators answer
from Python, batch by batch.
"""

from forethought.compiler import kernel
from forethought.game import Table
from forethought.nets.inference import MlpScratch, evaluate
from forethought.nets.mlp import Mlp
from forethought.nets.tower import Tower, TowerScratch, evaluate_tower
from forethought.search.mcts.kernels import Flights, Rule, Trees, gather, settle
from forethought.search.mcts.tree import NodePool
from forethought.status import BROKEN


@kernel
def search_with_mlp(
    game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, net: Mlp, scratch: MlpScratch
) -> int:
    """Walk until all is done; return DONE then, NO_ROOM or BROKEN."""
    q = flights.questions
    while True:
        waiting = gather(game, pool, rule, trees, flights)
        if waiting <= 0:
            return waiting
        evaluate(net, waiting, q.facts, q.known, q.actions, q.counts, scratch, q.policies, q.values)
        if settle(game, pool, rule, trees, flights, waiting) == BROKEN:
            return BROKEN


@kernel
def search_with_tower(
    game: Table, pool: NodePool, rule: Rule, trees: Trees, flights: Flights, net: Tower, scratch: TowerScratch
) -> int:
    """Walk until all is done; return DONE then, NO_ROOM or BROKEN."""
    q = flights.questions
    while True:
        waiting = gather(game, pool, rule, trees, flights)
        if waiting <= 0:
            return waiting
        evaluate_tower(net, waiting, q.facts, q.known, q.actions, q.counts, scratch, q.policies, q.values)
        if settle(game, pool, rule, trees, flights, waiting) == BROKEN:
            return BROKEN
