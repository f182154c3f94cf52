"""Information Set Monte Carlo Tree Search (Cowling, Powley and Whitehouse, 2012).

Each simulation (a *walk*, see `search/online.py`) samples a state that is consistent with what the observer knows (a
*determinisation*) and then searches as if it were known, but keeps statistics by information set, so that no player
acts on what it cannot know. A walk

1. plays from the start at random, only actions that can lead to what the observer knows, chance by its conditional
   probabilities, until the observer is to move and knows exactly that;
2. continues by UCB1 at the information set of the player to move, untried actions first, in random order;
3. adds the first information set that is not in memory, and from there plays at random to the end;
4. adds to each of its decisions the return of the player who made it.

UCB1 takes the action of the largest mean return + c * range * sqrt(ln(visits of all) / visits), where the range is the
largest absolute return that this search has met. c is 2 as in the OOS paper, whose UCT explores with twice the largest
payoff.

Differences from the paper:

- Every player has its own information sets, all in one table; the paper calls this multiple observers. Equal facts
  mean equal legal actions, so the availability of actions is not counted.
- Determinisations are uniform, action by action; they depend neither on the tree nor on how likely actions are. This
  is the difference to OOS, and why more simulations need not converge to an equilibrium.
- Where nothing is hidden, walks begin at the observed state.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from forethought.arrays import Bytes, Float64s, Int64s
from forethought.compiler import inlined_kernel, kernel, pointer, row_pointer
from forethought.game import CHANCE, PUBLIC, TERMINAL, Game, Observation, Table
from forethought.player import register_player
from forethought.randomness import Generator, below, choose
from forethought.search.infosets import NO_ROW
from forethought.search.online import InfosetSearch
from forethought.search.oos.kernels import Turns, chance_choice
from forethought.search.oos.memory import Walks, make_walks
from forethought.search.oos.targeting import Target, make_target, mark_in_target, no_target, restrict
from forethought.search.oos.walks import find_or_add, look, move
from forethought.search.player import InfosetSettings, NewSearch
from forethought.search.regret import Regrets, has_room, make_regrets
from forethought.search.ucb1 import best_arm
from forethought.settings import setting
from forethought.status import BROKEN, DONE, NO_ROOM, OFF_TARGET

TRIES = 1_000  # to sample a determinisation, before a walk gives up
GUESSED, DEAD_ENDS, GIVEN_UP = 0, 1, 2  # in IsmctsAim.tally


@register_player("ismcts", label="Information Set MCTS", suits=lambda game: game.hidden)
@dataclass(frozen=True, kw_only=True)
class IsmctsSettings(InfosetSettings):
    """Plans by Information Set Monte Carlo Tree Search, the usual rival of Online Outcome Sampling."""

    exploration: float = setting("c of UCB1, in units of the largest return", 2.0, low=0.0)
    play: str = setting("play what was visited most, or in proportion to visits", "most", words=("most", "visits"))

    def new_search(self, game: Game) -> NewSearch:
        return lambda rng: InformationSetTreeSearch(game, self, rng)


class IsmctsAim(NamedTuple):
    """Where walks begin, and what they keep outside of the tree."""

    exploration: float
    origin: Bytes  # [state_bytes] from where determinisations are sampled
    target: Target  # the observer and what it knows; if the observer is PUBLIC, the origin is the state to search
    largest: Float64s  # [1] absolute return so far
    movers: Int64s  # [plies] who took each decision of a walk
    tally: Int64s  # [3] determinisations that reached the target, that did not, walks that found none


class InformationSetTreeSearch(InfosetSearch):
    """One search, kept during a whole game: a new observation only changes where walks begin."""

    def __init__(self, game: Game, settings: IsmctsSettings, rng: Generator, labelled: bool = False) -> None:
        super().__init__(
            game, make_regrets(settings.max_infosets, labelled), 1
        )  # a row: visits of actions, then returns
        self.settings, self._labelled, self._walks, self._rng = settings, labelled, make_walks(game), rng
        self._largest = np.full(1, np.finfo(np.float64).tiny)
        self.aim_at(None)

    def aim_at(self, observation: Observation | None) -> None:
        game = self.game
        origin, target = game.start(), no_target(game)
        if observation is not None and observation.state is not None:
            origin = observation.state
        elif observation is not None:
            target = make_target(game, observation.player, observation.facts)
        self.aim = IsmctsAim(
            exploration=self.settings.exploration,
            origin=origin.memory.copy(),
            target=target,
            largest=self._largest,
            movers=np.zeros(game.plies, np.int64),
            tally=np.zeros(3, np.int64),
        )
        if observation is not None and self._first(observation) == NO_ROW and self.infosets >= self.table.max_rows:
            self.table = make_regrets(self.table.max_rows, self._labelled)  # a full table could add nothing here

    def _advance(self) -> int:
        return walk_alone(self.game.table, self.aim, self.table, self._walks, self._turns, self._rng)

    def policy(self, observation: Observation) -> Float64s:
        visits = self.visits(observation)
        chosen = np.asarray(visits == visits.max(), np.float64) if self.settings.play == "most" else visits
        total = chosen.sum()
        return chosen / total if total > 0.0 else np.full(len(visits), 1.0 / len(visits))

    def visits(self, observation: Observation) -> Float64s:
        """Return the visits of each legal action."""
        visits, _ = self._row(observation)
        return visits

    def values(self, observation: Observation) -> Float64s:
        """Return the mean return of each legal action; 0 if it has no visits."""
        visits, totals = self._row(observation)
        return totals / np.maximum(visits, 1.0)

    def about_actions(self, observation: Observation) -> dict[str, Float64s]:
        return {"value": self.values(observation), "visits": self.visits(observation)}

    def _row(self, observation: Observation) -> tuple[Float64s, Float64s]:
        count, first = len(observation.legal_actions), self._first(observation)
        row = self.table.entries[first : first + 2 * count].copy() if first != NO_ROW else np.zeros(2 * count)
        return row[:count], row[count:]


@kernel
def walk_alone(game: Table, aim: IsmctsAim, table: Regrets, walks: Walks, turns: Turns, rng: Generator) -> int:
    """Run walks one after another; return DONE, NO_ROOM or BROKEN."""
    while turns.begun[0] < turns.end[0]:
        if not has_room(game, table, 1):
            return NO_ROOM
        turns.begun[0] += 1
        player = determinise(game, aim, walks, rng)
        if player >= CHANCE:
            player = play_out(game, aim, table, walks, player, rng)
        if player == BROKEN:
            return BROKEN
        if player == TERMINAL:
            back_up(game, aim, table, walks)
    return DONE


@kernel
def determinise(game: Table, aim: IsmctsAim, walks: Walks, rng: Generator) -> int:
    """Sample plays until one reaches the target; return who acts there, OFF_TARGET after too many tries, or BROKEN."""
    for _ in range(TRIES):
        player = guess(game, aim, walks, rng)
        if player != OFF_TARGET:
            aim.tally[GUESSED] += 1
            return player
        aim.tally[DEAD_ENDS] += 1
    aim.tally[GIVEN_UP] += 1
    return OFF_TARGET


@kernel
def guess(game: Table, aim: IsmctsAim, walks: Walks, rng: Generator) -> int:
    """Play at random, in target, until the observer is to move there; return as `determinise` does."""
    questions, target = walks.questions, aim.target
    walks.path.plies[0] = walks.path.decisions[0] = 0
    for i in range(game.state_bytes):
        questions.states[0, i] = aim.origin[i]
    player = look(game, questions, 0)
    if target.observer == PUBLIC:
        return player
    while player >= CHANCE and not is_target(game, target, walks, player):
        count = questions.counts[0]
        if weigh_in_target(game, target, walks, player) == 0.0:
            return OFF_TARGET
        player = move(game, walks, 0, choose(walks.restricted, count, rng))
    return OFF_TARGET if player == TERMINAL else player


@inlined_kernel
def is_target(game: Table, target: Target, walks: Walks, player: int) -> bool:
    """Whether the observer is to move and knows exactly the target."""
    if player != target.observer:
        return False
    facts = walks.trial.facts
    known = game.facts(row_pointer(walks.questions.states, 0), player, pointer(facts))
    same = 0
    while same < known and facts[same] == target.facts[same]:
        same += 1
    return same == known and known == target.known


@inlined_kernel
def weigh_in_target(game: Table, target: Target, walks: Walks, player: int) -> float:
    """Write the probability of each action given that it is in target, of players uniform; return 0 if none is."""
    questions, weights = walks.questions, walks.sampling
    state, count = questions.states[0], questions.counts[0]
    if player == CHANCE:
        game.chance(pointer(state), pointer(weights))
    else:
        for i in range(count):
            weights[i] = 1.0
    mark_in_target(game, state, questions.actions[0], count, target, walks.trial)
    return restrict(weights, count, walks.trial.in_target, walks.restricted)


@kernel
def play_out(game: Table, aim: IsmctsAim, table: Regrets, walks: Walks, player: int, rng: Generator) -> int:
    """Play to the end: in the tree by UCB1, through one new information set, then at random; return who acts last."""
    questions, in_tree = walks.questions, True
    while player >= CHANCE:
        count = questions.counts[0]
        if player == CHANCE:
            choice = chance_choice(game, walks, 0, rng)
        elif in_tree:
            first, in_tree = find_or_add(game, table, questions, 0, player)
            choice = select(table, first, count, aim.exploration * aim.largest[0], rng)
            if first != NO_ROW:
                remember(aim, walks, player, first, choice)
        else:
            choice = below(count, rng)
        player = move(game, walks, 0, choice)
    return player


@inlined_kernel
def select(table: Regrets, first: int, count: int, bonus: float, rng: Generator) -> int:
    """Choose by UCB1; an untried action first, any if the information set is not in memory."""
    if first == NO_ROW:
        return below(count, rng)
    visits, totals = table.entries[first : first + count], table.entries[first + count : first + 2 * count]
    total, untried = 0.0, 0
    for i in range(count):
        total += visits[i]
        untried += visits[i] == 0.0
    if untried > 0:
        return nth_untried(table, first, below(untried, rng))
    return best_arm(visits, totals, 0, count, total, bonus)


@kernel
def nth_untried(table: Regrets, first: int, n: int) -> int:
    choice = -1
    while n >= 0:
        choice += 1
        n -= table.entries[first + choice] == 0.0
    return choice


@inlined_kernel
def remember(aim: IsmctsAim, walks: Walks, player: int, first: int, choice: int) -> None:
    """Keep a decision until the walk's end."""
    path, last = walks.path, walks.path.decisions[0]
    aim.movers[last] = player
    path.firsts[0, last], path.counts[0, last], path.choices[0, last] = first, walks.questions.counts[0], choice
    path.decisions[0] = last + 1


@kernel
def back_up(game: Table, aim: IsmctsAim, table: Regrets, walks: Walks) -> None:
    """Add to every decision of a walk the return of the player who made it."""
    path, returns = walks.path, walks.returns
    game.returns(row_pointer(walks.questions.states, 0), pointer(returns))
    for player in range(game.players):
        aim.largest[0] = max(aim.largest[0], abs(returns[player]))
    for i in range(path.decisions[0]):
        taken = path.firsts[0, i] + path.choices[0, i]
        table.entries[taken] += 1.0
        table.entries[taken + path.counts[0, i]] += returns[aim.movers[i]]
